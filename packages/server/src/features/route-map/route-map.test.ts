import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routeMap, routingStrategies, type ScoresSnapshot } from '@fairway/contract'
import { policiesOf } from '../../publish/dns-zone.ts'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'
import { keepOne } from './keep-route-maps.ts'
import { routesOf } from './store.ts'

const { putOverrides, report } = routeMap.routes
let api: ApiUnderTest
let running: NodeUnderTest[]
before(async () => {
  api = await startApiUnderTest()
  running = [startNodeUnderTest(api, 'dns'), startNodeUnderTest(api, 'edge')]
})
after(async () => {
  await Promise.all(running.map((node) => node[Symbol.asyncDispose]()))
  await api[Symbol.asyncDispose]()
})

test('every country has its row, and a strategy that moves one is told with its version and what was before', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane', 'polaris'])
  const { client, site, domain } = own
  const japan = async (since?: number) =>
    (await client.call(report, { site, domain, ...(since ? { since } : {}) })).rows.find(
      ({ place }) => place === 'country:JP',
    )
  const first = await until(async () => ((await japan())?.shares.length === 2 ? japan() : null))
  assert.equal(first?.strategyId, null)
  const then = Math.ceil(Date.parse(first?.since ?? '') / 1000)

  const added = await client.call(routingStrategies.routes.create, {
    site,
    domain,
    name: 'Japan',
    method: 'always-use',
    filter: { places: ['country:JP'] },
    targets: [{ cdnId: 'polaris' }],
  })
  const moved = await until(async () => ((await japan())?.strategy === 'Japan' ? japan(then) : null))
  assert.deepEqual(
    [moved?.shares, moved?.cause, moved?.before?.length],
    [[{ cdnId: 'polaris', percent: 100 }], { kind: 'change', version: added.meta.version }, 2],
  )
  const { rows, matches } = await client.call(report, { site, domain, since: then, address: '8.8.8.8' })
  assert.deepEqual([rows.find(({ place }) => place === 'country:DE')?.before, matches], [null, ['country:US']])
})

