import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStore, startStore } from '@fairway/analytics'
import { LIMITS, routingStrategies, versions, vsrRules } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain } from '../../testing/steered-domain.ts'

const { create, effect, enable, list, remove, update } = vsrRules.routes
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

test('a rule knows the place of its mimicked address and moves visitors there', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane', 'polaris'])
  const place = { site: own.site, domain: own.domain }
  await own.client.call(routingStrategies.routes.create, {
    ...place,
    name: 'Japan',
    method: 'always-use',
    targets: [{ cdnId: 'polaris' }],
    filter: { places: ['country:JP'] },
  })
  const { data, meta } = await own.client.call(create, {
    ...place,
    name: 'Like Tokyo',
    filter: { places: ['country:DE'] },
    mimickedAddress: '133.11.0.1',
  })
  assert.deepEqual([data.mimickedLocation.country, data.enabled, data.cdnId], ['JP', true, null])
  const decided = async (client: string) =>
    (await own.client.call(routingStrategies.routes.simulate, { ...place, client })).decision.trace.steps[0]?.reason
  assert.deepEqual([await decided('5.9.0.1'), await decided('8.8.8.8')], ['decided', 'filter-place'])
  await own.client.call(versions.routes.revert, { site: own.site, number: String(meta.version) })
  assert.equal(await decided('5.9.0.1'), 'filter-place')
})

test('rules are edited and removed, each undone when wanted', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane'])
  const place = { site: own.site, domain: own.domain }
  const { data } = await own.client.call(create, {
    ...place,
    name: 'A',
    filter: {},
    cdnId: 'swiftlane',
    mimickedAddress: '133.11.0.1',
  })
  const edit = await own.client.call(update, {
    ...place,
    id: data.id,
    name: 'B',
    enabled: false,
    filter: {},
    mimickedAddress: '5.9.0.1',
  })
  assert.deepEqual(
    [edit.data.name, edit.data.enabled, edit.data.cdnId, edit.data.mimickedLocation.country],
    ['B', false, null, 'DE'],
  )
  const gone = await own.client.call(remove, { ...place, id: data.id })
  assert.equal((await own.client.call(list, place)).meta.total, 0)
  await own.client.call(versions.routes.revert, { site: own.site, number: String(gone.meta.version) })
  await own.client.call(versions.routes.revert, { site: own.site, number: String(edit.meta.version) })
  assert.deepEqual((await own.client.call(list, place)).data, [data])
})

test('a rule needs an address that is somewhere, a CDN that is installed, a plan that has it, and room', async () => {
  const own = await newSteeredDomain(api)
  const place = { site: own.site, domain: own.domain }
  const rule = { ...place, name: 'A', filter: {}, mimickedAddress: '133.11.0.1' }
  assert.deepEqual((await own.client.refusal(create, { ...rule, mimickedAddress: '10.0.0.1' })).fields, [
    { path: 'mimickedAddress', message: 'validation.locatedAddress' },
  ])
  assert.equal((await own.client.refusal(create, { ...rule, mimickedAddress: 'x' })).status, 400)
  assert.equal((await own.client.refusal(create, { ...rule, cdnId: 'swiftlane' })).code, 810011)
  for (let index = 0; index < LIMITS.vsrRulesPerDomain; index++) await own.client.call(create, rule)
  assert.equal((await own.client.refusal(create, rule)).code, 810008)
  const developer = await newSteeredDomain(api, { planId: 'developer' })
  assert.equal(
    (await developer.client.refusal(create, { ...rule, site: developer.site, domain: developer.domain })).code,
    810004,
  )
})

