import { isCertificateCheck } from '@fairway/domain/web-security'
import { learnHints } from './front/known-hints.ts'
import {
  answerFile,
  answerNothing,
  answerPage,
  answerRedirect,
  count,
  tellClosing,
  tellFront,
  tellHsts,
  tellReports,
} from './answer/answer.ts'
import { hopHeaders } from './origin/connection-headers.ts'
import type { CdnDocument, PolicyDocument, PurgeDocument, SecurityDocument } from './policy/documents.ts'
import { LEAST_COMPRESSED, isCompressible, sharedEncodings } from './answer/encodings.ts'
import { faultOf } from './policy/fault.ts'
import { freshenedHeaders } from './cache/freshened.ts'
import { REFUSED_STALE, isForbiddenStale, refuseStale as refuse504 } from './cache/forbidden-stale.ts'
import { headerText } from './answer/headers.ts'
import { sharedLanguages } from './answer/languages.ts'
import {
  beginRequest,
  beginVisit,
  cdnAsked,
  certificateFor,
  challengeAt,
  isSet,
  policyFor,
  purgesOf,
  securityOf,
} from './policy/held.ts'
import { takeCmcd } from './signing/cmcd.ts'
import { admit, hideToken } from './signing/gate.ts'
import { guard, rewriteAnswer } from './security/guard.ts'
import { isRemembered } from './security/inspect.ts'
import { liveRequest } from './security/live-request.ts'
import { showShape } from './security/shapes.ts'
import { answerTrial, isOnTrial } from './security/trial.ts'
import { awaitAnswer, judgeBody, judgeHead } from './security/judge.ts'
import { newIncident } from './answer/incident.ts'
import { isLooping } from './origin/loop.ts'
import { isSlow } from './origin/peers.ts'
import type { Reason } from './answer/page-words.ts'
import { isHostText } from './policy/host-text.ts'
import { isNobodys } from './policy/nobodys-path.ts'
import { anyFits } from './policy/path-match.ts'
import { deliveryDirectives, isPlaylist } from './cache/delivery-directives.ts'
import { sameHostPath } from './cache/same-host-path.ts'
import { readBody } from './visitor-body.ts'
import { invalidate, objectKeys, rememberTags } from './cache/stored-object.ts'

/** Rewrite phase of a visitor's request: who is asked for, by which CDN, from which cache. */
export function enter(): void {
  // Headers that most requests come without are looked for once.
  const rare = ngx.var.fw_rare !== ''
  if (rare && carriesContent()) return ngx.exec('@sent')
  const path = ngx.var.uri ?? '/'
  // Of HTTP/2 only what comes can tell that a look for a proof has nothing with it.
  if (isChallenge(path) && isHttp2()) return ngx.exec('@sent')
  visit(path, rare, false)
}

/** Access phase of one with content: by now it counts among those that its address has under way. */
export function enterSent(): void {
  visit(ngx.var.uri ?? '/', true, true)
}

/** The same of one that is to be inspected: all that comes before that is done. */
export function enterInspected(): void {
  beginRequest()
  const cdn = cdnAsked()
  const host = ngx.var.host ?? ''
  const policy = policyFor(host, cdn === undefined ? '' : cdn.cdnId)
  if (policy === undefined) return refuseUnknown()
  judge(policy, securityOf(policy.domainId), cdn, host, ngx.var.uri ?? '/', ngx.var.fw_rare !== '')
}

function carriesContent(): boolean {
  const length = ngx.var.http_content_length
  if ((length !== undefined && length !== '0') || ngx.var.http_transfer_encoding !== undefined) return true
  // Of HTTP/2 no header has to speak of it.
  const method = ngx.var.request_method
  return isHttp2() && method !== 'GET' && method !== 'HEAD'
}

function isHttp2(): boolean {
  return ngx.var.server_protocol === 'HTTP/2.0'
}

