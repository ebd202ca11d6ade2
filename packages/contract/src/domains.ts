import { tagList } from './formats/tags.ts'
import { z } from 'zod'
import { NoCacheRuleInput, CacheRuleInput } from './cache-rules.ts'
import { HostName } from './formats/fqdn.ts'
import { LIMITS } from './limits.ts'
import { ListQuery, changed, feature, get, page, patch, post } from './route.ts'

export const CdnState = z.enum([
  'unavailable',
  'available',
  'deleting',
  'delete-unsuccessful',
  'deploying',
  'operational',
  'action-required',
  'waiting-approval',
  'waiting-ssl',
  'under-review',
  'review-failed',
  'failed',
])
export type CdnState = z.infer<typeof CdnState>

/** `ip-hash`: a visitor stays with one address. `failover`: the first that answers. */
export const LoadBalance = z.enum(['ip-hash', 'round-robin', 'failover'])
export type LoadBalance = z.infer<typeof LoadBalance>
/** `brotli`: brotli for those who take it, gzip for the others. */
export const Compression = z.enum(['off', 'gzip', 'brotli'])
export type Compression = z.infer<typeof Compression>

/** Where the CDNs fetch from. */
export const DomainOrigin = z.object({
  type: z.enum(['ipv4', 'ipv6', 'fqdn']),
  address: z.string(),
  spareAddresses: z.array(z.string()),
  balance: LoadBalance,
  fallbackAddress: z.string().nullable(),
  port: z.int(),
  protocol: z.enum(['http', 'https']),
  hostHeader: z.string(),
  keepaliveSeconds: z.int(),
  /**
   * Over HTTPS: the origin is believed only with a certificate for the host header from an authority that the edge
   * trusts.
   */
  verifyCertificate: z.boolean(),
})
export type DomainOrigin = z.infer<typeof DomainOrigin>

/**
 * `use`: the CDNs fetch through the shield, which speaks with the origin for all of them. `bypass`: each speaks with
 * the origin itself.
 */
export const OriginShield = z.enum(['use', 'bypass'])
export type OriginShield = z.infer<typeof OriginShield>

/**
 * Strict Transport Security (RFC 6797): browsers come over HTTPS only. `host`: this name; `subdomains`: what is under it
 * too; `preload`: that, and browsers may ship with it (a year at least). `forget`: browsers drop what they were told.
 */
export const Hsts = z.enum(['off', 'forget', 'host', 'subdomains', 'preload'])
export type Hsts = z.infer<typeof Hsts>

/** How the CDNs deliver. */
export const DomainSettings = z.object({
  http2: z.boolean(),
  /** Over QUIC too, where nodes of the installation offer it. */
  http3: z.boolean(),
  earlyHints: z.boolean(),
  ocspStapling: z.boolean(),
  compression: Compression,
  alwaysHttps: z.boolean(),
  hsts: Hsts,
  /** How long browsers keep to it after each visit. */
  hstsSeconds: z.int().min(300, 'validation.hstsSeconds').max(63_072_000, 'validation.hstsSeconds'),
  ignoreQuery: z.boolean(),
  websocket: z.boolean(),
  tieredCache: z.boolean(),
  originShield: OriginShield,
  /** Answers ask browsers to report requests that fail (Network Error Logging), which steering reads by network. */
  networkErrors: z.boolean(),
  tags: z.array(z.string()),
})
export type DomainSettings = z.infer<typeof DomainSettings>

