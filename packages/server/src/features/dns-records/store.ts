import crypto from 'node:crypto'
import type { RecordInput, RecordType } from '@fairway/contract'
import type { CurrentRecord } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { recorded, type RecordedRow } from '../versions/recorded-row.ts'

export type RecordRow = {
  id: string
  type: RecordType
  name: string
  value: string
  preference: number | null
  ttl_seconds: number | null
  multi_cdn: boolean
  weight: number | null
  comment: string
  tags: string[]
  domain_id: string | null
  cdn_ids: string[]
  created_at: Date
  modified_at: Date
}

const COLUMNS = `r.id, r.type, r.name, r.value, r.preference, r.ttl_seconds, r.multi_cdn, r.weight, r.comment, r.tags, r.domain_id, r.created_at, r.modified_at,
  CASE WHEN r.multi_cdn THEN coalesce((SELECT array_agg(dc.cdn_id ORDER BY c.series, dc.created_at) FROM domain_cdn dc JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id
    WHERE dc.domain_id = r.domain_id AND dc.enabled AND dc.state <> 'deleting'), '{}') ELSE '{}' END AS cdn_ids`

export type RecordFilter = {
  search: string | null
  name: string | null
  /** Any of them. */
  types: string[] | null
  multiCdn: boolean | null
  tags: string[] | null
  order: string
  limit: number | null
  offset: number
}

const MATCH = `r.site_id = $1 AND ($2::text IS NULL OR r.name ILIKE '%' || $2 || '%' OR r.value ILIKE '%' || $2 || '%' OR r.comment ILIKE '%' || $2 || '%' OR array_to_string(r.tags, ' ') ILIKE '%' || $2 || '%') AND ($3::text[] IS NULL OR r.type = ANY($3)) AND ($4::boolean IS NULL OR r.multi_cdn = $4) AND ($5::text[] IS NULL OR r.tags && $5) AND ($6::text IS NULL OR r.name = $6)`

export async function listRecords(
  tx: Tx,
  siteId: string,
  { search, name, types, multiCdn, tags, order, limit, offset }: RecordFilter,
): Promise<{ rows: RecordRow[]; total: number }> {
  const match = [siteId, search, types, multiCdn, tags, name]
  const rows = await tx.query<RecordRow>(
    `SELECT ${COLUMNS} FROM dns_record r WHERE ${MATCH} ORDER BY ${order}, r.id LIMIT $7 OFFSET $8`,
    [...match, limit, offset],
  )
  if (limit === null) return { rows, total: rows.length }
  // All of them are counted already.
  if (match.slice(1).every((one) => one === null)) return { rows, total: (await recordQuota(tx, siteId)).used }
  const total = await tx.query<{ total: number }>(`SELECT count(*) AS total FROM dns_record r WHERE ${MATCH}`, match)
  return { rows, total: total[0]?.total ?? 0 }
}

export async function recordById(tx: Tx, siteId: string, id: string): Promise<RecordRow | undefined> {
  return (
    await tx.query<RecordRow>(`SELECT ${COLUMNS} FROM dns_record r WHERE r.site_id = $1 AND r.id = $2`, [siteId, id])
  )[0]
}

export async function recordsById(tx: Tx, siteId: string, ids: string[]): Promise<RecordRow[]> {
  return tx.query<RecordRow>(
    `SELECT ${COLUMNS} FROM dns_record r WHERE r.site_id = $1 AND r.id = ANY($2) ORDER BY r.created_at, r.id`,
    [siteId, ids],
  )
}

/** All records of a site, as far as rules across records need them. */
export async function zoneRecords(tx: Tx, siteId: string): Promise<RecordInput[]> {
  return tx.query<RecordInput>(
    'SELECT type, name, value, preference, ttl_seconds AS "ttlSeconds", multi_cdn AS "multiCdn", weight FROM dns_record WHERE site_id = $1 ORDER BY created_at, id',
    [siteId],
  )
}

/** A record as rules across records and imports need it. */
export type StoredRecord = CurrentRecord & { domainId: string | null; weight: number | null }

const STORED = `r.id, r.type, r.name, r.value, r.preference, r.ttl_seconds AS "ttlSeconds", r.multi_cdn AS "multiCdn", r.weight, r.comment, r.tags, r.domain_id AS "domainId"`

/** All records of a site, oldest first. */
export async function recordsOfSite(tx: Tx, siteId: string): Promise<StoredRecord[]> {
  return tx.query<StoredRecord>(`SELECT ${STORED} FROM dns_record r WHERE site_id = $1 ORDER BY created_at, id`, [
    siteId,
  ])
}

/**
 * Those at some names, and those that reach beyond their own: delegations, and wildcards of aliases or, where aliases
 * come or go, all aliases and what multi-CDN steers. Oldest first.
 */