function visit(path: string, rare: boolean, counted: boolean): void {
  beginVisit()
  ngx.var.fw_incident = newIncident()
  const cdn = cdnAsked()
  const host = ngx.var.host ?? ''
  const policy = policyFor(host, cdn === undefined ? '' : cdn.cdnId)
  if (policy !== undefined) {
    ngx.var.fw_owner = policy.owner
    if (policy.signing !== undefined) {
      hideToken(path)
      takeCmcd()
    }
  }
  if (cdn !== undefined) {
    noteCdn(cdn)
    if (suffers(cdn)) return
  }
  const isOfOrder = isChallenge(path)
  const proof = isOfOrder ? proofFor(host, path) : undefined
  if (proof !== undefined) return answerFile('application/octet-stream', proof)
  if (policy === undefined) return refuseUnknown()
  // RFC 9112 3.2.1: a target has no fragment.
  if (isBadHost(policy, host) || (ngx.var.request_uri ?? '').includes('#')) return answerPage(400, 'bad-request')
  const isOverHttp3 = ngx.var.fw_front !== ''
  if (isOverHttp3) {
    count('front_requests')
    // A name that is not served so, or not any more: the browser comes again over TCP (RFC 9110 15.5.20).
    if (policy.http3 !== true || certificateFor(host) === undefined) {
      ngx.header['Alt-Svc'] = 'clear'
      return answerPage(421, 'wrong-connection')
    }
  }
  const greeted = isOverHttp3 ? undefined : ngx.var.ssl_server_name
  if (greeted !== undefined && greeted !== host && isAnothers(greeted, policy)) {
    count('connections_refused')
    return answerPage(421, 'wrong-connection')
  }
  if (rare && isLooping(ngx.var.http_cdn_loop ?? '')) {
    count('loops')
    return answerPage(508, 'loop', policy)
  }
  if (rare && isOnTrial()) return answerTrial(securityOf(policy.domainId))
  // Of an order of the website's own: its rules hold for it, but no authority waits for maintenance to end.
  const isCheck = isOfOrder && isCertificateCheck(liveRequest())
  if (policy.inMaintenance && !isCheck) {
    count('in_maintenance')
    return answerPage(503, 'maintenance', policy)
  }
  // Without a certificate that serves, visitors would be sent to a handshake that fails: the switch waits for one.
  if (policy.alwaysHttps && ngx.var.scheme === 'http' && !isCheck && certificateFor(host) !== undefined)
    return toHttps()
  if (policy.signing !== undefined) {
    const served = admit(policy, policy.signing, host, path)
    if (served !== undefined) toCache(policy, cdn, host, served, rare)
    return
  }
  const security = securityOf(policy.domainId)
  if (security !== undefined && !counted && takesTime(security)) return ngx.exec('@inspected')
  judge(policy, security, cdn, host, path, rare)
}

/** An inspection takes its time; what is remembered of it does not. Over HTTP/2 anything may bring content. */
function takesTime({ rules }: SecurityDocument): boolean {
  if (rules.readsContent === true && isHttp2()) return true
  return rules.ruleSets.on && !isRemembered(rules.ruleSets)
}

/** What its rules make of a request, and where it goes on to. */
function judge(
  policy: PolicyDocument,
  security: SecurityDocument | undefined,
  cdn: CdnDocument | undefined,
  host: string,
  path: string,
  rare: boolean,
): void {
  if (security !== undefined && guard(policy, security, path)) return
  const way = ngx.var.fw_way ?? ''
  const used = security === undefined || way === '' ? policy : (policyFor(host, way) ?? policy)
  toCache(used, cdn, host, path, rare)
  // What hangs on a request costs it a table: it is looked for only where there may be something.
  const login = security !== undefined && security.rules.failedLogins.length > 0 ? ngx.ctx.login : undefined
  if (login !== undefined) awaitAnswer(login)
}

function toCache(
  policy: PolicyDocument,
  cdn: CdnDocument | undefined,
  host: string,
  path: string,
  rare: boolean,
): void {
  if (rare && carriesContent()) readBody()
  lookUp(policy, cdn, host, path, rare)
  passOn(policy, rare)
}