test('what measurements move to and fro is one row for five minutes, and a clock that was ahead decides nothing', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane', 'polaris'])
  const { client, site, domain } = own
  await client.call(routingStrategies.routes.create, {
    site,
    domain,
    name: 'Fastest',
    method: 'best-latency',
    targets: [{ cdnId: 'swiftlane' }, { cdnId: 'polaris' }],
  })
  const undone = new Error('undone')
  const worker = api.database.system(async (tx) => {
    // Held, so that the worker writes nothing meanwhile.
    await tx.query('LOCK route_change IN SHARE ROW EXCLUSIVE MODE')
    const at = { id: site, organization_id: client.organizationId, domainId: domain }
    const named = (await policiesOf(tx, at)).get(domain)
    assert.ok(named)
    const look = { policyId: named.policy.id, serial: 1, version: null }
    const keep = (swiftlane: number, polaris: number) =>
      keepOne(tx, at, named.policy, scoresOf({ swiftlane, polaris }), look, look)
    await tx.query('DELETE FROM route_change WHERE domain_id = $1', [domain])
    const rows = async () => {
      const all = await tx.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM route_change WHERE domain_id = $1 AND place = 'country:JP'`,
        [domain],
      )
      const newest = (await routesOf(tx, domain)).find(({ place }) => place === 'country:JP')
      return [all[0]?.count, newest?.shares.map(({ cdnId }) => cdnId).join(' '), newest?.cause.kind]
    }
    const shift = (by: string) =>
      tx.query(`UPDATE route_change SET at = at + $2::interval WHERE domain_id = $1`, [domain, by])
    await keep(20, 80)
    assert.deepEqual(await rows(), [1, 'swiftlane', 'first'])
    await keep(80, 20)
    assert.deepEqual(await rows(), [2, 'polaris', 'measurement'])
    await keep(20, 80)
    await keep(80, 20)
    await keep(20, 80)
    assert.deepEqual(await rows(), [2, 'swiftlane', 'measurement'])
    await shift('-6 minutes')
    await keep(80, 20)
    assert.deepEqual(await rows(), [3, 'polaris', 'measurement'])
    await shift('1 day')
    const [ahead] = await routesOf(tx, domain)
    assert.ok(ahead && ahead.at.getTime() <= Date.now())
    for (let round = 0; round < 3; round++) await keep(20, 80)
    assert.deepEqual(await rows(), [3, 'swiftlane', 'measurement'])
    await tx.query(`UPDATE route_change SET cause = '{"kind":"first"}' WHERE domain_id = $1`, [domain])
    await shift('1 day')
    for (let round = 0; round < 3; round++) await keep(80, 20)
    assert.deepEqual(await rows(), [4, 'polaris', 'measurement'])
    const thenJapan = async () =>
      (await routesOf(tx, domain, new Date(Date.now() + 60_000)))
        .find(({ place }) => place === 'country:JP')
        ?.shares.map(({ cdnId }) => cdnId)
    assert.deepEqual(await thenJapan(), ['polaris'], 'what the clock that was ahead wrote came before')
    await tx.query(
      `UPDATE route_change SET at = at - interval '1 hour' WHERE id IN (SELECT max(id) FROM route_change WHERE domain_id = $1 GROUP BY place)`,
      [domain],
    )
    assert.deepEqual(await thenJapan(), ['swiftlane'], 'what was then is told by the times')
    throw undone
  })
  await assert.rejects(worker, undone)
})

/** Both CDNs are well in Japan, with these round trips in ms. */
function scoresOf(latencies: Record<string, number>): ScoresSnapshot {
  const places = (latencyMs: number) => ({
    'country:JP': { rum: { samples: 100, availability: 100, latencyMs, newestAt: Date.now() - 1000 } },
  })
  const cdns = Object.entries(latencies).map(
    ([cdnId, ms]) => [cdnId, { hardDown: false, hardDownSince: null, places: places(ms) }] as const,
  )
  return { organizationId: '', serial: 1, builtAt: Date.now(), lifetimeSeconds: 300, cdns: Object.fromEntries(cdns) }
}

test('uploaded networks go to their CDN first, and the next upload takes their place', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane', 'polaris'])
  const { client, site, domain } = own
  const names = async () =>
    (await client.call(routingStrategies.routes.list, { site, domain })).data.map(
      ({ name, filter }) => `${name} ${filter.cidrs.join(' ')}`,
    )
  await client.call(routingStrategies.routes.create, {
    site,
    domain,
    name: 'Rest',
    method: 'always-use',
    targets: [{ cdnId: 'swiftlane' }],
  })
  const csv = 'network,cdn\n203.0.113.0/24,polaris\n2001:db8::/48,polaris\r\n198.51.100.0/24,swiftlane\n'
  const put = await client.call(putOverrides, { site, domain, csv })
  assert.equal(put.data.networks, 3)
  assert.deepEqual(await names(), [
    'Overrides: polaris 203.0.113.0/24 2001:db8::/48',
    'Overrides: swiftlane 198.51.100.0/24',
    'Rest ',
  ])
  const { decision } = await client.call(routingStrategies.routes.simulate, { site, domain, client: '203.0.113.7' })
  assert.equal(decision.shares[0]?.cdnId, 'polaris')
  assert.equal((await client.call(putOverrides, { site, domain, csv })).meta.version, null)
  await client.call(putOverrides, { site, domain, csv: '' })
  assert.deepEqual(await names(), ['Rest '])

  const wrong = '10.0.0.0/8,polaris\n10.1.0.0/16,swiftlane\n10.2.0.0/16,polaris\n'
  const told = async (lines: string) =>
    (await client.refusal(putOverrides, { site, domain, csv: lines })).fields?.map(
      ({ path, message }) => `${path} ${message}`,
    )
  assert.deepEqual(await told(wrong), ['csv.2 validation.cidrOverlaps'])
  assert.deepEqual(await told('10.0.0.0/33,polaris\n1.1.1.1,nobody'), [
    'csv.1 validation.cidr',
    'csv.2 validation.notInstalled',
  ])
})
