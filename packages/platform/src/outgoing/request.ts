import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import type tls from 'node:tls'
import type { HostPort } from '../host-port.ts'
import type { Peer } from './peer.ts'

export type OutgoingRequest = {
  url: URL
  /** Connected to instead of the URL's host, which then goes into Host and SNI only. */
  connectTo?: HostPort
  /** Target of the request line as it is, instead of the URL's. */
  path?: string
  /** The host is this installation's own, or named by its operator; no user has named it. */
  own?: boolean
  method?: string
  headers?: http.OutgoingHttpHeaders
  /** From the look-up to the end of the answer. */
  timeoutMs: number
  signal?: AbortSignal
  /** Of the answer's body; beyond it the connection is cut with an error. */
  mostBytes: number
  /** SNI and the name that the certificate must have, when it is not the URL's host. */
  serverName?: string
  checkCertificate?: boolean
  secureContext?: tls.SecureContext
}

export type Exchange = Omit<OutgoingRequest, 'connectTo' | 'path'> & {
  body?: Buffer | string
  /** How many redirects of a GET are followed. */
  redirects?: number
}
export type OutgoingAnswer = { status: number; headers: http.IncomingHttpHeaders; body: Buffer }

type Admit = (at: HostPort) => Promise<Peer>

const MOST_HEADER_BYTES = 65_536

/** Host and port that a URL leads to; brackets of IPv6 are taken off. */
export const targetOf = ({ hostname, port, protocol }: URL): HostPort => ({
  host: hostname.replace(/^\[(.*)\]$/, '$1'),
  port: Number(port || (protocol === 'https:' ? 443 : 80)),
})

/** On a connection of its own, since a kept one would not be checked anew. */
export async function openRequest(
  wanted: OutgoingRequest,
  admit: Admit,
): Promise<{ request: http.ClientRequest; peer: Peer }> {
  const { url, timeoutMs, mostBytes } = wanted
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(wanted.signal ? [wanted.signal] : [])])
  const named = targetOf(url)
  const peer = await inTime(admit(wanted.connectTo ?? named), signal)
  const secure = url.protocol === 'https:'
  const serverName = wanted.serverName ?? named.host
  const request = (secure ? https : http).request({
    host: peer.host,
    port: peer.port,
    path: wanted.path ?? `${url.pathname}${url.search}`,
    method: wanted.method ?? 'GET',
    agent: false,
    signal,
    maxHeaderSize: MOST_HEADER_BYTES,
    headers: { host: url.host, connection: 'close', ...wanted.headers },
    ...(secure
      ? {
          // RFC 6066 3: no address is ever sent as a server name.
          servername: net.isIP(serverName) === 0 ? serverName : '',
          rejectUnauthorized: wanted.checkCertificate ?? true,
          ...(wanted.secureContext ? { secureContext: wanted.secureContext } : {}),
        }
      : {}),
  })
  request.on('response', (answer) => {
    let bytes = 0
    answer.on('data', (chunk: Buffer | string) => {
      bytes += Buffer.byteLength(chunk)
      if (bytes > mostBytes) request.destroy(new Error(`the answer is longer than ${mostBytes} bytes`))
    })
  })
  return { request, peer }
}

export async function exchange(wanted: Exchange, admit: Admit): Promise<OutgoingAnswer> {
  const endsAt = performance.now() + wanted.timeoutMs
  let url = wanted.url
  for (let hop = 0; ; hop++) {
    const timeoutMs = Math.max(1, Math.round(endsAt - performance.now()))
    const answer = await one({ ...wanted, url, timeoutMs }, admit)
    const next = nextOf(url, answer)
    if (next === null || hop >= (wanted.redirects ?? 0) || (wanted.method ?? 'GET') !== 'GET') return answer
    url = next
  }
}

async function one(wanted: Exchange, admit: Admit): Promise<OutgoingAnswer> {
  const { request } = await openRequest(wanted, admit)
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      )
    })
    request.end(wanted.body)
  })
}

/** Where the answer leads on to over HTTP (RFC 9110 15.4), null when nowhere. */
function nextOf(from: URL, { status, headers }: OutgoingAnswer): URL | null {
  if (status < 301 || status > 308 || status === 304 || headers.location === undefined) return null
  const next = URL.parse(headers.location, from)
  return next !== null && /^https?:$/.test(next.protocol) ? next : null
}

/** A look-up cannot be stopped; nobody waits for it any longer. */
function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
