import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { LIMITS, routingStrategies, versions, vsrRules } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain } from '../../testing/steered-domain.ts'

const { create, list, remove, update } = vsrRules.routes
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
