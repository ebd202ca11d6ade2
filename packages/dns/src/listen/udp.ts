import dgram from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { HostPort, Log } from '@fairway/platform'
import { UDP_ANSWER_BYTES } from '../wire/codes.ts'
import type { Handler } from './handler.ts'

export type UdpListener = AsyncDisposable & { port: number; counters: UdpCounters }
type UdpCounters = { received: number; sent: number; sendErrors: number; dropped: number }

const SOCKET_BUFFER_BYTES = 4 << 20
/** Answers handed to the kernel and not yet taken; more means that it takes none, and further ones are dropped. */
const MOST_PENDING = 4096

type Slot = { bytes: Buffer; done: (error: Error | null) => void }

/** Answers queries on one UDP address, always from the socket that was asked. */
export async function listenUdp(at: HostPort, handler: Handler, log: Log, reusePort = false): Promise<UdpListener> {
  const socket = dgram.createSocket({ type: isIPv6(at.host) ? 'udp6' : 'udp4', reusePort, recvBufferSize: SOCKET_BUFFER_BYTES, sendBufferSize: SOCKET_BUFFER_BYTES, lookup: numericOnly(isIPv6(at.host) ? 6 : 4) })
  const counters: UdpCounters = { received: 0, sent: 0, sendErrors: 0, dropped: 0 }
  const takeSlot = slotPool(counters)
  socket.on('message', (message, peer) => {
    counters.received++
    const slot = takeSlot()
    if (!slot) return
    const length = handler.handle(message, message.length, peer.address, 'udp', slot.bytes)
    if (length > 0) socket.send(slot.bytes, 0, length, peer.port, peer.address, slot.done)
    else slot.done(null)
  })
  await new Promise<void>((resolve, reject) => socket.once('error', reject).bind(at.port, at.host, resolve))
  socket.removeAllListeners('error')
  socket.on('error', (error) => log.error({ event: 'udp.failed', address: at.host, err: error }))
  return {
    port: socket.address().port,
    counters,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

/** Every answer has a buffer of its own until the kernel has taken it; buffers are used again. */
function slotPool(counters: UdpCounters): () => Slot | null {
  const free: Slot[] = []
  let made = 0
  const makeSlot = (): Slot => {
    made++
    const slot: Slot = {
      bytes: Buffer.allocUnsafeSlow(UDP_ANSWER_BYTES),
      done(error) {
        if (error) counters.sendErrors++
        else counters.sent++
        free.push(slot)
      },
    }
    return slot
  }
  return () => {
    const slot = free.pop()
    if (slot) return slot
    if (made < MOST_PENDING) return makeSlot()
    counters.dropped++
    return null
  }
}

/** Peers come with their address in numbers; asking the system's resolver about it, as the socket does by default, would cost a tick for each answer. */
function numericOnly(family: number) {
  return (address: string, _options: unknown, done: (error: NodeJS.ErrnoException | null, address: string, family: number) => void) => done(null, address, family)
}
