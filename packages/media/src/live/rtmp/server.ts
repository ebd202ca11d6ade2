import net from 'node:net'
import { type HeldSockets, type HostPort, addressList, listenAt, placeOf } from '@fairway/platform'
import { SLOW_MS, WrongKeys, wait } from '../wrong-keys.ts'
import { type Admit, Publisher } from './publisher.ts'

/** Of those who have shown no key yet: streams are bounded by whoever admits them. */
const MOST_KEYLESS = 512
const MOST_KEYLESS_OF_ONE_PLACE = 32

export type RtmpServer = AsyncDisposable & { facts(): { connections: number; refusedKeys: number } }

/** Where encoders send to. Behind a proxy, such as one that ends TLS, all have its address: it is bound by none. */
export async function startRtmp(
  {
    at,
    sockets = {},
    proxies = [],
    wrong = new WrongKeys(),
  }: { at: HostPort; sockets?: HeldSockets; proxies?: readonly string[]; wrong?: WrongKeys },
  admit: Admit,
): Promise<RtmpServer> {
  const isProxy = addressList(proxies)
  const open = new Map<Publisher, string | null>()
  const server = net.createServer((socket) => {
    const address = socket.remoteAddress ?? ''
    const from = isProxy(address) ? null : placeOf(address)
    makeRoom(open, from)
    const publisher = new Publisher(socket, async (key, who) => {
      await wrong.hold(from)
      // Of those that were closed for others no key is asked for.
      if (socket.destroyed) return null
      const sink = await admit(key, who).catch(() => undefined)
      if (sink) {
        wrong.forgive(from)
        return sink
      }
      if (sink === null) wrong.note(from, key)
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
    facts: () => ({ connections: open.size, refusedKeys: wrong.refused }),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const publisher of open.keys()) publisher.close()
      await closed
    },
  }
}

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
