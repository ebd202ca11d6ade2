import type http from 'node:http'
import { checkServerIdentity, createSecureContext, type PeerCertificate, type SecureContext, TLSSocket } from 'node:tls'
import type { Preflight, PreflightAddress, PreflightQuestion } from '@fairway/contract'
import { freshnessOf, httpDate } from '@fairway/edge-lua'
import { type Config, type OutgoingGate, OutgoingRefusal, type Sender } from '@fairway/platform'
import { originAuthorities } from '../origin-authorities.ts'

const TIMEOUT_MS = 8_000
/** The answer's head is enough. */
const MOST_BYTES = 1 << 20
/** A default lifetime is in force: which one does not matter to a page. */
const USUAL_TTL_SECONDS = 7_200

/** One request to each address of an origin, the way nginx would ask it. Never rejects. */
export async function preflight(
  config: Pick<Config, 'nodeName' | 'originCaFile'>,
  gate: OutgoingGate,
  question: PreflightQuestion,
): Promise<Preflight> {
  const trust = question.protocol === 'https' ? createSecureContext({ ca: originAuthorities(config) }) : null
  const addresses = await Promise.all(question.addresses.map((address) => askOne(gate, question, address, trust)))
  return { node: config.nodeName, at: new Date().toISOString(), addresses }
}

const NOTHING: Omit<PreflightAddress, 'address'> = {
  peer: null,
  connectMs: null,
  tls: null,
  firstByteMs: null,
  status: null,
  redirectTo: null,
  redirectLoop: false,
  cacheSeconds: null,
  cacheReason: null,
  error: null,
}

async function askOne(
  gate: OutgoingGate,
  question: PreflightQuestion,
  address: string,
  trust: SecureContext | null,
): Promise<PreflightAddress> {
  const { organizationId, port, protocol, hostHeader, path } = question
  const sender: Sender = { organizationId, purpose: 'origin-check' }
  const opened = await gate
    .request(sender, {
      url: new URL(`${protocol}://${question.host}`),
      connectTo: { host: address, port: port || (protocol === 'https' ? 443 : 80) },
      path,
      timeoutMs: question.timeoutMs ?? TIMEOUT_MS,
      mostBytes: MOST_BYTES,
      headers: {
        host: hostHeader,
        'user-agent': 'Fairway-Preflight/1',
        accept: '*/*',
        'accept-encoding': 'gzip',
      },
      serverName: hostHeader,
      // What is wrong with the certificate is shown; whether it is obeyed is for the owner to say.
      checkCertificate: false,
      ...(trust ? { secureContext: trust } : {}),
    })
    .catch((error: unknown) => refusalOf(error))
  if (typeof opened === 'string') return { ...NOTHING, address, error: opened }
  const { request, peer } = opened
  const began = performance.now()
  return new Promise((done) => {
    const seen: PreflightAddress = { ...NOTHING, address, peer: peer.host }
    let connected = began
    let ready = began
    request.on('socket', (socket) => {
      socket.once('connect', () => {
        connected = ready = performance.now()
        seen.connectMs = tenth(connected - began)
      })
      socket.once('secureConnect', () => {
        ready = performance.now()
        if (socket instanceof TLSSocket) seen.tls = certificateOf(socket, hostHeader, tenth(ready - connected))
      })
    })
    request.on('error', (error) => done({ ...seen, error: refusalOf(error) }))
    request.on('response', (response) => {
      seen.firstByteMs = tenth(performance.now() - ready)
      done({ ...seen, ...answerOf(response, question) })
      request.destroy()
    })
    request.end()
  })
}

function refusalOf(error: unknown): string {
  if (error instanceof OutgoingRefusal) return error.reason
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'timeout'
  return ('code' in error && typeof error.code === 'string' ? error.code : error.message).slice(0, 200)
}

function answerOf(
  response: http.IncomingMessage,
  { host, hostHeader, path, protocol }: PreflightQuestion,
): Partial<PreflightAddress> {
  const status = response.statusCode ?? 0
  const location = response.headers.location
  const redirect =
    status >= 300 &&
    status < 400 &&
    location !== undefined &&
    URL.canParse(location, `${protocol}://${hostHeader}${path}`)
      ? new URL(location, `${protocol}://${hostHeader}${path}`)
      : null
  const back =
    redirect !== null &&
    (redirect.hostname === host || redirect.hostname === hostHeader) &&
    `${redirect.pathname}${redirect.search}` === path
  return {
    status,
    redirectTo: redirect === null ? null : redirect.href.slice(0, 500),
    redirectLoop: back,
    ...cacheabilityOf(status, response.headers),
  }
}

/** As the edge would judge it, were there no rules. */
function cacheabilityOf(
  status: number,
  headers: http.IncomingHttpHeaders,
): Pick<PreflightAddress, 'cacheSeconds' | 'cacheReason'> {
  const text = (name: string) => {
    const value = headers[name]
    return Array.isArray(value) ? value.join(', ') : (value ?? '')
  }
  const now = Math.floor(Date.now() / 1000)
  const expires = text('expires')
  const dateAt = httpDate(text('date'), now)
  const modifiedAt = httpDate(text('last-modified'), now)
  const age = text('age')
  const judged = freshnessOf({
    status,
    now,
    cacheControl: text('cache-control'),
    cdnCacheControl: text('cdn-cache-control'),
    setsCookie: headers['set-cookie'] !== undefined,
    vary: text('vary'),
    hasValidator: false,
    authorized: false,
    hasCookie: false,
    hadContent: false,
    enabled: true,
    everything: false,
    isStatic: false,
    ttlSeconds: USUAL_TTL_SECONDS,
    honorOrigin: true,
    ...(expires === '' ? {} : { expiresAt: httpDate(expires, now) ?? -1 }),
    ...(dateAt === undefined ? {} : { dateAt }),
    ...(modifiedAt === undefined ? {} : { modifiedAt }),
    ...(age === '' ? {} : { age }),
  })
  if (judged.freshSeconds > 0) return { cacheSeconds: judged.freshSeconds, cacheReason: null }
  const reason =
    headers['set-cookie'] !== undefined
      ? 'cookie'
      : text('vary').includes('*')
        ? 'vary'
        : text('cache-control') !== '' || text('cdn-cache-control') !== '' || expires !== ''
          ? 'forbidden'
          : 'silent'
  return { cacheSeconds: null, cacheReason: reason }
}

function certificateOf(socket: TLSSocket, hostHeader: string, handshakeMs: number): PreflightAddress['tls'] {
  const certificate = socket.getPeerCertificate()
  const wrongName = checkServerIdentity(hostHeader, certificate)
  const problem = socket.authorizationError ? String(socket.authorizationError) : wrongName ? 'wrong-name' : null
  return {
    handshakeMs,
    protocol: socket.getProtocol() ?? '',
    serverName: hostHeader,
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    validTo: certificate.valid_to ?? '',
    names: (certificate.subjectaltname ?? '')
      .split(', ')
      .filter(Boolean)
      .slice(0, 20)
      .map((one) => one.replace(/^DNS:/, '').slice(0, 253)),
    trusted: problem === null,
    problem,
  }
}

function nameOf(part: PeerCertificate['subject'] | undefined): string {
  const value = part?.CN ?? part?.O ?? ''
  return String(Array.isArray(value) ? value[0] : value).slice(0, 253)
}

const tenth = (ms: number): number => Math.max(0, Math.round(ms * 10) / 10)
