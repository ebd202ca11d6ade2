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

/**
 * What happened to the CDNs of a site, or of one of its domains, to its origins, and to the nodes, newest first. An
 * origin that is down is among them, however long it has been.
 */
export async function latestEvents(
  tx: Tx,
  siteId: string,
  domainId: string | null,
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
    `WITH place AS (SELECT id FROM domain WHERE site_id = $1 AND ($2::uuid IS NULL OR id = $2) AND removed_at IS NULL)
     SELECT id, kind, cdn_id, title, detail, started_at, ended_at FROM (
       SELECT e.* FROM health_event e WHERE e.kind = 'origin-down' AND e.ended_at IS NULL AND e.domain_id IN (SELECT id FROM place)
       UNION ALL (SELECT e.* FROM health_event e WHERE (e.kind <> 'origin-down' OR e.ended_at IS NOT NULL)
         AND (e.cdn_id IS NULL OR e.cdn_id IN (SELECT dc.cdn_id FROM domain_cdn dc WHERE dc.domain_id IN (SELECT id FROM place)))
         AND (e.domain_id IS NULL OR e.domain_id IN (SELECT id FROM place))
         ORDER BY e.started_at DESC, e.id LIMIT $3)) both_kinds ORDER BY started_at DESC, id`,
    [siteId, domainId, limit],
  )
}

export async function allNodes(tx: Tx): Promise<{ name: string; role: string; last_seen_at: Date; up: boolean }[]> {
  return tx.query(`SELECT name, role, last_seen_at, ${IS_THERE} AS up FROM node ORDER BY role, name`)
}
