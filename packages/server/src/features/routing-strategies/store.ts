import type { SteeringMethod, StrategyInput, VisitorFilter } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { IS_THERE } from '../nodes/away.ts'

export type StrategyRow = {
  id: string
  domain_id: string
  priority: number
  name: string
  enabled: boolean
  method: SteeringMethod
  filter: VisitorFilter
  targets: StrategyInput['targets']
  availability_threshold: number | null
  omit_rum: boolean
  omit_sum: boolean
  require_all_data: boolean
  visitor_percent: number | null
  minimum_mbps: number | null
  prefer_throughput: boolean
  ttl_seconds: number | null
  when_no_data: StrategyInput['whenNoData']
  when_below: StrategyInput['whenBelow']
  created_at: Date
  modified_at: Date
}

export async function listStrategies(
  tx: Tx,
  domainId: string,
  { search, order, limit, offset }: { search: string | null; order: string; limit: number | null; offset: number },
): Promise<{ rows: StrategyRow[]; total: number }> {
  const match = `domain_id = $1 AND ($2::text IS NULL OR name ILIKE '%' || $2 || '%')`
  const rows = await tx.query<StrategyRow>(
    `SELECT * FROM strategy WHERE ${match} ORDER BY ${order}, priority, created_at LIMIT $3 OFFSET $4`,
    [domainId, search, limit, offset],
  )
  const total = await tx.query<{ total: number }>(`SELECT count(*) AS total FROM strategy WHERE ${match}`, [
    domainId,
    search,
  ])
  return { rows, total: total[0]?.total ?? 0 }
}

/** All of a domain in the order they are read. */
export async function allStrategies(tx: Tx, domainId: string): Promise<StrategyRow[]> {
  return tx.query<StrategyRow>('SELECT * FROM strategy WHERE domain_id = $1 ORDER BY priority, created_at', [domainId])
}

export async function strategyById(tx: Tx, domainId: string, id: string): Promise<StrategyRow | undefined> {
  return (await tx.query<StrategyRow>('SELECT * FROM strategy WHERE domain_id = $1 AND id = $2', [domainId, id]))[0]
}

/** Ids in the order they are read. */
export async function strategyOrder(
  tx: Tx,
  domainId: string,
): Promise<{ id: string; name: string; priority: number; method: SteeringMethod }[]> {
  return tx.query(
    'SELECT id, name, priority, method FROM strategy WHERE domain_id = $1 ORDER BY priority, created_at',
    [domainId],
  )
}

export async function insertStrategy(
  tx: Tx,
  place: { organizationId: string; siteId: string; domainId: string },
  input: StrategyInput,
): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    `INSERT INTO strategy (organization_id, site_id, domain_id, priority, name, enabled, method, filter, targets, availability_threshold, omit_rum, omit_sum, require_all_data, visitor_percent, minimum_mbps, prefer_throughput, ttl_seconds, when_no_data, when_below)
     SELECT $1, $2, $3, coalesce(max(priority), 0) + 1, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18 FROM strategy WHERE domain_id = $3 RETURNING id`,
    [place.organizationId, place.siteId, place.domainId, ...columns(input)],
  )
  return rows[0]?.id ?? ''
}

export async function updateStrategy(tx: Tx, id: string, input: StrategyInput): Promise<void> {
  await tx.query(
    `UPDATE strategy SET name = $2, enabled = $3, method = $4, filter = $5, targets = $6, availability_threshold = $7, omit_rum = $8, omit_sum = $9, require_all_data = $10, visitor_percent = $11, minimum_mbps = $12, prefer_throughput = $13, ttl_seconds = $14, when_no_data = $15, when_below = $16, modified_at = now() WHERE id = $1`,
    [id, ...columns(input)],
  )
}

function columns(input: StrategyInput): unknown[] {
  return [
    input.name,
    input.enabled,
    input.method,
    JSON.stringify(input.filter),
    JSON.stringify(input.targets),
    input.availabilityThreshold,
    input.omitRum,
    input.omitSum,
    input.requireAllData,
    input.visitorPercent,
    input.minimumMbps,
    input.preferThroughput,
    input.ttlSeconds,
    input.whenNoData,
    input.whenBelow,
  ]
}

export async function setPriorities(tx: Tx, domainId: string, ids: string[]): Promise<void> {
  await tx.query(
    'UPDATE strategy s SET priority = o.place, modified_at = now() FROM unnest($2::uuid[]) WITH ORDINALITY AS o(id, place) WHERE s.id = o.id AND s.domain_id = $1 AND s.priority <> o.place',
    [domainId, ids],
  )
}

export async function deleteStrategy(tx: Tx, id: string): Promise<void> {
  await tx.query('DELETE FROM strategy WHERE id = $1', [id])
}

/** CDNs that a strategy of the domain may name. */
export async function targetIds(tx: Tx, domainId: string): Promise<Set<string>> {
  const rows = await tx.query<{ cdn_id: string }>(
    `SELECT cdn_id FROM domain_cdn WHERE domain_id = $1 AND state <> 'deleting'`,
    [domainId],
  )
  return new Set(rows.map((row) => row.cdn_id))
}

/** Control addresses of the DNS nodes that were heard lately, the freshest first. */
export async function dnsNodes(tx: Tx): Promise<{ name: string; control_url: string }[]> {
  return tx.query(
    `SELECT name, control_url FROM node WHERE role = 'dns' AND control_url IS NOT NULL AND ${IS_THERE} ORDER BY last_seen_at DESC`,
  )
}

export async function publishedScores(tx: Tx, organizationId: string): Promise<unknown> {
  return (
    (
      await tx.query<{ body: unknown }>(`SELECT body FROM publication WHERE kind = 'scores' AND key = $1`, [
        organizationId,
      ])
    )[0]?.body ?? null
  )
}

/** Of these CDNs those that probes see dead, with what the probes told. */
export async function outagesOf(
  tx: Tx,
  cdnIds: readonly string[],
): Promise<{ cdnId: string; since: string; seen: string }[]> {
  const rows = await tx.query<{ cdn_id: string; started_at: Date; seen: string | null }>(
    `SELECT cdn_id, started_at, detail->>'evidence' AS seen FROM health_event WHERE kind = 'cdn-down' AND ended_at IS NULL AND cdn_id = ANY($1) ORDER BY started_at`,
    [cdnIds],
  )
  return rows.map((row) => ({ cdnId: row.cdn_id, since: row.started_at.toISOString(), seen: row.seen ?? '' }))
}

/** The newest version of a site; null before its first. */
export async function versionOf(tx: Tx, siteId: string): Promise<number | null> {
  const [row] = await tx.query<{ number: number | null }>(
    'SELECT max(number)::int AS number FROM version WHERE site_id = $1',
    [siteId],
  )
  return row?.number ?? null
}

/** A domain by host name, with its site. */
export async function domainByHost(
  tx: Tx,
  host: string,
): Promise<
  | {
      id: string
      name: string
      site_id: string
      organization_id: string
      minimum_samples: number
      margin_percent: number
      significance: boolean
    }
  | undefined
> {
  const rows = await tx.query<{
    id: string
    name: string
    site_id: string
    organization_id: string
    minimum_samples: number
    margin_percent: number
    significance: boolean
  }>(
    'SELECT id, name, site_id, organization_id, minimum_samples, margin_percent, significance FROM domain WHERE name = $1 AND removed_at IS NULL',
    [host],
  )
  return rows[0]
}