/** Which object of the cache this request is about. Variables that stay empty were set so by the configuration. */
function lookUp(policy: PolicyDocument, cdn: CdnDocument | undefined, host: string, path: string, rare: boolean): void {
  const keys = objectKeys(policy, purgesSeenBy(policy, cdn), cdn === undefined ? '' : cdn.cdnId, host, path)
  ngx.var.fw_cache = keys.edge
  if (policy.cache.ignoreQuery) ngx.var.fw_bare = policy.cache.deliveryDirectives === true ? askedOfPlaylist(path) : '1'
  const upgrades = rare && policy.websocket && asksForWebSocket()
  if (upgrades) {
    ngx.var.fw_upgrade = 'websocket'
    ngx.var.fw_connection = 'upgrade'
  }
  const method = ngx.req.get_method()
  const past = whyPast(policy, upgrades, rare, path)
  if (past !== '') {
    ngx.var.fw_bypass = past
    if (past !== 'authorization' || isConditional(method)) {
      ngx.var.fw_unkept = '1'
      ngx.var.fw_pass = '1'
    }
    return
  }
  if (method !== 'GET' && method !== 'HEAD') {
    ngx.var.fw_pass = '1'
    return
  }
  if (keys.tier !== '') {
    ngx.var.fw_tier_key = keys.tier
    ngx.var.fw_next = 'tier'
  }
  if (keys.reserve !== '') ngx.var.fw_reserve = keys.reserve
}

/** RFC 6455 4.1. Another protocol (`h2c`) would carry requests that nothing here has looked at. */
function asksForWebSocket(): boolean {
  const { http_upgrade: protocol, http_sec_websocket_key: key } = ngx.var
  if (protocol === undefined || key === undefined || ngx.var.request_method !== 'GET') return false
  return protocol.toLowerCase() === 'websocket'
}

/** What of the query counts; the origin is asked for just that, too. */
function askedOfPlaylist(path: string): string {
  const args = ngx.var.args ?? ''
  if (args === '' || !isPlaylist(path)) return '1'
  const asked = deliveryDirectives(args)
  if (asked !== args) ngx.req.set_uri_args(asked)
  return asked === '' ? '1' : `?${asked}`
}

/** Why this request goes past what is stored; empty when it does not. The word is shown in the log. */
function whyPast(policy: PolicyDocument, upgrades: boolean, rare: boolean, path: string): string {
  if (!policy.cache.enabled) return 'caching-off'
  if (upgrades) return 'upgrade'
  // RFC 9111 3.5: what is stored may not be meant for who signs in here, though the origin may allow to keep its answer.
  if (rare && ngx.var.http_authorization !== undefined) return 'authorization'
  return isBypassed(policy, path) ? 'rule' : ''
}

/** What is asked of the origin with the visitor's own conditions has no answer for others. */
function isConditional(method: string): boolean {
  return (
    (method !== 'GET' && method !== 'HEAD') ||
    ngx.var.http_range !== undefined ||
    ngx.var.http_if_none_match !== undefined ||
    ngx.var.http_if_modified_since !== undefined ||
    ngx.var.http_if_match !== undefined ||
    ngx.var.http_if_unmodified_since !== undefined
  )
}

function isBypassed({ cache, ways }: PolicyDocument, path: string): boolean {
  return (ways === undefined || !isNobodys(path, ways.bypass)) && anyFits(cache.bypass, path)
}

/** What of the visitor's headers goes on to the origin. */
function passOn(policy: PolicyDocument, rare: boolean): void {
  if (rare) {
    for (const name of hopHeaders(ngx.var.http_connection ?? '')) ngx.req.clear_header(name)
    if (ngx.var.fw_pass === '') dropWeakerConditions()
  }
  const languages = ngx.var.http_accept_language
  if (languages !== undefined) {
    const spelled = sharedLanguages(languages)
    if (spelled !== languages) ngx.req.set_header('Accept-Language', spelled)
  }
  const accepted = ngx.var.http_accept_encoding
  if (accepted === undefined) return
  // Off: nothing is compressed on the way, neither here nor by the origin. The header is part of what an object is
  // stored by, so it is not touched later.
  const shared = policy.compression === 'off' ? '' : sharedEncodings(accepted, policy.compression === 'brotli')
  if (shared === '') ngx.req.clear_header('Accept-Encoding')
  else if (shared !== accepted) ngx.req.set_header('Accept-Encoding', shared)
}

