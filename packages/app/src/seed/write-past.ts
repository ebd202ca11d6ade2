import type { Domain } from '@fairway/contract'
import { openStore, writeHistory } from '@fairway/analytics'
import { type Config, makeLog, openDatabase } from '@fairway/platform'
import { pastRows } from './history.ts'
import { pastFaults } from './past-faults.ts'
import { hasPastEvents, insertPastEvent } from './store.ts'

/** How queries spread over the site's domains, the first being the most popular. */
const SHARES = [0.42, 0.08, 0.27, 0.15, 0.08]
const NAMES: Record<string, string> = { swiftlane: 'Swiftlane', polaris: 'Polaris', tidewater: 'Tidewater' }

/**
 * Two weeks before now: measurements and answers in the event store, failovers among the health events. Written again
 * only while it is not complete.
 */
export async function writePast(
  config: Config,
  { organizationId, siteId, domains }: { organizationId: string; siteId: string; domains: readonly Domain[] },
): Promise<void> {
  await using database = openDatabase(config, makeLog('seed', { logLevel: 'warn' }), { connections: 1 })
  if (await database.system((tx) => hasPastEvents(tx, organizationId))) return
  const now = Date.now()
  const faults = pastFaults(now)
  const popular = domains.toSorted((a, b) => b.cdnIds.length - a.cdnIds.length || a.name.localeCompare(b.name))
  const past = {
    organizationId,
    siteId,
    node: `${config.nodeName}/dns`,
    faults,
    cdnIds: [...new Set(domains.flatMap((domain) => domain.cdnIds))],
    domains: popular.map((domain, at) => ({
      id: domain.id,
      name: domain.name,
      cdnIds: domain.cdnIds,
      share: SHARES[at] ?? 0.05,
    })),
  }
  await using store = await openStore(config)
  await writeHistory(store, pastRows(past, now), now)
  await database.system(async (tx) => {
    for (const { cdnId, kind, from, to } of faults) {
      if (kind === 'down')
        await insertPastEvent(tx, {
          organizationId,
          cdnId,
          title: NAMES[cdnId] ?? cdnId,
          startedAt: new Date(from),
          endedAt: new Date(to),
        })
    }
  })
}
