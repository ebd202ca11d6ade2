import type { ByoPlatform, CdnCapabilities, CdnDriverName, EdgeDelivery, PurgeKind } from '@fairway/contract'

/** What is wanted of one CDN for one domain. Drivers keep nothing: all they know comes with the order. */
export type CdnOrder = {
  /** Ours, the same at every call for this CDN on this domain: makes `create` safe to repeat. */
  reference: string
  domainId: string
  siteId: string
  /** The domain's name, which visitors ask for. */
  host: string
  cdnId: string
  /** The CDN's name as a DNS label (`cdnSlug`). */
  slug: string
  /** The name that the customer's own CDN is reached by; only with the driver `custom`. */
  customCname: string | null
  /**
   * What a vendor calls what was made for this order; null before it was made, or with drivers that need no such name.
   */
  vendorRef: string | null
  /** Fingerprint of the certificate that the vendor was given last. */
  vendorCertificate: string | null
  /** Version of the site that holds what is wanted now. */
  version: number
}

/** A certificate for the order's name, with its key in the clear. `fingerprint` tells one from another. */
export type HeldCertificate = { chainPem: string; keyPem: string; fingerprint: string }

/** What a vendor's driver needs beside the order. It holds secrets: it is read for one call and kept nowhere. */
export type VendorWants = {
  /** Fields of the account's key, as the contract names them. */
  values: Record<string, string>
  /** Where the vendor's API is, when it is not where it always is. */
  apiUrl: string | null
  /** What the owner wants, brought into what this vendor can do. */
  delivery: EdgeDelivery
  certificate: HeldCertificate | null
}

/**
 * What a vendor has made: its own name for it, the name that DNS answers with, and the certificate that it was given
 * last.
 */
export type Placed = { ref: string; cname: string; certificate: string | null }

/** A TXT record with which a vendor wants to see that the name is ours. */
export type ProofRecord = { name: string; value: string }

/** Requests, and bytes where they are told, by the value of a dimension. What is missing to the whole is not told. */
export type Told = Record<string, { requests: number; bytes: number | null }>

/**
 * What a CDN has served from one moment (epoch ms) on, for as long as its buckets are. Each dimension is told by
 * itself, whole or not at all: no vendor tells all of them together.
 * `status` is by class, `1` to `5` or `ok` for anything below 400; `cache` by the contract's `CacheStatus` or
 * `uncached`; `country` by ISO 3166 code.
 */
export type TrafficBucket = { at: number; requests: number; bytes: number; status: Told; cache: Told; country: Told }

/** How a vendor tells what it has served. */
export type VendorTraffic = {
  /** Length of a bucket, ms; divides an hour. */
  bucketMs: number
  /** For how long after its end a bucket may still change, ms. */
  settlesMs: number
  /** The most that one call may ask for, ms: whole hours. */
  spanMs: number
  /** Buckets that begin between two moments (epoch ms), the second excluded; those without a request may be missing. */
  read(context: DriverContext, order: CdnOrder, from: number, until: number): Promise<TrafficBucket[]>
}

/** Whether every live node of the edge serves a document, as they have acknowledged it. */
export type Acknowledged =
  | { state: 'confirmed' }
  | { state: 'waiting'; why: string }
  | { state: 'refused'; why: string }

/** What a driver may ask of the world. Each answer is a fact at the time of asking, none is remembered. */
export type DriverContext = {
  /** Zone of the installation's own names. */
  serviceDomain: string
  /** Whether the edge serves the site at this version or a later one. */
  edgeAcknowledged(siteId: string, version: number): Promise<Acknowledged>
  /** Whether the edge listens for this simulated CDN as it is now. */
  simulatedAcknowledged(slug: string): Promise<Acknowledged>
  /** Whether the edge obeys the domain's purges at this version or a later one. */
  purgesAcknowledged(domainId: string, version: number): Promise<Acknowledged>
  /** Counts this purge of the CDN; how long to wait when it had as many in the last minute as it takes, else 0. */
  purgePauseMs(cdnId: string, perMinute: number): Promise<number>
  /** Whether the site's newest edge document holds the domain. */
  edgeHolds(siteId: string, domainId: string): Promise<boolean>
  /**
   * Puts the domain into the site's edge document or takes it out, and publishes that. Repeating it changes nothing.
   * Resolves to the version of the site that has it so.
   */
  publishToEdge(siteId: string, domainId: string, holds: boolean): Promise<number>
  /**
   * One request for the order's host through the name, which may lead anywhere: null when it was answered, else why not.
   * That there is no such page is an answer only when the origin says the same.
   */
  probe(cname: string, order: Pick<CdnOrder, 'siteId' | 'host'>): Promise<string | null>
  /**
   * Whether what DNS answers with at a vendor has just answered the order's host with a status below 400; by TLS as
   * well, with a certificate that holds, where our certificate was given or visitors are led to HTTPS. `placed`: what
   * the vendor has made since, with which DNS is about to answer instead.
   */
  stillServes(order: Pick<CdnOrder, 'reference' | 'siteId' | 'host'>, placed?: Placed): Promise<boolean>
  /** The account, the settings and the certificate for an order. @throws Error when there is no key for the vendor */
  vendor(platform: ByoPlatform, order: CdnOrder): Promise<VendorWants>
}

