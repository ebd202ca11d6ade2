import type { EdgeDelivery, EdgePathMatch } from '@fairway/contract'

/** One rule of a zone, in the phase that it belongs to. */
export type CloudflareRule = {
  action: string
  expression: string
  description: string
  action_parameters: Record<string, unknown>
  enabled: boolean
}
export const PHASES = [
  'http_request_origin',
  'http_config_settings',
  'http_request_dynamic_redirect',
  'http_request_cache_settings',
  'http_response_compression',
] as const
export type Phase = (typeof PHASES)[number]

const LONGEST_TTL = 31_536_000

/**
 * What a delivery is in rules of Cloudflare, each for this host only. Of cache rules the last that fits decides, so
 * they are written in reverse.
 */
export function rulesFor(
  host: string,
  name: string,
  { origin, cache, compression, alwaysHttps }: EdgeDelivery,
): Record<Phase, CloudflareRule[]> {
  const ours = `http.host eq ${quoted(host)}`
  const rule = (action: string, action_parameters: Record<string, unknown>, and = ''): CloudflareRule => ({
    action,
    action_parameters,
    expression: and ? `(${ours} and ${and})` : `(${ours})`,
    description: name,
    enabled: true,
  })
  const store = (seconds: number, honorOrigin: boolean, and = '') =>
    rule(
      'set_cache_settings',
      {
        ...cacheSettings(seconds, honorOrigin),
        ...(cache.ignoreQuery ? { cache_key: { custom_key: { query_string: { exclude: { all: true } } } } } : {}),
      },
      and,
    )
  return {
    http_request_origin: [rule('route', { host_header: origin.hostHeader, origin: { port: origin.port } })],
    http_config_settings: [rule('set_config', { ssl: origin.protocol === 'https' ? 'full' : 'flexible' })],
    http_request_dynamic_redirect: alwaysHttps
      ? [
          rule(
            'redirect',
            {
              from_value: {
                status_code: 301,
                preserve_query_string: true,
                target_url: { expression: 'concat("https://", http.host, http.request.uri.path)' },
              },
            },
            'not ssl',
          ),
        ]
      : [],
    http_request_cache_settings: [
      store(cache.defaultTtlSeconds, cache.honorOrigin),
      ...cache.rules.toReversed().map((one) => store(one.ttlSeconds, one.honorOrigin, fits(one))),
      ...cache.bypass.map((one) => rule('set_cache_settings', { cache: false }, fits(one))),
    ],
    http_response_compression: [
      rule('compress_response', {
        algorithms:
          compression === 'off'
            ? [{ name: 'none' }]
            : compression === 'gzip'
              ? [{ name: 'gzip' }]
              : [{ name: 'brotli' }, { name: 'gzip' }],
      }),
    ],
  }
}

function cacheSettings(seconds: number, honorOrigin: boolean): Record<string, unknown> {
  // Left to itself it would keep pages without a word for two hours.
  if (honorOrigin) return { cache: true, edge_ttl: { mode: seconds === 0 ? 'bypass_by_default' : 'respect_origin' } }
  return seconds === 0
    ? { cache: false }
    : { cache: true, edge_ttl: { mode: 'override_origin', default: Math.min(seconds, LONGEST_TTL) } }
}

/** The free plans know no regular expressions; wildcards do. */
function fits({ type, path }: EdgePathMatch): string {
  if (type === 'directory')
    return `starts_with(http.request.uri.path, ${quoted(path.endsWith('/') ? path : `${path}/`)})`
  if (type === 'extension')
    return `http.request.uri.path.extension eq ${quoted(path.replace(/^\*?\./, '').toLowerCase())}`
  return `http.request.uri.path strict wildcard ${quoted(path)}`
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
