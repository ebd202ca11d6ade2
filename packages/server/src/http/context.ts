import type {
  Compression,
  Hsts,
  EntityChange,
  LoadBalance,
  OriginShield,
  PublicationKind,
  SiteVersion,
} from '@fairway/contract'
import type { EventStore } from '@fairway/analytics'
import type { Geo, Config, Database, DiskGauge, Log, OutgoingGate, Tx } from '@fairway/platform'
import type { Payments } from '../features/billing/payments.ts'
import type { NamedBy } from '../publish/nameservers.ts'
import { Failure } from './failure.ts'
import type { Actor, UserActor } from './actor.ts'
import type { FastifyReply } from 'fastify'

/** What the API process has; passed to every verb. */
export type Services = {
  config: Config
  database: Database
  log: Log
  geo: Geo
  events: EventStore
  payments: Payments
  gate: OutgoingGate
  /** How full the disk of this process's home is. */
  disk: DiskGauge
}

export type SiteRow = { id: string; organization_id: string; domain_name: string; version: number } & NamedBy
/** Columns of a domain that say how its CDNs fetch and deliver. */
export type DeliveryColumns = {
  spare_addresses: string[]
  load_balance: LoadBalance
  fallback_address: string | null
  keepalive_seconds: number
  verify_certificate: boolean
  http2: boolean
  http3: boolean
  early_hints: boolean
  ocsp_stapling: boolean
  compression: Compression
  always_https: boolean
  hsts: Hsts
  hsts_seconds: number
  ignore_query: boolean
  websocket: boolean
  tiered_cache: boolean
  origin_shield: OriginShield
  network_errors: boolean
  cache_honor_origin: boolean
  cache_everything: boolean
  tags: string[]
}
export type DomainRow = {
  id: string
  site_id: string
  name: string
  origin_address: string
  origin_port: number
  origin_protocol: 'http' | 'https'
  host_header: string
  cache_ttl_seconds: number
  minimum_samples: number
  margin_percent: number
  significance: boolean
  created_at: Date
  errors_page_id: string | null
  maintenance_page_id: string | null
  blocked_page_id: string | null
  rate_limited_page_id: string | null
  challenge_page_id: string | null
  captcha_page_id: string | null
  in_maintenance: boolean
} & DeliveryColumns

/** Payload of the notification channel `console`; consoles of that organisation hear of it. */
export type ConsoleEvent = {
  organizationId: string
  kind: 'health' | 'version' | 'acknowledged' | 'simulated' | 'notification'
  siteId: string | null
}

/**
 * What a verb receives. `change` is the one way to say what was changed; the wrapper turns it into version, audit and
 * outbox rows.
 */
export type Context<A extends Actor = UserActor> = {
  tx: Tx
  actor: A
  services: Services
  now: Date
  requestId: string
  reply: FastifyReply
  userAgent: string | null
  change: ChangeRecorder
  /** The site and domain of the path, proven to be the actor's. */
  site: SiteRow
  domain: DomainRow
}

/** Gathers what one call changes. */
export class ChangeRecorder {
  readonly changes: EntityChange[] = []
  title = ''
  siteId: string | null = null
  /** Name of the domain that the change is about, for the audit log, when the path does not say. */
  domain: string | null = null
  /** What the change rebuilds when it is less than the route says it may. */
  kinds: readonly PublicationKind[] | null = null
  /** Key of the published document when it is not the site. */
  key: string | null = null
  /** How the change came about when the call itself does not say it. */
  source: SiteVersion['source'] | null = null
  /** Somebody else's organisation that this was done to: its own audit log tells it as well. */
  concerns: string | null = null
  /** Ids of records that were made, after all that was recorded: the database writes them down, of an import thousands. */
  made: readonly string[] = []
  /** More of the same follows in a moment: what it changes may be published with that. */
  hasMore = false
  /** Only to see what it would do; all of it is taken back. */
  isTrial = false
  /** The site is gone after this change: documents are withdrawn, no version is kept. */
  siteRemoved = false
  private number: number | null = null
  private readonly tx: Tx

  constructor(tx: Tx) {
    this.tx = tx
  }

  /** A version has been promised. */
  get isNumbered(): boolean {
    return this.number !== null
  }

  record(change: EntityChange): void {
    this.changes.push(change)
  }

  /** The version that will hold this change: taken once, under the site's row lock. */
  async version(): Promise<number> {
    if (this.number !== null) return this.number
    if (!this.siteId) throw new Error('a version needs a site')
    const rows = await this.tx.query<{ version: number }>(
      'UPDATE site SET version = version + 1 WHERE id = $1 RETURNING version',
      [this.siteId],
    )
    const number = rows[0]?.version
    if (number === undefined) throw new Failure(404)
    this.number = number
    return number
  }
}
