import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type EventStore, demDecisions, demPerformance, openStore, startStore } from '@fairway/analytics'
import { loadConfig, makeLog, shareGeo } from '@fairway/platform'
import { CDNS, DAY_SECONDS, PER_ANSWER, fillCharts } from './fill-charts.ts'

const BEACONS = 50_000
const UNTIL = Math.floor(Date.now() / 1000 / DAY_SECONDS) * DAY_SECONDS
const filled = { organizationId: 'o', siteId: 's', domainId: 'd', beacons: BEACONS, until: UNTIL }

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'charts-'))
let running: AsyncDisposable
let store: EventStore & AsyncDisposable
before(async () => {
  shareGeo(home)
  const config = loadConfig({ FAIRWAY_HOME: home, FAIRWAY_NODE_NAME: 'test', FAIRWAY_LOG_LEVEL: 'warn' })
  running = await startStore({ config, log: makeLog('store', config) })
  store = openStore(config)
  await fillCharts(store, filled)
})
after(async () => {
  await store[Symbol.asyncDispose]()
  await running[Symbol.asyncDispose]()
  fs.rmSync(home, { recursive: true })
})

type Counted = { cdn: string; country: string; n: number; good: number; median: number }

/** What the rows themselves say, without rollups and histograms. */
const counted = (days: number) =>
  store.query<Counted>(
    `SELECT cdn, country, toUInt32(count()) AS n, toUInt32(sum(ok)) AS good, quantileExactIf(0.5)(rtt_ms, ok = 1) AS median
     FROM beacons WHERE at >= fromUnixTimestamp({from:Int64}) AND at < fromUnixTimestamp({until:Int64}) GROUP BY GROUPING SETS ((cdn), (cdn, country)) ORDER BY cdn, country`,
    { from: UNTIL - days * DAY_SECONDS, until: UNTIL },
  )

for (const days of [1, 7, 30])
  test(`charts of ${days} days say what the rows say: every sample, every CDN, every country`, async () => {
    const range = { seconds: days * DAY_SECONDS, until: UNTIL, now: UNTIL * 1000 }
    const report = await demPerformance(store, { organizationId: 'o', source: 'rum', ...range })
    const rows = await counted(days)
    const totals = rows.filter(({ country }) => country === '')
    assert.equal(totals.length, CDNS.length)
    if (days === 30)
      assert.equal(
        report.totals.reduce((sum, { samples }) => sum + samples, 0),
        BEACONS,
      )
    assert.deepEqual(
      report.totals.map(({ cdnId, samples, availability }) => [cdnId, samples, availability]),
      totals.map(({ cdn, n, good }) => [cdn, n, (good * 100) / n]),
    )
    for (const { cdn, median } of totals) {
      const shown = report.totals.find(({ cdnId }) => cdnId === cdn)?.p50Ms ?? Number.NaN
      assert.ok(Math.abs(shown - median) <= median * 0.03, `${cdn}: ${shown} ms, in truth ${median}`)
    }
    const places = rows.filter(({ country }) => country !== '')
    assert.deepEqual(
      report.countries.map(({ cdnId, country, samples }) => `${cdnId} ${country} ${samples}`).toSorted(),
      places.map(({ cdn, country, n }) => `${cdn} ${country} ${n}`).toSorted(),
    )
    // The line of a CDN adds up to its total, and every interval of the range has its point.
    for (const { cdnId, points } of report.latency) {
      assert.equal(
        points.reduce((sum, { samples }) => sum + samples, 0),
        report.totals.find((total) => total.cdnId === cdnId)?.samples,
      )
      assert.equal(points.length, (days * DAY_SECONDS) / report.intervalSeconds)
    }
    const answers = await demDecisions(store, { organizationId: 'o', siteId: 's', ...range })
    const [{ n } = { n: -1 }] = await store.query<{ n: number }>(
      'SELECT toUInt32(sum(answers)) AS n FROM dns_answers WHERE at >= fromUnixTimestamp({from:Int64})',
      { from: UNTIL - range.seconds },
    )
    assert.ok(n > (BEACONS / PER_ANSWER / 30) * days, String(n))
    assert.equal(
      answers.totals.reduce((sum, total) => sum + total.answers, 0),
      n,
    )
  })

test('a chart of one country, of one domain’s CDNs, or of another organisation counts nothing else', async () => {
  const range = { seconds: 7 * DAY_SECONDS, until: UNTIL, now: UNTIL * 1000 }
  const rows = (await counted(7)).filter(({ country }) => country !== '')
  const [{ country, cdn } = { country: '', cdn: '' }] = rows
  const one = await demPerformance(store, { organizationId: 'o', source: 'rum', country, cdnIds: [cdn], ...range })
  assert.deepEqual(
    one.totals.map(({ cdnId, samples }) => [cdnId, samples]),
    [[cdn, rows.find((row) => row.country === country && row.cdn === cdn)?.n]],
  )
  assert.deepEqual((await demPerformance(store, { organizationId: 'p', source: 'rum', ...range })).totals, [])
})
