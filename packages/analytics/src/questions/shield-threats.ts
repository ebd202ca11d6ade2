import type { SecurityAction, SecurityPart } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'
import { IS_STOPPED, IS_THREAT, type ShieldScope, shieldConditions, shieldParameters } from './shield-source.ts'

export type ThreatsInput = ShieldScope & {
  /** Epoch seconds; `until` is excluded. */ from: number
  until: number
  search?: string | undefined
  address?: string | undefined
  /** Epoch ms; only older ones. */ before?: number | undefined
  limit: number
}
export type ThreatRow = {
  moment: number
  id: string
  site: string
  domain: string
  node: string
  part: SecurityPart
  action: SecurityAction
  rule: string
  reason: string
  address: string
  country: string
  network: string
  host: string
  method: string
  path: string
  query: string
  agent: string
  field: string
  field_name: string
  matched: string
  status: number
  bytes: number
  weight: number
}

const COLUMNS =
  'toUnixTimestamp64Milli(at) AS moment, id, site, domain, node, part, action, rule, reason, address, country, network, host, method, path, query, agent, field, field_name, matched, status, intDiv(bytes, weight) AS bytes, weight'

/** The threat log of a range, newest first, and how many there are in all. */
export async function threats(store: EventStore, input: ThreatsInput): Promise<{ rows: ThreatRow[]; total: number }> {
  const { from, until, search, address, before, limit } = input
  const where = [
    ...shieldConditions(input),
    IS_THREAT,
    ...(address === undefined ? [] : ['address = {address:String}']),
    ...(search === undefined
      ? []
      : [
          `(startsWith(id, {search:String}) OR startsWith(address, {search:String}) OR rule = {search:String} OR positionCaseInsensitive(path, {search:String}) > 0 OR positionCaseInsensitive(agent, {search:String}) > 0)`,
        ]),
  ].join(' AND ')
  const parameters = {
    ...shieldParameters(input),
    from,
    until,
    search: search ?? '',
    address: address ?? '',
    before: before ?? 0,
    limit,
  }
  const older = before === undefined ? '' : 'AND security_events.at < fromUnixTimestamp64Milli({before:Int64})'
  const [rows, counted] = await Promise.all([
    store.query<ThreatRow>(
      `SELECT ${COLUMNS} FROM security_events WHERE ${where} ${older} ORDER BY security_events.at DESC, id LIMIT {limit:UInt32}`,
      parameters,
    ),
    store.query<{ total: number }>(`SELECT sum(weight) AS total FROM security_events WHERE ${where}`, parameters),
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}

type IncidentInput = { organizationId: string; siteId?: string | undefined; incident: string }

/** The event behind an incident id; null when there is none, or it is somebody else's. */
export async function threatOf(store: EventStore, input: IncidentInput): Promise<ThreatRow | null> {
  const [row] = await store.query<ThreatRow>(
    `SELECT ${COLUMNS} FROM security_events WHERE organization = {organization:String} ${input.siteId === undefined ? '' : 'AND site = {site:String}'} AND id = {incident:String} AND ${IS_THREAT} ORDER BY security_events.at DESC LIMIT 1`,
    { organization: input.organizationId, site: input.siteId ?? '', incident: input.incident },
  )
  return row ?? null
}

export type VisitorDeeds = {
  requests: number
  stopped: number
  firstAt: number
  lastAt: number
  paths: number
}

/** What an address did at a site, a day before and after a moment (epoch ms). */
export async function visitorDeeds(
  store: EventStore,
  input: { organizationId: string; siteId: string; address: string; at: number },
): Promise<{ rows: ThreatRow[]; deeds: VisitorDeeds }> {
  const from = Math.floor(input.at / 1000) - 86_400
  const scope = { organizationId: input.organizationId, siteId: input.siteId }
  const range = { from, until: from + 2 * 86_400 + 1 }
  const [{ rows }, [deeds]] = await Promise.all([
    threats(store, { ...scope, ...range, address: input.address, limit: 50 }),
    store.query<VisitorDeeds>(
      `SELECT sum(weight) AS requests, sumIf(weight, ${IS_STOPPED}) AS stopped, toUnixTimestamp64Milli(min(at)) AS firstAt, toUnixTimestamp64Milli(max(at)) AS lastAt, uniqExact(path) AS paths
       FROM security_events WHERE ${shieldConditions(scope).join(' AND ')} AND address = {address:String}`,
      { ...shieldParameters(scope), ...range, address: input.address },
    ),
  ])
  return { rows, deeds: deeds ?? { requests: 0, stopped: 0, firstAt: input.at, lastAt: input.at, paths: 0 } }
}

/** How often each rule of a domain fitted, and when last (epoch ms), in the days that the log is kept. */
export async function ruleHits(
  store: EventStore,
  input: { organizationId: string; domainId: string; part: SecurityPart },
): Promise<Map<string, { hits: number; lastHitAt: number }>> {
  const rows = await store.query<{ rule: string; hits: number; lastHitAt: number }>(
    `SELECT rule, sum(weight) AS hits, toUnixTimestamp64Milli(max(at)) AS lastHitAt FROM security_events
     WHERE organization = {organization:String} AND domain = {domain:String} AND part = {part:String} AND reason NOT IN ('solved', 'begun') GROUP BY rule`,
    { organization: input.organizationId, domain: input.domainId, part: input.part },
  )
  return new Map(rows.map(({ rule, ...hit }) => [rule, hit]))
}

/** How many requests of a domain could not be inspected since a moment (epoch seconds), whatever became of them. */
export async function uninspected(
  store: EventStore,
  input: { organizationId: string; domainId: string; from: number },
): Promise<number> {
  const [row] = await store.query<{ requests: number }>(
    `SELECT sum(weight) AS requests FROM security_events
     WHERE organization = {organization:String} AND domain = {domain:String} AND at >= fromUnixTimestamp({from:Int64}) AND part = 'crs-rules' AND reason = 'inspection-failed'`,
    { organization: input.organizationId, domain: input.domainId, from: input.from },
  )
  return row?.requests ?? 0
}
