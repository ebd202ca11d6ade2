import { z } from 'zod'

/**
 * What a path must look like for a rule to be about it: below a directory, ending in an extension, or fitting a pattern
 * in which `*` stands for anything.
 */
export const EdgePathMatch = z.object({ type: z.enum(['directory', 'extension', 'pattern']), path: z.string().min(1) })
export type EdgePathMatch = z.infer<typeof EdgePathMatch>

/** How one CDN delivers a host: what its owner wants, brought into what this CDN can do. */
export const EdgeDelivery = z.object({
  origin: z.object({
    /** IP addresses or host names; `balance` says in which order they are asked. */
    addresses: z.array(z.string()).min(1),
    balance: z.enum(['failover', 'round-robin', 'ip-hash']).default('failover'),
    /** Asked when all of the addresses have failed. */
    fallbackAddress: z.string().nullable().default(null),
    port: z.int().min(0).max(65535),
    protocol: z.enum(['http', 'https']),
    hostHeader: z.string(),
    /** Name for TLS where it is another than the host header's. */
    sni: z.string().optional(),
    /** How long an idle connection to the origin is kept. */
    keepaliveSeconds: z.int().min(1).max(100).default(60),
    /** Over HTTPS: nothing is asked of an origin without a certificate for the host header. */
    verifyCertificate: z.boolean().default(false),
    /** Of the installation itself: nothing that a user has named, and so not a matter of the outgoing gate. */
    house: z.literal(true).optional(),
  }),
  cache: z.object({
    enabled: z.boolean(),
    /** Used when the origin says nothing about freshness; when `honorOrigin` is off, also when it does. */
    defaultTtlSeconds: z.int().min(0),
    honorOrigin: z.boolean().default(true),
    /**
     * The default lifetime is about every answer. Else only about static content, by extension and content type, and
     * for no request with a cookie.
     */
    everything: z.boolean().default(false),
    /** Objects are told apart without the query. */
    ignoreQuery: z.boolean().default(false),
    /** Of a playlist's query, what a player of low latency asks of it still counts (RFC 8216bis 6.2.5). */
    deliveryDirectives: z.literal(true).optional(),
    /** All CDNs fetch through one second cache. */
    tiered: z.boolean().default(false),
    /** The first that fits decides. */
    rules: z.array(EdgePathMatch.extend({ ttlSeconds: z.int().min(0), honorOrigin: z.boolean() })).default([]),
    /** Never cached. Goes before the rules. */
    bypass: z.array(EdgePathMatch).default([]),
  }),
  compression: z.enum(['off', 'gzip', 'brotli']).default('off'),
  alwaysHttps: z.boolean().default(false),
  /** Value of Strict-Transport-Security over TLS; empty sends none. */
  hsts: z.string().max(100).default(''),
  websocket: z.boolean().default(true),
  /** Off: a handshake for the name chooses HTTP/1.1. */
  http2: z.boolean().default(true),
  /** Offered over HTTP/3 too by the nodes that can. */
  http3: z.boolean().default(false),
  /** Links of stored pages go before them as 103 (RFC 8297), by the nodes that can. */
  earlyHints: z.boolean().default(false),
  /** The authority's word on the certificate goes with the handshake, where there is one. */
  ocspStapling: z.boolean().default(false),
  /** Where browsers report requests that failed (Network Error Logging); empty asks them for none. */
  reportsTo: z.string().max(500).default(''),
})
export type EdgeDelivery = z.infer<typeof EdgeDelivery>

/** Videos of a host: `on`, they are given only to whoever has a token that one of the keys has signed. */
export const EdgeSigning = z.object({
  on: z.boolean(),
  /** SubjectPublicKeyInfo of a P-256 key, DER in base64. */
  keys: z.array(z.object({ id: z.string().regex(/^[0-9a-f]{16}$/), publicKey: z.base64().max(200) })).max(100),
  /** That path tokens are bound to, where it is another than the domain's own: one opens the same files at every CDN. */
  host: z.string().max(253).optional(),
  /** Vendors' CDNs that fetch here and check viewers' signatures themselves, by what their path tokens are of. */
  vendors: z
    .array(z.string().regex(/^[0-9a-f]{16}$/))
    .max(10)
    .optional(),
})
export type EdgeSigning = z.infer<typeof EdgeSigning>

