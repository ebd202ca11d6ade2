import { addressKey, otherPath } from '@fairway/domain/web-security'
import * as balancer from 'ngx.balancer'
import { answerPage, count } from './answer/answer.ts'
import { hasComeBack } from './origin/loop.ts'
import { hopHeaders, namesHeaders } from './origin/connection-headers.ts'
import type { PolicyDocument } from './policy/documents.ts'
import { ageSeconds, cacheWordOf } from './cache/freshness.ts'
import { byteRange, contentRange } from './cache/byte-range.ts'
import { endTurn, nowShared, takeTurn, tellWaiting } from './cache/collapse.ts'
import { httpDate } from './cache/http-date.ts'
import { isMeant, isStaticContent } from './cache/static-content.ts'
import { REFUSED_STALE, isForbiddenStale, refuseStale as refuse504 } from './cache/forbidden-stale.ts'
import { freshenedHeaders, handOver } from './cache/freshened.ts'
import { headerNumber, headerText, nameNoServer } from './answer/headers.ts'
import { beginRequest, isSet, policyFor, setFlag } from './policy/held.ts'
import { markFailed, peersFor } from './origin/peers.ts'
import { countAnswered, countUnanswered } from './origin/reach.ts'
import { giveRoom, giveTunnel, takeRoom, takeTunnel } from './origin/room.ts'
import { failRelayed, isRelayed } from './origin/relayed.ts'
import { mayBeRepeated } from './origin/request.ts'
import { isNobodys } from './policy/nobodys-path.ts'
import { ruleFor } from './policy/path-match.ts'
import type { CacheRule } from './policy/path-rules.ts'

/** How long it is remembered that an origin sends interim answers. */
const HINTS_SECONDS = 3_600

/** Rewrite phase of a request on its way to the origin. */
export function enter(): void {
  beginRequest()
  const policy = policyFor(ngx.var.http_x_fairway_host ?? '', ngx.var.http_x_fairway_cdn ?? '')
  // Removed while the request was on its way.
  if (policy === undefined) return withdrawn()
  // An origin that is silent holds what waits for it: not all of this machine.
  if (!takeRoom(policy.organizationId, tonumber(ngx.var.fw_room) ?? 0)) return refuseRoom(policy, 'misses_refused')
  ngx.var.fw_customer = policy.organizationId
  if (ngx.var.http_upgrade !== undefined) return enterTunnel(policy)
  // RFC 9111 3.5: who signs in is not answered with what another has asked for, though its own answer may be stored.
  const key = ngx.var.http_authorization === undefined ? ngx.var.http_x_fairway_key : undefined
  const range = key === undefined ? undefined : ngx.var.http_range
  const isPiece = ngx.var.http_x_fairway_slice !== undefined
  // Several ranges, or the last bytes, are the origin's to cut: nobody else wants just these.
  if (range !== undefined && !isPiece && !hasContent())
    return ngx.exec(byteRange(range) === undefined ? '@alone' : '@sliced')
  // What leads back here would wait for itself.
  if (key !== undefined && !hasContent() && !hasComeBack(ngx.var.http_cdn_loop ?? '')) {
    const { turn, name } = takeTurn(key)
    if (turn === 'shared') return shareStored()
    if (turn === 'first') ngx.var.fw_turn = name
  }
  toOrigin(policy)
}

/** What is switched to another protocol stays: it leaves room for pages, and one visitor leaves room for others. */
function enterTunnel(policy: PolicyDocument): void {
  // Whoever has one address of IPv6 has the whole /64.
  const address = addressKey(ngx.var.http_x_fairway_visitor ?? '').slice(0, 16)
  const visitor = address === '' ? 'unknown' : address
  const [most, mostOfVisitor] = [tonumber(ngx.var.fw_tunnels) ?? 0, tonumber(ngx.var.fw_own_tunnels) ?? 0]
  if (!takeTunnel(policy.organizationId, visitor, most, mostOfVisitor)) return refuseRoom(policy, 'tunnels_refused')
  ngx.var.fw_tunnel = visitor
  toOrigin(policy)
}

/** What another request has just stored. Conditions of the cache in front are about its old copy. */
function shareStored(): void {
  ngx.var.fw_asked_tag = ngx.var.http_if_none_match ?? ''
  ngx.var.fw_asked_since = ngx.var.http_if_modified_since ?? ''
  ngx.req.clear_header('If-None-Match')
  ngx.req.clear_header('If-Modified-Since')
  ngx.exec('@shared')
}