/** RFC 9110 13.2.2: who asks by tag does not ask by date too; nginx would want both to hold. */
function dropWeakerConditions(): void {
  if (ngx.var.http_if_none_match !== undefined) ngx.req.clear_header('If-Modified-Since')
  if (ngx.var.http_if_match !== undefined) ngx.req.clear_header('If-Unmodified-Since')
}

/**
 * Rewrite phase of the edge's own objects: they suffer the CDN's fault like everything else, that is how it is
 * measured.
 */
export function enterOwn(): void {
  beginVisit()
  const cdn = cdnAsked()
  if (cdn === undefined) return
  noteCdn(cdn)
  suffers(cdn)
}

/**
 * Header filter: what the visitor is told of an answer and where it came from. What needs no thought is said by the
 * configuration.
 */
export function mark(): void {
  const status = ngx.var.upstream_cache_status
  const policy = policyHere()
  const security = policy === undefined ? undefined : securityOf(policy.domainId)
  if (security !== undefined) {
    // Only where there may be something: to look for it costs each request a table.
    if (security.rules.headers.length > 0) rewriteAnswer()
    // Here and not in a log phase, which would begin for every request, of whichever domain.
    if (security.rules.schema.learns && ngx.var.fw_shape === '1') showShape()
  }
  // Nothing that was looked up.
  if (status === undefined && ngx.var.fw_cache === '') return
  if (policy !== undefined) {
    tellHsts(policy)
    tellFront(policy)
    tellReports(policy)
  }
  const said = status === undefined ? undefined : freshenedHeaders(status, 'fw_incident')
  if (said !== undefined) freshen(said)
  if (
    status === 'STALE' &&
    isForbiddenStale(
      wordOf(said, 'cache-control') ?? ngx.var.upstream_http_cache_control ?? '',
      tonumber(wordOf(said, 'x-fairway-at') ?? ngx.var.upstream_http_x_fairway_at) ?? 0,
    )
  )
    return ngx.exit(REFUSED_STALE)
  if (status === 'HIT' || status === 'STALE' || status === 'UPDATING' || status === 'REVALIDATED')
    tellAge(wordOf(said, 'x-fairway-born') ?? ngx.var.upstream_http_x_fairway_born)
  else if (policy !== undefined) {
    whenUnsafe(policy)
    if (status === 'MISS' || status === 'EXPIRED') {
      remember(policy)
      learnHints(policy)
    }
  }
  if (policy !== undefined && policy.compression !== 'off') {
    if (ngx.status === 304) confirmAsCompressed()
    else varyByEncoding()
  }
}

/**
 * RFC 9110 15.4.5: a 304 says Vary and the ETag as the 200 would, which is compressed on its way out, and its tag weak
 * for that. nginx has taken the type away by now.
 */
function confirmAsCompressed(): void {
  const { upstream_http_content_encoding: encoding, upstream_http_content_type: type } = ngx.var
  if (encoding !== undefined || type === undefined || !isCompressible(type) || isTooSmall()) return
  addVary()
  const tag = headerText('ETag')
  if (tag.startsWith('"') && ngx.var.http_accept_encoding !== undefined) ngx.header['ETag'] = `W/${tag}`
}

/** Compressing it would not pay: everybody gets it as it is, so it does not vary by what they accept. */
function isTooSmall(): boolean {
  const length = tonumber(ngx.var.upstream_http_content_length)
  return length !== undefined && length < LEAST_COMPRESSED
}

/** What a 304 said goes over what is stored, but for the marks between the servers; those are read, not shown. */
function freshen(said: Record<string, string | string[]>): void {
  for (const name in said) {
    const lower = name.toLowerCase()
    if (
      lower !== 'cache-control' &&
      lower !== 'x-accel-expires' &&
      lower !== 'alt-svc' &&
      !lower.startsWith('x-fairway-')
    )
      ngx.header[name] = said[name]
  }
  const word = wordOf(said, 'x-fairway-cc')
  if (word !== undefined) ngx.var.fw_said = word
}

