import { once } from 'node:events'
import http2 from 'node:http2'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { HostPort } from '@fairway/platform'
import { HEADER_BYTES, MESSAGE_BYTES, RCODE, TYPE } from '../wire/codes.ts'
import { Peer } from '../wire/peer.ts'
import type { Handler } from './handler.ts'
import { Places } from './places.ts'
import { type ServerCertificate, TLS_OPTIONS } from './server-certificate.ts'
import type { TcpLimits } from './tcp-limits.ts'
import { Unsent } from './unsent.ts'

/** `leave` and disposing are as those of `TcpListener`. */
export type HttpsListener = AsyncDisposable & { port: number; counters: HttpsCounters; leave(): Promise<void> }
export type HttpsOptions = {
  at: HostPort
  handler: Handler
  limits: TcpLimits
  certificate: ServerCertificate
  reusePort: boolean
}
type HttpsCounters = { accepted: number; refused: number; requests: number; queries: number }
/** `unread` bytes of answers are on their way. */
type Connection = { socket: Socket; heardAt: number; unread: number }
type Request = http2.Http2ServerRequest
type Response = http2.Http2ServerResponse

const LEAVE_MS = 1000
const PATH = '/dns-query'
const MEDIA_TYPE = 'application/dns-message'
const STREAMS_AT_ONCE = 100
/** Far more than any question needs; bodies that are on their way are kept. */
const LARGEST_QUERY_BYTES = 2048
/** What one connection may have asked for and not read; further questions are refused. */
const UNREAD_BYTES = 1 << 20
const BASE64URL = /^[A-Za-z0-9_-]+$/
/** What is cached by HTTP may be given to nobody else: answers differ by the visitor's network (RFC 8484 5.1). */
const CACHE = 'private, max-age='

/** Answers queries over HTTPS at `/dns-query`, by GET and POST, in HTTP/2 and HTTP/1.1 (RFC 8484). */
export async function listenHttps({
  at,
  handler,
  limits,
  certificate,
  reusePort,
}: HttpsOptions): Promise<HttpsListener> {
  const counters: HttpsCounters = { accepted: 0, refused: 0, requests: 0, queries: 0 }
  const places = new Places(limits)
  const connections = new Map<string, Connection>()
  const unsent = new Unsent(limits.unsentBytes)
  const out = Buffer.allocUnsafeSlow(MESSAGE_BYTES)
  const server = http2.createSecureServer({
    ...TLS_OPTIONS,
    ...certificate.shown(),
    allowHTTP1: true,
    handshakeTimeout: limits.idleMs,
    settings: { maxConcurrentStreams: STREAMS_AT_ONCE },
    maxSessionMemory: 1,
    maxHeaderListPairs: 64,
    noDelay: true,
  })
  certificate.onChange((shown) => server.setSecureContext({ ...TLS_OPTIONS, ...shown }))
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    if (!places.take(address)) {
      counters.refused++
      socket.destroy()
      return
    }
    counters.accepted++
    const ends = endsOf(socket)
    connections.set(ends, { socket, heardAt: performance.now(), unread: 0 })
    socket.on('close', () => {
      connections.delete(ends)
      unsent.done(socket)
      places.leave(address)
    })
  })
  // Only whole queries count: a ping, or a byte of a body now and then, holds no place.
  const sweep = setInterval(
    () => {
      const oldest = performance.now() - limits.idleMs
      for (const { socket, heardAt } of connections.values()) if (heardAt < oldest) socket.destroy()
    },
    Math.min(1000, limits.idleMs / 4),
  )
  sweep.unref()
  server.on('sessionError', () => {})
  server.on('tlsClientError', (_, socket) => {
    socket.destroy()
  })
  server.on('request', (request, response) => {
    counters.requests++
    request.on('error', () => {})
    response.on('error', () => {})
    void messageOf(request).then(
      (asked) => {
        if (typeof asked === 'number') return refuse(response, asked)
        const connection = connections.get(endsOf(request.socket))
        if (!connection) return request.destroy()
        if (connection.unread > UNREAD_BYTES) return refuse(response, 503)
        const peer = new Peer().setText(request.socket.remoteAddress ?? '')
        const length = handler.handle(asked, asked.length, peer, 'https', out)
        if (length === 0) return refuse(response, 400)
        counters.queries++
        connection.heardAt = performance.now()
        const answer = Buffer.from(out.subarray(0, length))
        const seconds = freshSeconds(answer)
        response.writeHead(200, {
          'content-type': MEDIA_TYPE,
          'content-length': length,
          'cache-control': seconds === null ? 'no-store' : `${CACHE}${seconds}`,
        })
        response.on('close', () => {
          connection.unread -= length
          // Who has read something is at the end of the line again.
          unsent.done(connection.socket)
          if (connection.unread > 0 && !connection.socket.destroyed) unsent.wait(connection.socket, connection.unread)
        })
        connection.unread += length
        unsent.wait(connection.socket, connection.unread)
        response.end(answer)
      },
      () => {
        request.destroy()
      },
    )
  })
  const sessions = new Set<http2.ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
  server.listen({ port: at.port, host: at.host, reusePort })
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : at.port,
    counters,
    async leave() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // GOAWAY: what was asked is answered (RFC 9113 6.8). Who speaks HTTP/1.1 asks again.
      for (const session of sessions) session.close()
      await Promise.race([closed, delay(LEAVE_MS, undefined, { ref: false })])
    },
    async [Symbol.asyncDispose]() {
      clearInterval(sweep)
      const closed = new Promise((resolve) => server.close(resolve))
      for (const { socket } of connections.values()) socket.destroy()
      await closed
    },
  }
}

