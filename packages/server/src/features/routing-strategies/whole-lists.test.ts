import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { openStore, startStore } from '@fairway/analytics'
import { StrategyInput, dnsRecords, routingStrategies, versions, type RouteInput } from '@fairway/contract'
import { runDir } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'

const { bulkEffect, bulkUpdate, cloneAndReplace, cloneEffect, create, get, list, putSetting, replace, setting } =
  routingStrategies.routes
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

async function anotherDomain(
  { client, site, ...own }: SteeredDomain,
  cdnIds: string[],
  name = `more${cdnIds.length}`,
): Promise<string> {
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
  assert.deepEqual(cloned.data, { domainIds: [other], changedIds: [other] })
  const again = await client.call(cloneAndReplace, { site, domain: other, domainIds: [domain], setting: true })
  assert.equal(again.data.changedIds.length, 1)
})

test('what a change would make of each domain, and whom it would move, is told before, and nothing of it is kept', async () => {
  const own = await steeredBy(['swiftlane', 'polaris'])
  const { client, site, domain } = own
  await ruleOf(own).add(always('Japan', 'polaris', { filter: { places: ['country:JP'] } }))
  await ruleOf(own).add(always('All', 'swiftlane'))
  const other = await anotherDomain(own, ['swiftlane', 'polaris'])
  const poor = await anotherDomain(own, ['swiftlane'])
  const version = async () => (await client.call(versions.routes.list, { site })).data[0]?.number
  const known = await version()
  const asked = { site, domain, domainIds: [other, poor] }
  // Without the event store the changes are told; whom they move is not known, which is not nobody. A store that is
  // away is asked once, and not for each domain.
  let questions = 0
  const away = http.createServer((request, response) => {
    void text(request).then((question) => {
      if (question.includes('dns_samples') && `${request.url}${question}`.includes(site)) questions += 1
      response.destroy()
    })
  })
  await once(away.listen(path.join(runDir(api.config), 'store-http.sock')), 'listening')
  await client.call(bulkEffect, { site, domainIds: [domain, other], strategy: { enabled: false } })
  away.close()
  await once(away, 'close')
  assert.equal(questions, 1)
  const blind = (await client.call(cloneEffect, asked)).data
  assert.deepEqual(
    blind.map(({ domainId, code, changes, visitors }) => [domainId, code, changes.length, visitors]),
    [
      [other, null, 2, null],
      [poor, 400, 0, null],
    ],
  )
  assert.deepEqual(blind[1]?.fields, [
    { path: 'domainIds.1.strategies.0.targets.0.cdnId', message: 'validation.notInstalled' },
  ])

  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  const sample = (name: string, address: string, organization = client.organizationId) => ({
    at: new Date(Date.now() - 3_600_000).toISOString().replace('T', ' ').slice(0, 23),
    organization,
    site,
    domain: name,
    node: 'n/dns',
    name: own.host,
    type: 'A',
    rcode: 'NOERROR',
    cdn: 'swiftlane',
    strategy: '',
    country: 'JP',
    network: '',
    client: address,
    scoped: 1 as const,
    transport: 'udp',
  })
  await events.insert('dns_samples', [
    sample(domain, '133.11.0.0/24'),
    sample(domain, '133.11.0.0/24'),
    sample(domain, '5.9.0.0/24'),
    sample(domain, '133.11.0.0/24', 'somebody-else'),
    sample(other, '133.11.0.0/24'),
  ])
  const off = { site, domainIds: [domain, other], strategy: { enabled: false } }
  const [mine, empty] = (await client.call(bulkEffect, off)).data
  assert.deepEqual([mine?.changes.length, mine?.visitors?.samples, mine?.visitors?.moved], [2, 3, 3])
  assert.deepEqual([empty?.changes.length, empty?.visitors?.samples, empty?.visitors?.moved], [0, 1, 0])
  const cloned = (await client.call(cloneEffect, { ...asked, domainIds: [other] })).data[0]?.visitors
  assert.deepEqual(
    cloned?.groups.map(({ country, samples, after: next }) => [country, samples, next[0]?.cdnId]),
    [['JP', 1, 'polaris']],
  )
  assert.equal(await version(), known)
  assert.deepEqual((await client.call(list, { site, domain: other })).data, [])

  const done = await client.call(bulkUpdate, off)
  assert.deepEqual(done.data.changedIds, [domain])
  assert.equal((await client.call(bulkUpdate, off)).meta.version, null)
})

test('domains of another organisation or site are not looked at, and a change for none is refused', async () => {
  const [own, foreign] = [await steeredBy(['swiftlane']), await steeredBy(['swiftlane'])]
  const { client, site, domain } = own
  await ruleOf(own).add(always('All', 'swiftlane'))
  for (const domainIds of [[foreign.domain], [domain, foreign.domain]]) {
    assert.equal((await client.refusal(bulkEffect, { site, domainIds, strategy: { enabled: false } })).status, 404)
    assert.equal((await client.refusal(bulkUpdate, { site, domainIds, strategy: { enabled: false } })).status, 404)
  }
  assert.equal((await client.refusal(cloneEffect, { site, domain, domainIds: [foreign.domain] })).status, 404)
  assert.equal((await client.refusal(cloneEffect, { site, domain, domainIds: [domain] })).status, 400)
  assert.equal((await client.refusal(bulkEffect, { site, domainIds: [] })).status, 400)
  const many = Array.from({ length: 201 }, () => crypto.randomUUID())
  assert.equal((await client.refusal(bulkEffect, { site, domainIds: many })).status, 400)
  const wild = { enabled: false, name: 'All alike' } as { enabled: boolean }
  assert.equal((await client.refusal(bulkUpdate, { site, domainIds: [domain], strategy: wild })).status, 400)
  // A plan without synthetic regions does not clone them, in the trial either.
  const small = await steeredBy(['swiftlane'], 'developer')
  const second = await anotherDomain(small, ['swiftlane'])
  const wanted = { site: small.site, domain: small.domain, domainIds: [second], vsrRules: true }
  assert.equal((await small.client.refusal(cloneEffect, wanted)).code, 810004)
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
