import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { StrategyInput, dnsRecords, routingStrategies, versions, type RouteInput } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'

const { bulkUpdate, cloneAndReplace, create, get, list, putSetting, replace, setting } = routingStrategies.routes
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

type Rule = Omit<RouteInput<typeof create>, 'site' | 'domain'>
const always = (name: string, cdnId: string, more: Partial<Rule> = {}): Rule => ({
  name,
  method: 'always-use',
  targets: [{ cdnId }],
  ...more,
})
const ruleOf = ({ client, site, domain }: SteeredDomain) => ({
  add: async (rule: Rule) => (await client.call(create, { site, domain, ...rule })).data,
  refused: async (rule: Rule) => (await client.refusal(create, { site, domain, ...rule })).code,
  names: async () => (await client.call(list, { site, domain })).data.map((rule) => rule.name),
})
const inputOf = ({ id, ...rule }: { id: string }) => ({ id, ...StrategyInput.parse(rule) })

async function steeredBy(cdnIds: string[], planId = 'enterprise'): Promise<SteeredDomain> {
  const own = await newSteeredDomain(api, { planId })
  await attach(own, cdnIds)
  return own
}

async function anotherDomain({ client, site, ...own }: SteeredDomain, cdnIds: string[]): Promise<string> {
  const name = `more${cdnIds.length}`
  const record = { site, type: 'A', name, value: '8.8.8.8', multiCdn: true } as const
  const domain = (await client.call(dnsRecords.routes.create, record)).data.domainId ?? ''
  await attach({ client, site, ...own, domain }, cdnIds)
  return domain
}

test('a strategy keeps every field, and what no visitor could be decided by is refused', async () => {
  const own = await steeredBy(['swiftlane', 'polaris'])
  const { add, refused } = ruleOf(own)
  const { client, site, domain } = own
  const whole = await add({
    name: 'Whole',
    method: 'best-latency',
    targets: [{ cdnId: 'swiftlane' }, { cdnId: '*', weight: 2 }],
    minimumMbps: 12.5,
    preferThroughput: true,
    ttlSeconds: 120,
    whenNoData: 'even-split',
    whenBelow: 'most-available',
  })
  const read = await client.call(get, { site, domain, id: whole.id })
  assert.deepEqual(
    [read.minimumMbps, read.preferThroughput, read.ttlSeconds, read.whenNoData, read.whenBelow, read.targets[1]?.cdnId],
    [12.5, true, 120, 'even-split', 'most-available', '*'],
  )
  const blind = { omitRum: true, omitSum: true } as const
  assert.equal(await refused({ ...always('Blind', 'swiftlane', blind), method: 'static-route' }), 400)
  assert.equal(
    await refused(always('Nowhere', 'swiftlane', { filter: { places: ['country:JP'], networks: ['CT'] } })),
    400,
  )
  assert.equal((await add(always('Always', 'swiftlane', blind))).omitSum, true)
  const small = await steeredBy(['swiftlane'], 'business')
  assert.equal(await ruleOf(small).refused(always('Short', 'swiftlane', { ttlSeconds: 30 })), 810005)
})

test('a whole list is replaced at once, and undone at once', async () => {
  const own = await steeredBy(['swiftlane', 'polaris'])
  const { client, site, domain } = own
  const { add, names } = ruleOf(own)
  const first = await add(always('First', 'swiftlane'))
  await add(always('Second', 'polaris'))
  const lists = { strategies: [always('New', 'polaris'), { ...always('First', 'polaris'), id: first.id }] }
  const replaced = await client.call(replace, { site, domain, ...lists })
  assert.deepEqual(await names(), ['New', 'First'])
  const again = await client.call(replace, { site, domain, strategies: replaced.data.strategies.map(inputOf) })
  assert.equal(again.meta.version, null)
  await client.call(versions.routes.revert, { site, number: String(replaced.meta.version) })
  assert.deepEqual(await names(), ['First', 'Second'])
  const refusal = await client.refusal(replace, { site, domain, strategies: [always('Gone', 'nobody')] })
  assert.deepEqual(
    refusal.fields?.map(({ path }) => path),
    ['strategies.0.targets.0.cdnId'],
  )
})

