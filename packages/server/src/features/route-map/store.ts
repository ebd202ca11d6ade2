import type { RouteCause, Share } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { uuidIn } from '../../http/tenant.ts'

export type RouteChangeRow = {
  id: string
  place: string
  at: Date
  shares: Share[]
  strategy_id: string | null
  cause: RouteCause
}

/**
 * Of every place of a domain the newest row: the one that was written last, since a clock that was ahead has written
 * times of the future, of which nothing later than now is told. With `until`, as it was then, by the times.
 */
export async function routesOf(tx: Tx, domainId: string, until: Date | null = null): Promise<RouteChangeRow[]> {
  return tx.query<RouteChangeRow>(
    `WITH RECURSIVE places AS (
       (SELECT place FROM route_change WHERE domain_id = $1 ORDER BY place LIMIT 1)
       UNION ALL SELECT (SELECT c.place FROM route_change c WHERE c.domain_id = $1 AND c.place > p.place ORDER BY c.place LIMIT 1) FROM places p WHERE p.place IS NOT NULL)
     SELECT n.* FROM places p CROSS JOIN LATERAL (
       SELECT c.id::text, c.place, least(c.at, now()) AS at, c.shares, c.strategy_id, c.cause FROM route_change c
       WHERE c.domain_id = $1 AND c.place = p.place ${until ? 'AND c.at <= $2 ORDER BY c.at DESC, c.id DESC' : 'ORDER BY c.id DESC'} LIMIT 1) n
     ORDER BY n.place`,
    until ? [domainId, until] : [domainId],
  )
}

/** Within it a change is written into the row that it `replaces`; null for a row of its own anyway. */
const ONE_ROW_SECONDS = 300

export type RouteChange = {
  place: string
  shares: Share[]
  strategyId: string | null
  cause: RouteCause
  replaces: string | null
}

export async function writeChanges(
  tx: Tx,
  at: { organizationId: string; siteId: string; domainId: string },
  rows: readonly RouteChange[],
): Promise<void> {
  await tx.query(
    `WITH r AS (SELECT * FROM jsonb_to_recordset($4::jsonb) AS r(place text, shares jsonb, "strategyId" text, cause jsonb, replaces bigint)),
     replaced AS (
       UPDATE route_change c SET at = least(c.at, now()), shares = r.shares, strategy_id = r."strategyId", cause = r.cause FROM r
       WHERE c.id = r.replaces AND c.at > now() - make_interval(secs => ${ONE_ROW_SECONDS}) RETURNING c.id),
     -- What a clock that was ahead has written is from before what is written now.
     righted AS (
       UPDATE route_change c SET at = now() FROM r WHERE c.domain_id = $3 AND c.place = r.place AND c.at > now() AND c.id IS DISTINCT FROM r.replaces)
     INSERT INTO route_change (organization_id, site_id, domain_id, place, at, shares, strategy_id, cause)
     SELECT $1, $2, $3, r.place, now(), r.shares, r."strategyId", r.cause FROM r WHERE NOT EXISTS (SELECT FROM replaced WHERE replaced.id = r.replaces)`,
    [at.organizationId, at.siteId, at.domainId, JSON.stringify(rows)],
  )
}

/** Forgets what was before, but never what is. */
export async function forgetOld(tx: Tx, days: number): Promise<void> {
  await tx.query(
    `DELETE FROM route_change c WHERE c.at < now() - make_interval(days => $1)
       AND EXISTS (SELECT FROM route_change n WHERE n.domain_id = c.domain_id AND n.place = c.place AND n.id > c.id)`,
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
