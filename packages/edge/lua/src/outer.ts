import { answerPage, count } from './answer.ts'
import { clientNetwork } from './client-network.ts'
import { hopHeaders } from './connection-headers.ts'
import type { CdnDocument, PolicyDocument, PurgeDocument } from './documents.ts'
import { isCompressible, sharedEncodings } from './encodings.ts'
import { faultOf } from './fault.ts'
import { freshen } from './freshened.ts'
import { mayBeStale } from './freshness.ts'
import { headerNumber, headerText } from './headers.ts'
import { cdnAt, policyFor, purgesOf } from './held.ts'
import { isLooping } from './loop.ts'
import { isSlow } from './origin-peers.ts'
import type { Reason } from './page-words.ts'
import { isHostText } from './host-text.ts'
import { anyFits } from './path-match.ts'
import { sameHostPath } from './same-host-path.ts'
import { invalidate, objectKeys, rememberTags } from './stored-object.ts'

/** Nobody's status: leads to the page that `refuseStale` gives. */
const REFUSED_STALE = 598

/** Rewrite phase of a visitor's request: who is asked for, by which CDN, from which cache. */
export function enter(): void {
  const cdn = cdnAt(ngx.var.server_addr ?? '')
  const policy = policyFor(ngx.var.host ?? '', cdn === undefined ? '' : cdn.cdnId)
  note(policy, cdn)
  if (cdn !== undefined && suffers(cdn)) return
  if (policy === undefined) return refuseUnknown()
  if (isBadHost(policy)) return answerPage(400, 'bad-request')
  if (isLooping(ngx.var.http_cdn_loop ?? '')) {
    count('loops')
    return answerPage(508, 'loop', policy)
  }
  if (policy.inMaintenance && !isChallenge()) {
    count('in_maintenance')
    return answerPage(503, 'maintenance', policy)
  }
  if (policy.alwaysHttps && ngx.var.scheme === 'http' && !isChallenge()) return toHttps()
  ngx.ctx.policy = policy
  lookUp(policy, cdn)
  passOn(policy, cdn)
}

/** Which object of the cache this request is about. */
function lookUp(policy: PolicyDocument, cdn: CdnDocument | undefined): void {
  const keys = objectKeys(policy, purgesSeenBy(policy, cdn), cdn === undefined ? '' : cdn.cdnId)
  ngx.ctx.object = keys.object
  ngx.ctx.tagStamp = keys.tagStamp
  const upgrades = policy.websocket && ngx.var.http_upgrade !== undefined
  const cached = policy.cache.enabled && ngx.var.http_authorization === undefined && !upgrades && !anyFits(policy.cache.bypass, ngx.var.uri ?? '/')
  ngx.var.fw_cache = keys.edge
  ngx.var.fw_bypass = cached ? '' : '1'
  ngx.var.fw_pass = cached && (ngx.var.request_method === 'GET' || ngx.var.request_method === 'HEAD') ? '' : '1'
  ngx.var.fw_tier_key = cached ? keys.tier : ''
  ngx.var.fw_next = cached && keys.tier !== '' ? 'tier' : 'inner'
  ngx.var.fw_reserve = cached ? keys.reserve : ''
  ngx.var.fw_upgrade = upgrades ? (ngx.var.http_upgrade ?? '') : ''
  ngx.var.fw_connection = upgrades ? 'upgrade' : ''
}

/** What of the visitor's headers goes on to the origin. */
function passOn(policy: PolicyDocument, cdn: CdnDocument | undefined): void {
  ngx.var.fw_policy = cdn === undefined ? '' : cdn.cdnId
  ngx.var.fw_visitor = ngx.var.remote_addr ?? ''
  const connection = ngx.var.http_connection
  if (connection !== undefined && connection !== 'keep-alive' && connection !== 'close') for (const name of hopHeaders(connection)) ngx.req.clear_header(name)
  const accepted = ngx.var.http_accept_encoding
  if (accepted === undefined) return
  // Off: nothing is compressed on the way, neither here nor by the origin. The header is part of what an object is stored by, so it is not touched later.
  const shared = policy.compression === 'off' ? '' : sharedEncodings(accepted, policy.compression === 'brotli')
  if (shared === '') ngx.req.clear_header('Accept-Encoding')
  else if (shared !== accepted) ngx.req.set_header('Accept-Encoding', shared)
}

/** Rewrite phase of the edge's own objects: they suffer the CDN's fault like everything else, that is how it is measured. */
export function enterOwn(): void {
  const cdn = cdnAt(ngx.var.server_addr ?? '')
  note(undefined, cdn)
  if (cdn !== undefined) suffers(cdn)
}

/** Header filter: what the visitor is told of an answer and where it came from. */
export function mark(): void {
  const served = ngx.var.fw_served
  const policy = ngx.ctx.policy
  const status = ngx.var.upstream_cache_status ?? ''
  if (policy !== undefined) {
    freshen(status, ngx.var.request_id ?? '')
    if (status === 'STALE' && !mayBeStale(headerText('Cache-Control'), ngx.time() - (headerNumber('X-Fairway-At') ?? 0))) return ngx.exit(REFUSED_STALE)
    whenUnsafe()
    if (status === 'HIT') ngx.header['X-Cache-Tier'] = undefined
    if (status === 'MISS' || status === 'EXPIRED') remember(policy)
    tellAge(status)
    unpack()
    compress(policy)
  }
  ngx.header['X-Served-By'] = served === undefined || served === '' ? undefined : served
  ngx.header['X-Cache'] = policy === undefined ? undefined : status === '' ? 'BYPASS' : status
}

/** The origin does not answer well and wants that nobody sees an old copy instead (RFC 9111 5.2.2.2). */
export function refuseStale(): void {
  answerPage(502, 'stale-refused', policyHere())
}

