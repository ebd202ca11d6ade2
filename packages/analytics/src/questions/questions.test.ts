import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import { writeHistory } from '../history.ts'
import { BINS_SQL, histogramOf, quantileOf, quantileSql } from '../log-histogram.ts'
import { runStep } from '../rollups/steps.ts'
import { openStore } from '../store/store.ts'
import { type BeaconRow, type DnsAnswerRow, type ProbeRow, storeTime } from '../store/tables.ts'
import { startTestStore } from '../test-store.ts'
import { beaconTrends } from './beacon-trends.ts'
import { demDecisions } from './dem-decisions.ts'
import { demPerformance } from './dem-performance.ts'
import { overviewMap } from './overview-map.ts'
import { probesNear } from './probes-near.ts'
import { qpsTrend } from './qps-trend.ts'

const embedded = await startTestStore()
const store = openStore(embedded.config)
after(async () => {
  await store[Symbol.asyncDispose]()
  await embedded[Symbol.asyncDispose]()
})

const DAY = 86_400_000
const now = Math.floor(Date.now() / DAY) * DAY + 12 * 3_600_000 + 5 * 60_000
const organization = 'o1'
const beacon = (agoMs: number, more: Partial<BeaconRow> = {}): BeaconRow => ({
  at: storeTime(now - agoMs),
  organization,
  cdn: 'a',
  continent: 'AS',
  country: 'JP',
  region: 'Tokyo',
  city: 'Tokyo',
  network: 'AS2497',
  subnet: 1,
  ok: 1,
  rtt_ms: 20,
  ...more,
})
const answer = (agoMs: number, more: Partial<DnsAnswerRow> = {}): DnsAnswerRow => ({
  at: storeTime(now - agoMs),
  organization,
  site: 's1',
  domain: 'd1',
  cdn: 'a',
  country: 'JP',
  node: 'n/dns',
  answers: 10,
  ...more,
})
const near = (value: number | null | undefined, expected: number, percent = 3) =>
  assert.ok(
    value != null && Math.abs(value - expected) <= (expected * percent) / 100,
    `${value} is not near ${expected}`,
  )

test('the store works out the same quantiles from histograms as we do', async () => {
  const times = fc.array(fc.double({ min: 0.002, max: 60_000, noNaN: true }), { maxLength: 60 })
  const histograms = [{}, { '-142': 9 }, { '-142': 9, '7': 1 }, ...fc.sample(times, 200).map(histogramOf)]
  const maps = histograms.map((one) => `map(${Object.entries(one).flat().join(', ') || '0, 0'})`)
  for (const q of [0.5, 0.95]) {
    const rows = await store.query<{ found: number | null }>(
      `SELECT ${quantileSql(q)} AS found FROM (SELECT *, ${BINS_SQL} FROM (
         SELECT CAST(arrayJoin([${maps.map((one, at) => `tuple(${at}, CAST(${one}, 'Map(Int16, UInt64)'))`).join(', ')}]) AS Tuple(at UInt32, one Map(Int16, UInt64))) AS given, given.1 AS at, given.2 AS histogram)) ORDER BY at`,
    )
    assert.equal(rows.length, histograms.length)
    for (const [at, { found }] of rows.entries()) {
      const ours = quantileOf(histograms[at] ?? {}, q)
      if (ours === null || found === null) assert.equal(found, ours)
      else assert.ok(Math.abs(found - ours) <= ours * 1e-9, `${found} and ${ours} of ${maps[at] ?? ''}`)
    }
  }
})

test('minutes just gone are read from what was measured: latency, availability, countries', async () => {
  await store.insert('beacons', [
    ...Array.from({ length: 100 }, (_, i) => beacon(60_000 + i * 100, { rtt_ms: 10 + i })),
    ...Array.from({ length: 50 }, (_, i) =>
      beacon(60_000 + i * 100, {
        cdn: 'b',
        country: 'DE',
        continent: 'EU',
        ok: i < 10 ? 0 : 1,
        rtt_ms: i < 10 ? 0 : 80,
      }),
    ),
    beacon(60_000, { organization: 'somebody-else', cdn: 'x' }),
  ])
  const report = await demPerformance(store, { organizationId: organization, source: 'rum', seconds: 900, now })
  assert.equal(report.intervalSeconds, 10)
  assert.deepEqual(
    report.totals.map((row) => [row.cdnId, row.samples, row.availability]),
    [
      ['a', 100, 100],
      ['b', 50, 80],
    ],
  )
  near(report.totals[0]?.p50Ms, 60)
  near(report.totals[0]?.p75Ms, 85)
  near(report.totals[0]?.p95Ms, 105)
  near(report.totals[1]?.p50Ms, 80)
  assert.deepEqual(report.countries.map((row) => [row.country, row.cdnId, row.samples]).sort(), [
    ['DE', 'b', 50],
    ['JP', 'a', 100],
  ])
  const line = report.latency.find((one) => one.cdnId === 'a')
  assert.equal(line?.points.length, 90)
  assert.equal(
    line?.points.reduce((sum, point) => sum + point.samples, 0),
    100,
  )
  assert.ok(line?.points.some((point) => point.value === null))
  assert.deepEqual(
    (
      await demPerformance(store, { organizationId: organization, source: 'rum', country: 'DE', seconds: 900, now })
    ).totals.map((row) => row.cdnId),
    ['b'],
  )
})

