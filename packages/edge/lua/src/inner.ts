import * as balancer from 'ngx.balancer'
import { answerPage, count } from './answer/answer.ts'
import { hopHeaders, namesHeaders } from './origin/connection-headers.ts'
import type { PolicyDocument } from './policy/documents.ts'
import { cacheWordOf } from './cache/freshness.ts'
import { freshenedHeaders, handOver } from './cache/freshened.ts'
import { headerNumber, headerText } from './answer/headers.ts'
import { beginRequest, isSet, policyFor, setFlag } from './policy/held.ts'
import { markFailed, peersFor } from './origin/peers.ts'
import { isNobodys } from './policy/nobodys-path.ts'
import { ruleFor } from './policy/path-match.ts'

/** How long it is remembered that an origin sends interim answers. */
const HINTS_SECONDS = 3_600

/** Rewrite phase of a request on its way to the origin. */
export function enter(): void {
  beginRequest()
  const policy = policyFor(ngx.var.http_x_fairway_host ?? '', ngx.var.http_x_fairway_cdn ?? '')
  // Removed while the request was on its way.
  if (policy === undefined) return answerPage(421, 'withdrawn')
  ngx.ctx.policy = policy
  const { origin } = policy
  // A protocol that is switched to takes its connection with it; nginx's proxy does that.
  if (ngx.var.http_upgrade === undefined && (origin.scheme === 'https' || sendsInterim(policy)))
    return ngx.exec('@origin')
  // Which of nginx's own proxies checks certificates cannot be chosen by a variable.
  if (origin.verify) return ngx.exec('@checked')
  proxied(policy)
}

/** Rewrite phase of a request for another protocol whose origin is to be checked. */
export function enterChecked(): void {
  const policy = policyFor(ngx.var.http_x_fairway_host ?? '', ngx.var.http_x_fairway_cdn ?? '')
  if (policy === undefined) return answerPage(421, 'withdrawn')
  ngx.ctx.policy = policy
  proxied(policy)
}

function proxied(policy: PolicyDocument): void {
  const { origin } = policy
  const peers = peersFor(policy)
  if (peers.length === 0) {
    count('origins_unresolved')
    return answerPage(502, 'unresolved', policy)
  }
  ngx.ctx.peers = peers
  ngx.ctx.port = origin.port
  ngx.var.fw_origin = origin.scheme === 'https' ? 'https://origin_upgraded' : `http://${origin.keepaliveSeconds}.origin`
  ngx.var.fw_origin_host = origin.hostHeader
}

function sendsInterim({ domainId }: PolicyDocument): boolean {
  // Most nodes know no such origin.
  if (!isSet('interim')) return false
  const [hints] = ngx.shared.marks.get(`hints ${domainId}`)
  return hints !== undefined
}

/** Chooses the next address, each at most once. */
export function balance(): void {
  const peers = ngx.ctx.peers ?? []
  const port = ngx.ctx.port ?? 80
  const attempt = ngx.ctx.attempt ?? 0
  if (attempt === 0) {
    if (peers.length > 1) balancer.set_more_tries(peers.length - 1)
  } else {
    const [failure] = balancer.get_last_failure()
    if (failure === 'failed') markFailed(peers[attempt - 1] ?? '', port)
    count('origin_retries')
  }
  ngx.ctx.attempt = attempt + 1
  const peer = peers[attempt] ?? peers[0] ?? ''
  const [chosen, problem] = balancer.set_current_peer(peer.includes(':') ? `[${peer}]` : peer, port)
  if (chosen !== true) ngx.log(ngx.ERR, `origin ${peer}: ${problem}`)
}

/**
 * Header filter of the origin's answer: the cache in front obeys this word and no other, and gives the origin's own
 * back to the visitor.
 */
export function normalise(): void {
  const policy = ngx.ctx.policy ?? policyFor(ngx.var.http_x_fairway_host ?? '', ngx.var.http_x_fairway_cdn ?? '')
  const now = ngx.time()
  const answered = ngx.status
  if (answered < 200 && refuseInterim(answered, policy)) return
  if (isMisframed()) {
    count('answers_unreadable')
    return ngx.exit(ngx.ERROR)
  }
  const connection = ngx.var.upstream_http_connection
  if (connection !== undefined && namesHeaders(connection))
    for (const name of hopHeaders(connection)) ngx.header[name] = undefined
  // RFC 9110 6.6.1: a recipient with a clock adds the Date that is missing.
  if (headerText('Date') === '') ngx.header['Date'] = ngx.http_time(now)
  const original = headerText('Cache-Control')
  const age = headerText('Age')
  const word = policy === undefined ? 'no-store' : wordFor(policy, answered, now, original, age)
  ngx.header['X-Fairway-Born'] = `${age === '' ? now : now - ageOf(age)}`
  ngx.header['X-Fairway-At'] = `${now}`
  ngx.header['X-Fairway-Id'] = ngx.var.http_x_fairway_request
  // An origin cannot speak for it.
  if (original !== '' || ngx.header['X-Fairway-Cc'] !== undefined)
    ngx.header['X-Fairway-Cc'] = original === '' ? undefined : original
  ngx.header['Cache-Control'] = answered === 304 && saysNothing(original) ? undefined : word
  if (answered === 304) handOver(ngx.var.http_x_fairway_request ?? '')
}

