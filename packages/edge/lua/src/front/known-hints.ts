import { headerText } from '../answer/headers.ts'
import type { PolicyDocument } from '../policy/documents.ts'
import { hintsOf } from './hints.ts'

/** Hints are of no use for ever; what is asked for less often is fetched without. */
const KEPT_SECONDS = 86_400

/**
 * Learns from an answer that goes into the cache what may be said before the next one: only from pages that are the same
 * for everybody. What an answer does not say any more is forgotten. Kept under the object's own key, so that purges and
 * new settings forget it too.
 */
export function learnHints(policy: PolicyDocument): void {
  if (policy.earlyHints !== true || ngx.req.get_method() !== 'GET' || ngx.var.fw_unkept === '1') return
  const directives = ngx.var.upstream_http_cache_control ?? ''
  if (ngx.status !== 200 || directives === 'no-store') return
  const key = ngx.md5_bin(`${ngx.var.fw_cache}${ngx.var.fw_target}`)
  const hints = isEverybodys() ? hintsOf(headerText('Link')) : ''
  if (hints === '') ngx.shared.hints.delete(key)
  else ngx.shared.hints.set(key, `${Math.floor(ngx.time()) + lifetime(directives)} ${hints}`, KEPT_SECONDS)
}

/** What is to be said before the answer to this request; empty while it comes from the cache anyway, at once. */
export function hintsFor(key: string): string {
  const [known] = ngx.shared.hints.get(ngx.md5_bin(key))
  if (known === undefined) return ''
  const space = known.indexOf(' ')
  return (tonumber(known.slice(0, space)) ?? 0) > ngx.time() ? '' : known.slice(space + 1)
}

function isEverybodys(): boolean {
  if (!headerText('Content-Type').toLowerCase().startsWith('text/html') || headerText('Set-Cookie') !== '') return false
  for (const name of headerText('Vary').toLowerCase().split(',')) {
    const varies = name.trim()
    if (varies !== '' && varies !== 'accept-encoding') return false
  }
  return true
}

/** Of the inner server's own words, which say how long the answer is fresh. */
function lifetime(directives: string): number {
  const at = directives.indexOf('max-age=')
  if (at < 0) return 0
  let end = at + 8
  while (end < directives.length && directives.charCodeAt(end) >= 48 && directives.charCodeAt(end) <= 57) end++
  return tonumber(directives.slice(at + 8, end)) ?? 0
}
