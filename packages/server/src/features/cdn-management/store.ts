import type { Cdn, CdnDriverName, CdnState } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { isSteeredTo } from '../stream-balancers/store.ts'

type Row = Record<string, unknown>
export type PlatformRow = {
  id: string
  name: string
  slug: string
  driver: CdnDriverName
  category: Cdn['category']
  series: number
  cname: string | null
  review: boolean
  plan_ids: string[] | null
  reference_url: string | null
  introduction: string | null
  created_at: Date
}

const PLATFORM =
  'c.id, c.name, c.slug, c.driver, c.category, c.series, c.cname, c.review, c.reference_url, c.introduction, c.created_at, o.plan_ids FROM cdn c LEFT JOIN cdn_offer o ON o.id = c.offer_id'

export async function listPlatforms(
  tx: Tx,
  { search, order, limit, offset }: { search: string | null; order: string; limit: number | null; offset: number },
): Promise<{ rows: PlatformRow[]; total: number }> {
  const rows = await tx.query<PlatformRow>(
    `SELECT ${PLATFORM} WHERE $1::text IS NULL OR c.name ILIKE '%' || $1 || '%' ORDER BY ${order}, c.series, c.name LIMIT $2 OFFSET $3`,
    [search, limit, offset],
  )
  const total = await tx.query<{ total: number }>(
    `SELECT count(*) AS total FROM cdn WHERE $1::text IS NULL OR name ILIKE '%' || $1 || '%'`,
    [search],
  )
  return { rows, total: total[0]?.total ?? 0 }
}

export async function platformById(tx: Tx, id: string): Promise<PlatformRow | undefined> {
  return (await tx.query<PlatformRow>(`SELECT ${PLATFORM} WHERE c.id = $1`, [id]))[0]
}

export async function fetchOverHttps(tx: Tx, domainId: string): Promise<void> {
  await tx.query(`UPDATE domain SET origin_protocol = 'https', origin_port = 443 WHERE id = $1`, [domainId])
}

/** Whether a name, or the slug that identifies it, is used already; and the series colour that is used least. */
export async function platformRoom(tx: Tx, name: string, slug: string): Promise<{ taken: boolean; series: number }> {
  const taken = await tx.query('SELECT FROM cdn WHERE lower(name) = lower($1) OR id = $2', [name, slug])
  const free = await tx.query<{ series: number }>(
    'SELECT s AS series FROM generate_series(1, 6) AS s LEFT JOIN cdn ON cdn.series = s GROUP BY s ORDER BY count(cdn.id), s LIMIT 1',
  )
  return { taken: taken.length > 0, series: free[0]?.series ?? 6 }
}

type Shown = { name: string; category: Cdn['category']; referenceUrl: string | null; introduction: string | null }
export type Logo = { body: Buffer; type: string }

/** A picture is told by its kind and size, not by its bytes. */
const ROW = `to_jsonb(cdn) - 'logo' || jsonb_build_object('logo_bytes', length(logo)) AS row`

export async function insertPlatform(
  tx: Tx,
  organizationId: string,
  platform: Shown & { slug: string; series: number; cname: string; logo: Logo | null },
): Promise<Row> {
  const rows = await tx.query<{ row: Row }>(
    `INSERT INTO cdn (organization_id, id, name, slug, driver, category, series, cname, reference_url, introduction, logo, logo_type) VALUES ($1, $2, $3, $2, 'custom', $4, $5, $6, $7, $8, $9, $10) RETURNING ${ROW}`,
    [
      organizationId,
      platform.slug,
      platform.name,
      platform.category,
      platform.series,
      platform.cname,
      platform.referenceUrl,
      platform.introduction,
      platform.logo?.body ?? null,
      platform.logo?.type ?? null,
    ],
  )
  return rows[0]?.row ?? {}
}