/**
 * No final answer: a status line that nginx could not read (it shows as 9, for HTTP/0.9), or an interim one (RFC 9110
 * 15.2), which nginx 1.22 does not know.
 * The connection ends without a byte; the cache in front asks once more what may be asked twice, and then the origin is
 * spoken to by `origin/client`.
 */
function refuseInterim(status: number, policy: PolicyDocument | undefined): boolean {
  if (status === 101 && ngx.var.http_upgrade !== undefined) return false
  count(status < 100 ? 'answers_unreadable' : 'answers_interim')
  if (policy !== undefined && status >= 100 && status !== 101) {
    ngx.shared.marks.set(`hints ${policy.domainId}`, '1', HINTS_SECONDS)
    setFlag('interim')
  }
  ngx.exit(ngx.ERROR)
  return true
}

/**
 * The end of the answer is not as the origin says (RFC 9112 6.3): a length that is none, two that differ, a coding that
 * nobody asked for. nginx 1.22 lets them pass.
 */
function isMisframed(): boolean {
  const coding = ngx.var.upstream_http_transfer_encoding
  if (coding !== undefined) return coding.toLowerCase() !== 'chunked'
  const length = ngx.var.upstream_http_content_length
  return length !== undefined && (tonumber(length) === undefined || headerNumber('Content-Length') !== tonumber(length))
}

/** Header filter of the second cache: what is left of a stored answer's lifetime, for the cache in front. */
export function fromTier(): void {
  beginRequest()
  const [at, word] = [headerNumber('X-Fairway-At'), headerText('Cache-Control')]
  const status = ngx.var.upstream_cache_status ?? ''
  ngx.header['X-Cache-Tier'] = status
  freshen(status)
  if (status !== 'HIT' && status !== 'STALE' && status !== 'UPDATING') return
  const comma = word.indexOf(',')
  const seconds = word.startsWith('max-age=') ? tonumber(comma < 0 ? word.slice(8) : word.slice(8, comma)) : undefined
  const left =
    seconds === undefined || at === undefined || status === 'STALE' || status === 'UPDATING'
      ? 0
      : seconds - (ngx.time() - at)
  ngx.header['Cache-Control'] =
    left <= 0 ? 'no-store' : `max-age=${Math.floor(left)}${comma < 0 ? '' : word.slice(comma)}`
  if (ngx.status === 304) handOver(ngx.var.http_x_fairway_request ?? '')
}

/** Puts what a 304 said over the stored headers. */
function freshen(cacheStatus: string): void {
  const headers = freshenedHeaders(cacheStatus, 'http_x_fairway_request')
  if (headers !== undefined) for (const name in headers) ngx.header[name] = headers[name]
}

/** Header filter of the reserve: as old as it is, and not to be stored again. */
export function fromReserve(): void {
  ngx.header['Cache-Control'] = 'no-store'
}

function wordFor(
  policy: NonNullable<typeof ngx.ctx.policy>,
  status: number,
  now: number,
  cacheControl: string,
  age: string,
): string {
  const path = ngx.var.uri ?? '/'
  const { cache, ways } = policy
  const rule = ways !== undefined && isNobodys(path, ways.rules) ? undefined : ruleFor(cache.rules, path)
  const expires = headerText('Expires')
  return cacheWordOf({
    status,
    cacheControl,
    cdnCacheControl: headerText('CDN-Cache-Control'),
    expiresAt: expires === '' ? undefined : (ngx.parse_http_time(expires) ?? -1),
    dateAt: expires === '' ? undefined : ngx.parse_http_time(headerText('Date')),
    now,
    age: age === '' ? undefined : age,
    setsCookie: ngx.header['Set-Cookie'] !== undefined,
    vary: headerText('Vary'),
    authorized: ngx.var.http_authorization !== undefined,
    hadContent: hasContent(),
    enabled: cache.enabled,
    ttlSeconds: rule === undefined ? cache.defaultTtlSeconds : rule.ttlSeconds,
    honorOrigin: rule === undefined ? cache.honorOrigin : rule.honorOrigin,
  })
}

/** The server in front has read the request whole and says how long it is. */
function hasContent(): boolean {
  const length = ngx.var.http_content_length
  return (length !== undefined && length !== '0') || ngx.var.http_transfer_encoding !== undefined
}

/**
 * A 304 without a word on freshness leaves the stored one's in force, which only the cache in front knows; it asks
 * again next time.
 */
function saysNothing(cacheControl: string): boolean {
  return cacheControl === '' && headerText('Expires') === '' && headerText('CDN-Cache-Control') === ''
}

function ageOf(text: string): number {
  const age = tonumber(text.split(',')[0])
  return age === undefined || age < 0 ? 0 : age
}
