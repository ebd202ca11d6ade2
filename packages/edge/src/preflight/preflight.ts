import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import tls from 'node:tls'
import type { Preflight, PreflightAddress, PreflightQuestion } from '@fairway/contract'
import { isBogon } from '@fairway/domain'
import { freshnessOf, httpDate } from '@fairway/edge-lua'
import { type Config, lookupThrough } from '@fairway/platform'
import { originAuthorities } from '../origin-authorities.ts'

const TIMEOUT_MS = 8_000

/** One request to each address of an origin, the way nginx would ask it. Never rejects. */
export async function preflight(
  config: Pick<Config, 'nodeName' | 'resolver' | 'privateOrigins' | 'originCaFile'>,
  question: PreflightQuestion,
): Promise<Preflight> {
  const trust = question.protocol === 'https' ? tls.createSecureContext({ ca: originAuthorities(config) }) : null
  const addresses = await Promise.all(question.addresses.map((address) => askOne(config, question, address, trust)))
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
  config: Pick<Config, 'resolver' | 'privateOrigins'>,
  question: PreflightQuestion,
  address: string,
  trust: tls.SecureContext | null,
): Promise<PreflightAddress> {
  const peer = net.isIP(address) === 0 ? await resolve(config.resolver, address) : address
  if (peer === null) return { ...NOTHING, address, error: 'unresolved' }
  // A name may lead into our own networks although it is none of ours.
  if (net.isIP(address) === 0 && isBogon(peer) && config.privateOrigins === 'refuse')
    return { ...NOTHING, address, peer, error: 'private-address' }
  return new Promise((done) => {
    const seen: PreflightAddress = { ...NOTHING, address, peer }
    const { port, protocol, hostHeader, path } = question
    const secure = protocol === 'https'
    const began = performance.now()
    let connected = began
    let ready = began
    const request = (secure ? https : http).request({
      host: peer,
      port: port || (secure ? 443 : 80),
      path,
      agent: false,
      timeout: TIMEOUT_MS,
      maxHeaderSize: 65_536,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        host: hostHeader,
        'user-agent': 'Fairway-Preflight/1',
        accept: '*/*',
        'accept-encoding': 'gzip',
        connection: 'close',
      },
      // What is wrong with the certificate is shown; whether it is obeyed is for the owner to say.
      ...(trust
        ? { servername: net.isIP(hostHeader) === 0 ? hostHeader : '', rejectUnauthorized: false, secureContext: trust }
        : {}),
    })
    request.on('socket', (socket) => {
      socket.once('connect', () => {
        connected = ready = performance.now()
        seen.connectMs = tenth(connected - began)
      })
      socket.once('secureConnect', () => {
        ready = performance.now()
        if (socket instanceof tls.TLSSocket) seen.tls = certificateOf(socket, hostHeader, tenth(ready - connected))
      })
    })
    request.on('timeout', () => request.destroy(new Error('timeout')))
    request.on('error', (error: NodeJS.ErrnoException) =>
      done({
        ...seen,
        error:
          error.name === 'AbortError' || error.name === 'TimeoutError' || error.message === 'timeout'
            ? 'timeout'
            : (error.code ?? error.message).slice(0, 200),
      }),
    )
    request.on('response', (response) => {
      seen.firstByteMs = tenth(performance.now() - ready)
      done({ ...seen, ...answerOf(response, question) })
      request.destroy()
    })
    request.end()
  })
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
    ttlSeconds: 0,
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

function certificateOf(socket: tls.TLSSocket, hostHeader: string, handshakeMs: number): PreflightAddress['tls'] {
  const certificate = socket.getPeerCertificate()
  const wrongName = tls.checkServerIdentity(hostHeader, certificate)
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

function nameOf(part: tls.PeerCertificate['subject'] | undefined): string {
  const value = part?.CN ?? part?.O ?? ''
  return String(Array.isArray(value) ? value[0] : value).slice(0, 253)
}

function resolve(resolver: string, name: string): Promise<string | null> {
  const lookup: typeof dns.lookup = lookupThrough(resolver)
  return new Promise((done) => lookup(name, { family: 4 }, (error, address) => done(error ? null : address)))
}

const tenth = (ms: number): number => Math.max(0, Math.round(ms * 10) / 10)