/** A custom CDN as changes keep it; undefined when it is none of the organisation's. */
export async function customRow(tx: Tx, id: string): Promise<Row | undefined> {
  return (
    await tx.query<{ row: Row }>(
      `SELECT ${ROW} FROM cdn WHERE id = $1 AND driver = 'custom' AND offer_id IS NULL FOR UPDATE`,
      [id],
    )
  )[0]?.row
}

/** `logo` undefined leaves the picture as it is. */
export async function updatePlatform(tx: Tx, id: string, shown: Shown, logo: Logo | null | undefined): Promise<void> {
  await tx.query('UPDATE cdn SET name = $2, category = $3, reference_url = $4, introduction = $5 WHERE id = $1', [
    id,
    shown.name,
    shown.category,
    shown.referenceUrl,
    shown.introduction,
  ])
  if (logo !== undefined)
    await tx.query('UPDATE cdn SET logo = $2, logo_type = $3 WHERE id = $1', [
      id,
      logo?.body ?? null,
      logo?.type ?? null,
    ])
}

/** Whether another CDN of the organisation is reached by this name. */
export async function isCnameTaken(tx: Tx, cname: string): Promise<boolean> {
  return (await tx.query('SELECT FROM cdn WHERE lower(cname) = lower($1) LIMIT 1', [cname])).length > 0
}

/** Whether a domain uses it, one that it is just leaving included. */
export async function isPlatformUsed(tx: Tx, id: string): Promise<boolean> {
  const used = await tx.query('SELECT FROM domain_cdn WHERE cdn_id = $1 LIMIT 1', [id])
  return used.length > 0 || isSteeredTo(tx, id)
}

/** The organisation takes up what the operator offers. */
export async function insertOffered(tx: Tx, organizationId: string, offerId: string, series: number): Promise<void> {
  await tx.query(
    `INSERT INTO cdn (organization_id, id, name, slug, driver, category, series, cname, reference_url, review, offer_id)
     SELECT $1, o.id, o.name, o.slug, o.driver, o.category, $3, o.cname, o.reference_url, o.review, o.id FROM cdn_offer o WHERE o.id = $2`,
    [organizationId, offerId, series],
  )
}

export type AttachedRow = {
  id: string
  cdn_id: string
  name: string
  driver: CdnDriverName
  series: number
  enabled: boolean
  state: CdnState
  detail: string | null
  cname: string
  latency_factor: number
  latency_add_ms: number
  strategy_count: number
  state_since: Date
  created_at: Date
  read_until: Date | null
  problem: string | null
  problem_since: Date | null
  standby: boolean
}

/** A domain's CDNs, those on their way out included. */
export async function attachedCdns(tx: Tx, domainId: string): Promise<AttachedRow[]> {
  return tx.query<AttachedRow>(
    `SELECT dc.id, dc.cdn_id, c.name, c.driver, c.series, dc.enabled, dc.state, dc.detail, coalesce(dc.vendor_cname, dc.cname) AS cname, dc.latency_factor, dc.latency_add_ms, dc.state_since, dc.created_at, v.read_until, v.problem, v.problem_since,
       NOT EXISTS (SELECT FROM dns_record r WHERE r.domain_id = dc.domain_id AND r.multi_cdn) AS standby,
       (SELECT count(*) FROM strategy s WHERE s.domain_id = dc.domain_id AND s.targets @> jsonb_build_array(jsonb_build_object('cdnId', dc.cdn_id))) AS strategy_count
     FROM domain_cdn dc JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id LEFT JOIN vendor_traffic v ON v.domain_cdn_id = dc.id WHERE dc.domain_id = $1 ORDER BY c.series, dc.created_at`,
    [domainId],
  )
}

export type HealthRow = {
  cdn_id: string
  hard_down: boolean
  hard_down_since: number | null
  rum: unknown
  sum: unknown
  window_seconds: number
  back_since: Date | null
  threshold: number | null
}