/** A domain is a name of the site that multi-CDN serves. */
export const Domain = z.object({
  id: z.string(),
  siteId: z.string(),
  name: z.string(),
  cdnStatus: CdnState,
  /** Unusable in selectors. */
  disabled: z.boolean(),
  origin: DomainOrigin,
  settings: DomainSettings,
  /** How long answers are kept for which the origin names no lifetime; 0 estimates one (RFC 9111 4.2.2). */
  cacheTtlSeconds: z.int(),
  /** That lifetime is about every answer, not only about static content asked for without cookies. */
  cacheEverything: z.boolean(),
  minimumSamples: z.int(),
  marginPercent: z.number(),
  /** A latency winner replaces the choice before only when it is surely faster: the intervals of both do not overlap. */
  significance: z.boolean(),
  cdnIds: z.array(z.string()),
  /** Nodes of the installation offer HTTP/3, and with it early hints: else neither can be had from the own edge. */
  http3Offered: z.boolean(),
  /** Largest content of a request that the edge takes, in MB. */
  largestRequestMb: z.int(),
  createdAt: z.iso.datetime(),
})
export type Domain = z.infer<typeof Domain>

const Address = z.union([z.ipv4(), z.ipv6(), HostName], { error: 'validation.fqdnOrIpAddress' })

/** What is left out stays as it is. */
export const OriginInput = z.object({
  address: Address,
  port: z.int().min(0, 'validation.originPortCheck').max(65535, 'validation.originPortCheck'),
  protocol: z.enum(['http', 'https']),
  hostHeader: HostName,
  spareAddresses: z
    .array(Address)
    .max(LIMITS.addressesPerOrigin - 1, `validation.atMostEntries:${LIMITS.addressesPerOrigin}`)
    .optional(),
  balance: LoadBalance.optional(),
  fallbackAddress: Address.nullable().optional(),
  keepaliveSeconds: z
    .int()
    .min(LIMITS.keepaliveSeconds.min, 'validation.keepalive')
    .max(LIMITS.keepaliveSeconds.max, 'validation.keepalive')
    .optional(),
  verifyCertificate: z.boolean().optional(),
})
export type OriginInput = z.infer<typeof OriginInput>

export const SettingsInput = DomainSettings.extend({
  tags: tagList(LIMITS.tagsPerDomain),
}).partial()

const DomainChange = z.object({
  origin: OriginInput.optional(),
  settings: SettingsInput.optional(),
  cacheTtlSeconds: z.int().min(0).max(31_536_000).optional(),
  cacheEverything: z.boolean().optional(),
  minimumSamples: z.int().min(1).max(10_000).optional(),
  marginPercent: z.number().min(0).max(50).optional(),
  significance: z.boolean().optional(),
})
export type DomainChange = z.infer<typeof DomainChange>

/** What a CDN makes of one setting. */
export const CompiledSetting = z.object({
  setting: z.string(),
  level: z.enum(['exact', 'approximate', 'not']),
  /** Words of the catalogue `delivery`; null when there is nothing to say. */
  reason: z.string().nullable(),
  wanted: z.string(),
  given: z.string(),
})
export type CompiledSetting = z.infer<typeof CompiledSetting>

/** One configuration, brought into what one CDN can do. */
export const CompiledCdn = z.object({
  cdnId: z.string(),
  name: z.string(),
  series: z.int(),
  /** In use: DNS may answer with it. */
  enabled: z.boolean(),
  /**
   * Keeps the CDN from being used for it; one that is in use is switched off with the shield, else the change is
   * refused.
   */
  problem: z.union([z.literal(27020), z.literal(27024), z.literal(27046)]).nullable(),
  /** The domain's settings that it comes from, as paths of a change: `origin.protocol`. */
  against: z.array(z.string()),
  settings: z.array(CompiledSetting),
})
export type CompiledCdn = z.infer<typeof CompiledCdn>

