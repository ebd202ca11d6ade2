import dgram from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { HostPort } from '@fairway/platform'
import { loadLibc } from '@fairway/platform/lean'
import { UDP_ANSWER_BYTES } from '../wire/codes.ts'
import { Peer } from '../wire/peer.ts'
import { Heartbeat } from './heartbeat.ts'
import { type AnswerTo, Mmsg } from './mmsg.ts'
import { openUdpSocket } from './sockets.ts'
import type { UdpTransport, UdpCounters, UdpOptions } from './udp-options.ts'

export type UdpListener = AsyncDisposable & { port: number; counters: UdpCounters; transport(): UdpTransport }
const SOCKET_BUFFER_BYTES = 4 << 20
/**
 * Answers handed to the event loop and not yet taken by the kernel; more means that it takes none, and further ones are
 * dropped.
 */
const MOST_PENDING = 4096
/** Batches that were ended and started anew; the next end is the last. */
const MOST_FAULTS = 3

type Slot = { bytes: Buffer; done: (error: Error | null) => void }

/** Answers queries on one UDP address, always from the socket that was asked. */
export async function listenUdp(options: UdpOptions): Promise<UdpListener> {
  const { at, handler, log } = options
  const family = isIPv6(at.host) ? 6 : 4
  const sharers = options.sharers ?? 0
  const libc = options.transport === 'mmsg' ? (options.libc ?? loadLibc()) : null
  const fd = libc ? openUdpSocket(libc, at, sharers > 0) : -1
  const socket = dgram.createSocket({
    type: `udp${family}`,
    reusePort: sharers > 0 && fd < 0,
    lookup: numericOnly(family),
    ...(fd < 0 ? BUFFERS : {}),
  })
  const counters: UdpCounters = { received: 0, batched: 0, own: 0, sent: 0, sendErrors: 0, dropped: 0, faults: 0 }
  const takeSlot = slotPool(counters)
  const peer = new Peer()
  const running: { mmsg: Mmsg | null; heartbeat: Heartbeat | null } = { mmsg: null, heartbeat: null }

  const queue = (bytes: Uint8Array, to: HostPort) => {
    const slot = takeSlot()
    if (!slot) return
    slot.bytes.set(bytes)
    socket.send(slot.bytes, 0, bytes.length, to.port, to.host, slot.done)
  }
  const answer: AnswerTo = (bytes, length, from, out) => {
    if (!running.heartbeat?.isOwn(bytes, length)) return handler.handle(bytes, length, from, 'udp', out)
    counters.own++
    for (let i = 0; i < length; i++) out[i] = bytes[i] ?? 0
    return length
  }
  const renewBatches = () => {
    running.mmsg?.[Symbol.dispose]()
    running.mmsg =
      libc && fd >= 0 && counters.faults <= MOST_FAULTS
        ? new Mmsg({ libc, fd, family, counters, ahead: handler, answer, queue })
        : null
  }
  const endBatches = (reason: string, error?: unknown) => {
    counters.faults++
    renewBatches()
    log.error({
      event: 'udp.batches-ended',
      address: at.host,
      reason,
      faults: counters.faults,
      goesOnWith: running.mmsg ? 'mmsg' : 'dgram',
      ...(error === undefined ? {} : { err: error }),
    })
    if (running.mmsg === null) void running.heartbeat?.[Symbol.asyncDispose]()
    if (running.mmsg === null) running.heartbeat = null
  }
  socket.on('message', (message, from) => {
    counters.received++
    // Nobody has port 0: to answer a forged one would be an error of ours.
    if (from.port === 0) return
    if (running.mmsg) {
      try {
        return running.mmsg.serve(message, from)
      } catch (error) {
        // The client asks again.
        return endBatches('a call failed', error)
      }
    }
    const slot = takeSlot()
    if (!slot) return
    const length = answer(message, message.length, peer.setText(from.address), slot.bytes)
    if (length > 0) socket.send(slot.bytes, 0, length, from.port, from.address, slot.done)
    else slot.done(null)
  })
  await new Promise<void>((resolve, reject) =>
    socket.once('error', reject).bind(fd < 0 ? { port: at.port, address: at.host } : { fd }, resolve),
  )
  socket.removeAllListeners('error')
  socket.on('error', (error) => log.error({ event: 'udp.failed', address: at.host, err: error }))
  const { port } = socket.address()
  if (fd >= 0) {
    socket.setRecvBufferSize(SOCKET_BUFFER_BYTES)
    socket.setSendBufferSize(SOCKET_BUFFER_BYTES)
    renewBatches()
    running.heartbeat = new Heartbeat({
      at: { host: at.host, port },
      received: () => counters.received,
      batched: () => counters.batched,
      silent: () => endBatches('no heartbeat for two seconds'),
      sharers,
      beatMs: options.beatMs,
    })
  }
  const close = async () => {
    await running.heartbeat?.[Symbol.asyncDispose]()
    // What came meanwhile is answered before the socket goes: with it goes what it holds.
    running.mmsg?.serveRest()
    await new Promise<void>((resolve) => socket.close(() => resolve()))
    running.mmsg?.[Symbol.dispose]()
    running.mmsg = null
  }
  let closed: Promise<void> | null = null
  return {
    port,
    counters,
    transport: () => (running.mmsg ? 'mmsg' : 'dgram'),
    async [Symbol.asyncDispose]() {
      closed ??= close()
      await closed
    },
  }
}

const BUFFERS = { recvBufferSize: SOCKET_BUFFER_BYTES, sendBufferSize: SOCKET_BUFFER_BYTES }

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

/**
 * Peers come with their address in numbers; asking the system's resolver about it, as the socket does by default, would
 * cost a tick for each answer.
 */
function numericOnly(family: number) {
  return (
    address: string,
    _options: unknown,
    done: (error: NodeJS.ErrnoException | null, address: string, family: number) => void,
  ) => done(null, address, family)
}
