import { evaluate } from '@fairway/domain/web-security'
import { count } from './answer/answer.ts'
import { objectKeys } from './cache/stored-object.ts'
import { hintsFor } from './front/known-hints.ts'
import type { SecurityDocument } from './policy/documents.ts'
import { beginVisit, certificateFor, clearanceSecret, policyFor, purgesOf, securityOf } from './policy/held.ts'
import { contentOf } from './security/content.ts'
import { isCleared } from './security/clearance.ts'
import { isMarked } from './security/limits.ts'
import { liveRequest } from './security/live-request.ts'
import { lookedUp } from './security/looked-up.ts'

/** `?server_name=`: chain and key of a name that is to be had over HTTP/3. Of every other name there is nothing to say. */
export function certificate(): void {
  beginVisit()
  const asked = ngx.unescape_uri(ngx.var.arg_server_name ?? '').toLowerCase()
  const policy = asked === '' ? undefined : policyFor(asked, '')
  const found = policy === undefined || policy.http3 !== true ? undefined : certificateFor(asked)
  if (found === undefined) return nothing()
  count('front_handshakes')
  ngx.header['Content-Type'] = 'application/x-pem-file'
  ngx.header['Cache-Control'] = 'no-store'
  ngx.print(`${found.document.chainPem}\n${found.document.keyPem}`)
}

/** Hints for a visitor who is about to get the page: those who would not get it are told nothing of it. */
export function hints(): void {
  beginVisit()
  const host = ngx.var.host ?? ''
  const policy = policyFor(host, '')
  if (policy === undefined || policy.http3 !== true || policy.earlyHints !== true) return nothing()
  if (policy.inMaintenance || policy.signing !== undefined || !policy.cache.enabled) return nothing()
  if (ngx.var.http_authorization !== undefined) return nothing()
  const path = ngx.var.uri ?? '/'
  if (policy.cache.ignoreQuery) ngx.var.fw_bare = '1'
  const { edge } = objectKeys(policy, purgesOf(policy.domainId), '', host, path)
  const known = hintsFor(`${edge}${ngx.var.fw_target}`)
  if (known === '') return nothing()
  const security = securityOf(policy.domainId)
  if (security !== undefined && !isLetIn(security.rules)) return nothing()
  count('front_hints')
  ngx.header['Link'] = known
  ngx.print('')
}

/** What the rules say, without counting anything towards a limit: that is done with the request itself. */
function isLetIn(rules: SecurityDocument['rules']): boolean {
  const verdict = evaluate(rules, liveRequest(), {
    now: ngx.time(),
    isTooMany: () => false,
    // A page's hints are kept under its whole address: who attacks asks for an address that none are known of.
    inspect: () => ({ findings: [], failed: '', cut: false }),
    content: () => contentOf(),
    isMarked: (key) => isMarked(key),
    isLeaked: () => false,
    lookedUp: (agent) => lookedUp(agent),
    isCleared: (strength) => isCleared(clearanceSecret(), strength),
    trace: undefined,
  })
  return verdict.status === 0
}

function nothing(): void {
  ngx.status = 204
  ngx.exit(204)
}
