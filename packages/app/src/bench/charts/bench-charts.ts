import { setTimeout as sleep } from 'node:timers/promises'
import { type EventStore, openStore } from '@fairway/analytics'
import { type DecisionsReport, type DemReport, FEATURES } from '@fairway/contract'
import { startInstallation } from '../../installation/start-installation.ts'
import { quantile, table } from '../figures.ts'
import { registerOperator, steeredDomain } from '../operator.ts'
import { COUNTRIES, DAYS, DAY_SECONDS, fillCharts } from './fill-charts.ts'

const USUAL_BEACONS = 1_000_000
const ROUNDS = 30
const WARM_ROUNDS = 3
const MERGE_MS = 180_000
/** What a reader waits for, by the days of the range. */
const GOAL_MS = { 7: 100, 30: 300 } as const

type Ask = { seconds: number; until: number }
type Chart = { name: string; read: (ask: Ask) => Promise<DemReport | DecisionsReport> }

/**
 * A month of so many beacons in the embedded store, then every read of DEM analytics for 7 and 30 days over the API:
 * p50 and p95, asked one after the other on the same machine.
 */
export async function benchCharts(say: (line: string) => void, beacons = USUAL_BEACONS): Promise<void> {
  await using installation = await startInstallation({
    command: 'up',
    words: ['--roles', 'database,store,api,worker'],
  })
  const { organizationId } = await registerOperator(installation)
  const { site, domain } = await steeredDomain(installation, 'bench-charts.com')
  const until = Math.floor(Date.now() / 1000 / DAY_SECONDS) * DAY_SECONDS
  const startedAt = performance.now()
  await using store = openStore(installation.config)
  await fillCharts(store, { organizationId, siteId: site, domainId: domain, beacons, until }, say)
  say(`${beacons} beacons over ${DAYS} days made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  await merged(store, say)
  const { performance: measured, decisions } = FEATURES.analyticsDem.routes
  const [country = ''] = COUNTRIES
  const charts: Chart[] = [
    { name: 'performance, visitors', read: (ask) => installation.api(measured, { site, ...ask }) },
    {
      name: 'performance, visitors of one country',
      read: (ask) => installation.api(measured, { site, country, ...ask }),
    },
    { name: 'performance, CDNs of a domain', read: (ask) => installation.api(measured, { site, domain, ...ask }) },
    { name: 'performance, probes', read: (ask) => installation.api(measured, { site, source: 'sum', ...ask }) },
    { name: 'decisions', read: (ask) => installation.api(decisions, { site, ...ask }) },
    { name: 'decisions of a domain', read: (ask) => installation.api(decisions, { site, domain, ...ask }) },
    { name: 'decisions for one country', read: (ask) => installation.api(decisions, { site, country, ...ask }) },
  ]
  const rows: string[][] = []
  const slow: string[] = []
  for (const days of [7, 30] as const) {
    for (const { name, read } of charts) {
      const ms: number[] = []
      for (let round = -WARM_ROUNDS; round < ROUNDS; round++) {
        const before = performance.now()
        await read({ seconds: days * DAY_SECONDS, until })
        if (round >= 0) ms.push(performance.now() - before)
      }
      const p95 = quantile(ms, 0.95)
      rows.push([`${days} days: ${name}`, ...[quantile(ms, 0.5), p95, quantile(ms, 1)].map((one) => one.toFixed(0))])
      if (p95 > GOAL_MS[days]) slow.push(`${name} of ${days} days`)
    }
  }
  say(`\n${table([['read', 'p50 ms', 'p95 ms', 'max ms'], ...rows])}`)
  say(
    `\np95 goals: ${GOAL_MS[7]} ms for 7 days, ${GOAL_MS[30]} ms for 30; ${slow.length === 0 ? 'all met' : `not met by ${slow.join(', ')}`}`,
  )
}

/** A month that was written in minutes is merged for as long; one that comes as it happens has long been. */
async function merged(store: EventStore, say: (line: string) => void): Promise<void> {
  const startedAt = performance.now()
  const under = async () => (await store.query<{ n: number }>('SELECT count() AS n FROM system.merges'))[0]?.n ?? 0
  for (let quiet = 0; quiet < 3 && performance.now() - startedAt < MERGE_MS;) {
    quiet = Number(await under()) === 0 ? quiet + 1 : 0
    await sleep(1000)
  }
  say(`merged after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
}