/** What an edge node saw of one address of an origin. */
export const PreflightAddress = z.object({
  address: z.string(),
  /** What the name resolved to, or the address itself. */
  peer: z.string().nullable(),
  connectMs: z.number().nullable(),
  tls: z
    .object({
      handshakeMs: z.number(),
      protocol: z.string(),
      serverName: z.string(),
      subject: z.string(),
      issuer: z.string(),
      validTo: z.string(),
      names: z.array(z.string()),
      trusted: z.boolean(),
      problem: z.string().nullable(),
    })
    .nullable(),
  firstByteMs: z.number().nullable(),
  status: z.int().nullable(),
  /** Where it sends the visitor on to. */
  redirectTo: z.string().nullable(),
  /** The redirect leads back to the domain itself as it was asked. */
  redirectLoop: z.boolean(),
  /** Seconds that a CDN would keep the answer without rules of the domain; null when it may not, with the reason. */
  cacheSeconds: z.int().nullable(),
  cacheReason: z.string().nullable(),
  error: z.string().nullable(),
})
export type PreflightAddress = z.infer<typeof PreflightAddress>
export const Preflight = z.object({ node: z.string(), at: z.iso.datetime(), addresses: z.array(PreflightAddress) })
export type Preflight = z.infer<typeof Preflight>

/** Asked of an edge node's control socket. */
export const PreflightQuestion = z.object({
  organizationId: z.string(),
  host: z.string(),
  addresses: z
    .array(z.string())
    .min(1)
    .max(LIMITS.addressesPerOrigin + 1),
  port: z.int(),
  protocol: z.enum(['http', 'https']),
  hostHeader: z.string(),
  path: z.string().startsWith('/'),
  /** Milliseconds; left out, as long as an edge waits for a test. */
  timeoutMs: z.int().min(100).max(8_000).optional(),
})
export type PreflightQuestion = z.infer<typeof PreflightQuestion>

/** A domain as it stands among those of all sites. */
export const DomainOfSite = Domain.extend({
  siteName: z.string(),
  /** The claim of the site is parked: its names are not served. */
  siteParked: z.boolean().default(false),
})
export type DomainOfSite = z.infer<typeof DomainOfSite>

export const domains = feature('domains', {
  /** Of every site of the organisation. */
  all: get('/web/v2/domains/', {
    fromReplica: true,
    in: ListQuery,
    out: page(DomainOfSite),
    permission: 'ViewSite',
    errors: [],
  }),
  list: get('/web/v2/sites/{site}/domains/', {
    fromReplica: true,
    in: ListQuery,
    out: page(Domain),
    permission: 'ViewSite',
    errors: [],
  }),
  get: get('/web/v2/sites/{site}/domains/{domain}/', { out: Domain, permission: 'ViewSite', errors: [] }),
  update: patch('/web/v2/sites/{site}/domains/{domain}/', {
    in: DomainChange,
    out: changed(Domain),
    permission: 'EditSite',
    errors: [27005, 27020, 27024, 27027, 27040, 27041, 27046, 27906],
    audit: 'domain.update',
    changes: ['dns-zone', 'edge-security', 'edge-site', 'probe-targets'],
  }),
  compile: post('/web/v2/sites/{site}/domains/{domain}/compile/', {
    in: DomainChange.extend({
      cacheRules: z.array(CacheRuleInput).max(LIMITS.cacheRulesPerDomain).optional(),
      noCacheRules: z.array(NoCacheRuleInput).max(LIMITS.cacheRulesPerDomain).optional(),
    }),
    out: z.object({ cdns: z.array(CompiledCdn) }),
    permission: 'ViewSite',
    errors: [],
    audit: null,
    changes: [],
    summary:
      "What each CDN of the domain would make of its settings with this change: exactly, approximately or not. Rules that are sent come in addition to the domain's.",
  }),
  preflight: post('/web/v2/sites/{site}/domains/{domain}/preflight/', {
    in: z.object({
      origin: OriginInput,
      path: z
        .string()
        .trim()
        .max(500)
        .regex(/^\/[\x21-\x7e]*$/, 'validation.uriPath')
        .default('/'),
    }),
    out: Preflight,
    permission: 'EditSite',
    errors: [503],
    audit: null,
    changes: [],
    summary: 'One request from an edge node to each address of an origin that is not saved yet.',
  }),
})
