import { isDeepStrictEqual } from 'node:util'
import { DatabaseAway, type Database, type Log, type Tx } from '@fairway/platform'
import { writeAudit } from '../../http/write-audit.ts'
import { type RunningLoop, startWakeLoop } from '../../loops/wake-loop.ts'
import { systemVersion } from '../../publish/system-version.ts'
import { keepRoute, originTimes, regionNodes, type Route, type RouteRow, routeOf } from './store.ts'

const EVERY_MS = 10_000
const KEPT_DAYS = 400

type Shielded = {
  id: string
  name: string
  organization_id: string
  site_id: string
  wanted: string | null
  region: string | null
  why: RouteRow['why'] | null
  nodes: RouteRow['nodes'] | null
}

const keptOf = ({ region, nodes }: Shielded) => (nodes === null ? null : { region, nodes })

/** Publishes which region speaks with an origin when nodes come, go or find another one nearer. */
export function startRouteKeeper(database: Database, log: Log): RunningLoop {
  return startWakeLoop(database, log, {
    name: 'keep-shield-routes',
    isElected: true,
    pollMs: EVERY_MS,
    round: () => keepRoutes(database, log),
  })
}

/** One look at all domains that use a shield. */
export async function keepRoutes(database: Database, log: Log): Promise<void> {
  const { nodes, domains, times } = await database.system(async (tx) => {
    await tx.query(`DELETE FROM shield_count WHERE day < current_date - ${KEPT_DAYS}`)
    const found = await regionNodes(tx)
    // Installations without regions have nothing to look at.
    const known = found.length > 0 || (await tx.query('SELECT FROM shield_route LIMIT 1')).length > 0
    const shielded = known ? await shieldedDomains(tx) : []
    return {
      nodes: found,
      domains: shielded,
      times: Map.groupBy(
        await originTimes(
          tx,
          shielded.map(({ id }) => id),
        ),
        (one) => one.domain_id,
      ),
    }
  })
  const changed = domains.flatMap((domain) => {
    const route = routeOf(domain.wanted, keptOf(domain), nodes, times.get(domain.id) ?? [])
    return domain.why === route.why && domain.region === route.region && isDeepStrictEqual(domain.nodes, route.nodes)
      ? []
      : [{ domain, route }]
  })
  // Each site by itself: what fails for one does not keep the others.
  for (const [site, some] of Map.groupBy(changed, ({ domain }) => domain.site_id))
    await database
      .system((tx) => publish(tx, some))
      .catch((error: unknown) => {
        if (error instanceof DatabaseAway) throw error
        log.error({ event: 'keep-shield-routes.site-failed', site, err: error })
      })
}

async function shieldedDomains(tx: Tx): Promise<Shielded[]> {
  return tx.query(
    `SELECT d.id, d.name, d.organization_id, d.site_id, w.region AS wanted, r.region, r.why, r.nodes FROM domain d
     LEFT JOIN shield_region w ON w.id = d.id LEFT JOIN shield_route r ON r.domain_id = d.id
     WHERE d.origin_shield = 'use' AND d.removed_at IS NULL ORDER BY d.site_id, d.name`,
  )
}

async function publish(tx: Tx, changes: { domain: Shielded; route: Route }[]): Promise<void> {
  const [first] = changes
  if (!first) return
  const { organization_id: organizationId, site_id: siteId } = first.domain
  const moved: typeof changes = []
  let isNews = false
  for (const { domain, route } of changes) {
    // Somebody may have chosen another one, or taken the shield away, in the meantime.
    const [now] = await tx.query<{ wanted: string | null }>(
      `SELECT w.region AS wanted FROM domain d LEFT JOIN shield_region w ON w.id = d.id
       WHERE d.id = $1 AND d.site_id = $2 AND d.origin_shield = 'use' AND d.removed_at IS NULL FOR UPDATE OF d`,
      [domain.id, siteId],
    )
    if (now?.wanted !== domain.wanted) continue
    await keepRoute(tx, { organizationId, siteId, domainId: domain.id }, route)
    if (!isDeepStrictEqual(domain.nodes ?? [], route.nodes)) isNews = true
    if (domain.region !== route.region) moved.push({ domain, route })
  }
  // Why it is the same one is shown, and changes nothing at the nodes.
  if (!isNews) return
  const version = await systemVersion(tx, {
    organizationId,
    siteId,
    title: titleOf(moved),
    kinds: ['edge-site'],
    changes: [],
  })
  for (const { domain, route } of moved)
    await writeAudit(tx, {
      organizationId,
      action: 'shieldRegion.follow',
      userId: null,
      userLabel: 'system',
      source: 'system',
      siteId,
      domain: domain.name,
      version,
      changes: [
        {
          entity: 'shield-region',
          id: domain.id,
          label: domain.name,
          before: { region: domain.region },
          after: { region: route.region, why: route.why },
        },
      ],
    })
}

function titleOf(moved: { domain: Shielded; route: Route }[]): string {
  const [first] = moved
  if (!first) return 'Nodes of shield regions have changed'
  const more = moved.length > 1 ? ` and ${moved.length - 1} more` : ''
  return `Shield region of ${first.domain.name}${more}: ${first.route.region ?? 'none'}`
}
