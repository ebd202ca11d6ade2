import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openStore } from '../store/store.ts'
import { storeTime } from '../store/tables.ts'
import { startTestStore } from '../test-store.ts'
import { type ServedBucket, writeVendorTraffic } from '../vendor-traffic.ts'
import { loggedUsage, vendorUsage } from './billable-usage.ts'
import { trafficBreakdown } from './traffic-breakdown.ts'
import { trafficReport } from './traffic-report.ts'
import type { TrafficInput } from './traffic-input.ts'

const embedded = await startTestStore()
const store = openStore(embedded.config)
after(async () => {
  await store[Symbol.asyncDispose]()
  await embedded[Symbol.asyncDispose]()
})

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
// One day's noon: ranges before it begin and end within the same days whenever the test runs.
const now = Math.floor(Date.now() / DAY) * DAY + 12 * HOUR
const hour = now - HOUR
const told = (requests: number, bytes: number | null = null) => ({ requests, bytes })
/** Tells everything but how dimensions go together, by five minutes. */
const whole: ServedBucket = {
  at: hour + 30 * MINUTE,
  requests: 100,
  bytes: 5000,
  status: { 2: told(93, 4900), 4: told(5, 60), 5: told(2, 40) },
  cache: { HIT: told(80, 4000), MISS: told(20, 1000) },
  country: { JP: told(90, 4500) },
}
/** Tells by the hour how many, and of the status only what failed. */
const coarse: ServedBucket = {
  at: hour,
  requests: 61,
  bytes: 6000,
  status: { 4: told(6), ok: told(55) },
  cache: {},
  country: {},
}
const of = (cdnId: string, isBilled = true) => ({ organizationId: 'o1', siteId: 's1', domainId: 'd1', cdnId, isBilled })
let built = now
const write = (cdnId: string, buckets: ServedBucket[], bucketMs: number, isBilled = true) =>
  writeVendorTraffic(store, of(cdnId, isBilled), { from: hour, until: now, bucketMs }, buckets, ++built)

const RANGES = [2 * HOUR, 24 * HOUR, 6 * DAY, 20 * DAY].map((ms) => ms / 1000)
const ask = (more: Partial<TrafficInput> = {}): TrafficInput => ({
  organizationId: 'o1',
  siteId: 's1',
  seconds: 7200,
  until: now / 1000,
  now,
  ...more,
})
const everyRange = async (more: Partial<TrafficInput> = {}) => {
  const totals = await Promise.all(
    RANGES.map(async (seconds) => (await trafficReport(store, ask({ ...more, seconds }))).totals),
  )
  for (const other of totals) assert.deepEqual(other, totals[0])
  return totals[0]
}

test('what vendors say stands beside what the edge logged, with how much of it is told', async () => {
  const request = (agoMs: number) => ({
    at: storeTime(now - agoMs).slice(0, 19),
    organization: 'o1',
    site: 's1',
    domain: 'd1',
    cdn: 'edge',
    country: 'DE',
    status: 200,
    cache_status: 'HIT',
    requests: 10,
    bytes: 100,
    built: 1,
  })
  await store.insert('edge_traffic_minute', [request(10 * MINUTE)])
  await store.insert('edge_traffic_hour', [request(HOUR)])
  await store.insert('edge_traffic_day', [request(12 * HOUR)])
  await write('whole', [whole], 5 * MINUTE)
  await write('coarse', [coarse], HOUR)
  assert.deepEqual(await everyRange(), {
    requests: 171,
    bytes: 11_100,
    hits: 90,
    hitBytes: 4100,
    cacheTold: 110,
    cacheToldBytes: 5100,
    clientErrors: 11,
    serverErrors: 2,
    statusTold: 171,
    leftOut: 0,
    leftOutBytes: 0,
  })
})

test('a bucket lies over all the time that it lasts, and its parts make the whole again', async () => {
  const { points } = await trafficReport(store, ask({ cdn: 'coarse' }))
  const served = points.filter(({ at }) => at >= hour && at < now)
  assert.deepEqual(
    [
      served.length,
      new Set(served.map(({ requests }) => requests)).size,
      served.reduce((sum, { requests }) => sum + requests, 0),
    ],
    [60, 2, 61],
  )
  const late = await trafficReport(store, ask({ cdn: 'coarse', seconds: 1800 }))
  assert.deepEqual([late.totals.bytes, late.before.totals.bytes], [3000, 3000])
  const raw = await trafficReport(store, ask({ cdn: 'whole', seconds: 600, until: (hour + 35 * MINUTE) / 1000 }))
  assert.deepEqual(
    [raw.intervalSeconds, raw.totals.requests, raw.points.filter(({ requests }) => requests > 0).length],
    [10, 100, 30],
  )
})

