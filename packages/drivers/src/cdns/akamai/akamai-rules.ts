import type { EdgeDelivery, EdgePathMatch } from '@fairway/contract'

type Behavior = { name: string; options: Record<string, unknown> }
type Child = { name: string; criteria: Behavior[]; criteriaMustSatisfy: 'all'; behaviors: Behavior[] }

/** A delivery as a rule tree. Of rules that fit the last one decides, so they are written in reverse. */
export function ruleTree(comments: string, cpcode: number, { origin, cache, compression }: EdgeDelivery) {
  const [hostname = ''] = origin.addresses
  const children: Child[] = [
    {
      name: 'HTTPS',
      criteria: [{ name: 'requestProtocol', options: { value: 'HTTP' } }],
      criteriaMustSatisfy: 'all',
      behaviors: [
        {
          name: 'redirect',
          options: {
            mobileDefaultChoice: 'DEFAULT',
            destinationProtocol: 'HTTPS',
            destinationHostname: 'SAME_AS_REQUEST',
            destinationPath: 'SAME_AS_REQUEST',
            queryString: 'APPEND',
            responseCode: 301,
          },
        },
      ],
    },
    ...cache.rules
      .toReversed()
      .map((rule, index) => child(`cache ${index}`, rule, lasting(rule.ttlSeconds, rule.honorOrigin))),
    ...cache.bypass.map((rule, index) =>
      child(`no cache ${index}`, rule, { name: 'caching', options: { behavior: 'NO_STORE' } }),
    ),
  ]
  return {
    name: 'default',
    comments,
    options: { is_secure: true },
    children,
    behaviors: [
      {
        name: 'origin',
        options: {
          originType: 'CUSTOMER',
          hostname,
          forwardHostHeader: 'CUSTOM',
          customForwardHostHeader: origin.hostHeader,
          cacheKeyHostname: 'REQUEST_HOST_HEADER',
          compress: true,
          enableTrueClientIp: false,
          httpPort: 80,
          httpsPort: origin.port,
          originSni: true,
          verificationMode: 'PLATFORM_SETTINGS',
        },
      },
      { name: 'cpCode', options: { value: { id: cpcode } } },
      lasting(cache.defaultTtlSeconds, cache.honorOrigin),
      {
        name: 'cacheKeyQueryParams',
        options: { behavior: cache.ignoreQuery ? 'IGNORE_ALL' : 'INCLUDE_ALL_PRESERVE_ORDER' },
      },
      { name: 'gzipResponse', options: { behavior: compression === 'off' ? 'NEVER' : 'ALWAYS' } },
      ...['allowPost', 'allowPut', 'allowDelete', 'allowPatch', 'allowOptions'].map((name) => ({
        name,
        options: { enabled: true },
      })),
    ],
  }
}

/** `CACHE_CONTROL_AND_EXPIRES` takes the origin's word, and the lifetime where it says nothing. */
function lasting(seconds: number, honorOrigin: boolean): Behavior {
  if (honorOrigin)
    return {
      name: 'caching',
      options: { behavior: 'CACHE_CONTROL_AND_EXPIRES', mustRevalidate: false, defaultTtl: `${seconds}s` },
    }
  return seconds === 0
    ? { name: 'caching', options: { behavior: 'NO_STORE' } }
    : { name: 'caching', options: { behavior: 'MAX_AGE', mustRevalidate: false, ttl: `${seconds}s` } }
}

function child(name: string, { type, path }: EdgePathMatch, behavior: Behavior): Child {
  const criterion =
    type === 'extension'
      ? {
          name: 'fileExtension',
          options: { matchOperator: 'IS_ONE_OF', matchCaseSensitive: true, values: [path.replace(/^\*?\./, '')] },
        }
      : {
          name: 'path',
          options: {
            matchOperator: 'MATCHES_ONE_OF',
            matchCaseSensitive: true,
            values: [type === 'directory' ? `${path.replace(/\/$/, '')}/*` : path],
          },
        }
  return { name, criteria: [criterion], criteriaMustSatisfy: 'all', behaviors: [behavior] }
}
