import type { CurrentRecord } from '@fairway/domain'
import type { Tx } from '@fairway/platform'

export type StoredRecord = CurrentRecord & { domainId: string | null; weight: number | null }

/** All records of a site, oldest first. */
export async function recordsOfSite(tx: Tx, siteId: string): Promise<StoredRecord[]> {
  return tx.query<StoredRecord>(
    `SELECT id, type, name, value, preference, ttl_seconds AS "ttlSeconds", multi_cdn AS "multiCdn", weight, comment, tags, domain_id AS "domainId" FROM dns_record WHERE site_id = $1 ORDER BY created_at, id`,
    [siteId],
  )
}
