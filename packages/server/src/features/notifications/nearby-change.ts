import type { NearbyChange } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

const NEAR_MINUTES = 10

/**
 * The newest change by a person within the ten minutes before that can have to do with it: of the site, or one that
 * touches the CDN or a domain that uses it. What concerns neither has none. What the system did of itself follows from
 * facts.
 */
export async function nearbyChange(
  tx: Tx,
  organizationId: string,
  { siteId, cdnId }: { siteId: string | null; cdnId: string | null },
  at: Date,
): Promise<NearbyChange | null> {
  if (siteId === null && cdnId === null) return null
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
     WHERE v.organization_id = $1 AND ($2::uuid IS NULL OR v.site_id = $2) AND ($4::text IS NULL OR EXISTS (SELECT FROM domain_cdn dc, jsonb_array_elements(v.changes) c WHERE dc.site_id = v.site_id AND dc.cdn_id = $4 AND (strpos(c::text, '"' || dc.cdn_id || '"') > 0 OR strpos(c::text, dc.domain_id::text) > 0))) AND v.source <> 'system' AND v.created_at <= $3 AND v.created_at > $3::timestamptz - make_interval(mins => ${NEAR_MINUTES})
     ORDER BY v.created_at DESC, v.number DESC LIMIT 1`,
      [organizationId, siteId, at, cdnId],
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