/** Seconds until a stored answer is looked for again: the cache in front has it a moment after the last byte. */
const SHARE_PAUSES = [0.005, 0.03, 0.1]

/** Rewrite phase of a request whose answer another one was to store, and has not, or not for such as this. */
export function enterUnshared(): void {
  const tries = tonumber(ngx.var.fw_tries) ?? 0
  const pause = SHARE_PAUSES[tries]
  if (pause === undefined) return ngx.exec('@alone')
  ngx.var.fw_tries = `${tries + 1}`
  ngx.sleep(pause)
  ngx.exec('@shared')
}

/** Rewrite phase of a request that waits for no other. */
export function enterAlone(): void {
  beginRequest()
  const policy = policyFor(ngx.var.http_x_fairway_host ?? '', ngx.var.http_x_fairway_cdn ?? '')
  if (policy === undefined) return withdrawn()
  const { fw_asked_tag: tag, fw_asked_since: date } = ngx.var
  if (tag !== undefined && tag !== '') ngx.req.set_header('If-None-Match', tag)
  if (date !== undefined && date !== '') ngx.req.set_header('If-Modified-Since', date)
  toOrigin(policy)
}

/** Rewrite phase of a request for which no other machine had an answer. */
export function enterDirect(): void {
  const policy = policyFor(ngx.var.http_x_fairway_host ?? '', ngx.var.http_x_fairway_cdn ?? '')
  if (policy === undefined) return withdrawn()
  ngx.var.fw_direct = '1'
  toOrigin(policy)
}

function refuseRoom(policy: PolicyDocument, what: 'misses_refused' | 'tunnels_refused'): void {
  count(what)
  if (isRelayed()) failRelayed('unasked')
  else answerPage(503, 'crowded', policy)
}

function withdrawn(): void {
  if (isRelayed()) failRelayed('unasked')
  else answerPage(421, 'withdrawn')
}

function toOrigin(policy: PolicyDocument): void {
  ngx.ctx.policy = policy
  if (policy.shielded === true) {
    const isPassed = isRelayed()
    if (policy.relays !== undefined && ngx.var.fw_direct === '' && !isPassed && ngx.var.http_upgrade === undefined)
      return ngx.exec('@relay')
    if (!isPassed) ngx.shared.relayed.incr(`${policy.domainId} own`, 1, 0)
  }
  const { origin } = policy
  // A protocol that is switched to takes its connection with it; nginx's proxy does that.
  // What may not be asked twice is never tried the way that does not understand an interim answer (RFC 9110 9.2.2).
  if (
    ngx.var.http_upgrade === undefined &&
    (origin.scheme === 'https' || sendsInterim(policy) || !mayBeRepeated(ngx.req.get_method()))
  )
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
    countUnanswered(policy, false)
    if (isRelayed()) return failRelayed('unasked')
    return answerPage(502, 'unresolved', policy)
  }
  ngx.ctx.peers = peers
  ngx.var.fw_origin = origin.scheme === 'https' ? 'https://origin_upgraded' : `http://${origin.keepaliveSeconds}.origin`
  ngx.var.fw_origin_host = origin.hostHeader
  ngx.var.fw_origin_name = origin.sni ?? origin.hostHeader
}

function sendsInterim({ domainId }: PolicyDocument): boolean {
  // Most nodes know no such origin.
  if (!isSet('interim')) return false
  const [hints] = ngx.shared.marks.get(`hints ${domainId}`)
  return hints !== undefined
}

/** Chooses the next address, each at most once. */
export function balance(): void {
  const { policy, peers = [] } = ngx.ctx
  const attempt = ngx.ctx.attempt ?? 0
  if (attempt === 0) {
    if (peers.length > 1) balancer.set_more_tries(peers.length - 1)
  } else {
    const [failure] = balancer.get_last_failure()
    if (failure === 'failed' && policy !== undefined) markFailed(policy, peers[attempt - 1] ?? '')
    count('origin_retries')
  }
  ngx.ctx.attempt = attempt + 1
  const peer = peers[attempt] ?? peers[0] ?? ''
  const [chosen, problem] = balancer.set_current_peer(
    peer.includes(':') ? `[${peer}]` : peer,
    policy === undefined ? 80 : policy.origin.port,
  )
  if (chosen !== true) ngx.log(ngx.ERR, `origin ${peer}: ${problem}`)
}

/**
 * Header filter of the origin's answer: the cache in front obeys this word and no other, and gives the origin's own
 * back to the visitor.
 */
