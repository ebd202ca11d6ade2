import { z } from 'zod'
import { CdnState } from './domains.ts'
import { HostName } from './formats/fqdn.ts'
import { ListQuery, changed, del, feature, get, page, patch, post } from './route.ts'

export const CdnDriverName = z.enum(['fairway-edge', 'simulated', 'custom'])
export type CdnDriverName = z.infer<typeof CdnDriverName>

/** What a driver can do; codes 27xxx and the compiler's report are computed from it. */
export const CdnCapabilities = z.object({
  websocket: z.boolean(), wildcard: z.boolean(), customHostHeader: z.boolean(), ipv4Origin: z.boolean(), originPort: z.boolean(), originProtocol: z.boolean(),
  cacheTtl: z.boolean(), purge: z.boolean(), certificates: z.boolean(), metrics: z.boolean(),
  roundRobin: z.boolean(), ipHash: z.boolean(), fallbackOrigin: z.boolean(), keepalive: z.boolean(), brotli: z.boolean(), alwaysHttps: z.boolean(), ignoreQuery: z.boolean(), tieredCache: z.boolean(),
  patternRules: z.boolean(), extensionRules: z.boolean(), http2Off: z.boolean(), earlyHints: z.boolean(), ocspStapling: z.boolean(), purgeDirectory: z.boolean(), purgeTag: z.boolean(),
})
export type CdnCapabilities = z.infer<typeof CdnCapabilities>

/** A CDN that the organisation may attach to its domains. */
export const Cdn = z.object({
  id: z.string(),
  name: z.string(),
  driver: CdnDriverName,
  category: z.enum(['global-cdn', 'regional-cdn', 'china-cdn', 'china-rim', 'custom-cdn', 'basic-cdn', 'origin-server']),
  /** Series colour 1–6, the same everywhere. */
  series: z.int().min(1).max(6),
  capabilities: CdnCapabilities,
  /** The only lifetimes that it knows, seconds, rising; null when any will do. */
  cacheTtls: z.array(z.int()).nullable(),
  /** Names it is reached by, for a custom CDN. */
  cname: z.string().nullable(),
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
  state: CdnState,
  detail: z.string().nullable(),
  cname: z.string(),
  latencyFactor: z.number(),
  latencyAddMs: z.number(),
  /** What measurements say now. */
  health: z.object({ hardDown: z.boolean(), since: z.iso.datetime().nullable(), availability: z.number().nullable(), latencyMs: z.number().nullable(), samples: z.int() }),
  /** Strategies of the domain that name it. */
  strategyCount: z.int(),
  stateSince: z.iso.datetime(),
  createdAt: z.iso.datetime(),
})
export type DomainCdn = z.infer<typeof DomainCdn>

const change = ['dns-zone', 'edge-site', 'probe-targets'] as const

export const cdnManagement = feature('cdn-management', {
  platforms: get('/web/v2/platforms/', { in: ListQuery, out: page(Cdn), permission: 'ViewSite', errors: [] }),
  createPlatform: post('/web/v2/platforms/', {
    in: z.object({ name: z.string().trim().min(1).max(60), cname: HostName }),
    out: changed(Cdn), permission: 'EditSite', partnerFeature: 'powerUps', errors: [7491], audit: 'cdn.createCustom', changes: [],
    summary: 'Adds a custom CDN: any host name that DNS may answer with.',
  }),
  list: get('/web/v2/sites/{site}/domains/{domain}/cdns/', { in: ListQuery, out: page(DomainCdn), permission: 'ViewSite', errors: [] }),
  install: post('/web/v2/sites/{site}/domains/{domain}/cdns/', { spends: true, in: z.object({ cdnId: z.string() }), out: changed(DomainCdn), permission: 'EditSite', planFeature: 'multiCdn.enable', partnerFeature: 'powerUps', errors: [27020, 27021, 27022, 27024, 900018, 900020, 900023, 900028, 900104, 900106], audit: 'cdn.install', changes: change }),
  update: patch('/web/v2/sites/{site}/domains/{domain}/cdns/{id}/', {
    in: z.object({ enabled: z.boolean().optional(), latencyFactor: z.number().min(0.1).max(10).optional(), latencyAddMs: z.number().min(-1000).max(1000).optional() }),
    out: changed(DomainCdn), permission: 'EditSite', errors: [27906], audit: 'cdn.update', changes: change,
  }),
  uninstall: del('/web/v2/sites/{site}/domains/{domain}/cdns/{id}/', { out: changed(z.object({ id: z.string() })), permission: 'EditSite', errors: [27023, 27906], audit: 'cdn.uninstall', changes: change }),
})