test('rollups say the same as the raw rows, at every level, and running a step again changes nothing', async () => {
  const seconds = Math.floor(now / 1000)
  const read = async () => ({
    hours6: await demPerformance(store, { organizationId: organization, source: 'rum', seconds: 6 * 3600, now }),
    days7: await demPerformance(store, { organizationId: organization, source: 'rum', seconds: 7 * 86_400, now }),
    days31: await demPerformance(store, { organizationId: organization, source: 'rum', seconds: 31 * 86_400, now }),
  })
  for (const grain of ['minute', 'hour', 'day'] as const) await runStep(store, grain, seconds - 7200, seconds, 1)
  const first = await read()
  for (const report of Object.values(first)) {
    assert.deepEqual(
      report.totals.map((row) => [row.cdnId, row.samples, row.availability]),
      [
        ['a', 100, 100],
        ['b', 50, 80],
      ],
    )
    near(report.totals[0]?.p95Ms, 105)
  }
  assert.deepEqual(
    [first.hours6.intervalSeconds, first.days7.intervalSeconds, first.days31.intervalSeconds],
    [60, 3600, 86_400],
  )
  await store.insert('beacons', [beacon(90_000, { cdn: 'b', rtt_ms: 80 })])
  for (let again = 2; again < 4; again++)
    for (const grain of ['minute', 'hour', 'day'] as const) await runStep(store, grain, seconds - 7200, seconds, again)
  const second = await read()
  for (const report of Object.values(second))
    assert.deepEqual(
      report.totals.map((row) => row.samples),
      [100, 51],
    )
})

test('probes are their own source, and the evidence around a moment is told by node', async () => {
  const probe = (agoMs: number, more: Partial<ProbeRow> = {}): ProbeRow => ({
    at: storeTime(now - agoMs),
    organization,
    cdn: 'a',
    node: 'n/dns',
    ok: 1,
    rtt_ms: 5,
    error: '',
    ...more,
  })
  await store.insert('probes', [
    probe(3000),
    probe(2000, { ok: 0, rtt_ms: 0, error: 'ECONNREFUSED' }),
    probe(2000, { node: 'n/edge', ok: 0, rtt_ms: 0, error: 'status 503' }),
    probe(120_000),
  ])
  const report = await demPerformance(store, { organizationId: organization, source: 'sum', seconds: 900, now })
  assert.deepEqual(
    report.totals.map((row) => [row.cdnId, row.samples, row.availability]),
    [['a', 4, 50]],
  )
  assert.deepEqual(report.countries, [])
  const seen = await probesNear(store, { organizationId: organization, cdnId: 'a', at: now - 2000, secondsAround: 5 })
  assert.deepEqual(
    seen.map((row) => [row.node, row.ok, row.failed, row.error]),
    [
      ['n/dns', 1, 0, null],
      ['n/dns', 0, 1, 'ECONNREFUSED'],
      ['n/edge', 0, 1, 'status 503'],
    ],
  )
})

test('answers by CDN and country, on the map, as a line and as a rate', async () => {
  await store.insert('dns_answers', [
    answer(21_000),
    answer(30_000, { cdn: 'b', country: 'DE', answers: 30 }),
    answer(25_000, { domain: 'd2', answers: 5 }),
    answer(25_000, { cdn: '', domain: '', answers: 15 }),
    answer(25_000, { site: 's2', answers: 1000 }),
  ])
  assert.deepEqual(await overviewMap(store, { organizationId: organization, siteId: 's1', windowSeconds: 60, now }), [
    { country: 'DE', cdns: [{ cdnId: 'b', answers: 30 }] },
    { country: 'JP', cdns: [{ cdnId: 'a', answers: 15 }] },
  ])
  const report = await demDecisions(store, { organizationId: organization, siteId: 's1', seconds: 900, now })
  assert.deepEqual(report.totals, [
    { cdnId: 'a', answers: 15 },
    { cdnId: 'b', answers: 30 },
  ])
  assert.deepEqual(
    (await demDecisions(store, { organizationId: organization, siteId: 's1', domainId: 'd2', seconds: 900, now }))
      .totals,
    [{ cdnId: 'a', answers: 5 }],
  )
  assert.equal(
    report.answers[0]?.points.reduce((sum, point) => sum + (point.value ?? 0), 0),
    15,
  )
  const rate = await qpsTrend(store, { organizationId: organization, siteId: 's1', seconds: 600, now })
  assert.equal(rate.queriesPerSecond, 2)
  assert.equal(rate.queriesTrend.length, 60)
  assert.equal(
    rate.queriesTrend.reduce((sum, point) => sum + point.value * 10, 0),
    60,
  )
})

