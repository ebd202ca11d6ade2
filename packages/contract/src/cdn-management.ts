import { z } from 'zod'
import { CdnHealth } from './cdn-health.ts'
import { CdnState } from './domains.ts'
import { HostName } from './formats/fqdn.ts'
import { ListQuery, changed, del, feature, get, page, patch, post, put } from './route.ts'

export const CdnDriverName = z.enum([
  'fairway-edge',
  'simulated',
  'custom',
  'cloudflare',
  'fastly',
  'bunny',
  'cloudfront',
  'akamai',
  'tencent',
])
export type CdnDriverName = z.infer<typeof CdnDriverName>

/** What a driver can do; codes 27xxx and the compiler's report are computed from it. */
export const CdnCapabilities = z.object({
  websocket: z.boolean(),
  wildcard: z.boolean(),
  customHostHeader: z.boolean(),
  ipv4Origin: z.boolean(),
  ipv6Origin: z.boolean(),
  originPort: z.boolean(),
  originProtocol: z.boolean(),
  cacheTtl: z.boolean(),
  purge: z.boolean(),
  certificates: z.boolean(),
  metrics: z.boolean(),
  roundRobin: z.boolean(),
  ipHash: z.boolean(),
  fallbackOrigin: z.boolean(),
  keepalive: z.boolean(),
  brotli: z.boolean(),
  compressionOff: z.boolean(),
  alwaysHttps: z.boolean(),
  hsts: z.boolean(),
  ignoreQuery: z.boolean(),
  tieredCache: z.boolean(),
  patternRules: z.boolean(),
  extensionRules: z.boolean(),
  http2Off: z.boolean(),
  http3: z.boolean(),
  earlyHints: z.boolean(),
  ocspStapling: z.boolean(),
  networkErrors: z.boolean(),
  purgeDirectory: z.boolean(),
  purgeTag: z.boolean(),
  /** Further addresses of the origin; a lifetime for what the origin says nothing about. */
  spareOrigins: z.boolean(),
  silentTtl: z.boolean(),
  /** Keeps by default what is static, by extension and content type, and nothing else. */
  staticDefault: z.boolean(),
  /** Over HTTPS: checks the origin's certificate, goes on without. With neither it does as its own settings say. */
  checkedOrigin: z.boolean(),
  uncheckedOrigin: z.boolean(),
})
export type CdnCapabilities = z.infer<typeof CdnCapabilities>

export const CDN_CATEGORIES = [
  'basic-cdn',
  'global-cdn',
  'regional-cdn',
  'china-cdn',
  'china-rim',
  'custom-cdn',
  'origin-server',
] as const
export const CdnCategory = z.enum(CDN_CATEGORIES)
export type CdnCategory = z.infer<typeof CdnCategory>

/** In mainland China and near it people look at each domain before it is served there. */
export const REVIEWED_CATEGORIES: readonly CdnCategory[] = ['china-cdn', 'china-rim']

/** Number of the licence that websites need in mainland China, such as 京ICP备12345678号-1. */
export const IcpNumber = z
  .string()
  .trim()
  .regex(/^\p{Script=Han}ICP[备備证證]\d{6,10}号?(?:-\d{1,3})?$/u, 'validation.icpNumber')

