import type { CdnCapabilities, CdnDriverName, PurgeKind } from '@fairway/contract'

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
  /** Version of the site that holds what is wanted now. */
  version: number
}

/** Whether every live node of the edge serves a document, as they have acknowledged it. */
export type Acknowledged = { state: 'confirmed' } | { state: 'waiting'; why: string } | { state: 'refused'; why: string }

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
  /** Puts the domain into the site's edge document or takes it out, and publishes that. Repeating it changes nothing. Resolves to the version of the site that has it so. */
  publishToEdge(siteId: string, domainId: string, holds: boolean): Promise<number>
  /** One request for the host through the name: null when it was answered, else why not. */
  probe(cname: string, host: string): Promise<string | null>
}

/** What is to be purged. `version` is the domain's document of purges that holds it. */
export type PurgeOrder = { kind: PurgeKind; targets: string[]; soft: boolean; version: number }
/** `everything`: the CDN cannot tell apart what was asked for and has purged the whole domain. */
export type PurgeWord = { state: 'done'; everything: boolean } | { state: 'in-progress'; why: string } | { state: 'failed'; why: string } | { state: 'unsupported'; why: string }

/** Thrown by a driver whose vendor asks for patience (429, 503 with Retry-After). */
export class TryLater extends Error {
  readonly afterMs: number
  constructor(message: string, afterMs: number) {
    super(message)
    this.afterMs = afterMs
  }
}

/** What a CDN shows of itself. */
export type Observation =
  | { state: 'gone' }
  | { state: 'deploying'; detail: string | null }
  | { state: 'operational' }
  /** It may still become operational; nobody has to do anything here for that. */
  | { state: 'failed'; detail: string }

/** One kind of CDN. Every verb may be repeated, and may throw when the outside does not answer: it is tried again later. */
export type CdnDriver = {
  id: CdnDriverName
  /** Of the CDN with this slug: of one kind there may be several that differ. */
  capabilities(slug: string): CdnCapabilities
  /** The only lifetimes it knows, seconds, rising; null when any will do. */
  cacheTtls(slug: string): number[] | null
  /** How many purges it takes in a minute; null when it does not count them. */
  purgesPerMinute(slug: string): number | null
  /** The name DNS answers with. Pure: known before anything is created, and never another one for the same domain and CDN. */
  cnameFor(order: Pick<CdnOrder, 'domainId' | 'cdnId' | 'slug' | 'customCname'>, serviceDomain: string): string
  create(context: DriverContext, order: CdnOrder): Promise<void>
  observe(context: DriverContext, order: CdnOrder): Promise<Observation>
  /** Brings it to the order's version. */
  apply(context: DriverContext, order: CdnOrder): Promise<void>
  /** `in-progress` until the facts show that it is gone. */
  remove(context: DriverContext, order: CdnOrder): Promise<'done' | 'in-progress'>
  /** Whether the CDN says that a purge is done. Nobody has to believe it. @throws TryLater when it wants no more purges at the moment */
  purge(context: DriverContext, order: CdnOrder, purge: PurgeOrder): Promise<PurgeWord>
}
