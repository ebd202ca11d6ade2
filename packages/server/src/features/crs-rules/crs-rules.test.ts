import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { botManagement, crsRules, domains, versions, webSecurity } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'

let api: ApiUnderTest
let edge: NodeUnderTest
before(async () => {
  api = await startApiUnderTest()
  edge = startNodeUnderTest(api, 'edge')
})
after(async () => {
  await edge[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const { get, update, rules, apply, exclude, include } = crsRules.routes
const placeOf = ({ site, domain }: SteeredDomain) => ({ site, domain })
async function shielded(): Promise<SteeredDomain> {
  const own = await newSteeredDomain(api, { planId: 'enterprise' })
  await own.client.call(domains.routes.update, { ...placeOf(own), settings: { originShield: 'use' } })
  return own
}
const published = (own: SteeredDomain) => edge.document('edge-security', own.site)?.domains[0]?.policy.crs

test('a domain that has only been switched on is inspected and stops nobody, and settings reach the edge and can be undone', async () => {
  const own = await shielded()
  const began = await own.client.call(get, placeOf(own))
  assert.deepEqual([began.enabled, began.mode, began.full, began.paranoiaLevel], [true, 'simulate', true, 1])
  assert.equal((await own.client.call(botManagement.routes.get, placeOf(own))).securityLevel, 'off')
  await until(async () => published(own)?.mode === 'simulate')
  const made = await own.client.call(update, { ...placeOf(own), paranoiaLevel: 2, sets: { ...began.sets, xss: false } })
  await until(async () => published(own)?.paranoiaLevel === 2)
  assert.equal(published(own)?.sets.xss, false)
  assert.equal((await own.client.call(update, { ...placeOf(own), paranoiaLevel: 2 })).meta.version, null)
  await own.client.call(versions.routes.revert, { site: own.site, number: String(made.meta.version) })
  await until(async () => published(own)?.paranoiaLevel === 1)
  for (const wrong of [{ paranoiaLevel: 5 }, { threshold: 0 }, { bodyLimitKb: 5000 }])
    assert.equal((await own.client.refusal(update, { ...placeOf(own), ...wrong })).code, 400)
})

test('what was set before the shield was used is in force from then on', async () => {
  const own = await newSteeredDomain(api, { planId: 'enterprise' })
  assert.equal((await own.client.call(get, placeOf(own))).mode, 'simulate')
  await own.client.call(update, { ...placeOf(own), mode: 'block' })
  await own.client.call(botManagement.routes.update, { ...placeOf(own), securityLevel: 'medium' })
  await own.client.call(domains.routes.update, { ...placeOf(own), settings: { originShield: 'use' } })
  assert.equal((await own.client.call(get, placeOf(own))).mode, 'block')
  assert.equal((await own.client.call(botManagement.routes.get, placeOf(own))).securityLevel, 'medium')
})

test('a domain that has used the shield since before domains began gently keeps what it had', async () => {
  const own = await newSteeredDomain(api, { planId: 'enterprise' })
  await api.database.system((tx) => tx.query(`UPDATE domain SET origin_shield = 'use' WHERE id = $1`, [own.domain]))
  assert.equal((await own.client.call(get, placeOf(own))).mode, 'block')
  assert.equal((await own.client.call(botManagement.routes.get, placeOf(own))).securityLevel, 'medium')
})

test('the installed rules are listed by set, action, state and number, and changed many at a time', async () => {
  const own = await shielded()
  const list = async (query: object = {}) =>
    (await own.client.call(rules, { ...placeOf(own), page_size: -1, ...query })).data
  const all = await list()
  assert.ok(all.length > 150, 'the rule set is installed (apt-get install modsecurity-crs)')
  const one = all.find(({ ruleId }) => ruleId === 942100)
  assert.deepEqual(
    [one?.set, one?.paranoiaLevel, one?.severity, one?.action, one?.enabled, one?.isAsked],
    ['sql-injection', 1, 'critical', 'block', true, true],
  )
  assert.match(one?.message ?? '', /SQL Injection/)
  assert.ok((await list({ set: 'xss' })).every(({ ruleId }) => String(ruleId).startsWith('941')))
  assert.deepEqual(
    (await list({ search: '942100' })).map(({ ruleId }) => ruleId),
    [942100],
  )
  const xss = (await list({ set: 'xss' })).map(({ ruleId }) => ruleId)
  const done = await own.client.call(apply, { ...placeOf(own), ruleIds: xss, action: 'simulate' })
  assert.equal(done.data.count, xss.length)
  assert.deepEqual((await list({ set: 'xss', action: 'simulate' })).length, xss.length)
  await own.client.call(apply, { ...placeOf(own), ruleIds: [942100], enabled: false })
  assert.deepEqual(
    (await list({ enabled: 'false' })).map(({ ruleId }) => ruleId),
    [942100],
  )
  await until(async () => published(own)?.rules.length === xss.length + 1)
  await own.client.call(apply, { ...placeOf(own), ruleIds: [...xss, 942100], enabled: true, action: 'block' })
  await until(async () => published(own)?.rules.length === 0)
  const refusal = await own.client.refusal(apply, { ...placeOf(own), ruleIds: [942100, 7], action: 'block' })
  assert.deepEqual(refusal.fields, [{ path: 'ruleIds.1', message: 'validation.unknownRule' }])
})

test('an exclusion says at least one thing, reaches the edge, and ends', async () => {
  const own = await shielded()
  const said = { ruleId: 942100, path: '/posts/*', parameter: 'body', note: 'people write about SQL here' }
  const { data } = await own.client.call(exclude, { ...placeOf(own), ...said })
  await until(async () => published(own)?.exclusions.length === 1)
  assert.deepEqual((await own.client.call(get, placeOf(own))).exclusions, [data])
  assert.equal((await own.client.refusal(exclude, placeOf(own))).code, 400)
  assert.equal((await own.client.refusal(exclude, { ...placeOf(own), path: 'posts' })).code, 400)
  await own.client.call(include, { ...placeOf(own), id: data.id })
  await until(async () => published(own)?.exclusions.length === 0)
  assert.equal((await own.client.refusal(include, { ...placeOf(own), id: data.id })).code, 404)
})

test('where no node can inspect, the trial says so and not that the request is clean', async () => {
  const own = await shielded()
  const { verdict } = await own.client.call(webSecurity.routes.try, {
    ...placeOf(own),
    address: '203.0.113.9',
    target: '/?q=<script>alert(1)</script>',
    headers: [{ name: 'User-Agent', value: 'curl/8.14.1' }],
  })
  assert.deepEqual([verdict.part, verdict.action, verdict.reason], ['crs-rules', 'pass', 'inspection-failed'])
})