export function normalise(): void {
  ngx.header['X-Fairway-Relay'] = ngx.ctx.relayFailed
  const policy = ngx.ctx.policy ?? policyFor(ngx.var.http_x_fairway_host ?? '', ngx.var.http_x_fairway_cdn ?? '')
  const now = ngx.time()
  const answered = ngx.status
  if (answered < 200 && refuseInterim(answered, policy)) return
  // Pages of ours pass here too; for them no address was chosen.
  if (ngx.ctx.attempt !== undefined && policy !== undefined) countAnswered(policy)
  if (isMisframed()) {
    count('answers_unreadable')
    return ngx.exit(ngx.ERROR)
  }
  const connection = ngx.var.upstream_http_connection
  if (connection !== undefined && namesHeaders(connection))
    for (const name of hopHeaders(connection)) ngx.header[name] = undefined
  // RFC 9110 7.8: what else the origin could speak is for us; visitors cannot ask it for that.
  if (answered !== 101 && ngx.header['Upgrade'] !== undefined) ngx.header['Upgrade'] = undefined
  // RFC 9110 6.6.1: a recipient with a clock adds the Date that is missing.
  if (headerText('Date') === '') ngx.header['Date'] = ngx.http_time(now)
  if (ngx.header['Server'] === undefined) nameNoServer()
  const original = headerText('Cache-Control')
  const age = headerText('Age')
  const word = policy === undefined ? 'no-store' : bounded(wordFor(policy, answered, now, original, age), answered)
  ngx.header['X-Fairway-Born'] = `${age === '' ? now : now - ageSeconds(age)}`
  ngx.header['X-Fairway-At'] = `${now}`
  ngx.header['X-Fairway-Id'] = ngx.var.http_x_fairway_request
  // An origin cannot speak for it.
  if (original !== '' || ngx.header['X-Fairway-Cc'] !== undefined)
    ngx.header['X-Fairway-Cc'] = original === '' ? undefined : original
  tellCache(word, answered === 304 && saysNothing(original) && !isStaticHere(answered))
  if (answered === 304) handOver(ngx.var.http_x_fairway_request ?? '')
  tellOthers(answered, word)
}

/**
 * The word for an answer that is stored, or why it is not: too large for the cache that all share. One that does not say
 * how long it is ends where it would become so.
 */
function bounded(word: string, status: number): string {
  if (status === 304 || word.startsWith('no-store') || ngx.var.http_x_fairway_key === undefined) return word
  const most = tonumber(ngx.var.fw_most_bytes) ?? 0
  const length = headerNumber('Content-Length')
  if (length === undefined) ngx.ctx.mostBytes = most
  else if (length > most) {
    count('answers_too_large')
    return 'no-store, why=too-large'
  }
  return word
}

/**
 * Body filter of the same where nginx asks the origin: not zero ends it, and the cache in front stores no part. What we
 * ask ourselves is counted as it is read (`origin/body`).
 */
export function bound(): number {
  const most = ngx.ctx.mostBytes
  if (most === undefined || (tonumber(ngx.var.bytes_sent) ?? 0) <= most) return 0
  // Counted once.
  if (most > 0) count('answers_ended')
  ngx.ctx.mostBytes = -1
  return ngx.ERROR
}

/**
 * Header filter of what another machine has answered: all was weighed there, and it goes on as it is. A 304 of its second
 * cache comes with the word of the object, which is remembered for it, beside the word of that one answer.
 */
export function fromRelay(): void {
  if (ngx.ctx.isRelayed !== true) return normalise()
  if (ngx.header['Server'] === undefined) nameNoServer()
  const isKept = headerText('X-Accel-Expires') !== '' || headerText('Cache-Control').startsWith('max-age')
  if (isKept && bounded('', ngx.status) !== '') {
    ngx.header['X-Accel-Expires'] = undefined
    ngx.header['Cache-Control'] = 'no-store'
    ngx.header['X-Fairway-Why'] = 'too-large'
  }
  const [word, at] = [headerText('X-Fairway-Word'), headerText('X-Fairway-Word-At')]
  ngx.header['X-Fairway-Word'] = undefined
  ngx.header['X-Fairway-Word-At'] = undefined
  const said = headerText('Cache-Control')
  if (ngx.status === 304) {
    const [saidAt, always] = [headerText('X-Fairway-At'), headerText('X-Accel-Expires')]
    if (word !== '') {
      ngx.header['Cache-Control'] = word
      ngx.header['X-Fairway-At'] = at
      ngx.header['X-Accel-Expires'] = undefined
    }
    handOver(ngx.var.http_x_fairway_request ?? '')
    if (word !== '') {
      ngx.header['Cache-Control'] = said === '' ? undefined : said
      ngx.header['X-Fairway-At'] = saidAt
      ngx.header['X-Accel-Expires'] = always === '' ? undefined : always
    }
  }
  tellOthers(ngx.status, said)
}

