import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runStep } from '../rollups/steps.ts'
import type { Grain } from '../rollups/grain.ts'
import { openStore } from '../store/store.ts'
import { type EdgeRequestRow, storeTime } from '../store/tables.ts'
import { startTestStore } from '../test-store.ts'
import { loggedUsage } from './billable-usage.ts'
import { trafficBreakdown } from './traffic-breakdown.ts'
import { trafficPaths } from './traffic-paths.ts'
import { trafficReport } from './traffic-report.ts'
import { trafficRequests } from './traffic-requests.ts'

const embedded = await startTestStore()
const store = openStore(embedded.config)
after(async () => {
  await store[Symbol.asyncDispose]()
  await embedded[Symbol.asyncDispose]()
})

const DAY = 86_400_000
const now = Math.floor(Date.now() / DAY) * DAY + 12 * 3_600_000 + 5 * 60_000
const own = { organizationId: 'o1', now }
const request = (agoMs: number, more: Partial<EdgeRequestRow> = {}): EdgeRequestRow => ({
  rtt_ms: 0,
  network: '',
  at: storeTime(now - agoMs),
  organization: 'o1',
  site: 's1',
  domain: 'd1',
  cdn: 'polaris',
  node: 'n/edge',
  host: 'www.x.test',
  method: 'GET',
  path: '/',
  status: 200,
  bytes: 1000,
  ms: 2,
  cache_status: 'HIT',
  why: '',
  client: '80.147.0.0',
  country: 'DE',
  id: 'r',
  weight: 1,
  ...more,
})
const rollUp = async (built: number) => {
  for (const grain of ['minute', 'hour', 'day'] as Grain[])
    await runStep(store, grain, now / 1000 - 7200, now / 1000, built)
}
const LOGGED = [
  ...Array.from({ length: 6 }, () => request(60_000)),
  request(60_000, { cache_status: 'MISS', bytes: 5000, path: '/a' }),
  request(60_000, { cdn: '', country: 'JP', cache_status: 'STALE', path: '/a' }),
  request(60_000, { status: 404, cache_status: 'BYPASS', path: '/gone', id: 'lost' }),
  request(60_000, { status: 0, cache_status: 'MISS', domain: 'd2', bytes: 0 }),
  request(60_000, { site: 's2', domain: 'd3', country: '' }),
  request(60_000, { organization: 'o2', bytes: 1e9 }),
  request(1000_000, { bytes: 50 }),
]

test('requests, bytes, hits and failures of a range stand beside those of the range before', async () => {
  await store.insert('edge_requests', LOGGED)
  const report = await trafficReport(store, { ...own, seconds: 900 })
  assert.deepEqual([report.intervalSeconds, report.points.length], [10, 90])
  assert.deepEqual(report.totals, {
    requests: 11,
    bytes: 14_000,
    hits: 8,
    hitBytes: 8000,
    cacheTold: 11,
    cacheToldBytes: 14_000,
    clientErrors: 1,
    serverErrors: 1,
    statusTold: 11,
    leftOut: 0,
    leftOutBytes: 0,
  })
  assert.deepEqual(report.before.totals, {
    requests: 1,
    bytes: 50,
    hits: 1,
    hitBytes: 50,
    cacheTold: 1,
    cacheToldBytes: 50,
    clientErrors: 0,
    serverErrors: 0,
    statusTold: 1,
    leftOut: 0,
    leftOutBytes: 0,
  })
  assert.equal(report.before.points.length, 90)
  const only = async (filter: object) =>
    (await trafficReport(store, { ...own, seconds: 900, ...filter })).totals.requests
  assert.deepEqual(
    [
      await only({ siteId: 's1' }),
      await only({ domainId: 'd2' }),
      await only({ cdn: '' }),
      await only({ status: '5' }),
      await only({ cache: 'MISS' }),
      await only({ country: '' }),
    ],
    [10, 1, 1, 1, 2, 1],
  )
})