/** Health of the organisation's CDNs by the published scores, with their last outage and what the place asks of them. */
export async function healthOfCdns(
  tx: Tx,
  organizationId: string,
  place: { site: string; domain: string | null },
): Promise<HealthRow[]> {
  return tx.query<HealthRow>(
    `SELECT c.key AS cdn_id, (c.value->'hardDown')::boolean AS hard_down, (c.value->>'hardDownSince')::float8 AS hard_down_since, c.value #> '{places,world,rum}' AS rum, c.value #> '{places,world,sum}' AS sum,
       (p.body->>'lifetimeSeconds')::int AS window_seconds,
       (SELECT max(e.ended_at) FROM health_event e WHERE e.organization_id = $1 AND e.kind = 'cdn-down' AND e.cdn_id = c.key AND e.ended_at > now() - make_interval(secs => (p.body->>'lifetimeSeconds')::int)) AS back_since,
       (SELECT max(s.availability_threshold) FROM strategy s WHERE s.site_id = $2 AND ($3::uuid IS NULL OR s.domain_id = $3) AND s.enabled AND s.targets @> jsonb_build_array(jsonb_build_object('cdnId', c.key))) AS threshold
     FROM publication p, jsonb_each(p.body->'cdns') AS c WHERE p.kind = 'scores' AND p.key = $1::text AND p.body IS NOT NULL`,
    [organizationId, place.site, place.domain],
  )
}

export async function cdnLimit(tx: Tx): Promise<number> {
  return (
    (
      await tx.query<{ total: number }>(
        'SELECT p.cdn_limit AS total FROM organization o JOIN plan p ON p.id = o.plan_id',
      )
    )[0]?.total ?? 0
  )
}

export async function insertAttached(
  tx: Tx,
  attached: { organizationId: string; siteId: string; domainId: string; cdnId: string; cname: string; version: number },
): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    'INSERT INTO domain_cdn (organization_id, site_id, domain_id, cdn_id, cname, wanted_version) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id',
    [attached.organizationId, attached.siteId, attached.domainId, attached.cdnId, attached.cname, attached.version],
  )
  return rows[0]?.id ?? ''
}

/** A CDN that was on its way out is wanted again. */
export async function bringBack(tx: Tx, id: string, version: number): Promise<void> {
  await tx.query(
    `UPDATE domain_cdn SET state = 'deploying', state_since = now(), detail = NULL, enabled = true, wanted_version = $2, attempts = 0, bad_looks = 0, next_attempt_at = now(), left_dns_at = NULL, edge_left_version = NULL, applied_version = NULL WHERE id = $1`,
    [id, version],
  )
}

export async function updateAttached(
  tx: Tx,
  id: string,
  settings: { enabled: boolean; latencyFactor: number; latencyAddMs: number },
): Promise<void> {
  await tx.query('UPDATE domain_cdn SET enabled = $2, latency_factor = $3, latency_add_ms = $4 WHERE id = $1', [
    id,
    settings.enabled,
    settings.latencyFactor,
    settings.latencyAddMs,
  ])
}

/** A domain's CDNs that are not on their way out, as changes keep them. */
export async function attachedRows(
  tx: Tx,
  siteId: string,
  domainId: string,
  rowId: string | null,
): Promise<{ id: string; label: string; row: Row }[]> {
  return tx.query(
    `SELECT dc.id, c.name || ' on ' || d.name AS label, to_jsonb(dc) AS row FROM domain_cdn dc JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id JOIN domain d ON d.id = dc.domain_id
     WHERE dc.site_id = $1 AND dc.domain_id = $2 AND ($3::uuid IS NULL OR dc.id = $3) AND dc.state <> 'deleting' ORDER BY c.series, dc.created_at FOR UPDATE OF dc`,
    [siteId, domainId, rowId],
  )
}

export async function markLeaving(tx: Tx, ids: string[], version: number): Promise<void> {
  await tx.query(
    `UPDATE domain_cdn SET state = 'deleting', state_since = now(), detail = NULL, wanted_version = $2, attempts = 0, bad_looks = 0, next_attempt_at = now(), left_dns_at = NULL, edge_left_version = NULL WHERE id = ANY($1)`,
    [ids, version],
  )
}
