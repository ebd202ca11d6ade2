import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type EventStore, openStore, startStore } from '@fairway/analytics'
import { analyticsMultiCdn, billing, byoCdnKeys, cdnManagement, operatorArea } from '@fairway/contract'
import {
  CLOUDFLARE_VALUES,
  FASTLY_VALUES,
  type Served,
  servedOnce,
  startFakeCloudflare,
  startFakeFastly,
  type VendorUnderTest,
} from '@fairway/drivers/testing'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest } from '../../testing/node-under-test.ts'
import { newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'
import { countUsage } from '../billing/usage-meter.ts'
import { rangeToRead } from './read-vendor-traffic.ts'

const { breakdown, report } = analyticsMultiCdn.routes
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const started = new AsyncDisposableStack()
let api: ApiUnderTest
let events: EventStore
let cloudflare: VendorUnderTest & { served: Served[] }
let fastly: VendorUnderTest & { served: Served[] }

before(async () => {
  cloudflare = started.use(await startFakeCloudflare())
  fastly = started.use(await startFakeFastly())
  for (const vendor of [cloudflare, fastly]) vendor.mood.at = 'comply'
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-keys-'))
  started.defer(() => fs.rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'keys.json')
  fs.writeFileSync(file, JSON.stringify({ cloudflare: CLOUDFLARE_VALUES }))
  api = started.use(
    await startApiUnderTest({
      FAIRWAY_CDN_KEYS_FILE: file,
      FAIRWAY_CDN_API_URLS: `cloudflare=${cloudflare.url},fastly=${fastly.url}`,
    }),
  )
  started.use(await startStore({ config: api.config, log: api.log }))
  events = started.use(openStore(api.config))
  started.use(startNodeUnderTest(api, 'dns'))
  started.use(startNodeUnderTest(api, 'edge'))
})
after(() => started.disposeAsync())

/** Vendors are asked every few minutes; tests have no time for that. */
const soon = () =>
  api.database.system((tx) =>
    tx.query(`UPDATE vendor_traffic SET due_at = now() - interval '1 s'; SELECT pg_notify('vendor-traffic', '')`),
  )
const totalsOf = async ({ client, site, domain }: SteeredDomain, more: object = {}) =>
  (await client.call(report, { site, domain, seconds: 21_600, ...more })).totals
const attachedOf = async ({ client, site, domain }: SteeredDomain, cdnId: string) =>
  (await client.call(cdnManagement.routes.list, { site, domain })).data.find((cdn) => cdn.cdnId === cdnId)
async function serving(own: SteeredDomain, cdnId: string): Promise<void> {
  await own.client.call(cdnManagement.routes.install, { site: own.site, domain: own.domain, cdnId })
  await until(async () => {
    await api.database.system((tx) => tx.query('UPDATE domain_cdn SET next_attempt_at = now()'))
    return (await attachedOf(own, cdnId))?.state === 'operational'
  })
}
/** The last bucket of five minutes that has surely ended. */
const bucket = Math.floor(Date.now() / (5 * MINUTE)) * 5 * MINUTE - 5 * MINUTE

test('what vendors served stands in traffic and usage, corrected and never counted twice; what one does not tell is said', async () => {
  const own = await newSteeredDomain(api)
  await serving(own, 'cloudflare')
  const key = await own.client.call(byoCdnKeys.routes.create, {
    platform: 'fastly',
    name: 'Our Fastly',
    values: FASTLY_VALUES,
  })
  const ours = (await own.client.call(cdnManagement.routes.platforms, { search: 'Our Fastly' })).data[0]?.id ?? ''
  await own.client.call(byoCdnKeys.routes.test, { id: key.id })
  // Fastly wants a certificate; here only its traffic matters.
  await own.client.call(cdnManagement.routes.install, { site: own.site, domain: own.domain, cdnId: ours })
  await until(async () => (await attachedOf(own, ours))?.state === 'waiting-ssl')
  await api.database.system((tx) => tx.query(`UPDATE domain_cdn SET state = 'operational' WHERE cdn_id = $1`, [ours]))

  cloudflare.served.splice(0, Infinity, ...servedOnce(bucket))
  fastly.served.splice(0, Infinity, ...servedOnce(bucket + MINUTE))
  await until(async () => {
    await soon()
    return (await totalsOf(own)).requests === 200
  })
  assert.deepEqual(await totalsOf(own), {
    requests: 200,
    bytes: 10_000,
    hits: 160,
    hitBytes: 4000,
    cacheTold: 200,
    cacheToldBytes: 5000,
    clientErrors: 10,
    serverErrors: 4,
    statusTold: 200,
    leftOut: 0,
    leftOutBytes: 0,
  })
  const byCountry = await own.client.call(breakdown, { site: own.site, by: 'country', seconds: 21_600 })
  assert.deepEqual(
    [byCountry.shares.map(({ value, requests }) => `${value} ${requests}`), byCountry.untold?.requests],
    [['JP 80', 'DE 18'], 102],
  )
  assert.deepEqual((await totalsOf(own, { country: 'JP' })).leftOut, 102)

  cloudflare.served.splice(0, Infinity, {
    at: bucket,
    requests: 99,
    bytes: 4_900,
    cache: 'hit',
    status: 200,
    country: 'DE',
  })
  await until(async () => {
    await soon()
    return (await totalsOf(own)).requests === 199
  })
  assert.deepEqual(
    (await own.client.call(breakdown, { site: own.site, by: 'country', seconds: 21_600 })).shares.map(
      ({ value, requests }) => `${value} ${requests}`,
    ),
    ['DE 99'],
  )
  const { vendors } = await own.client.call(report, { site: own.site, seconds: 900 })
  assert.deepEqual(
    vendors.map(({ cdnId, problem, readUntil }) => [cdnId, problem, Date.parse(readUntil) >= bucket]).toSorted(),
    [
      ['cloudflare', null, true],
      [ours, null, true],
    ].toSorted(),
  )

  await countUsage(api.database, events, { daysBack: 1, vendorDaysBack: 1, now: new Date() })
  const usage = Object.fromEntries(
    (await own.client.call(billing.routes.usage, {})).items.map(({ type, used }) => [type, used]),
  )
  // Fastly's was paid with the customer's own key. A bucket of yesterday's month is not this month's.
  if (new Date(bucket).getUTCMonth() === new Date().getUTCMonth())
    assert.deepEqual([usage['cdnRequest'], usage['cdnTraffic']], [99, 4900])
})

test('a vendor that cannot be read is told of, with its words, and holds up no other; it is tried again and nothing is missing then', async () => {
  const own = await newSteeredDomain(api)
  await serving(own, 'cloudflare')
  Object.assign(cloudflare.mood, { at: 'refuse', why: 'not authorized for that account' })
  const readBefore = (await attachedOf(own, 'cloudflare'))?.traffic?.readUntil
  const failing = await until(async () => {
    await soon()
    const { traffic } = (await attachedOf(own, 'cloudflare')) ?? {}
    return traffic?.problem ? traffic : false
  })
  assert.deepEqual(
    [failing.problem, failing.readUntil, failing.problemSince !== null],
    ['Cloudflare answers 200: not authorized for that account', readBefore, true],
  )
  const operator = await api.newClient({ isOperator: true })
  const jobs = (await operator.call(operatorArea.routes.jobs, { kind: 'vendor-traffic', search: own.host })).data
  assert.deepEqual(
    jobs.map(({ about, problem }) => [about, problem]),
    [[`Cloudflare · ${own.host}`, failing.problem]],
  )

  const calls = fastly.heard.length
  await until(async () => {
    await soon()
    return fastly.heard.slice(calls).some(({ path: asked }) => asked.startsWith('/stats/'))
  })
  cloudflare.mood.at = 'comply'
  cloudflare.served.splice(0, Infinity, ...servedOnce(bucket))
  await operator.call(operatorArea.routes.retryJob, { kind: 'vendor-traffic', job: jobs[0]?.id ?? '' })
  await until(async () => (await totalsOf(own)).requests === 100)
  await until(async () => (await attachedOf(own, 'cloudflare'))?.traffic?.problem === null)
})

test('asked for patience, a vendor is left in peace with all that goes through the account', async () => {
  const [one, two] = [await newSteeredDomain(api), await newSteeredDomain(api)]
  for (const own of [one, two]) await serving(own, 'cloudflare')
  const ids = await Promise.all([one, two].map(async (own) => (await attachedOf(own, 'cloudflare'))?.id ?? ''))
  await api.database.system((tx) =>
    tx.query(`UPDATE vendor_traffic SET due_at = now() + interval '1 day', problem = NULL`),
  )
  await until(
    async () =>
      (await api.database.system((tx) => tx.query('SELECT FROM vendor_traffic WHERE leased_until IS NOT NULL')))
        .length === 0,
  )
  // Whoever asks: what has been set up is looked at now and then, too.
  cloudflare.weather.busy = Infinity
  await api.database.system((tx) =>
    tx.query(
      `UPDATE vendor_traffic SET due_at = CASE WHEN domain_cdn_id = $1 THEN now() ELSE now() + interval '2 s' END WHERE domain_cdn_id = ANY($2)`,
      [ids[0], ids],
    ),
  )
  const asked = () =>
    api.database.system((tx) =>
      tx.query<{ at: Date; problem: string | null }>(
        `SELECT due_at AS at, problem FROM vendor_traffic WHERE account = 'cloudflare' ORDER BY due_at`,
      ),
    )
  const rows = await until(async () => {
    const found = await asked()
    return found.some(({ problem }) => problem !== null) && found
  })
  const told = rows.find(({ problem }) => problem !== null)
  assert.match(told?.problem ?? '', /429/)
  assert.ok(
    rows.every(({ at }) => told !== undefined && at >= told.at),
    JSON.stringify(rows),
  )
})

test('reading goes on where it stopped, looks back for corrections, and takes no more at once than a call answers', () => {
  const noon = Date.UTC(2026, 0, 10, 12)
  const source = { bucketMs: 5 * MINUTE, settlesMs: 3 * HOUR, spanMs: 24 * HOUR }
  const read = (more: object, of = source) => {
    const {
      from,
      until: end,
      isSettling,
    } = rangeToRead(of, { readUntil: noon, settledAt: noon, now: noon + 33 * MINUTE, ...more })
    return [(from - noon) / MINUTE, (end - noon) / MINUTE, isSettling]
  }
  assert.deepEqual(read({}), [-60, 30, false])
  assert.deepEqual(read({ readUntil: noon + 20 * MINUTE }), [0, 30, false])
  assert.deepEqual(read({ settledAt: null }), [-180, 30, true])
  assert.deepEqual(read({ settledAt: noon - HOUR }), [-180, 30, true])
  assert.deepEqual(read({ readUntil: noon - 48 * HOUR, settledAt: null }), [-48 * 60, 30, false])
  assert.deepEqual(read({ readUntil: noon - 90 * 24 * HOUR }), [-30 * 24 * 60, 30, false])
  assert.deepEqual(read({}, { ...source, bucketMs: HOUR }), [-60, 0, false])
})
