import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import tls from 'node:tls'
import type { HostPort } from '@fairway/platform'
import { MESSAGE_BYTES } from '../wire/codes.ts'
import { TransferTurns } from '../transfer/transfer-turns.ts'
import type { Handler } from './handler.ts'
import { Places } from './places.ts'
import type { ServerCertificate } from './server-certificate.ts'
import { Stream } from './stream.ts'
import { TCP_LIMITS, type TcpCounters, type TcpLimits } from './tcp-limits.ts'
import { Turns } from './turns.ts'
import { Unsent } from './unsent.ts'

/** `leave` takes no more connections and ends those that ask nothing; disposing ends all. */
export type TcpListener = AsyncDisposable & {
  port: number
  counters: TcpCounters
  /** A connection that came to another socket of the same address. */
  take(stream: net.Socket): void
  leave(): Promise<void>
}
export type TcpOptions = {
  at: HostPort
  handler: Handler
  limits?: TcpLimits
  /** With it everything is under TLS (RFC 7858). */
  certificate?: ServerCertificate
  /** Others may listen on the same address and share its connections. */
  reusePort?: boolean
}

/** A connection that has been quiet for so long is ended when its process leaves, and no connection keeps it longer. */
const QUIET_MS = 100
const LEAVE_MS = 1000

/** Answers queries over TCP on one address: length-framed, any number per connection, answered in order (RFC 7766). */
export async function listenTcp({
  at,
  handler,
  limits = TCP_LIMITS,
  certificate,
  reusePort,
}: TcpOptions): Promise<TcpListener> {
  const counters: TcpCounters = { accepted: 0, refused: 0, queries: 0, timedOut: 0 }
  const connections = new Set<Stream>()
  const [turns, unsent] = [new Turns(), new Unsent(limits.unsentBytes)]
  const transferTurns = new TransferTurns()
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
    const transport = certificate ? 'tls' : 'tcp'
    const connection = new Stream({
      socket,
      address,
      transport,
      handler,
      out,
      turns,
      transferTurns,
      unsent,
      counters,
      limits,
    })
    connections.add(connection)
    socket.on('close', () => connections.delete(connection))
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
    take: (stream) => void server.emit('connection', stream),
    async leave() {
      server.close()
      for (
        const end = performance.now() + LEAVE_MS;
        connections.size > 0 && performance.now() < end;
        await delay(LEAVE_MS / 20)
      ) {
        for (const connection of connections)
          if (connection.isQuiet && performance.now() - connection.heardAt > QUIET_MS) connection.socket.destroySoon()
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