function wordOf(said: Record<string, string | string[]> | undefined, wanted: string): string | undefined {
  if (said === undefined) return undefined
  for (const name in said) {
    const value = said[name]
    if (name.toLowerCase() === wanted && value !== undefined)
      return typeof value === 'string' ? value : value.join(', ')
  }
  return undefined
}

/** Header filter of the answer to a login that is judged by it. */
export function markLogin(): void {
  judgeHead()
  mark()
}

/** Body filter of the same. */
export function readLogin(): void {
  judgeBody()
}

/** Content in place of an old copy; what is known of that is not said of this. */
export function refuseStale(): void {
  forgetHeaders()
  refuse504(policyHere())
}

/** A condition of the visitor's that what is stored does not meet; what is known of the object is not said of this. */
export function unmet(): void {
  const status = ngx.status
  forgetHeaders()
  if (status === 412) tellClosing()
  answerNothing(status)
}

/** Of the answer that was to be: nginx leaves them for the one in its place. */
function forgetHeaders(): void {
  for (const name in ngx.resp.get_headers(100, true))
    if (KEPT_UNMET[name.toLowerCase()] !== true) ngx.header[name] = undefined
}

const KEPT_UNMET: Record<string, boolean> = { 'content-range': true, date: true, etag: true, vary: true }

/** The inner server has given up on the request: the origin's answer was no HTTP. */
export function failed(): void {
  const slow = isSlow()
  answerPage(slow ? 504 : 502, slow ? 'origin-slow' : 'origin-invalid', policyHere())
}

const REFUSALS: Record<number, Reason> = {
  405: 'method-refused',
  408: 'too-slow',
  413: 'too-large',
  414: 'uri-too-long',
  429: 'rate-limited',
  431: 'headers-too-large',
  501: 'unsupported',
  505: 'unsupported',
}

/** What nginx itself has refused: a request that is too large, too slow or none at all. */
export function refuse(): void {
  beginRequest()
  ngx.var.fw_incident = newIncident()
  const cdn = cdnAsked()
  const policy = policyFor(ngx.var.host ?? '', cdn === undefined ? '' : cdn.cdnId)
  if (policy !== undefined && !isOnTrial()) ngx.var.fw_owner = policy.owner
  // Of what nginx could not read it knows no path that a token could be taken out of.
  if (policy !== undefined && policy.signing !== undefined) hideToken('/')
  if (cdn !== undefined) noteCdn(cdn)
  const status = ngx.status
  count('requests_refused')
  if (status === 429) {
    count('visitors_refused')
    ngx.header['Retry-After'] = '1'
  }
  answerPage(
    status,
    isPlainOnTls() ? 'plain-to-tls' : (REFUSALS[status] ?? (status >= 500 ? 'internal' : 'bad-request')),
    policy,
  )
}

/** nginx says 400 for it too. */
function isPlainOnTls(): boolean {
  return ngx.var.server_port === ngx.var.fw_https_port && ngx.var.ssl_protocol === undefined
}

function policyHere(): PolicyDocument | undefined {
  return policyFor(ngx.var.host ?? '', isSet('cdns') ? (ngx.var.fw_cdn ?? '') : '')
}

/**
 * RFC 9112 3.2: a Host that is none. nginx has looked at the name only as far as it needs it; one that a wildcard
 * stands for may be anything.
 */
function isBadHost(policy: PolicyDocument, host: string): boolean {
  const asked = ngx.var.http_host
  return (policy.host !== host && !isHostText(host)) || (asked !== undefined && asked !== host && !isHostText(asked))
}

/**
 * RFC 9110 15.5.20: the handshake was for a website of another customer, whose certificate has spoken for the
 * connection. A name that is nobody's says nothing: a CDN in front may have one of its own for us.
 */
function isAnothers(greeted: string, { organizationId }: PolicyDocument): boolean {
  const named = policyFor(greeted.toLowerCase(), '')
  return named !== undefined && named.organizationId !== organizationId
}

const CHALLENGES = '/.well-known/acme-challenge/'

