import type { NearbyChange } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

const NEAR_MINUTES = 10

/**
 * The newest change by a person within the ten minutes before, of the site or, when none is concerned, of any of the
 * organisation. What the system did of itself follows from facts.
 */
export async function nearbyChange(
  tx: Tx,
  organizationId: string,
  siteId: string | null,
  at: Date,
): Promise<NearbyChange | null> {
  const row = (
    await tx.query<{
      site_id: string
      domain_name: string
      number: number
      title: string
      author: string
      created_at: Date
    }>(
      `SELECT v.site_id, s.domain_name, v.number, v.title, v.author, v.created_at FROM version v JOIN site s ON s.id = v.site_id
     WHERE v.organization_id = $1 AND ($2::uuid IS NULL OR v.site_id = $2) AND v.source <> 'system' AND v.created_at <= $3 AND v.created_at > $3::timestamptz - make_interval(mins => ${NEAR_MINUTES})
     ORDER BY v.created_at DESC, v.number DESC LIMIT 1`,
      [organizationId, siteId, at],
    )
  )[0]
  return row
    ? {
        siteId: row.site_id,
        siteName: row.domain_name,
        version: row.number,
        title: row.title,
        author: row.author,
        at: row.created_at.toISOString(),
      }
    : null
}
