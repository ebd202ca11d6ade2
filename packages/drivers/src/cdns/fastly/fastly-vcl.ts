import type { EdgeDelivery } from '@fairway/contract'
import { pathRegex } from '../vendor/path-expressions.ts'

export type Snippet = { name: string; type: 'recv' | 'miss' | 'pass' | 'fetch' | 'error'; content: string }

/**
 * What a delivery is beyond backend and compression, in VCL: redirect, query, what is not stored, and for how long the
 * rest is.
 */
export function snippetsFor({ cache, alwaysHttps }: EdgeDelivery): Snippet[] {
  const recv = [
    ...(alwaysHttps ? ['if (!req.http.Fastly-SSL) { error 618 "https"; }'] : []),
    ...cache.bypass.map(
      (rule) => `if (req.url.path ~ "${inVcl(pathRegex(rule))}") { set req.http.X-Fairway-Pass = "1"; }`,
    ),
    // The query is no part of the key, but the origin is asked with it.
    ...(cache.ignoreQuery
      ? ['if (!req.http.X-Fairway-Url) { set req.http.X-Fairway-Url = req.url; set req.url = req.url.path; }']
      : []),
    ...(cache.bypass.length > 0
      ? ['if (req.http.X-Fairway-Pass) { unset req.http.X-Fairway-Pass; return(pass); }']
      : []),
  ]
  const asked =
    'if (req.http.X-Fairway-Url) { set bereq.url = req.http.X-Fairway-Url; unset bereq.http.X-Fairway-Url; }'
  const rules = cache.rules.map((rule) => ({ when: `req.url.path ~ "${inVcl(pathRegex(rule))}"`, ...rule }))
  const fetch = [
    ...rules.map(
      ({ when, ttlSeconds, honorOrigin }, i) =>
        `${i > 0 ? 'else ' : ''}if (${when}) { ${lifetime(ttlSeconds, honorOrigin)} }`,
    ),
    rules.length > 0
      ? `else { ${lifetime(cache.defaultTtlSeconds, cache.honorOrigin)} }`
      : lifetime(cache.defaultTtlSeconds, cache.honorOrigin),
  ]
  return [
    ...(recv.length > 0 ? [{ name: 'fairway-recv', type: 'recv' as const, content: recv.join('\n') }] : []),
    ...(cache.ignoreQuery
      ? [
          { name: 'fairway-miss', type: 'miss' as const, content: asked },
          { name: 'fairway-pass', type: 'pass' as const, content: asked },
        ]
      : []),
    ...(alwaysHttps
      ? [
          {
            name: 'fairway-error',
            type: 'error' as const,
            content:
              'if (obj.status == 618 && obj.response == "https") { set obj.status = 301; set obj.response = "Moved Permanently"; set obj.http.Location = "https://" req.http.host req.url; synthetic {""}; return(deliver); }',
          },
        ]
      : []),
    { name: 'fairway-fetch', type: 'fetch', content: fetch.join('\n') },
  ]
}

/** Zero is not to be stored. */
function lifetime(seconds: number, honorOrigin: boolean): string {
  const set = seconds === 0 ? 'set beresp.cacheable = false; set beresp.ttl = 0s;' : `set beresp.ttl = ${seconds}s;`
  return honorOrigin
    ? `if (!beresp.http.Cache-Control && !beresp.http.Surrogate-Control && !beresp.http.Expires) { ${set} }`
    : set
}

/** In a text of VCL `%` begins an escape, and a quote ends it. */
const inVcl = (text: string): string => text.replaceAll('%', '%25').replaceAll('"', '%22')