test('the effect of a rule is told by who asked in the last day: from which CDN to which, and nobody else’s', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane', 'polaris'])
  const place = { site: own.site, domain: own.domain }
  const always = { ...place, method: 'always-use' } as const
  await own.client.call(routingStrategies.routes.create, {
    ...always,
    name: 'Japan',
    targets: [{ cdnId: 'polaris' }],
    filter: { places: ['country:JP'] },
  })
  await own.client.call(routingStrategies.routes.create, { ...always, name: 'All', targets: [{ cdnId: 'swiftlane' }] })
  const german = { ...place, filter: { places: ['country:DE'] }, mimickedAddress: '133.11.0.1' }
  assert.equal((await own.client.refusal(effect, german)).code, 503)
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  assert.deepEqual(await own.client.call(effect, german), { samples: 0, looked: 0, moved: 0, groups: [] })
  const asked = (client: string, hoursAgo: number, more: object = {}) => ({
    at: new Date(Date.now() - hoursAgo * 3_600_000).toISOString().replace('T', ' ').slice(0, 23),
    organization: own.client.organizationId,
    site: own.site,
    domain: own.domain,
    node: 'n/dns',
    name: own.host,
    type: 'A',
    rcode: 'NOERROR',
    cdn: 'swiftlane',
    strategy: '',
    country: 'DE',
    network: '',
    client,
    scoped: 1 as const,
    transport: 'udp',
    ...more,
  })
  await events.insert('dns_samples', [
    ...[1, 2, 23].map((hours) => asked('5.9.0.0/24', hours)),
    asked('8.8.8.0/24', 1),
    asked('5.9.0.0/24', 25),
    asked('5.9.0.0/24', 1, { domain: 'another' }),
    asked('5.9.0.0/24', 1, { organization: 'somebody-else' }),
  ])
  const moving = await own.client.call(effect, german)
  assert.deepEqual([moving.samples, moving.looked, moving.moved], [4, 4, 3])
  assert.deepEqual(
    moving.groups.map(({ country, samples, before: old, after: next }) => [country, samples, old, next]),
    [['DE', 3, [{ cdnId: 'swiftlane', percent: 100 }], [{ cdnId: 'polaris', percent: 100 }]]],
  )
  assert.equal((await own.client.call(effect, { ...german, enabled: false })).moved, 0)
  assert.equal((await own.client.call(effect, { ...german, filter: { cidrs: ['5.9.0.0/16'] } })).moved, 3)
  // A saved one is its own past: what it does already is no effect, what its change would undo is.
  const { data } = await own.client.call(create, { ...german, name: 'Like Tokyo' })
  assert.equal((await own.client.call(effect, { ...german, rule: data.id })).moved, 0)
  const back = await own.client.call(effect, { ...german, rule: data.id, enabled: false })
  assert.deepEqual(back.groups[0]?.after, [{ cdnId: 'swiftlane', percent: 100 }])
  assert.equal((await own.client.call(list, place)).data[0]?.enabled, true)
  assert.equal((await own.client.refusal(effect, { ...german, cdnId: 'tidewater' })).code, 810011)
  assert.equal((await own.client.refusal(effect, { ...german, rule: own.site })).status, 404)
  const other = await newSteeredDomain(api)
  assert.equal((await other.client.refusal(effect, german)).status, 404)
})

test('on a plan without them the rules that are there are seen, switched off and removed, and nothing else', async () => {
  const own = await newSteeredDomain(api)
  const place = { site: own.site, domain: own.domain }
  const rule = { name: 'Like Tokyo', filter: { places: ['country:DE'] }, mimickedAddress: '133.11.0.1' }
  const { data } = await own.client.call(create, { ...place, ...rule })
  const id = data.id
  await api.database.system((tx) =>
    tx.query(`UPDATE organization SET plan_id = 'developer' WHERE id = $1`, [own.client.organizationId]),
  )
  assert.equal((await own.client.call(list, place)).data[0]?.enabled, true)
  for (const refused of [
    own.client.refusal(create, { ...place, ...rule }),
    own.client.refusal(update, { ...place, id, ...rule, name: 'B' }),
  ])
    assert.equal((await refused).code, 810_004)
  const off = await own.client.call(enable, { ...place, id, enabled: false })
  assert.deepEqual([off.data.enabled, typeof off.meta.version], [false, 'number'])
  assert.equal((await own.client.call(enable, { ...place, id, enabled: false })).meta.version, null)
  assert.equal((await own.client.refusal(enable, { ...place, id, enabled: true })).code, 810_004)
  await own.client.call(remove, { ...place, id })
  assert.equal((await own.client.call(list, place)).meta.total, 0)
})