test('the same again, corrected, replaces it: what is gone is gone', async () => {
  const { country: _country, ...less } = whole
  await write(
    'whole',
    [
      { ...less, requests: 98, status: { 2: told(98, 5000) }, country: { DE: told(1, 10) } },
      { ...whole, at: hour },
    ],
    5 * MINUTE,
  )
  await write('whole', [whole], 5 * MINUTE)
  assert.equal((await everyRange({ cdn: 'whole' }))?.requests, 100)
  const countries = await trafficBreakdown(store, { ...ask({ cdn: 'whole' }), by: 'country' })
  assert.deepEqual(
    countries.shares.map(({ value, requests, bytes }) => [value, requests, bytes]),
    [['JP', 90, 4500]],
  )
  assert.deepEqual([countries.untold?.requests, countries.untold?.bytes, countries.totals.requests], [10, 500, 100])
})

const shares = async (by: Parameters<typeof trafficBreakdown>[1]['by'], more: Partial<TrafficInput> = {}) => {
  const { shares: found, untold, totals } = await trafficBreakdown(store, { ...ask(more), by })
  assert.deepEqual(
    [
      found.reduce((sum, { requests }) => sum + requests, untold?.requests ?? 0),
      found.reduce((sum, { bytes }) => sum + bytes, untold?.bytes ?? 0),
    ],
    [totals.requests, totals.bytes],
    by,
  )
  return [
    found.map(({ value, requests, bytes }) => `${value} ${requests} ${bytes}`).join(', '),
    untold && `${untold.requests} ${untold.bytes}`,
  ]
}

test('told apart by what a vendor tells; what it does not tell is a share of its own', async () => {
  assert.deepEqual(await shares('cdn'), ['whole 100 5000, coarse 61 6000, edge 10 100', null])
  assert.deepEqual(await shares('status'), ['2 103 5000, ok 55 0, 4 11 60, 5 2 40', '0 6000'])
  assert.deepEqual(await shares('cache'), ['HIT 90 4100, MISS 20 1000', '61 6000'])
  assert.deepEqual(await shares('country'), ['JP 90 4500, DE 10 100', '71 6500'])
})

test('a filter says how much it leaves out because that is not told', async () => {
  const left = async (more: Partial<TrafficInput>) => {
    const totals = await everyRange(more)
    return totals && [totals.requests, totals.bytes, totals.leftOut, totals.leftOutBytes]
  }
  assert.deepEqual(await left({ status: '5' }), [2, 40, 0, 6000])
  // Those of which the vendor says no more than that they did not fail may be it.
  assert.deepEqual(await left({ status: '3' }), [0, 0, 55, 6000])
  assert.deepEqual(await left({ cache: 'HIT' }), [90, 4100, 61, 6000])
  assert.deepEqual(await left({ country: 'JP' }), [90, 4500, 71, 6500])
  // Of the vendor's 80 hits and 2 failures, none or two may be the same requests.
  assert.deepEqual(await left({ status: '5', cache: 'HIT', cdn: 'whole' }), [0, 0, 2, 40])
  assert.deepEqual(await shares('cache', { status: '5', cdn: 'whole' }), ['', '2 40'])
  assert.deepEqual(await shares('status', { status: '5', cdn: 'whole' }), ['5 2 40', null])
  assert.deepEqual(await shares('cdn', { status: '4' }), ['coarse 6 0, whole 5 60', null])
})

test("what went through the operator's accounts is billed, once, and what went through a customer's own is not", async () => {
  await write('own', [whole], 5 * MINUTE, false)
  const span = { from: now - DAY, until: now + DAY, organizationId: 'o1' }
  const billed = async () =>
    (await vendorUsage(store, span)).map(({ meter, cdnId, used }) => `${cdnId} ${meter} ${used}`).toSorted()
  assert.deepEqual(await billed(), [
    'coarse cdnRequest 61',
    'coarse cdnTraffic 6000',
    'whole cdnRequest 100',
    'whole cdnTraffic 5000',
  ])
  await write('coarse', [{ ...coarse, requests: 60 }], HOUR)
  assert.equal((await billed())[0], 'coarse cdnRequest 60')
  assert.deepEqual(await loggedUsage(store, span), [])
})
