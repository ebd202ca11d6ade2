import crypto from 'node:crypto'
import net from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { type HeldSockets, type HostPort, addressList, listenAt, placeOf } from '@fairway/platform'
import { type Admit, Publisher } from './publisher.ts'

/** Of those who have shown no key yet: streams are bounded by whoever admits them. */
const MOST_KEYLESS = 512
const MOST_KEYLESS_OF_ONE_PLACE = 32
/** Behind its first wrong key a place waits so long with the next one, behind each further one twice that. */
const SLOW_MS = 250
const SLOWEST_MS = 8_000
const FORGIVEN_MS = 10 * 60_000
const MOST_REMEMBERED = 10_000
/** Wrong keys of one place that are told apart: as many as make it wait longest. */
const MOST_KEYS = 1 + Math.ceil(Math.log2(SLOWEST_MS / SLOW_MS))

export type RtmpServer = AsyncDisposable & { facts(): { connections: number; refusedKeys: number } }

/**
 * Where encoders send to. The more wrong keys one place tries, the longer it waits before the next one is asked for. An
 * encoder that repeats one, as they do for days, is no guesser: others behind its address send all the same. Behind a
 * proxy, such as one that ends TLS, all have its address: it is bound by none.
 */
export async function startRtmp(
  { at, sockets = {}, proxies = [] }: { at: HostPort; sockets?: HeldSockets; proxies?: readonly string[] },
  admit: Admit,
): Promise<RtmpServer> {
  const isProxy = addressList(proxies)
  const open = new Map<Publisher, string | null>()
  const wrong = new Map<string, { keys: Set<string>; at: number }>()
  const wrongOf = (from: string | null): Set<string> => {
    const known = from === null ? undefined : wrong.get(from)
    return known && Date.now() - known.at < FORGIVEN_MS ? known.keys : new Set()
  }
  const noteWrong = (from: string | null, key: string) => {
    refusedKeys++
    const [keys, hash] = [wrongOf(from), crypto.hash('sha256', key, 'base64')]
    if (from === null || keys.has(hash)) return
    if (keys.size < MOST_KEYS) keys.add(hash)
    // The place that was the longest without a new one is forgotten first.
    wrong.delete(from)
    if (wrong.size >= MOST_REMEMBERED) wrong.delete(wrong.keys().next().value ?? '')
    wrong.set(from, { keys, at: Date.now() })
  }
  let refusedKeys = 0
  const server = net.createServer((socket) => {
    const address = socket.remoteAddress ?? ''
    const from = isProxy(address) ? null : placeOf(address)
    makeRoom(open, from)
    const publisher = new Publisher(socket, async (key, who) => {
      const before = wrongOf(from).size
      if (before > 0) await wait(Math.min(SLOWEST_MS, SLOW_MS * 2 ** (before - 1)))
      // Of those that were closed for others no key is asked for.
      if (socket.destroyed) return null
      const sink = await admit(key, who).catch(() => undefined)
      if (sink) {
        if (from !== null) wrong.delete(from)
        return sink
      }
      if (sink === null) noteWrong(from, key)
      await wait(SLOW_MS)
      return null
    })
    open.set(publisher, from)
    socket.once('close', () => open.delete(publisher))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(listenAt(sockets, at), resolve)
  })
  return {
    facts: () => ({ connections: open.size, refusedKeys }),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const publisher of open.keys()) publisher.close()
      await closed
    },
  }
}

const wait = (ms: number): Promise<void> => setTimeout(ms, undefined, { ref: false })

/**
 * An encoder shows its key within a second: of those that have not, the oldest gives way. Refusing who comes instead
 * would let some idle sockets keep everybody out.
 */
function makeRoom(open: ReadonlyMap<Publisher, string | null>, from: string | null): void {
  const keyless = [...open].filter(([publisher]) => !publisher.hasKey)
  const ofThis = from === null ? [] : keyless.filter(([, address]) => address === from)
  const [oldest] = ofThis.length >= MOST_KEYLESS_OF_ONE_PLACE ? ofThis : keyless.length >= MOST_KEYLESS ? keyless : []
  oldest?.[0].close()
}
