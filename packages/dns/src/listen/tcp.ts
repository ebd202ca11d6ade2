import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import tls from 'node:tls'
import type { HostPort } from '@fairway/platform'
import { MESSAGE_BYTES } from '../wire/codes.ts'
import { Peer } from '../wire/peer.ts'
import type { Handler } from './handler.ts'
import { type PlaceLimits, Places } from './places.ts'
import type { ServerCertificate } from './server-certificate.ts'

/** `leave` takes no more connections and ends those that ask nothing; disposing ends all. */
export type TcpListener = AsyncDisposable & { port: number; counters: TcpCounters; leave(): Promise<void> }
export type TcpOptions = {
  at: HostPort
  handler: Handler
  limits?: TcpLimits
  /** With it everything is under TLS (RFC 7858). */
  certificate?: ServerCertificate
  /** Others may listen on the same address and share its connections. */
  reusePort?: boolean
}
type TcpCounters = { accepted: number; refused: number; queries: number; timedOut: number }
export type TcpLimits = PlaceLimits & { idleMs: number; unsentBytes: number }

/** Room for resolvers that keep connections open, and none for those that only take places (RFC 7766 6.2.3, 10). */
export const TCP_LIMITS: TcpLimits = {
  connections: 2000,
  connectionsPerPeer: 200,
  idleMs: 10_000,
  unsentBytes: 1 << 20,
}

/** A connection that has been quiet for so long is ended when its process leaves, and no connection keeps it longer. */
const QUIET_MS = 100
const LEAVE_MS = 1000

type Connection = { socket: net.Socket; peer: Peer; transport: 'tcp' | 'tls'; rest: Buffer; heardAt: number }

/** Answers queries over TCP on one address: length-framed, any number per connection, answered in order (RFC 7766). */
export async function listenTcp({
  at,
  handler,
  limits = TCP_LIMITS,
  certificate,
  reusePort,
}: TcpOptions): Promise<TcpListener> {
  const counters: TcpCounters = { accepted: 0, refused: 0, queries: 0, timedOut: 0 }
  const connections = new Set<Connection>()
  const places = new Places(limits)
  const out = Buffer.allocUnsafeSlow(2 + MESSAGE_BYTES)

  const server = net.createServer({ noDelay: true, allowHalfOpen: true }, (stream) => {
    const address = stream.remoteAddress ?? ''
    if (!places.take(address)) {
      counters.refused++
      stream.destroy()
      return
    }
    counters.accepted++
    stream.on('close', () => places.leave(address))
    // A handshake that never ends holds a place no longer than a connection that never asks.
    const socket = certificate
      ? new tls.TLSSocket(stream, { isServer: true, secureContext: certificate.context(), ALPNProtocols: ['dot'] })
      : stream
    socket.on('error', () => socket.destroy())
    const connection: Connection = {
      socket,
      peer: new Peer().setText(address),
      transport: certificate ? 'tls' : 'tcp',
      rest: Buffer.alloc(0),
      heardAt: performance.now(),
    }
    connections.add(connection)
    socket.on('close', () => connections.delete(connection))
    socket.on('end', () => socket.end())
    socket.on('data', (chunk: Buffer) => receive(connection, chunk, handler, out, counters, limits))
  })

  // One sweep for all: a client that sends a byte now and then must not hold its place, so only whole queries count.
  const sweep = setInterval(
    () => {
      const oldest = performance.now() - limits.idleMs
      for (const { socket, heardAt } of connections) {
        if (heardAt >= oldest) continue
        counters.timedOut++
        socket.destroy()
      }
    },
    Math.min(1000, limits.idleMs / 4),
  )
  sweep.unref()
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen({ port: at.port, host: at.host, reusePort: reusePort ?? false }, resolve),
  )
  server.removeAllListeners('error')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : at.port,
    counters,
    async leave() {
      server.close()
      for (
        const end = performance.now() + LEAVE_MS;
        connections.size > 0 && performance.now() < end;
        await delay(LEAVE_MS / 20)
      ) {
        for (const { socket, heardAt, rest } of connections)
          if (rest.length === 0 && socket.writableLength === 0 && performance.now() - heardAt > QUIET_MS)
            socket.destroySoon()
      }
    },
    async [Symbol.asyncDispose]() {
      clearInterval(sweep)
      const closed = new Promise((resolve) => server.close(resolve))
      for (const { socket } of connections) socket.destroy()
      await closed
    },
  }
}

function receive(
  connection: Connection,
  chunk: Buffer,
  handler: Handler,
  out: Buffer,
  counters: TcpCounters,
  limits: TcpLimits,
): void {
  const { socket } = connection
  const data = connection.rest.length > 0 ? Buffer.concat([connection.rest, chunk]) : chunk
  const answers: Buffer[] = []
  let at = 0
  while (data.length - at >= 2) {
    const length = data.readUInt16BE(at)
    if (data.length - at - 2 < length) break
    counters.queries++
    const transfer = handler.transfer(Buffer.from(data.subarray(at + 2, at + 2 + length)))
    if (transfer) {
      void send(connection, transfer, limits)
      at += 2 + length
      continue
    }
    const answered = handler.handle(
      data.subarray(at + 2, at + 2 + length),
      length,
      connection.peer,
      connection.transport,
      out.subarray(2),
    )
    at += 2 + length
    if (answered === 0) continue
    connection.heardAt = performance.now()
    out.writeUInt16BE(answered, 0)
    answers.push(Buffer.from(out.subarray(0, 2 + answered)))
  }
  connection.rest = Buffer.from(data.subarray(at))
  if (answers.length > 0) socket.write(Buffer.concat(answers))
  // A client that asks and does not read fills our memory: it is heard again when it has read.
  if (socket.writableLength > limits.unsentBytes && !socket.isPaused()) {
    socket.pause()
    socket.once('drain', () => socket.resume())
  }
}

/** Sends the messages of a transfer as fast as the client takes them. */
async function send(connection: Connection, messages: Iterable<Buffer>, limits: TcpLimits): Promise<void> {
  const { socket } = connection
  try {
    for (const message of messages) {
      if (socket.destroyed) return
      const length = Buffer.alloc(2)
      length.writeUInt16BE(message.length)
      connection.heardAt = performance.now()
      if (!socket.write(Buffer.concat([length, message])))
        await once(socket, 'drain', { signal: AbortSignal.timeout(limits.idleMs) })
    }
  } catch {
    socket.destroy()
  }
}