/** What a connection is known by, below TLS and HTTP as above them. */
const endsOf = ({
  remoteAddress = '',
  remotePort = 0,
}: {
  remoteAddress?: string | undefined
  remotePort?: number | undefined
}): string => `${remoteAddress} ${remotePort}`

function refuse(response: Response, status: number): void {
  response.writeHead(status, {
    'content-length': 0,
    ...(status === 405 ? { allow: 'GET, POST' } : {}),
    'cache-control': 'no-store',
  })
  response.end()
}

/** The DNS message that a request carries, or the status that it is refused with. */
async function messageOf(request: Request): Promise<Buffer | number> {
  const [path = '', query = ''] = request.url.split('?', 2)
  if (path !== PATH) return 404
  if (request.method === 'GET') {
    const text = new URLSearchParams(query).get('dns') ?? ''
    return BASE64URL.test(text) ? wellSized(Buffer.from(text, 'base64url')) : 400
  }
  if (request.method !== 'POST') return 405
  if (request.headers['content-type']?.toLowerCase() !== MEDIA_TYPE) return 415
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > LARGEST_QUERY_BYTES) return 413
    parts.push(part)
  }
  return wellSized(Buffer.concat(parts))
}

const wellSized = (message: Buffer): Buffer | number => (message.length < HEADER_BYTES ? 400 : message)

/**
 * For how long an answer of ours is fresh: the least lifetime in it, that of the SOA when it says that there is nothing
 * (RFC 8484 5.1); null for errors.
 */
export function freshSeconds(answer: Buffer): number | null {
  const rcode = answer.readUInt8(3) & 15
  if (rcode !== RCODE.NOERROR && rcode !== RCODE.NXDOMAIN) return null
  let at = HEADER_BYTES
  for (let left = answer.readUInt16BE(4); left > 0; left--) at = afterName(answer, at) + 4
  let least: number | null = null
  for (let left = answer.readUInt16BE(6) + answer.readUInt16BE(8) + answer.readUInt16BE(10); left > 0; left--) {
    at = afterName(answer, at)
    const seconds = answer.readUInt32BE(at + 4)
    // The OPT record keeps flags where others keep their lifetime.
    if (answer.readUInt16BE(at) !== TYPE.OPT) least = Math.min(least ?? seconds, seconds)
    at += 10 + answer.readUInt16BE(at + 8)
  }
  return least
}

function afterName(bytes: Buffer, start: number): number {
  let at = start
  for (;;) {
    const size = bytes.readUInt8(at)
    if (size >= 0xc0) return at + 2
    at += size + 1
    if (size === 0) return at
  }
}