/** Those who wait for this answer, or would for the next one. */
function tellOthers(status: number, word: string): void {
  const name = ngx.var.fw_turn ?? ''
  const isStored = word.startsWith('max-age')
  if (name !== '') {
    ngx.ctx.isStored = isStored
    return tellWaiting(name, isStored, status >= 500)
  }
  const key = isStored ? ngx.var.http_x_fairway_key : undefined
  if (key !== undefined) nowShared(key)
}

/** Log phase: all of the answer is with the cache in front. */
export function done(): void {
  const customer = ngx.var.fw_customer ?? ''
  if (customer !== '') giveRoom(customer)
  const visitor = ngx.var.fw_tunnel ?? ''
  if (visitor !== '') giveTunnel(customer, visitor)
  const name = ngx.var.fw_turn ?? ''
  if (name !== '') endTurn(name, ngx.ctx.isStored)
}

/** Header filter of an answer that another request has stored: as old as it is, and not to be stored once more. */
export function fromShared(): void {
  const status = ngx.var.upstream_cache_status ?? ''
  if (status !== 'HIT') return
  freshen(status)
  tellAge()
  ngx.header['X-Fairway-Why'] = 'collapsed'
  ngx.header['Cache-Control'] = 'no-store'
}

/**
 * The word for the cache in front, and why it is one that forbids. Stored to be confirmed each time is said with a time
 * that is past, which nginx knows in its own header only.
 */
function tellCache(word: string, isSilent304: boolean): void {
  const why = word.indexOf(', why=')
  if (isSilent304) {
    ngx.header['Cache-Control'] = undefined
    return
  }
  if (why < 0) {
    ngx.header['X-Fairway-Why'] = undefined
    ngx.header['Cache-Control'] = word
    return
  }
  ngx.header['X-Fairway-Why'] = word.slice(why + 6)
  const isConfirmed = word.charCodeAt(3) === 99
  // Stored with it: how long the copy may stand in for an origin that fails.
  const rest = why > NO_CACHE.length ? word.slice(NO_CACHE.length + 2, why) : undefined
  ngx.header['Cache-Control'] = isConfirmed ? rest : 'no-store'
  if (isConfirmed) ngx.header['X-Accel-Expires'] = ALWAYS_STALE
}

const NO_CACHE = 'no-cache'
/** Epoch seconds, as nginx writes them. */
const ALWAYS_STALE = '@1'

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
  const status = ngx.var.upstream_cache_status ?? ''
  freshen(status)
  // An old copy of the region's second cache is one, whatever this one knew of it.
  if (ngx.var.upstream_http_x_cache_tier !== 'STALE' || status === 'HIT') ngx.header['X-Cache-Tier'] = status
  const isStored = status === 'HIT' || status === 'STALE' || status === 'UPDATING'
  if (isStored || status === 'REVALIDATED') tellAge()
  const [at, word] = [headerNumber('X-Fairway-At'), headerText('Cache-Control')]
  if (status === 'STALE' && isForbiddenStale(word, at ?? 0)) return ngx.exit(REFUSED_STALE)
  // Before the word becomes one about this answer alone: what is handed over is remembered for the object.
  if (isStored && ngx.status === 304) {
    handOver(ngx.var.http_x_fairway_request ?? '')
    if (isRelayed()) {
      ngx.header['X-Fairway-Word'] = word
      ngx.header['X-Fairway-Word-At'] = headerText('X-Fairway-At')
    }
  }
  if (ngx.var.http_range !== undefined) {
    // What goes on is cut; only the whole is stored in front.
    ngx.header['Cache-Control'] = 'no-store'
    return
  }
  if (!isStored) {
    // Meant for both caches; nginx keeps it to itself.
    const always = ngx.var.upstream_http_x_accel_expires
    if (always !== undefined) ngx.header['X-Accel-Expires'] = always
    return
  }
  const comma = word.indexOf(',')
  const seconds = word.startsWith('max-age=') ? tonumber(comma < 0 ? word.slice(8) : word.slice(8, comma)) : undefined
  const now = ngx.time()
  const left = seconds === undefined || at === undefined || status !== 'HIT' ? 0 : seconds - (now - at)
  // The cache in front counts what is left from now on.
  ngx.header['X-Fairway-At'] = `${now}`
  if (left > 0) ngx.header['Cache-Control'] = `max-age=${Math.floor(left)}${comma < 0 ? '' : word.slice(comma)}`
  else if (ngx.status !== 304) ngx.header['Cache-Control'] = 'no-store'
  else {
    // Without a time nginx would let the copy in front live once more as long as it did; an old one confirms nothing.
    ngx.header['Cache-Control'] = undefined
    ngx.header['X-Accel-Expires'] = ALWAYS_STALE
  }
}

