import type { DefaultCacheBehavior, DistributionConfig, Method, SslProtocol } from '@aws-sdk/client-cloudfront'
import type { EdgeDelivery } from '@fairway/contract'
import { pathGlob } from '../vendor/path-expressions.ts'

const ORIGIN = 'origin'
const LONGEST_TTL = 31_536_000
const METHODS: Method[] = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'POST', 'PATCH', 'DELETE']
/** What the answer may depend on beside the address; the origin is asked with the visitor's own. */
const HEADERS = ['Host', 'Authorization', 'Origin']

export type ConfigOf = {
  name: string
  host: string
  certificateArn: string | null
  comment: string
  enabled: boolean
  delivery: EdgeDelivery
  videos?: SignedVideos
}

/** Videos that only who has signed for them gets. */
export type SignedVideos = {
  /** Before every path at the origin: what lets the distribution in there. */
  originPath: string
  keyGroup: string
}

/** What a player of low latency asks of a playlist (RFC 8216bis 6.2.5); the rest of a query changes no answer. */
const DELIVERY_DIRECTIVES = ['_HLS_msn', '_HLS_part', '_HLS_skip', '_HLS_push']

/**
 * A delivery as a distribution's whole configuration. What is left out would be taken away by an update, so nothing is.
 */
export function distributionConfig({
  name,
  host,
  certificateArn,
  comment,
  enabled,
  delivery,
  videos,
}: ConfigOf): DistributionConfig {
  const { origin, cache, alwaysHttps, compression } = delivery
  const [address = ''] = origin.addresses
  const behavior = (ttl: Lasting, headers: string[]): DefaultCacheBehavior => ({
    TargetOriginId: ORIGIN,
    ViewerProtocolPolicy: alwaysHttps ? 'redirect-to-https' : 'allow-all',
    AllowedMethods: { ...listed(METHODS), CachedMethods: listed<Method>(['GET', 'HEAD']) },
    SmoothStreaming: false,
    Compress: compression !== 'off',
    LambdaFunctionAssociations: counted([]),
    FieldLevelEncryptionId: '',
    // The origin of videos is found by its own name, and answers every page alike.
    ForwardedValues: {
      QueryString: true,
      Cookies: { Forward: videos ? 'none' : 'all' },
      Headers: counted(videos ? [] : headers),
      QueryStringCacheKeys: counted(videos ? DELIVERY_DIRECTIVES : []),
    },
    ...(videos && { TrustedKeyGroups: { Enabled: true, ...listed([videos.keyGroup]) } }),
    ...ttl,
  })
  const rules = [
    ...cache.bypass.map((rule) => ({ PathPattern: pathGlob(rule), ...behavior(lasting(0, false), ['*']) })),
    ...cache.rules.map((rule) => ({
      PathPattern: pathGlob(rule),
      ...behavior(lasting(rule.ttlSeconds, rule.honorOrigin), HEADERS),
    })),
  ]
  return {
    CallerReference: name,
    Aliases: counted(certificateArn ? [host] : []),
    DefaultRootObject: '',
    Origins: listed([
      {
        Id: ORIGIN,
        DomainName: address,
        OriginPath: videos?.originPath ?? '',
        CustomHeaders: counted([]),
        CustomOriginConfig: {
          HTTPPort: origin.protocol === 'http' ? origin.port : 80,
          HTTPSPort: origin.protocol === 'https' ? origin.port : 443,
          OriginProtocolPolicy: `${origin.protocol}-only`,
          OriginSslProtocols: listed<SslProtocol>(['TLSv1.2']),
          OriginReadTimeout: 30,
          OriginKeepaliveTimeout: 5,
        },
      },
    ]),
    OriginGroups: counted([]),
    DefaultCacheBehavior: behavior(lasting(cache.defaultTtlSeconds, cache.honorOrigin), HEADERS),
    CacheBehaviors: counted(rules),
    CustomErrorResponses: counted([]),
    Comment: comment,
    Logging: { Enabled: false, IncludeCookies: false, Bucket: '', Prefix: '' },
    PriceClass: 'PriceClass_All',
    Enabled: enabled,
    ViewerCertificate: certificateArn
      ? { ACMCertificateArn: certificateArn, SSLSupportMethod: 'sni-only', MinimumProtocolVersion: 'TLSv1.2_2021' }
      : { CloudFrontDefaultCertificate: true },
    Restrictions: { GeoRestriction: { RestrictionType: 'none', Quantity: 0 } },
    WebACLId: '',
    HttpVersion: 'http2and3',
    IsIPV6Enabled: true,
  }
}

type Lasting = Required<Pick<DefaultCacheBehavior, 'MinTTL' | 'DefaultTTL' | 'MaxTTL'>>

function lasting(seconds: number, honorOrigin: boolean): Lasting {
  const kept = Math.min(seconds, LONGEST_TTL)
  return honorOrigin
    ? { MinTTL: 0, DefaultTTL: kept, MaxTTL: LONGEST_TTL }
    : { MinTTL: kept, DefaultTTL: kept, MaxTTL: kept }
}

const listed = <T>(values: T[]) => ({ Quantity: values.length, Items: values })

/** A list as CloudFront writes it: with its length, and without items when there are none. */
export function counted<T>(values: T[]): { Quantity: number; Items?: T[] } {
  return { Quantity: values.length, ...(values.length > 0 ? { Items: values } : {}) }
}
