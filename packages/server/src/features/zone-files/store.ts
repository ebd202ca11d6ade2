import type { RecordInput } from '@fairway/contract'
import type { CurrentRecord } from '@fairway/domain'
import type { Tx } from '@fairway/platform'

export type StoredRecord = CurrentRecord & { domainId: string | null; weight: number | null }

/** All records of a site, oldest first. */
export async function recordsOfSite(tx: Tx, siteId: string): Promise<StoredRecord[]> {
  return tx.query<StoredRecord>(
    `SELECT id, type, name, value, preference, ttl_seconds AS "ttlSeconds", multi_cdn AS "multiCdn", weight, domain_id AS "domainId" FROM dns_record WHERE site_id = $1 ORDER BY created_at, id`, [siteId])
}

/** Gives records another value, preference and TTL. */
export async function updateValues(tx: Tx, siteId: string, edits: readonly { id: string; record: RecordInput }[]): Promise<void> {
  const given = JSON.stringify(edits.map(({ id, record: { value, preference, ttlSeconds, weight } }) => ({ id, value, preference, ttlSeconds, weight })))
  await tx.query(
    `UPDATE dns_record r SET value = g.value, preference = g.preference, ttl_seconds = g."ttlSeconds", weight = g.weight, modified_at = now()
     FROM jsonb_to_recordset($2::jsonb) AS g(id uuid, value text, preference int, "ttlSeconds" int, weight int) WHERE r.site_id = $1 AND r.id = g.id`, [siteId, given])
}
