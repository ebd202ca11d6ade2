import type { ScoresSnapshot, SteeringPolicy } from '@fairway/contract'
import { routeMap, sameShares } from '@fairway/domain'
import { DatabaseAway, type Database, type Log, type Tx } from '@fairway/platform'
import { startWakeLoop, type RunningLoop } from '../../loops/wake-loop.ts'
import { policiesOf } from '../../publish/dns-zone.ts'
import { newestRevision } from '../../publish/recent-publications.ts'
import { newestScores } from '../routing-strategies/explain.ts'
import { forgetOld, routesOf, steeredSites, writeChanges } from './store.ts'

const POLL_MS = 10_000
const FORGET_EVERY = 360
const KEPT_DAYS = 31

/** What a domain was decided by at the last look. */
type Look = { policyId: string; serial: number; version: number | null }

/** Follows where each place is sent, and keeps when that changes and by what. */
export function startRouteMaps(database: Database, log: Log): RunningLoop {
  const looks = new Map<string, Look>()
  let rounds = 0
  // While another worker is elected it stays, and what that one has seen is looked at again.
  let since = 0
  return startWakeLoop(database, log, {
    name: 'route-maps',
    isElected: true,
    pollMs: POLL_MS,
    async round({ stopped }) {
      const { until, sites } = await database.system(async (tx) => ({
        until: await newestRevision(tx),
        sites: await steeredSites(tx, since),
      }))
      const scoresOf = new Map<string, ScoresSnapshot | null>()
      for (const site of sites) {
        if (stopped.aborted) return
        const looking = database.system(async (tx) => {
          if (!scoresOf.has(site.organization_id)) scoresOf.set(site.organization_id, await newestScores(tx, site))
          const scores = scoresOf.get(site.organization_id) ?? null
          for (const [domainId, { policy }] of await policiesOf(tx, site)) {
            const look = { policyId: policy.id, serial: scores?.serial ?? 0, version: site.version }
            const last = looks.get(domainId)
            if (last && last.policyId === look.policyId && last.serial === look.serial) continue
            await keepOne(tx, { ...site, domainId }, policy, scores, last, look)
            looks.set(domainId, look)
          }
        })
        // What fails for one keeps no other.
        await looking.catch((error: unknown) => {
          if (error instanceof DatabaseAway) throw error
          log.error({ event: 'route-maps.site-failed', site: site.id, err: error })
        })
      }
      since = until
      if (rounds++ % FORGET_EVERY === 0) await database.system((tx) => forgetOld(tx, KEPT_DAYS))
    },
  })
}

/** Looks at one domain, and keeps what has changed since the last look. */
export async function keepOne(
  tx: Tx,
  { id: siteId, organization_id: organizationId, domainId }: { id: string; organization_id: string; domainId: string },
  policy: SteeringPolicy,
  scores: ScoresSnapshot | null,
  last: Look | undefined,
  look: Look,
): Promise<void> {
  const before = new Map((await routesOf(tx, domainId)).map((row) => [row.place, row]))
  const previous = new Map(
    [...before].flatMap(([place, { shares }]) => {
      const [only, ...others] = shares
      return only && others.length === 0 ? [[place, only.cdnId] as const] : []
    }),
  )
  // Where both have changed, the policy is what somebody did.
  const isChange = last !== undefined && last.policyId !== look.policyId && look.version !== null
  const rows = routeMap(policy, scores, previous, Date.now()).flatMap(({ place, shares, strategyId, causeOf }) => {
    const was = before.get(place)
    if (was && was.strategy_id === strategyId && sameShares(was.shares, shares)) return []
    const cause = !was
      ? { kind: 'first' as const }
      : isChange
        ? { kind: 'change' as const, version: look.version ?? 0 }
        : causeOf(was.shares)
    // Two CDNs of which each is ahead by turns would else be a row every few seconds.
    const replaces = was?.cause.kind === 'measurement' && cause.kind === 'measurement' ? was.id : null
    return [{ place, shares, strategyId, cause, replaces }]
  })
  if (rows.length > 0) await writeChanges(tx, { organizationId, siteId, domainId }, rows)
}
