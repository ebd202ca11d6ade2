import type { CdnState, HealthEvent } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { IS_THERE } from '../nodes/away.ts'

export type OverviewCdn = { cdn_id: string; name: string; series: number; states: CdnState[] }

/** The CDNs of a site, or of one of its domains. */
export async function siteCdns(tx: Tx, siteId: string, domainId: string | null): Promise<OverviewCdn[]> {
  return tx.query(
    `SELECT c.id AS cdn_id, c.name, c.series, array_agg(DISTINCT dc.state) AS states FROM cdn c JOIN domain_cdn dc ON dc.organization_id = c.organization_id AND dc.cdn_id = c.id
     WHERE dc.site_id = $1 AND ($2::uuid IS NULL OR dc.domain_id = $2) AND dc.state <> 'deleting'
     GROUP BY c.id, c.name, c.series ORDER BY c.series, c.name`,
    [siteId, domainId],
  )
}

export async function latestEvents(
  tx: Tx,
  limit: number,
): Promise<
  {
    id: string
    kind: HealthEvent['kind']
    cdn_id: string | null
    title: string
    detail: Record<string, unknown>
    started_at: Date
    ended_at: Date | null
  }[]
> {
  return tx.query(
    'SELECT id, kind, cdn_id, title, detail, started_at, ended_at FROM health_event ORDER BY started_at DESC, id LIMIT $1',
    [limit],
  )
}

export async function allNodes(tx: Tx): Promise<{ name: string; role: string; last_seen_at: Date; up: boolean }[]> {
  return tx.query(`SELECT name, role, last_seen_at, ${IS_THERE} AS up FROM node ORDER BY role, name`)
}