/** Authorities must reach it over plain HTTP at any time (RFC 8555 8.3). */
function isChallenge(path: string): boolean {
  return path.charCodeAt(1) === 46 && path.startsWith(CHALLENGES)
}

/** The answer to a challenge of an order of ours; those of the website's own orders are its origin's. */
function proofFor(host: string, path: string): string | undefined {
  const method = ngx.var.request_method
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const challenge = challengeAt(host, path.slice(CHALLENGES.length))
  if (challenge === undefined) return undefined
  count('challenges_answered')
  return challenge.keyAuthorization
}

/** RFC 9111 section 5.1: a stored answer says how old it is; one that just came says what the origin's side said. */
function tellAge(bornText: string | undefined): void {
  const born = tonumber(bornText)
  if (born === undefined) return
  const age = Math.floor(ngx.time() - born)
  ngx.header['Age'] = `${age < 0 ? 0 : age}`
}

function varyByEncoding(): void {
  if (ngx.header['Content-Encoding'] === undefined && isCompressible(headerText('Content-Type')) && !isTooSmall())
    addVary()
}

function addVary(): void {
  const vary = headerText('Vary')
  if (vary === '') ngx.header['Vary'] = 'Accept-Encoding'
  else if (!vary.includes('*') && !vary.toLowerCase().includes('accept-encoding'))
    ngx.header['Vary'] = `${vary}, Accept-Encoding`
}

function whenUnsafe(policy: PolicyDocument): void {
  const method = ngx.req.get_method()
  if (
    method === 'GET' ||
    method === 'HEAD' ||
    method === 'OPTIONS' ||
    method === 'TRACE' ||
    ngx.status < 200 ||
    ngx.status >= 400
  )
    return
  const host = ngx.var.host ?? ''
  invalidate(policy, host, ngx.var.uri ?? '/')
  for (const name of ['Location', 'Content-Location']) {
    const path = sameHostPath(headerText(name), host)
    if (path !== '') invalidate(policy, host, path)
  }
}

function remember(policy: PolicyDocument): void {
  if (ngx.var.upstream_http_cache_control === 'no-store' || ngx.var.fw_unkept === '1') return
  const tags = headerText('Cache-Tag') === '' ? headerText('Surrogate-Key') : headerText('Cache-Tag')
  rememberTags(`${ngx.var.fw_cache}${ngx.var.fw_target}`, policy, purgesSeenBy(policy, cdnAsked()), tags)
}

/** A CDN that lies says that it has purged, and has not. */
function purgesSeenBy(policy: PolicyDocument, cdn: CdnDocument | undefined): PurgeDocument | undefined {
  return cdn !== undefined && cdn.mode === 'lie' ? undefined : purgesOf(policy.domainId)
}

/** To the same address over TLS. Who wrote a port must be led to the port of the other listener. */
function toHttps(): void {
  const port =
    (ngx.var.http_host ?? '').includes(':') && ngx.var.fw_https_port !== '443' ? `:${ngx.var.fw_https_port}` : ''
  const method = ngx.var.request_method
  answerRedirect(
    method === 'GET' || method === 'HEAD' ? 301 : 308,
    `https://${ngx.var.host}${port}${ngx.var.request_uri}`,
  )
}

function noteCdn(cdn: CdnDocument): void {
  ngx.var.fw_served = `${cdn.slug}/${ngx.var.fw_node}`
  ngx.var.fw_cdn = cdn.cdnId
}

/** Applies the fault; true when it ended the request. */
function suffers(cdn: CdnDocument): boolean {
  const fault = faultOf(cdn, Math.random() * 100)
  if (fault.delayMs > 0) ngx.sleep(fault.delayMs / 1000)
  if (fault.act === 'serve') return false
  count(fault.act === 'close' ? 'faults_closed' : 'faults_refused')
  if (fault.act === 'close') ngx.exit(444)
  else answerPage(503, 'fault')
  return true
}

function refuseUnknown(): void {
  if (!isSet('primed')) return answerPage(503, 'starting')
  count('unknown_hosts')
  answerPage(421, 'unknown-host')
}
