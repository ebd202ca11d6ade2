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

export type RtmpServer = AsyncDisposable & { facts(): { connections: number; refusedKeys: number } }

/**
 * Where encoders send to. Unknown keys are counted, and the more of them one place tries, the longer it waits before
 * the next one is asked for. Behind a proxy, such as one that ends TLS, all have its address: it is bound by none.
 */
export async function startRtmp(
  { at, sockets = {}, proxies = [] }: { at: HostPort; sockets?: HeldSockets; proxies?: readonly string[] },
  admit: Admit,
): Promise<RtmpServer> {
  const isProxy = addressList(proxies)
  const open = new Map<Publisher, string | null>()
  const wrong = new Map<string, { count: number; at: number }>()
  const wrongOf = (from: string | null): number => {
    const known = from === null ? undefined : wrong.get(from)
    return known && Date.now() - known.at < FORGIVEN_MS ? known.count : 0
  }
  let refusedKeys = 0
  const server = net.createServer((socket) => {
    const address = socket.remoteAddress ?? ''
    const from = isProxy(address) ? null : placeOf(address)
    makeRoom(open, from)
    const publisher = new Publisher(socket, async (key, who) => {
      const before = wrongOf(from)
      if (before > 0) await wait(Math.min(SLOWEST_MS, SLOW_MS * 2 ** Math.min(before - 1, 10)))
      // Of those that were closed for others no key is asked for.
      if (socket.destroyed) return null
      const sink = await admit(key, who)
      if (sink) {
        if (from !== null) wrong.delete(from)
        return sink
      }
      refusedKeys++
      if (wrong.size >= MOST_REMEMBERED) wrong.delete(wrong.keys().next().value ?? '')
      if (from !== null) wrong.set(from, { count: wrongOf(from) + 1, at: Date.now() })
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