/** The inner server has given up on the request: the origin's answer was no HTTP. */
export function failed(): void {
  const slow = isSlow()
  answerPage(slow ? 504 : 502, slow ? 'origin-slow' : 'origin-invalid', policyHere())
}

const REFUSALS: Record<number, Reason> = { 405: 'method-refused', 408: 'too-slow', 413: 'too-large', 414: 'uri-too-long', 431: 'headers-too-large', 501: 'unsupported', 505: 'unsupported' }

/** What nginx itself has refused: a request that is too large, too slow or none at all. */
export function refuse(): void {
  const policy = policyHere()
  note(policy, cdnAt(ngx.var.server_addr ?? ''))
  const status = ngx.status
  count('requests_refused')
  answerPage(status, isPlainOnTls() ? 'plain-to-tls' : REFUSALS[status] ?? (status >= 500 ? 'internal' : 'bad-request'), policy)
}

/** nginx says 400 for it too. */
function isPlainOnTls(): boolean {
  return ngx.var.server_port === ngx.var.fw_https_port && ngx.var.ssl_protocol === undefined
}

function policyHere(): PolicyDocument | undefined {
  const cdn = cdnAt(ngx.var.server_addr ?? '')
  return policyFor(ngx.var.host ?? '', cdn === undefined ? '' : cdn.cdnId)
}

/** RFC 9112 3.2: a Host that is none. nginx has looked at the name only as far as it needs it; one that a wildcard stands for may be anything. */
function isBadHost(policy: PolicyDocument): boolean {
  const host = ngx.var.host ?? ''
  const asked = ngx.var.http_host
  return (policy.host !== host && !isHostText(host)) || (asked !== undefined && asked !== host && !isHostText(asked))
}

/** Authorities must reach it over plain HTTP at any time (RFC 8555 8.3). */
function isChallenge(): boolean {
  return (ngx.var.uri ?? '').startsWith('/.well-known/acme-challenge/')
}

/** The inner server's own marks come off, the origin's words come back. */
function unpack(): void {
  ngx.header['Cache-Control'] = ngx.header['X-Fairway-Cc']
  for (const name of ['X-Fairway-Cc', 'X-Fairway-Born', 'X-Fairway-At', 'X-Fairway-Id']) ngx.header[name] = undefined
}

/** RFC 9111 section 5.1: a stored answer says how old it is; one that just came says what the origin's side said. */
function tellAge(status: string): void {
  const born = headerNumber('X-Fairway-Born')
  if (born === undefined || !(status === 'HIT' || status === 'STALE' || status === 'UPDATING' || status === 'REVALIDATED')) return
  const age = Math.floor(ngx.time() - born)
  ngx.header['Age'] = `${age < 0 ? 0 : age}`
}

function compress(policy: PolicyDocument): void {
  if (policy.compression === 'off' || ngx.header['Content-Encoding'] !== undefined || !isCompressible(headerText('Content-Type'))) return
  const vary = headerText('Vary')
  if (!vary.includes('*') && !vary.toLowerCase().includes('accept-encoding')) ngx.header['Vary'] = vary === '' ? 'Accept-Encoding' : `${vary}, Accept-Encoding`
}

function whenUnsafe(): void {
  const method = ngx.var.request_method ?? ''
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE' || ngx.status < 200 || ngx.status >= 400) return
  const host = ngx.var.host ?? ''
  invalidate(host, ngx.var.uri ?? '/')
  for (const name of ['Location', 'Content-Location']) {
    const path = sameHostPath(headerText(name), host)
    if (path !== '') invalidate(host, path)
  }
}

function remember(policy: PolicyDocument): void {
  if (headerText('Cache-Control') === 'no-store' || ngx.var.fw_bypass === '1') return
  const cdn = cdnAt(ngx.var.server_addr ?? '')
  const tags = headerText('Cache-Tag') === '' ? headerText('Surrogate-Key') : headerText('Cache-Tag')
  rememberTags(cdn === undefined ? '' : cdn.cdnId, ngx.ctx.object ?? '', ngx.ctx.tagStamp ?? 0, purgesSeenBy(policy, cdn), tags)
}

/** A CDN that lies says that it has purged, and has not. */
function purgesSeenBy(policy: PolicyDocument, cdn: CdnDocument | undefined): PurgeDocument | undefined {
  return cdn !== undefined && cdn.mode === 'lie' ? undefined : purgesOf(policy.domainId)
}

/** To the same address over TLS. Who wrote a port must be led to the port of the other listener. */
function toHttps(): void {
  const port = (ngx.var.http_host ?? '').includes(':') && ngx.var.fw_https_port !== '443' ? `:${ngx.var.fw_https_port}` : ''
  const method = ngx.var.request_method
  ngx.redirect(`https://${ngx.var.host}${port}${ngx.var.request_uri}`, method === 'GET' || method === 'HEAD' ? 301 : 308)
}

function note(policy: PolicyDocument | undefined, cdn: CdnDocument | undefined): void {
  ngx.var.fw_served = `${cdn === undefined ? 'edge' : cdn.slug}/${ngx.var.fw_node}`
  ngx.var.fw_cdn = cdn === undefined ? '' : cdn.cdnId
  if (policy === undefined) return
  ngx.var.fw_organization = policy.organizationId
  ngx.var.fw_site = policy.siteId
  ngx.var.fw_domain = policy.domainId
  ngx.var.fw_client = clientNetwork(ngx.var.remote_addr ?? '')
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
  const [primed] = ngx.shared.policies.get('primed')
  if (primed === undefined) return answerPage(503, 'starting')
  count('unknown_hosts')
  answerPage(421, 'unknown-host')
}