/** A CDN that the organisation may attach to its domains. */
export const Cdn = z.object({
  id: z.string(),
  name: z.string(),
  driver: CdnDriverName,
  category: CdnCategory,
  /** Series colour 1–6, the same everywhere. */
  series: z.int().min(1).max(6),
  capabilities: CdnCapabilities,
  /** The only lifetimes that it knows, seconds, rising; null when any will do. */
  cacheTtls: z.array(z.int()).nullable(),
  /** Names it is reached by, for a custom CDN. */
  cname: z.string().nullable(),
  /** People look at each domain before it is served there. */
  review: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type Cdn = z.infer<typeof Cdn>

/** A CDN attached to a domain. */
export const DomainCdn = z.object({
  id: z.string(),
  cdnId: z.string(),
  name: z.string(),
  driver: CdnDriverName,
  series: z.int(),
  enabled: z.boolean(),
  /** Multi-CDN is off for the name: DNS answers its record, and the CDN is kept for when it is on again. */
  standby: z.boolean(),
  state: CdnState,
  detail: z.string().nullable(),
  cname: z.string(),
  latencyFactor: z.number(),
  latencyAddMs: z.number(),
  /** What measurements say now. */
  health: CdnHealth,
  /**
   * How far what its vendor tells of the domain's traffic has been read, and since when and why that fails; null where
   * our own logs tell, or nothing has been served yet.
   */
  traffic: z
    .object({ readUntil: z.iso.datetime(), problem: z.string().nullable(), problemSince: z.iso.datetime().nullable() })
    .nullable(),
  /** Strategies of the domain that name it. */
  strategyCount: z.int(),
  stateSince: z.iso.datetime(),
  createdAt: z.iso.datetime(),
})
export type DomainCdn = z.infer<typeof DomainCdn>

/**
 * What an origin that nobody has set was seen to do at the first CDN of its domain: serve over HTTP; over HTTPS only, which
 * is set since; send visitors on to HTTPS where it is not well, so that they would go round in a circle; or fail.
 */
export const OriginSeen = z.enum(['http', 'https', 'redirects', 'fails'])
export type OriginSeen = z.infer<typeof OriginSeen>

export const CDN_LOGO_BYTES = 20_000
export const CDN_LOGO_TYPES = ['image/svg+xml', 'image/png', 'image/webp'] as const

/** What the owner of a custom CDN says of it. */
export const CustomCdn = z.object({
  name: z.string().trim().min(1).max(60),
  cname: HostName,
  /** `origin-server`: it is no CDN but the website itself, to be steered to like one. */
  category: z.enum(['custom-cdn', 'origin-server']).default('custom-cdn'),
  referenceUrl: z
    .url({ protocol: /^https?$/, error: 'validation.url' })
    .max(500)
    .nullable()
    .default(null),
  introduction: z.string().trim().max(1000).nullable().default(null),
  /** The picture as base64. Left out it stays, null takes it away. */
  logo: z
    .base64()
    .min(1)
    .max(Math.ceil(CDN_LOGO_BYTES / 3) * 4 + 4_000)
    .nullable()
    .optional(),
})
export type CustomCdn = z.infer<typeof CustomCdn>

const change = ['dns-zone', 'edge-site', 'probe-targets'] as const

export const cdnManagement = feature('cdn-management', {
  platforms: get('/web/v2/platforms/', { in: ListQuery, out: page(Cdn), permission: 'ViewSite', errors: [] }),
  createPlatform: post('/web/v2/platforms/', {
    in: CustomCdn,
    out: changed(Cdn),
    permission: 'EditSite',
    partnerFeature: 'powerUps',
    errors: [413, 7491, 27034],
    audit: 'cdn.createCustom',
    changes: [],
    summary: 'Adds a custom CDN: any host name that DNS may answer with.',
  }),
  updatePlatform: put('/web/v2/platforms/{platform}/', {
    in: CustomCdn.omit({ cname: true }),
    out: changed(Cdn),
    permission: 'EditSite',
    partnerFeature: 'powerUps',
    errors: [413, 7491],
    audit: 'cdn.updateCustom',
    changes: [],
    summary: 'Changes how a custom CDN shows itself; the name it is reached by stays.',
  }),
  removePlatform: del('/web/v2/platforms/{platform}/', {
    out: z.object({ id: z.string() }),
    permission: 'EditSite',
    partnerFeature: 'powerUps',
    errors: [27033],
    audit: 'cdn.removeCustom',
    changes: [],
    summary: 'Takes a custom CDN off the list; no domain may use it any more.',
  }),
  list: get('/web/v2/sites/{site}/domains/{domain}/cdns/', {
    in: ListQuery,
    out: page(DomainCdn),
    permission: 'ViewSite',
    errors: [],
  }),
  install: post('/web/v2/sites/{site}/domains/{domain}/cdns/', {
    spends: true,
    in: z.object({ cdnId: z.string(), /** Asked of CDNs in mainland China. */ icpNumber: IcpNumber.optional() }),
    out: changed(
      DomainCdn.extend({ /** Null where nobody has looked. */ originSeen: OriginSeen.nullable().default(null) }),
    ),
    permission: 'EditSite',
    planFeature: 'multiCdn.enable',
    partnerFeature: 'powerUps',
    errors: [
      7488, 7491, 27005, 27020, 27021, 27022, 27024, 27032, 27035, 27046, 900018, 900020, 900023, 900028, 900104,
      900106,
    ],
    audit: 'cdn.install',
    changes: change,
    holdsLate: true,
  }),
  update: patch('/web/v2/sites/{site}/domains/{domain}/cdns/{id}/', {
    in: z.object({
      enabled: z.boolean().optional(),
      latencyFactor: z.number().min(0.1).max(10).optional(),
      latencyAddMs: z.number().min(-1000).max(1000).optional(),
    }),
    out: changed(DomainCdn),
    permission: 'EditSite',
    errors: [27020, 27024, 27035, 27046, 27906],
    audit: 'cdn.update',
    changes: change,
  }),
  uninstall: del('/web/v2/sites/{site}/domains/{domain}/cdns/{id}/', {
    out: changed(z.object({ id: z.string() })),
    permission: 'EditSite',
    errors: [27003, 27906],
    audit: 'cdn.uninstall',
    changes: change,
  }),
})