/** What is to be purged. `version` is the domain's document of purges that holds it. */
export type PurgeOrder = {
  kind: PurgeKind
  targets: string[]
  soft: boolean
  version: number
  /** Ours, the same at every call for this telling: makes it safe to repeat. */
  reference: string
  /** What the vendor called it when it was told before. */
  vendorRef: string | null
}
/**
 * `everything`: the CDN cannot tell apart what was asked for and has purged the whole domain. `vendorRef` comes back
 * with the next call, after `againMs`.
 */
export type PurgeWord =
  | { state: 'done'; everything: boolean }
  | { state: 'in-progress'; why: string; vendorRef?: string; againMs?: number }
  | { state: 'failed'; why: string }
  | { state: 'unsupported'; why: string }

/** Thrown by a driver whose vendor asks for patience (429, 503 with Retry-After). */
export class TryLater extends Error {
  readonly afterMs: number
  /** What it wants to see in DNS until then. */
  readonly records: ProofRecord[]
  constructor(message: string, afterMs: number, records: ProofRecord[] = []) {
    super(message)
    this.afterMs = afterMs
    this.records = records
  }
}

/** Thrown by a driver whose vendor has said no; saying the same again would not help. The message holds no secret. */
export class VendorRefusal extends Error {
  readonly status: number
  /** The vendor's own code, empty when it gives none. */
  readonly code: string
  constructor(message: string, status: number, code: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** What a CDN shows of itself. */
export type Observation =
  | { state: 'gone' }
  /**
   * `stays`: what it has served before it goes on serving meanwhile. `records`: what the vendor wants to see in DNS
   * first.
   */
  | { state: 'deploying'; detail: string | null; stays?: boolean; records?: ProofRecord[] }
  /** Somebody has to do something that is said in the detail: sign, approve, wait for a certificate. */
  | { state: 'action-required' | 'waiting-ssl' | 'waiting-approval'; detail: string; records?: ProofRecord[] }
  | { state: 'operational' }
  /** It may still become operational; nobody has to do anything here for that. */
  | { state: 'failed'; detail: string }

/**
 * One kind of CDN. Every verb may be repeated, and may throw when the outside does not answer: it is tried again later.
 */
export type CdnDriver = {
  id: CdnDriverName
  /** Of the CDN with this slug: of one kind there may be several that differ. */
  capabilities(slug: string): CdnCapabilities
  /** The only lifetimes it knows, seconds, rising; null when any will do. */
  cacheTtls(slug: string): number[] | null
  /** How many purges it takes in a minute; null when it does not count them. */
  purgesPerMinute(slug: string): number | null
  /**
   * The name DNS answers with. Pure: known before anything is created, and never another one for the same domain and
   * CDN.
   */
  cnameFor(order: Pick<CdnOrder, 'domainId' | 'cdnId' | 'slug' | 'customCname'>, serviceDomain: string): string
  create(context: DriverContext, order: CdnOrder): Promise<Placed | void>
  observe(context: DriverContext, order: CdnOrder): Promise<Observation>
  /** Brings it to the order's version. */
  apply(context: DriverContext, order: CdnOrder): Promise<Placed | void>
  /** `in-progress` until the facts show that it is gone. */
  remove(context: DriverContext, order: CdnOrder): Promise<'done' | 'in-progress'>
  /**
   * Whether the CDN says that a purge is done. Nobody has to believe it. @throws TryLater when it wants no more purges
   * at the moment
   */
  purge(context: DriverContext, order: CdnOrder, purge: PurgeOrder): Promise<PurgeWord>
  /** How often a CDN that is not ready is looked at, ms; left out where the facts come by themselves. */
  lookAgainMs?: number
  /** How long a purge may take, ms, when that is not said by the edge nodes. */
  purgePatienceMs?: number
  /** Left out where nobody but our own logs tells. */
  traffic?: VendorTraffic
}