test('the setting of a domain goes to its policy, and back with the version', async () => {
  const own = await steeredBy(['swiftlane'])
  const { client, site, domain } = own
  const before = await client.call(setting, { site, domain })
  const changed = await client.call(putSetting, {
    site,
    domain,
    ttlSeconds: 90,
    fallbackTtlSeconds: 300,
    levels: ['country', 'world'],
    maxAgeSeconds: 120,
    marginPercent: 10,
  })
  assert.deepEqual(changed.data, {
    ...before,
    ttlSeconds: 90,
    fallbackTtlSeconds: 300,
    levels: ['country', 'world'],
    maxAgeSeconds: 120,
    marginPercent: 10,
  })
  const [node] = running
  await until(async () => node?.document('dns-zone', site)?.policies[0]?.settings.fallbackTtlSeconds === 300)
  assert.equal((await client.call(putSetting, { site, domain, marginPercent: 10 })).meta.version, null)
  await client.call(versions.routes.revert, { site, number: String(changed.meta.version) })
  assert.deepEqual(await client.call(setting, { site, domain }), before)
  const small = await steeredBy(['swiftlane'], 'business')
  const refusal = await small.client.refusal(putSetting, { site: small.site, domain: small.domain, ttlSeconds: 30 })
  assert.equal(refusal.code, 810005)
})

test('other domains of the site get the same steering in one version', async () => {
  const own = await steeredBy(['swiftlane', 'polaris'])
  const { client, site, domain } = own
  const { add } = ruleOf(own)
  await add(always('Japan', 'polaris', { filter: { places: ['country:JP'] } }))
  await add({ name: 'Rest', method: 'best-latency', targets: [{ cdnId: '*' }] })
  const other = await anotherDomain(own, ['swiftlane', 'polaris'])
  const poor = await anotherDomain(own, ['swiftlane'])
  const namesOf = async (id: string) =>
    (await client.call(list, { site, domain: id })).data.map(({ name, enabled }) => `${name} ${enabled}`)

  const cloned = await client.call(cloneAndReplace, { site, domain, domainIds: [other], setting: true })
  assert.deepEqual(await namesOf(other), ['Japan true', 'Rest true'])
  const refusal = await client.refusal(cloneAndReplace, { site, domain, domainIds: [other, poor] })
  assert.deepEqual(
    refusal.fields?.map(({ path }) => path),
    ['domainIds.1.strategies.0.targets.0.cdnId'],
  )
  await client.call(bulkUpdate, {
    site,
    domainIds: [domain, other],
    strategy: { enabled: false },
    setting: { significance: true },
  })
  assert.deepEqual(
    [await namesOf(domain), await namesOf(other)],
    [
      ['Japan false', 'Rest false'],
      ['Japan false', 'Rest false'],
    ],
  )
  assert.equal((await client.call(setting, { site, domain: other })).significance, true)
  assert.equal(cloned.data.domainIds.length, 1)
})

test('a strategy that shares visitors with an earlier one is told, the usual fallback is not', async () => {
  const own = await steeredBy(['swiftlane', 'polaris'])
  const { client, site, domain } = own
  const { add } = ruleOf(own)
  const route = { method: 'static-route' as const, targets: [{ cdnId: 'polaris' }] }
  const asia = await add({ name: 'Asia', ...route, filter: { places: ['continent:AS'] } })
  const japan = await add({ name: 'Japan', ...route, filter: { places: ['country:JP'] } })
  await add({ name: 'Germany', ...route, filter: { places: ['country:DE'] } })
  await add({ name: 'Rest', ...route })
  assert.deepEqual((await client.call(list, { site, domain })).warnings, [
    { strategyId: japan.id, kind: 'overlaps', becauseOf: asia.id },
  ])
})
