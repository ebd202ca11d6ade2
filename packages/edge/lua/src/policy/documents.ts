import type { CompiledSecurity, World } from '@fairway/domain/web-security'
import type { PathIndex } from './path-match.ts'
import type { PathMatch, CacheRule } from './path-rules.ts'

/**
 * How the edge treats one host: what the agent pushes and a request looks up. No field is ever null: JSON's null is a
 * truthy value in Lua.
 */
export type PolicyDocument = {
  host: string
  organizationId: string
  siteId: string
  domainId: string
  /** The three of them in one, for the request log: `organization site domain`. */
  owner: string
  origin: {
    /** Addresses or host names. */
    addresses: string[]
    balance: 'failover' | 'round-robin' | 'ip-hash'
    /** Asked last of all; empty when there is none. */
    fallback: string
    port: number
    scheme: 'http' | 'https'
    hostHeader: string
    /** Name for TLS, when it is another. */
    sni?: string
    keepaliveSeconds: number
    /** Over HTTPS: only with a certificate for the host header from a known authority. */
    verify: boolean
  }
  cache: {
    enabled: boolean
    defaultTtlSeconds: number
    honorOrigin: boolean
    /** The default lifetime is about every answer, not only about static content. */
    everything: boolean
    ignoreQuery: boolean
    /** Playlists are told apart by what a player of low latency asks of them. */
    deliveryDirectives?: true
    tiered: boolean
    rules: CacheRule[]
    bypass: PathMatch[]
    /** Part of the cache key: another value is another, empty cache. */
    generation: string
  }
  compression: 'off' | 'gzip' | 'brotli'
  alwaysHttps: boolean
  /** What Strict-Transport-Security says over TLS; empty for nothing. */
  hsts: string
  /** Value of Report-To over TLS, which names where failed requests are reported; empty for nothing. */
  reportTo: string
  websocket: boolean
  http2: boolean
  /** Served over HTTP/3 too, where this machine can. */ http3?: true
  /** What a page needs is said before it, where that can be said. */ earlyHints?: true
  ocspStapling: boolean
  /** Keys of the pages to show, the first that is there: the domain's own, then its brand's. */
  pages: Record<'errors' | 'maintenance' | 'blocked' | 'rateLimited' | 'challenge' | 'captcha', string[]>
  /** Every visitor gets the maintenance page. */
  inMaintenance: boolean
  /** Only of a host of videos: their tokens, and the public keys by id (SubjectPublicKeyInfo, DER in base64). */
  signing?: {
    on: boolean
    keys: Record<string, string | undefined>
    /** That path tokens are bound to. */ host?: string
    /** Vendors' CDNs, by what their path tokens are of. */ vendors?: Record<string, boolean | undefined>
  }
  /** Machines that speak with the origin for this one, in the order in which they are asked. */
  relays?: { address: string; port: number }[]
  /** What goes to the origin is counted. */
  shielded?: true
  /** What a worker works out when it first meets the policy, so that no request has to. */
  ways?: {
    /** Where rules could be about a path. */ rules: PathIndex
    bypass: PathIndex
    /** The host is a wildcard. */ wide: boolean
    /** The origin is one address and nothing else. */ direct: boolean
  }
}

/** Files of one page by language; `any` when there is one for all. */
export type PageDocument = { files: Record<string, string> }

/** Purges in force, by what they are about; values are epoch ms. */
export type PurgeTable = {
  all: number
  allOf: Record<string, number>
  directories: Record<string, number>
  paths: Record<string, number>
  urls: Record<string, number>
  tags: Record<string, number>
  /** None: no need to look at each part of the path. */ hasDirectories: boolean
  /** Of the directories that lie two folders deep or deeper, the first two. */ heads: Record<string, boolean>
}

/** All purges of a domain. `firm` leaves out the soft ones: what it still allows is the reserve. */
export type PurgeDocument = {
  domainId: string
  marks: PurgeTable
  firm: PurgeTable
  hasTags: boolean
  newestTagAt: number
  /** Some purges name a query. */ hasUrls: boolean
  hasSoft: boolean
}

/** A simulated CDN: what listens on one address, and the fault it is under. */
export type CdnDocument = {
  cdnId: string
  slug: string
  address: string
  mode: 'up' | 'down' | 'slow' | 'errors' | 'lie'
  /** Only with mode `slow`. */
  addMs: number
  /** Only with mode `errors`: share of requests that get 503, percent. */
  percent: number
}

/** A certificate with its key, PEM. Lies in shared memory only. */
export type TlsDocument = {
  certificateId: string
  chainPem: string
  keyPem: string
  /** OCSP response, base64, and until when it holds, epoch seconds; empty when there is none. */ staple: string
  stapleUntil: number
}

/** Which certificate a name is served with. */
export type SniDocument = { siteId: string; certificateId: string }

/** What an authority is answered that looks at one host for one token (RFC 8555 8.3). */
export type ChallengeDocument = { keyAuthorization: string }

/** What requests for a domain are held against before anything else. */
export type SecurityDocument = {
  domainId: string
  rules: CompiledSecurity
  /** What its verdicts depend on besides request and time; made by this worker. */ world?: World
}

/** A document with the stamp by which it is known to be in force. */
export type Stamped<D> = { stamp: string; document: D }

/**
 * A policy under the key it is looked up with: `host:<name>`, or `own:<cdn>:<name>` for what a simulated CDN does
 * differently.
 */
export type Keyed<D> = Stamped<D> & { key: string }

/** Body of the administration's `POST /apply`; each part replaces only what it names. */
export type Batch = {
  documents: Keyed<
    | PageDocument
    | PolicyDocument
    | PurgeDocument
    | CdnDocument
    | TlsDocument
    | SniDocument
    | ChallengeDocument
    | SecurityDocument
  >[]
  /** Keys to forget. */
  removed: string[]
  /** Origin host names → their addresses, resolved by the agent. */
  names: Record<string, string[]>
  /** The cache was empty when nginx started, so the tags of all that is in it are remembered. */
  tagsKnown: boolean
  /** What clearances are signed with; empty leaves the one that is known. */
  clearanceSecret: string
  /** Where the process is that has the rule set, and its version, on two lines; empty when it cannot be asked. */
  inspector?: string
  /** Port where HTTP/3 is spoken for this nginx; empty while nobody does. */
  front?: string
  /** The last batch after a start: from here on an unknown host is really unknown. */
  primed: boolean
}

/** Answers of the agent, each for an address and a crawler's name, and how long they hold. */
export type CrawlerNews = {
  /** Somebody can be asked. */ on: boolean
  known: { address: string; agent: string; answer: 'verified' | 'false' | 'unknown'; seconds: number }[]
}