/**
 * Nodes that speak with the origin for all others, the region that is to be asked first before the rest. Of several in
 * one region any may be asked.
 */
export const EdgeShield = z.object({
  nodes: z
    .array(
      z.object({
        node: z.string().max(100),
        region: z.string().max(40),
        host: z.string().max(253),
        port: z.int().min(1).max(65535),
      }),
    )
    .max(200),
})
export type EdgeShield = z.infer<typeof EdgeShield>

/** How the edge treats one host name. */
export const EdgeDomain = EdgeDelivery.extend({
  host: z.string(),
  domainId: z.string(),
  organizationId: z.string(),
  siteId: z.string(),
  version: z.int(),
  /** Pages for its faults: its own, and the brand's, which has one of each kind under `<brand>:<kind>`. */
  pages: z
    .object({
      errors: z.string().nullable(),
      maintenance: z.string().nullable(),
      blocked: z.string().nullable().default(null),
      'rate-limited': z.string().nullable().default(null),
      challenge: z.string().nullable().default(null),
      captcha: z.string().nullable().default(null),
      brand: z.string().nullable(),
    })
    .prefault({ errors: null, maintenance: null, brand: null }),
  /** Visitors get the maintenance page whatever they ask for. */
  inMaintenance: z.boolean().default(false),
  /** Of a host of videos only. */
  signing: EdgeSigning.optional(),
  /** Only with an origin shield, where there are regions. */
  shield: EdgeShield.optional(),
  /** What simulated CDNs do differently, by the CDN's id. */
  cdns: z.record(z.string(), EdgeDelivery).default({}),
})
export type EdgeDomain = z.infer<typeof EdgeDomain>

/** One purge in force. What was stored before `at` (epoch ms) and fits is not served any more. */
export const EdgePurgeMark = z.object({
  /**
   * `url`: one path, with any query unless it names one. `all` of one CDN where the value names it, else of every CDN.
   */
  kind: z.enum(['all', 'directory', 'url', 'tag']),
  value: z.string(),
  at: z.int().min(1),
  /** The old objects stay in reserve: they are served when the origin does not answer. */
  soft: z.boolean(),
})
export type EdgePurgeMark = z.infer<typeof EdgePurgeMark>

/** Every purge of one domain that is in force. */
export const EdgePurges = z.object({
  domainId: z.string(),
  organizationId: z.string(),
  siteId: z.string(),
  host: z.string(),
  version: z.int(),
  marks: z.array(EdgePurgeMark).max(2000),
})
export type EdgePurges = z.infer<typeof EdgePurges>

/** A site's part of the edge configuration, whole, at one version. */
export const EdgeSite = z.object({
  siteId: z.string(),
  organizationId: z.string(),
  version: z.int(),
  domains: z.array(EdgeDomain),
})
export type EdgeSite = z.infer<typeof EdgeSite>

/** What `fairway sim` does to a simulated CDN. */
export const SimulatedFault = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('up') }),
  z.object({ mode: z.literal('down') }),
  z.object({ mode: z.literal('slow'), addMs: z.int().min(1).max(60_000) }),
  z.object({ mode: z.literal('errors'), percent: z.number().min(0).max(100) }),
  /** Says that purges are done and serves the old objects on. */
  z.object({ mode: z.literal('lie') }),
])
export type SimulatedFault = z.infer<typeof SimulatedFault>

/** A simulated CDN: a listener of the edge on its own address, with the fault it is under. */
export const EdgeSimulatedCdn = z.object({
  cdnId: z.string(),
  name: z.string(),
  /** Loopback address it listens on, at the edge's own ports. */
  address: z.ipv4(),
  version: z.int(),
  fault: SimulatedFault,
})
export type EdgeSimulatedCdn = z.infer<typeof EdgeSimulatedCdn>
