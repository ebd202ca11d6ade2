import net from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { type HeldSockets, type HostPort, listenAt } from '@fairway/platform'
import { type Admit, Publisher } from './publisher.ts'

const MOST_CONNECTIONS = 256
const MOST_OF_ONE_ADDRESS = 32
/** The first wrong key costs this long, each further one twice that. */
const SLOW_MS = 250
const SLOWEST_MS = 8_000
const FORGIVEN_MS = 10 * 60_000
const MOST_REMEMBERED = 10_000

export type RtmpServer = AsyncDisposable & { facts(): { connections: number; refusedKeys: number } }

/** Where encoders send to. Unknown keys are counted, and answered the slower the more of them an address tries. */
export async function startRtmp(
  { at, sockets = {} }: { at: HostPort; sockets?: HeldSockets },
  admit: Admit,
): Promise<RtmpServer> {
  const open = new Map<Publisher, string>()
  const wrong = new Map<string, { count: number; at: number }>()
  let refusedKeys = 0
  const server = net.createServer((socket) => {
    const from = socket.remoteAddress ?? ''
    const ofThis = [...open.values()].filter((address) => address === from).length
    if (open.size >= MOST_CONNECTIONS || ofThis >= MOST_OF_ONE_ADDRESS) return void socket.destroy()
    const publisher = new Publisher(socket, async (key, who) => {
      const sink = await admit(key, who)
      if (sink) {
        wrong.delete(from)
        return sink
      }
      refusedKeys++
      const known = wrong.get(from)
      const count = known && Date.now() - known.at < FORGIVEN_MS ? known.count + 1 : 1
      if (wrong.size >= MOST_REMEMBERED) wrong.delete(wrong.keys().next().value ?? '')
      wrong.set(from, { count, at: Date.now() })
      await setTimeout(Math.min(SLOWEST_MS, SLOW_MS * 2 ** Math.min(count - 1, 10)), undefined, { ref: false })
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
