import type { RouteCause, Share } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { uuidIn } from '../../http/tenant.ts'

export type RouteChangeRow = {
  place: string
  at: Date
  shares: Share[]
  strategy_id: string | null
  cause: RouteCause
}

/** Of every place of a domain the newest row; with `until`, as it was then. */
export async function routesOf(tx: Tx, domainId: string, until: Date | null = null): Promise<RouteChangeRow[]> {
  return tx.query<RouteChangeRow>(
    `SELECT DISTINCT ON (place) place, at, shares, strategy_id, cause FROM route_change WHERE domain_id = $1 AND ($2::timestamptz IS NULL OR at <= $2) ORDER BY place, at DESC, id DESC`,
    [domainId, until],
  )
}

export async function addChanges(
  tx: Tx,
  at: { organizationId: string; siteId: string; domainId: string; now: Date },
  rows: readonly { place: string; shares: Share[]; strategyId: string | null; cause: RouteCause }[],
): Promise<void> {
  await tx.query(
    `INSERT INTO route_change (organization_id, site_id, domain_id, place, at, shares, strategy_id, cause)
     SELECT $1, $2, $3, r.place, $4, r.shares, r."strategyId", r.cause FROM jsonb_to_recordset($5::jsonb) AS r(place text, shares jsonb, "strategyId" text, cause jsonb)`,
    [at.organizationId, at.siteId, at.domainId, at.now, JSON.stringify(rows)],
  )
}

/** Forgets what was before, but never what is. */
export async function forgetOld(tx: Tx, days: number): Promise<void> {
  await tx.query(
    `DELETE FROM route_change c WHERE c.at < now() - make_interval(days => $1)
       AND EXISTS (SELECT FROM route_change n WHERE n.domain_id = c.domain_id AND n.place = c.place AND n.at > c.at)`,
    [days],
  )
}

/**
 * Sites with a CDN, each with its newest version, whose zone or measurements were published after a revision: a policy
 * that is not published decides nothing. Of all sites there are too many to look at again and again.
 */
export async function steeredSites(
  tx: Tx,
  since: number,
): Promise<{ id: string; organization_id: string; version: number | null }[]> {
  return tx.query(
    `WITH moved AS (SELECT kind, ${uuidIn('key')} AS id FROM publication WHERE revision > $1 AND kind IN ('dns-zone', 'scores'))
     SELECT s.id, s.organization_id, (SELECT max(v.number)::int FROM version v WHERE v.site_id = s.id) AS version
     FROM (SELECT id FROM moved WHERE kind = 'dns-zone' UNION SELECT o.id FROM moved m JOIN site o ON o.organization_id = m.id WHERE m.kind = 'scores') m JOIN site s ON s.id = m.id
     WHERE EXISTS (SELECT FROM domain_cdn dc WHERE dc.site_id = s.id)`,
    [since],
  )
}
