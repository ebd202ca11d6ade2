import type { EdgeDelivery, EdgePathMatch } from '@fairway/contract'
import { isIP } from 'node:net'
import type { VendorWants } from '../driver.ts'

const DEFAULT_PORTS = { http: 80, https: 443 } as const

/**
 * A delivery as parameters of AddCdnDomain and UpdateDomainConfig. Of cache rules the last that fits decides, so they
 * are written in reverse.
 */
export function tencentConfig({ origin, cache, compression, alwaysHttps }: EdgeDelivery) {
  const [address = ''] = origin.addresses
  const place = origin.port === DEFAULT_PORTS[origin.protocol] ? address : `${address}:${origin.port}`
  return {
    Origin: {
      Origins: [place],
      OriginType: isIP(address) === 4 ? 'ip' : isIP(address) === 6 ? 'ipv6' : 'domain',
      ServerName: origin.hostHeader,
      OriginPullProtocol: origin.protocol,
    },
    CacheKey: { FullUrlCache: cache.ignoreQuery ? 'off' : 'on' },
    Cache: {
      RuleCache: [
        { RuleType: 'all', RulePaths: ['*'], CacheConfig: lasting(cache.defaultTtlSeconds, cache.honorOrigin) },
        ...cache.rules
          .toReversed()
          .map((rule) => ({ ...about(rule), CacheConfig: lasting(rule.ttlSeconds, rule.honorOrigin) })),
        ...cache.bypass.map((rule) => ({ ...about(rule), CacheConfig: lasting(0, false) })),
      ],
    },
    Compression:
      compression === 'off'
        ? { Switch: 'off' }
        : {
            Switch: 'on',
            CompressionRules: [
              {
                Compress: true,
                MinLength: 256,
                MaxLength: 2_097_152,
                Algorithms: compression === 'brotli' ? ['brotli', 'gzip'] : ['gzip'],
                RuleType: 'all',
                RulePaths: ['*'],
              },
            ],
          },
    ForceRedirect: alwaysHttps ? { Switch: 'on', RedirectType: 'https', RedirectStatusCode: 301 } : { Switch: 'off' },
  }
}

export function tencentHttps(certificate: VendorWants['certificate']): object {
  return certificate
    ? {
        Https: {
          Switch: 'on',
          Http2: 'on',
          CertInfo: {
            Certificate: certificate.chainPem,
            PrivateKey: certificate.keyPem,
            Message: `fairway ${certificate.fingerprint.slice(0, 32)}`,
          },
        },
      }
    : {}
}

function about({ type, path }: EdgePathMatch): { RuleType: string; RulePaths: string[] } {
  if (type === 'extension') return { RuleType: 'file', RulePaths: [path.replace(/^\*?\./, '')] }
  return type === 'directory'
    ? { RuleType: 'directory', RulePaths: [path.replace(/\/$/, '') || '/'] }
    : { RuleType: 'path', RulePaths: [path] }
}

/** All three ways are to be named, of which one is on. */
function lasting(seconds: number, honorOrigin: boolean) {
  const isStored = !honorOrigin && seconds > 0
  // The origin's word, and where it says nothing, a lifetime of ours.
  const heuristic =
    seconds > 0
      ? { Switch: 'on', CacheConfig: { HeuristicCacheTimeSwitch: 'on', HeuristicCacheTime: seconds } }
      : { Switch: 'off', CacheConfig: { HeuristicCacheTimeSwitch: 'off', HeuristicCacheTime: 0 } }
  return {
    Cache: {
      Switch: isStored ? 'on' : 'off',
      CacheTime: isStored ? seconds : 0,
      CompareMaxAge: 'off',
      IgnoreCacheControl: isStored ? 'on' : 'off',
      IgnoreSetCookie: 'off',
    },
    NoCache: { Switch: !honorOrigin && seconds === 0 ? 'on' : 'off', Revalidate: 'off' },
    FollowOrigin: honorOrigin ? { Switch: 'on', HeuristicCache: heuristic } : { Switch: 'off' },
  }
}
