import dgram from 'node:dgram'
import net, { isIPv6 } from 'node:net'
import { type HostPort, type Log, closeSocket, isBound } from '@fairway/platform/lean'
import { UDP_ANSWER_BYTES } from '../wire/codes.ts'
import { Peer } from '../wire/peer.ts'
import type { Handler } from './handler.ts'

/** File descriptors. They have the node's address only if nobody answered there for a while. */
export type Rooms = { udp: number; tcp: number }
export type Room = { kind: keyof Rooms; fd: number }

/** They are given their address while nobody answers, at the latest when it is known that somebody does again. */
const LOOK_MS = 50
const OPEN_MS = 5000

type Options = {
  room: Room
  at: HostPort
  handler: Pick<Handler, 'handle'>
  /** Takes a connection that came to the room. */
  takeStream: ((stream: net.Socket) => void) | null
  log: Log
}

/** Answers what has come while no process was there, and closes the room when nothing can come any more. */
export function emptyRoom({ room, at, handler, takeStream, log }: Options): Disposable {
  let taken: { close(): void } | null = null
  const look = () => {
    if (taken || !isBound(room.fd)) return
    taken = room.kind === 'udp' ? answerFrom(room.fd, at, handler) : takeFrom(room.fd, takeStream)
    log.info({ event: 'dns.room-emptied', kind: room.kind })
  }
  look()
  const looking = setInterval(look, LOOK_MS)
  let isOpen = true
  const close = () => {
    if (!isOpen) return
    isOpen = false
    clearInterval(looking)
    clearTimeout(closing)
    if (taken) taken.close()
    else closeSocket(room.fd)
  }
  const closing = setTimeout(close, OPEN_MS)
  return { [Symbol.dispose]: close }
}

function answerFrom(fd: number, at: HostPort, handler: Pick<Handler, 'handle'>): dgram.Socket {
  const socket = dgram.createSocket(isIPv6(at.host) ? 'udp6' : 'udp4')
  const peer = new Peer()
  socket.on('error', () => socket.close())
  socket.on('message', (message, from) => {
    if (from.port === 0) return
    const out = Buffer.allocUnsafe(UDP_ANSWER_BYTES)
    const length = handler.handle(message, message.length, peer.setText(from.address), 'udp', out)
    if (length > 0) socket.send(out, 0, length, from.port, from.address, () => {})
  })
  return socket.bind({ fd })
}

function takeFrom(fd: number, takeStream: Options['takeStream']): net.Server {
  const server = net.createServer({ noDelay: true, allowHalfOpen: true }, (stream) =>
    takeStream ? takeStream(stream) : stream.destroy(),
  )
  server.on('error', () => {})
  return server.listen({ fd })
}