export async function recordsBeside(
  tx: Tx,
  siteId: string,
  names: readonly string[],
  { withAliases }: { withAliases: boolean },
): Promise<StoredRecord[]> {
  const reaching = withAliases
    ? `type IN ('NS', 'CNAME', 'ALIAS') OR multi_cdn`
    : `type IN ('NS', 'CNAME', 'ALIAS') AND (type = 'NS' OR name LIKE '*%')`
  // OFFSET 0 makes it a look into the index for each name: joined, the planner reads all of a large zone for each part of
  // an import, as it knows nothing of what has come since the table was last analyzed.
  return tx.query<StoredRecord>(
    `SELECT ${STORED} FROM (
       SELECT r.* FROM unnest($2::text[]) AS n(name) CROSS JOIN LATERAL (SELECT * FROM dns_record WHERE site_id = $1 AND name = n.name OFFSET 0) r
       UNION SELECT * FROM dns_record WHERE site_id = $1 AND (${reaching})
     ) r ORDER BY created_at, id`,
    [siteId, names],
  )
}

export async function recordQuota(
  tx: Tx,
  siteId: string,
): Promise<{ used: number; total: number; minimumTtlSeconds: number }> {
  const rows = await tx.query<{ used: number; total: number; minimumTtlSeconds: number }>(
    `SELECT (SELECT record_count FROM site WHERE id = $1) AS used, p.record_limit AS total, p.minimum_ttl_seconds AS "minimumTtlSeconds" FROM organization o JOIN plan p ON p.id = o.plan_id`,
    [siteId],
  )
  return rows[0] ?? { used: 0, total: 0, minimumTtlSeconds: 30 }
}

export async function insertRecord(
  tx: Tx,
  organizationId: string,
  siteId: string,
  record: RecordInput,
): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    'INSERT INTO dns_record (organization_id, site_id, type, name, value, preference, ttl_seconds, multi_cdn, weight, comment, tags) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id',
    [
      organizationId,
      siteId,
      record.type,
      record.name,
      record.value,
      record.preference,
      record.ttlSeconds,
      record.multiCdn,
      record.weight,
      record.comment ?? '',
      record.tags ?? [],
    ],
  )
  return rows[0]?.id ?? ''
}

/** Many records in one statement; answers their ids in the same order. */
export async function insertRecords(
  tx: Tx,
  { organizationId, siteId }: { organizationId: string; siteId: string },
  records: readonly RecordInput[],
): Promise<string[]> {
  const ids = idsOfNow(records.length)
  await tx.query(
    `INSERT INTO dns_record (id, organization_id, site_id, type, name, value, preference, ttl_seconds, multi_cdn, weight, comment, tags, created_at)
     SELECT id, $1, $2, type, name, value, preference, ttl, steered, weight, coalesce(comment, ''), coalesce(tags, '{}'), now() + make_interval(secs => n * 0.000001)
     FROM ROWS FROM (jsonb_to_recordset($3::jsonb) AS (type text, name text, value text, preference int, "ttlSeconds" int, "multiCdn" boolean, weight int, comment text, tags text[]), unnest($4::uuid[]))
       WITH ORDINALITY AS r(type, name, value, preference, ttl, steered, weight, comment, tags, id, n)`,
    [organizationId, siteId, JSON.stringify(records), ids],
  )
  return ids
}

/**
 * Ids that begin with the time (RFC 9562 5.7): those of one import lie beside each other in the index, which a million
 * of random ones would write anew, page for page, with each part.
 */
function idsOfNow(count: number): string[] {
  const time = Date.now().toString(16).padStart(12, '0')
  const head = `${time.slice(0, 8)}-${time.slice(8)}-7`
  return Array.from({ length: count }, () => `${head}${crypto.randomUUID().slice(15)}`)
}

export async function updateRecord(tx: Tx, siteId: string, id: string, record: RecordInput): Promise<void> {
  await tx.query(
    'UPDATE dns_record SET name = $3, value = $4, preference = $5, ttl_seconds = $6, multi_cdn = $7, weight = $8, comment = coalesce($9, comment), tags = coalesce($10, tags), modified_at = now() WHERE site_id = $1 AND id = $2',
    [
      siteId,
      id,
      record.name,
      record.value,
      record.preference,
      record.ttlSeconds,
      record.multiCdn,
      record.weight,
      record.comment ?? null,
      record.tags ?? null,
    ],
  )
}

/** Gives many records another value, preference, TTL, weight and, where there are some, notes in one statement. */
export async function updateValues(
  tx: Tx,
  siteId: string,
  edits: readonly { id: string; record: RecordInput }[],
): Promise<void> {
  const given = JSON.stringify(
    edits.map(({ id, record: { value, preference, ttlSeconds, weight, comment, tags } }) => ({
      id,
      value,
      preference,
      ttlSeconds,
      weight,
      comment,
      tags,
    })),
  )
  await tx.query(
    `UPDATE dns_record r SET value = g.value, preference = g.preference, ttl_seconds = g."ttlSeconds", weight = g.weight, comment = coalesce(g.comment, r.comment), tags = coalesce(g.tags, r.tags), modified_at = now()
     FROM jsonb_to_recordset($2::jsonb) AS g(id uuid, value text, preference int, "ttlSeconds" int, weight int, comment text, tags text[]) WHERE r.site_id = $1 AND r.id = g.id`,
    [siteId, given],
  )
}

