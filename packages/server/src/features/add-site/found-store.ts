import { type FoundBy, LIMITS } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type FoundRow = {
  id: string
  type: string
  name: string
  value: string
  preference: number | null
  ttlSeconds: number | null
  oldTtlSeconds: number | null
  foundBy: FoundBy
  chosen: boolean
  multiCdn: boolean
}
export type NewFound = {
  type: string
  name: string
  value: string
  preference: number | null
  ttlSeconds: number | null
  oldTtlSeconds: number | null
  chosen: boolean
}

type Owner = { organizationId: string; siteId: string }

const COLUMNS = `id, type, name, value, preference, ttl_seconds AS "ttlSeconds", old_ttl_seconds AS "oldTtlSeconds", found_by AS "foundBy", chosen, multi_cdn AS "multiCdn"`
/** Records that a review holds, and those that go into it by one statement. */
const MOST_FOUND = LIMITS.zoneFile.records
const AT_ONCE = 1_000
/** The root first, as every zone file has it. */
const ORDER = `name <> '@', name, type, preference, value, id`

export async function listFound(tx: Tx, siteId: string): Promise<FoundRow[]> {
  return tx.query<FoundRow>(`SELECT ${COLUMNS} FROM found_record WHERE site_id = $1 ORDER BY ${ORDER}`, [siteId])
}

export async function foundById(tx: Tx, siteId: string, id: string): Promise<FoundRow | undefined> {
  return (
    await tx.query<FoundRow>(`SELECT ${COLUMNS} FROM found_record WHERE site_id = $1 AND id = $2 FOR UPDATE`, [
      siteId,
      id,
    ])
  )[0]
}

/**
 * Puts records into the review, as many as it has room for; those that are there already stay as somebody has edited
 * them. Answers how many are new.
 */
export async function addFound(tx: Tx, owner: Owner, records: readonly NewFound[], foundBy: FoundBy): Promise<number> {
  let added = 0
  for (let at = 0; at < records.length; at += AT_ONCE)
    added += await addSome(tx, owner, records.slice(at, at + AT_ONCE), foundBy)
  return added
}

async function addSome(
  tx: Tx,
  { organizationId, siteId }: Owner,
  records: readonly NewFound[],
  foundBy: FoundBy,
): Promise<number> {
  const added = await tx.query(
    `INSERT INTO found_record (organization_id, site_id, found_by, type, name, value, preference, ttl_seconds, old_ttl_seconds, chosen)
     SELECT $1, $2, $3, r.type, r.name, r.value, r.preference, r."ttlSeconds", r."oldTtlSeconds", r.chosen
     FROM jsonb_to_recordset($4::jsonb) AS r(type text, name text, value text, preference int, "ttlSeconds" int, "oldTtlSeconds" int, chosen boolean)
     WHERE NOT EXISTS (SELECT FROM found_record f WHERE f.site_id = $2 AND f.name = r.name AND f.type = r.type AND md5(f.value) = md5(r.value) AND coalesce(f.preference, -1) = coalesce(r.preference, -1))
     LIMIT greatest(0, $5 - (SELECT count(*) FROM found_record f WHERE f.site_id = $2))
     ON CONFLICT DO NOTHING RETURNING id`,
    [organizationId, siteId, foundBy, JSON.stringify(records), MOST_FOUND],
  )
  return added.length
}

export async function updateFound(tx: Tx, siteId: string, row: FoundRow): Promise<void> {
  await tx.query(
    'UPDATE found_record SET name = $3, value = $4, preference = $5, ttl_seconds = $6, multi_cdn = $7, chosen = $8 WHERE site_id = $1 AND id = $2',
    [siteId, row.id, row.name, row.value, row.preference, row.ttlSeconds, row.multiCdn, row.chosen],
  )
}

export async function chooseFound(tx: Tx, siteId: string, ids: string[], chosen: boolean): Promise<number> {
  return (
    await tx.query(
      'UPDATE found_record SET chosen = $3, multi_cdn = multi_cdn AND $3 WHERE site_id = $1 AND id = ANY($2::uuid[]) AND chosen <> $3 RETURNING id',
      [siteId, ids, chosen],
    )
  ).length
}

export async function deleteFound(tx: Tx, siteId: string, id: string): Promise<boolean> {
  return (
    (await tx.query('DELETE FROM found_record WHERE site_id = $1 AND id = $2 RETURNING id', [siteId, id])).length > 0
  )
}

export async function countFound(tx: Tx, siteId: string): Promise<{ names: number; records: number }> {
  return (
    (
      await tx.query<{ names: number; records: number }>(
        'SELECT count(DISTINCT name) AS names, count(*) AS records FROM found_record WHERE site_id = $1',
        [siteId],
      )
    )[0] ?? { names: 0, records: 0 }
  )
}

export async function zoneStatusOf(tx: Tx, siteId: string): Promise<number> {
  return (
    (
      await tx.query<{ zone_status: number }>('SELECT zone_status FROM site WHERE id = $1 FOR NO KEY UPDATE', [siteId])
    )[0]?.zone_status ?? 0
  )
}

export async function markPublished(tx: Tx, siteId: string): Promise<void> {
  await tx.query(`UPDATE site SET zone_status = 1, dns_state = 'pending' WHERE id = $1`, [siteId])
}
