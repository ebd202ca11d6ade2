import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routeMap, routingStrategies } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'

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
