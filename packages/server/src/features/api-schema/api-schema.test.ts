import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import zlib from 'node:zlib'
import { type EventStore, openStore, startStore } from '@fairway/analytics'
import { apiSchema, domains, versions, webSecurity } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { newSteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'
import { learnSchemas } from './keep-learning.ts'

const { routes } = apiSchema
let api: ApiUnderTest
let edge: NodeUnderTest
let store: AsyncDisposable
let events: EventStore
before(async () => {
  api = await startApiUnderTest()
  edge = startNodeUnderTest(api, 'edge')
  store = await startStore({ config: api.config, log: api.log })
  events = openStore(api.config)
})
after(async () => {
  await events[Symbol.asyncDispose]()
  await store[Symbol.asyncDispose]()
  await edge[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

async function learningDomain(planId = 'enterprise') {
  const own = await newSteeredDomain(api, { planId })
  const place = { site: own.site, domain: own.domain }
  await own.client.call(domains.routes.update, { ...place, settings: { originShield: 'use' } })
  await own.client.call(routes.update, { ...place, learning: true, paths: ['/api/*'] })
  return { ...own, place }
}

type Sent = {
  method?: string
  segments: string[]
  kind?: string
  fields?: object[]
  network?: number
  status?: number
  agoMs?: number
}
let sent = 0
async function sample(own: Awaited<ReturnType<typeof learningDomain>>, count: number, one: (i: number) => Sent) {
  const rows = Array.from({ length: count }, (_, i) => {
    const {
      method = 'GET',
      segments,
      kind = 'none',
      fields = [],
      network = i % 5,
      status = 200,
      agoMs = 60_000 - i,
    } = one(i)
    sent += 1
    return {
      at: new Date(Date.now() - agoMs).toISOString().replace('T', ' ').slice(0, 23),
      organization: own.client.organizationId,
      site: own.site,
      domain: own.domain,
      node: 'n/edge',
      id: `id-${String(sent).padStart(8, '0')}`,
      method,
      status,
      client: `203.0.${network}.0`,
      shape: JSON.stringify({ segments, kind, size: kind === 'none' ? 0 : 20, fields, isWhole: true }),
      weight: 1,
    }
  })
  await events.insert('request_shapes', rows)
}
const learnNow = () => learnSchemas(api.database, events, Date.now(), api)
const page = { where: 'query', name: 'page', type: 'integer', length: 2 }
const users = { segments: ['api', 'users'], fields: [page] }
const user = { segments: ['api', 'users', '{integer}'] }

test('sampled requests become endpoints, once each, and a frozen schema reaches the edge, stops what does not fit, and goes by a revert', async () => {
  const own = await learningDomain()
  const { client, place } = own
  assert.deepEqual((await client.call(routes.get, place)).learned, null)
  await sample(own, 60, (i) => (i % 2 ? users : user))
  await sample(own, 10, () => ({ segments: ['api', 'admin'], status: 404 }))
  await learnNow()
  await learnNow()
  const found = (await client.call(routes.endpoints, place)).data
  assert.deepEqual(
    found.map(({ method, path, state, seen, networks }) => [method, path, state, seen, networks]),
    [
      ['GET', '/api/users', 'known', 30, 3],
      ['GET', '/api/users/{userId}', 'known', 30, 3],
    ],
  )
  const searched = await client.call(routes.endpoints, {
    ...place,
    search: 'userid',
    state: 'known',
    ordering: '-seen',
  })
  assert.equal(searched.meta.total, 1)
  assert.equal(
    (await client.refusal(routes.update, { ...place, mode: 'block' })).code,
    26920,
    'everything would be unknown',
  )
  assert.equal((await client.refusal(routes.effect, place)).code, 26920)
  assert.equal((await client.call(routes.freeze, place)).data.endpoints, 2)
  const on = await client.call(routes.update, { ...place, mode: 'block' })
  await until(async () => edge.document('edge-security', own.site)?.domains[0]?.policy.schema.mode === 'block')
  assert.equal(edge.document('edge-security', own.site)?.domains[0]?.policy.schema.endpoints.length, 2)
  const tried = async (target: string) => {
    const APP = [
      { name: 'user-agent', value: 'shop/1.0' },
      { name: 'accept', value: '*/*' },
    ]
    const { verdict } = await client.call(webSecurity.routes.try, {
      ...place,
      address: '203.0.113.9',
      target,
      headers: APP,
    })
    return [
      verdict.action,
      verdict.part,
      verdict.reason,
      verdict.trace.find(({ ruleId }) => ruleId === verdict.ruleId)?.name,
    ]
  }
  assert.deepEqual((await tried('/api/users?page=2'))[0], 'pass')
  assert.deepEqual(await tried('/api/users?page=x'), ['block', 'api-protection', 'wrong-type', 'GET /api/users (page)'])
  assert.deepEqual((await tried('/api/admin')).slice(0, 3), ['block', 'api-protection', 'unknown-endpoint'])
  assert.deepEqual((await tried('/elsewhere'))[0], 'pass')
  await client.call(versions.routes.revert, { site: own.site, number: String(on.meta.version) })
  assert.deepEqual((await tried('/api/admin'))[0], 'pass')
  const document = await client.call(routes.openApi, place)
  assert.deepEqual(Object.keys(document['paths'] as object), ['/api/users', '/api/users/{userId}'])
})

test('a tried body is unpacked before it is held against the schema', async () => {
  const own = await learningDomain()
  const { client, place } = own
  const fields = [
    { where: 'body', name: '', type: 'object', length: 0 },
    { where: 'body', name: 'text', type: 'text', length: 5 },
  ]
  const notes = () => ({ method: 'POST', segments: ['api', 'notes'], kind: 'json', fields })
  await sample(own, 30, notes)
  await learnNow()
  await sample(own, 100, notes)
  await learnNow()
  await client.call(routes.freeze, place)
  await client.call(routes.update, { ...place, mode: 'block' })
  const coding = { name: 'Content-Encoding', value: 'gzip' }
  const request = {
    ...place,
    address: '203.0.113.9',
    method: 'POST',
    target: '/api/notes',
    bodyForm: 'base64' as const,
    headers: [
      { name: 'User-Agent', value: 'shop/1.0' },
      { name: 'Accept', value: '*/*' },
      { name: 'Content-Type', value: 'application/json' },
    ],
  }
  const tried = async (packed: Buffer) => {
    const headers = [...request.headers, coding]
    const body = packed.toString('base64')
    const { verdict } = await client.call(webSecurity.routes.try, { ...request, headers, body })
    return verdict.part === 'api-protection' ? verdict.reason : ''
  }
  assert.equal(await tried(zlib.gzipSync('{"text":"Hello"}')), '')
  assert.equal(await tried(zlib.gzipSync('{"text":"Hello","admin":1}')), 'unknown-parameter')
  assert.equal(await tried(Buffer.from('{"text":"Hello"}')), 'too-complex')
  const refusal = await client.refusal(webSecurity.routes.try, { ...request, body: '{"text":"Hello"}' })
  assert.deepEqual(refusal.fields, [{ path: 'body', message: 'validation.base64' }])
})

test('what the schema would have stopped in the last day is told before it is turned on', async () => {
  const own = await learningDomain()
  const { client, place } = own
  await sample(own, 40, () => users)
  await learnNow()
  await client.call(routes.freeze, place)
  await sample(own, 3, () => ({ segments: ['api', 'users'], fields: [{ ...page, type: 'text' }] }))
  await sample(own, 2, () => ({ segments: ['api', 'other'] }))
  await sample(own, 5, () => ({ segments: ['pages', 'a'] }))
  await sample(own, 7, () => ({ segments: ['api', 'old'], agoMs: 25 * 3_600_000 }))
  const effect = await client.call(routes.effect, place)
  assert.deepEqual([effect.requests, effect.misfits], [45, 5])
  assert.deepEqual(effect.reasons, [
    { reason: 'wrong-type', requests: 3 },
    { reason: 'unknown-endpoint', requests: 2 },
  ])
  assert.deepEqual(effect.examples[0], {
    method: 'GET',
    path: '/api/users',
    reason: 'wrong-type',
    name: 'page',
    requests: 3,
  })
})

test('an endpoint is accepted before it is known, changed by hand, and left out; what is learned later leaves that alone', async () => {
  const own = await learningDomain()
  const { client, place } = own
  await sample(own, 25, () => users)
  await sample(own, 5, () => ({ ...user, network: 1 }))
  await learnNow()
  const rows = (await client.call(routes.endpoints, place)).data
  const [first, second] = rows
  assert.ok(first && second)
  assert.deepEqual([first.state, second.state], ['known', 'learning'])
  await client.call(routes.accept, { ...place, id: second.id })
  const one = await client.call(routes.endpoint, { ...place, id: second.id })
  assert.equal(one.state, 'in-force')
  assert.ok(one.inForce)
  const edit = { ...one.inForce, open: false, maxBytes: 99 }
  await client.call(routes.edit, { ...place, id: second.id, ...edit })
  const refused = await client.refusal(routes.edit, { ...place, id: second.id, ...edit, parameters: [] })
  assert.equal(refused.status, 400, 'the path has a value in it')
  const twice = [...edit.parameters, ...edit.parameters]
  assert.equal((await client.refusal(routes.edit, { ...place, id: second.id, ...edit, parameters: twice })).status, 400)
  await client.call(routes.freeze, place)
  const kept = await client.call(routes.endpoint, { ...place, id: second.id })
  assert.deepEqual([kept.inForce?.maxBytes, kept.edited], [99, true])
  await client.call(routes.ignore, { ...place, id: first.id, ignored: true })
  await client.call(routes.freeze, place)
  assert.deepEqual(
    (await client.call(routes.endpoints, place)).data.map(({ state }) => state),
    ['ignored', 'in-force'],
  )
  await client.call(routes.update, { ...place, mode: 'simulate' })
  await client.call(routes.ignore, { ...place, id: second.id, ignored: true })
  assert.equal((await client.call(routes.get, place)).mode, 'off', 'with the last endpoint goes what would stop all')
  assert.equal((await client.refusal(routes.accept, { ...place, id: 'nobody' })).status, 404)
})

test('what cannot be read any more is learned anew, said so, and stops nobody', async () => {
  const own = await learningDomain()
  const { client, place } = own
  await sample(own, 30, () => users)
  await learnNow()
  await client.call(routes.freeze, place)
  await client.call(routes.update, { ...place, mode: 'block' })
  await api.database.system((tx) =>
    tx.query(`UPDATE api_schema_learned SET learned = '{broken' WHERE id = $1`, [own.domain]),
  )
  assert.deepEqual(
    (await client.call(routes.endpoints, place)).data.map(({ state }) => state),
    ['gone'],
  )
  assert.equal((await client.call(routes.get, place)).relearned, true)
  await sample(own, 30, () => ({ ...users, agoMs: 10_000 }))
  await learnNow()
  const now = await client.call(routes.get, place)
  assert.deepEqual([now.mode, now.inForce?.endpoints, now.learned?.requests, now.relearned], ['block', 1, 30, true])
})

test('nothing is learned of who has not asked for it, nor from samples of others', async () => {
  const own = await learningDomain()
  await own.client.call(routes.update, { ...own.place, learning: false })
  await sample(own, 30, () => users)
  await learnNow()
  assert.equal((await own.client.call(routes.get, own.place)).learned, null)
  const other = await learningDomain()
  await sample({ ...own, domain: other.domain }, 30, () => users)
  await learnNow()
  assert.equal((await other.client.call(routes.get, other.place)).learned, null)
})