/** Header filter of a piece, for `slices`: what a 304 has said since, and no old copy that is forbidden. */
export function fromSlices(): void {
  beginRequest()
  const status = ngx.var.upstream_cache_status ?? ''
  freshen(status)
  if (status === 'STALE' && isForbiddenStale(headerText('Cache-Control'), headerNumber('X-Fairway-At') ?? 0))
    return ngx.exit(REFUSED_STALE)
}

/** RFC 9111 5.1: for the cache in front this is an answer that has an age. */
function tellAge(): void {
  const born = headerNumber('X-Fairway-Born')
  const age = born === undefined ? 0 : Math.floor(ngx.time() - born)
  if (age > 0) ngx.header['Age'] = `${age}`
}

/** Content of the second cache in place of an old copy; the cache in front may have one that is allowed. */
export function refuseStale(): void {
  ngx.header['X-Cache-Tier'] = undefined
  refuse504(policyFor(ngx.var.http_x_fairway_host ?? '', ngx.var.http_x_fairway_cdn ?? ''))
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
  const fitting = ways !== undefined && isNobodys(path, ways.rules) ? undefined : ruleFor(cache.rules, path)
  const rule = fitting === undefined || isMeantHere(fitting, status) ? fitting : undefined
  const expires = headerText('Expires')
  const modified = headerText('Last-Modified')
  // Nothing is estimated where the origin has said how long or never, or was asked about what is stored.
  const estimated = modified !== '' && status !== 304 && !cacheControl.includes('max') && !isNever(cacheControl)
  return cacheWordOf({
    status: status === 206 && isPieceAsked() ? 200 : status,
    cacheControl,
    cdnCacheControl: headerText('CDN-Cache-Control'),
    expiresAt: expires === '' ? undefined : (httpDate(expires, now) ?? -1),
    dateAt: expires === '' && !estimated ? undefined : httpDate(headerText('Date'), now),
    modifiedAt: estimated ? httpDate(modified, now) : undefined,
    hasValidator: modified !== '' || ngx.header['ETag'] !== undefined,
    now,
    age: age === '' ? undefined : age,
    setsCookie: ngx.header['Set-Cookie'] !== undefined,
    vary: headerText('Vary'),
    authorized: ngx.var.http_authorization !== undefined,
    hasCookie: ngx.var.http_cookie !== undefined,
    hadContent: hasContent(),
    enabled: cache.enabled,
    everything: rule !== undefined || cache.everything,
    isStatic: isStaticHere(status),
    ttlSeconds: rule === undefined ? cache.defaultTtlSeconds : rule.ttlSeconds,
    honorOrigin: rule === undefined ? cache.honorOrigin : rule.honorOrigin,
  })
}

/** By the text alone: `must-understand` may lift it (RFC 9111 5.2.2.3). */
function isNever(cacheControl: string): boolean {
  return cacheControl.includes('no-store') && !cacheControl.includes('must-understand')
}

/** A piece that is what was asked for is stored like the whole. */
function isPieceAsked(): boolean {
  const asked = ngx.var.http_x_fairway_slice === undefined ? undefined : byteRange(ngx.var.http_range ?? '')
  const part = asked === undefined ? undefined : contentRange(headerText('Content-Range'))
  return (
    asked !== undefined &&
    part !== undefined &&
    part.from === asked.from &&
    (part.to === asked.to || part.to === part.total - 1)
  )
}

function isStaticHere(status: number): boolean {
  const tail = ngx.var.fw_tail ?? ''
  return tail !== '' && isStaticContent(tail.toLowerCase(), typeOf(status))
}

function isMeantHere(rule: CacheRule, status: number): boolean {
  return isMeant(rule, otherPath(ngx.var.request_uri ?? '') ?? '', ngx.var.fw_tail ?? '', typeOf(status))
}

/** A 304 has no content of its own: what it confirms was judged when it was stored. */
function typeOf(status: number): string | undefined {
  return status === 304 ? undefined : headerText('Content-Type')
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