export async function linkDomain(tx: Tx, recordId: string, domainId: string): Promise<void> {
  await tx.query('UPDATE dns_record SET domain_id = $2 WHERE id = $1', [recordId, domainId])
}

export async function recordOfDomain(
  tx: Tx,
  domainId: string,
): Promise<{ id: string; type: RecordType; name: string; multi_cdn: boolean } | undefined> {
  return (
    await tx.query<{ id: string; type: RecordType; name: string; multi_cdn: boolean }>(
      'SELECT id, type, name, multi_cdn FROM dns_record WHERE domain_id = $1',
      [domainId],
    )
  )[0]
}

export async function setMultiCdn(tx: Tx, id: string, on: boolean): Promise<void> {
  await tx.query('UPDATE dns_record SET multi_cdn = $2, modified_at = now() WHERE id = $1', [id, on])
}

export async function deleteRecords(tx: Tx, siteId: string, ids: string[]): Promise<Map<string, RecordedRow>> {
  const rows = await tx.query<{ id: string; row: RecordedRow }>(
    'DELETE FROM dns_record WHERE site_id = $1 AND id = ANY($2) RETURNING id, to_jsonb(dns_record) AS row',
    [siteId, ids],
  )
  return new Map(rows.map(({ id, row }) => [id, recorded(row)]))
}

/** The domain of a name, one that is on its way out included. */
export async function domainByName(
  tx: Tx,
  siteId: string,
  name: string,
): Promise<{ id: string; removed: boolean } | undefined> {
  return (
    await tx.query<{ id: string; removed: boolean }>(
      'SELECT id, removed_at IS NOT NULL AS removed FROM domain WHERE site_id = $1 AND name = $2',
      [siteId, name],
    )
  )[0]
}

/** Makes the domain of a steered name, or brings back one that is on its way out, as it was where its origin is the same. */
export async function upsertDomain(
  tx: Tx,
  domain: { organizationId: string; siteId: string; name: string; origin: string },
): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    `INSERT INTO domain (organization_id, site_id, name, origin_address, origin_port, origin_protocol, host_header) VALUES ($1, $2, $3, $4, 80, 'http', $3)
     ON CONFLICT (organization_id, name) DO UPDATE SET origin_address = $4, removed_at = NULL,
       origin_port = CASE domain.origin_address WHEN $4 THEN domain.origin_port ELSE 80 END,
       origin_protocol = CASE domain.origin_address WHEN $4 THEN domain.origin_protocol ELSE 'http' END,
       host_header = CASE domain.origin_address WHEN $4 THEN domain.host_header ELSE $3 END RETURNING id`,
    [domain.organizationId, domain.siteId, domain.name, domain.origin],
  )
  return rows[0]?.id ?? ''
}

/** Another origin, unless somebody has set one on the domain itself. */
export async function moveOrigin(tx: Tx, domainId: string, from: string, to: string): Promise<void> {
  await tx.query('UPDATE domain SET origin_address = $3 WHERE id = $1 AND origin_address = $2', [domainId, from, to])
}

/** The domain takes another name; its CDNs have to confirm it before DNS answers with them. */
export async function renameDomain(tx: Tx, domainId: string, name: string, version: number): Promise<void> {
  await tx.query(
    'UPDATE domain SET host_header = CASE host_header WHEN name THEN $2 ELSE host_header END, name = $2 WHERE id = $1',
    [domainId, name],
  )
  await tx.query(
    `UPDATE domain_cdn SET state = 'deploying', state_since = now(), wanted_version = $2, applied_version = NULL, attempts = 0, next_attempt_at = now() WHERE domain_id = $1 AND state <> 'deleting'`,
    [domainId, version],
  )
}

export async function markDomainRemoved(tx: Tx, domainId: string): Promise<void> {
  await tx.query('UPDATE domain SET removed_at = now() WHERE id = $1', [domainId])
}

/** Whether a name is one that multi-CDN steers, in any site of the organisation. */
export async function isSteeredName(tx: Tx, name: string): Promise<boolean> {
  return (await tx.query('SELECT FROM domain WHERE name = $1 AND removed_at IS NULL', [name])).length > 0
}

type Taken = { id: string; name: string; row: RecordedRow }

/** Rules that go with their domain, so that a revert can bring them back. */
export async function deleteRules(tx: Tx, domainId: string): Promise<{ strategies: Taken[]; vsrRules: Taken[] }> {
  return {
    strategies: await tx.query<Taken>(
      'DELETE FROM strategy WHERE domain_id = $1 RETURNING id, name, to_jsonb(strategy) AS row',
      [domainId],
    ),
    vsrRules: await tx.query<Taken>(
      'DELETE FROM vsr_rule WHERE domain_id = $1 RETURNING id, name, to_jsonb(vsr_rule) AS row',
      [domainId],
    ),
  }
}