test('every level says the same as the log that is billed, and building it again changes nothing', async () => {
  const billed = async () => {
    const rows = await loggedUsage(store, { from: now - 2 * DAY, until: now + DAY, organizationId: 'o1' })
    const of = (meter: string) => rows.filter((row) => row.meter === meter).reduce((sum, { used }) => sum + used, 0)
    return [of('cdnRequest'), of('cdnTraffic')]
  }
  const charted = async () => {
    const figures = []
    for (const seconds of [6 * 3600, 86_400, 7 * 86_400, 31 * 86_400]) {
      const { totals } = await trafficReport(store, { ...own, seconds })
      const byCdn = (await trafficBreakdown(store, { ...own, by: 'cdn', seconds })).totals
      const paths = await trafficPaths(store, { ...own, seconds, limit: 500 })
      assert.deepEqual([byCdn.requests, byCdn.bytes], [totals.requests, totals.bytes])
      assert.deepEqual(
        [paths.reduce((sum, { requests }) => sum + requests, 0), paths.reduce((sum, { bytes }) => sum + bytes, 0)],
        [totals.requests, totals.bytes],
      )
      figures.push([totals.requests, totals.bytes])
    }
    return figures
  }
  await rollUp(1)
  assert.deepEqual(
    await charted(),
    Array.from({ length: 4 }, () => [12, 14_050]),
  )
  assert.deepEqual(await billed(), [12, 14_050])
  // Late rows, more paths than are kept, then the same steps twice.
  await store.insert(
    'edge_requests',
    Array.from({ length: 300 }, (_, i) => request(90_000, { path: `/crawled/${i}`, bytes: 10 })),
  )
  await rollUp(2)
  await rollUp(3)
  assert.deepEqual(
    await charted(),
    Array.from({ length: 4 }, () => [312, 17_050]),
  )
  assert.deepEqual(await billed(), [312, 17_050])
})

test('told apart by each dimension, with the most requested paths', async () => {
  const shares = async (by: Parameters<typeof trafficBreakdown>[1]['by']) =>
    (
      await trafficBreakdown(store, { ...own, by, seconds: 3600, siteId: 's1', until: Math.floor(now / 1000) })
    ).shares.map(({ value, requests }) => `${value}:${requests}`)
  assert.deepEqual(await shares('cdn'), ['polaris:310', ':1'])
  assert.deepEqual(await shares('domain'), ['d1:310', 'd2:1'])
  assert.deepEqual(await shares('status'), ['2:309', '4:1', '5:1'])
  assert.deepEqual(await shares('cache'), ['HIT:307', 'MISS:2', 'BYPASS:1', 'STALE:1'])
  assert.deepEqual(await shares('country'), ['DE:310', 'JP:1'])
  const breakdown = await trafficBreakdown(store, { ...own, by: 'cache', seconds: 3600 })
  assert.equal(
    breakdown.series.flatMap(({ points }) => points).reduce((sum, { requests }) => sum + requests, 0),
    breakdown.totals.requests,
  )
  const paths = await trafficPaths(store, { ...own, seconds: 3600, siteId: 's1', limit: 500 })
  assert.deepEqual(paths[0], { path: '/', requests: 8, bytes: 6050, hits: 7 })
  assert.equal(paths.length, 203 + 1)
  // 300 in one minute, of which 200 are kept by name.
  assert.deepEqual(paths.at(-1), { path: '', requests: 100, bytes: 1000, hits: 100 })
})

test('single requests come newest first with how many there are, by the same filters, by path and by id', async () => {
  const span = { from: now / 1000 - 900, until: now / 1000, organizationId: 'o1', siteId: 's1' }
  const { rows: some, total } = await trafficRequests(store, { ...span, limit: 5 })
  assert.deepEqual([some.length, total], [5, 310])
  assert.ok(some.every(({ moment }, index) => moment <= (some[index - 1]?.moment ?? Infinity)))
  assert.deepEqual(
    (await trafficRequests(store, { ...span, id: 'lost', limit: 5 })).rows.map(
      ({ path, status, cache_status, country, client, ms }) => [path, status, cache_status, country, client, ms],
    ),
    [['/gone', 404, 'BYPASS', 'DE', '80.147.0.0', 2]],
  )
  assert.deepEqual(
    (await trafficRequests(store, { ...span, path: '/a', limit: 5 })).rows.map(({ cdn }) => cdn).sort(),
    ['', 'polaris'],
  )
  assert.deepEqual(
    (await trafficRequests(store, { ...span, status: '5', limit: 5 })).rows.map(({ domain }) => domain),
    ['d2'],
  )
})