test('Home: measurements a minute, and each CDN with its line', async () => {
  const measured = (at: number) => beaconTrends(store, { organizationId: organization, trendSeconds: 1800, now: at })
  assert.equal((await measured(now - 30_000)).beaconsPerMinute, 100 + 50 + 1)
  const { trends } = await measured(now)
  const a = trends.find((one) => one.cdnId === 'a')
  assert.equal(a?.trend.length, 30)
  near(a?.trend.find((point) => point.latencyMs !== null)?.latencyMs, 60)
  assert.ok(a?.trend.some((point) => point.latencyMs === null))
})

test('two weeks of history are written within seconds and fill every chart', async () => {
  const hour = 3_600_000
  const minutesFrom = Math.floor((now - 2 * DAY) / hour) * hour
  const cdns = ['a', 'b', 'c']
  const countries = Array.from({ length: 30 }, (_, i) => `${String.fromCharCode(65 + (i % 26))}${i < 26 ? 'X' : 'Y'}`)
  const rows = (from: number, until: number, step: number) => {
    const measures = []
    const answers = []
    for (let at = from; at < until; at += step) {
      for (const cdnId of cdns) {
        for (const country of countries) {
          measures.push({
            at,
            source: 'rum' as const,
            organizationId: 'past',
            cdnId,
            country,
            samples: 10,
            successes: 10,
            rtt: histogramOf([20, 21, 22, 25, 30, 31, 35, 40, 60, 90]),
          })
          answers.push({ at, organizationId: 'past', siteId: 's1', domainId: 'd1', cdnId, country, answers: 3 })
        }
      }
    }
    return { measures, answers, requests: [], traffic: [], paths: [] }
  }
  const minutes = rows(minutesFrom, Math.floor(now / 60_000) * 60_000, 10 * 60_000)
  const hours = rows(minutesFrom - 12 * DAY, minutesFrom, hour)
  await writeHistory(store, { minutes, hours }, now)
  for (const seconds of [6 * 3600, 86_400, 7 * 86_400, 14 * 86_400]) {
    const report = await demPerformance(store, { organizationId: 'past', source: 'rum', seconds, now })
    const filled = report.latency[0]?.points.filter((point) => point.value !== null).length ?? 0
    assert.ok(filled >= 36, `${seconds}: ${filled}`)
    near(report.totals[0]?.p50Ms, 30, 5)
  }
  const before = (await demPerformance(store, { organizationId: 'past', source: 'rum', seconds: 14 * 86_400, now }))
    .totals
  await writeHistory(store, { minutes, hours }, now + 1)
  assert.deepEqual(
    (await demPerformance(store, { organizationId: 'past', source: 'rum', seconds: 14 * 86_400, now })).totals,
    before,
  )
})

test('a CDN without a success has no latency, never 0: at every level, and beside a success that was not timed', async () => {
  const dead = 'o-dead'
  const of = (agoMs: number, more: Partial<BeaconRow>) => beacon(agoMs, { organization: dead, ...more })
  await store.insert('beacons', [
    ...Array.from({ length: 20 }, (_, i) => of(3_900_000 + i * 1000, { rtt_ms: 40 })),
    ...Array.from({ length: 20 }, (_, i) => of(120_000 + i * 1000, { ok: 0, rtt_ms: 0 })),
    ...Array.from({ length: 5 }, (_, i) => of(120_000 + i * 1000, { cdn: 'untimed', ok: 1, rtt_ms: 0 })),
  ])
  const seconds = Math.floor(now / 1000)
  for (const grain of ['minute', 'hour', 'day'] as const) await runStep(store, grain, seconds - 7200, seconds, 1)
  for (const range of [900, 6 * 3600, 24 * 3600, 7 * 86_400]) {
    const report = await demPerformance(store, { organizationId: dead, source: 'rum', seconds: range, now })
    const pointsOf = (cdn: string, of: 'latency' | 'availability') =>
      report[of].find(({ cdnId }) => cdnId === cdn)?.points.filter(({ samples }) => samples > 0) ?? []
    assert.ok(
      [...pointsOf('a', 'latency'), ...pointsOf('untimed', 'latency')].every(({ value }) => value !== 0),
      `drawn as 0 over ${range} s`,
    )
    assert.equal(pointsOf('a', 'latency').at(-1)?.value, null)
    assert.equal(pointsOf('a', 'availability').at(-1)?.value, 0)
    if (range > 7200) near(pointsOf('a', 'latency')[0]?.value, 40)
    assert.deepEqual([...new Set(pointsOf('untimed', 'latency').map(({ value }) => value))], [null])
  }
  const trends = (await beaconTrends(store, { organizationId: dead, trendSeconds: 1800, now })).trends
  assert.ok(trends.every(({ trend }) => trend.every(({ latencyMs }) => latencyMs !== 0)))
})
