import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ErrorEnvelope, dnsRecords, sites } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../testing/api-under-test.ts'

let api: ApiUnderTest
let client: Client
before(async () => {
  api = await startApiUnderTest()
  client = await api.newClient()
})
after(() => api[Symbol.asyncDispose]())

async function post(path: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(new URL(path, api.url), { method: 'POST', body, headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json', ...headers } })
  return { status: response.status, headers: response.headers, body: ErrorEnvelope.safeParse(await response.json()) }
}

test('whatever is wrong with a request, the answer is the envelope with a code and a request id', async () => {
  const cases: [string, string, number][] = [['{"domainName":', 'broken JSON', 400], ['[]', 'another shape', 400], ['null', 'nothing', 400], ['{"domainName": 5}', 'another type', 400], [`{"domainName":"${'x'.repeat(5 << 20)}"}`, 'too large', 413]]
  for (const [body, what, status] of cases) {
    const answer = await post(sites.routes.create.path, body)
    assert.equal(answer.status, status, what)
    assert.ok(answer.body.success, what)
    assert.equal(answer.body.data.meta.requestId, answer.headers.get('x-request-id'))
  }
})

test('a path without its trailing slash, or that is none, is 404 in the envelope', async () => {
  assert.equal((await post('/web/v2/sites', '{}')).status, 404)
  assert.ok((await post('/nothing/here/', '{}')).body.success)
})

test('identifiers that are none are 404, never an error of the database', async () => {
  for (const site of ['x', "' OR 1=1", '00000000-0000-0000-0000-00000000000g', '%00', '..']) assert.equal((await client.refusal(sites.routes.get, { site })).status, 404, site)
})

test('headers keep content as what it is', async () => {
  const response = await fetch(new URL(sites.routes.list.path, api.url))
  assert.deepEqual([response.headers.get('x-content-type-options'), response.headers.get('referrer-policy')], ['nosniff', 'same-origin'])
})

test('long answers are compressed for who can read that, short ones are not', async () => {
  const long = (headers: Record<string, string>) => fetch(new URL('/openapi.json', api.url), { headers })
  const [packed, plain] = [await long({ 'accept-encoding': 'br' }), await long({ 'accept-encoding': 'identity' })]
  assert.deepEqual([packed.headers.get('content-encoding'), plain.headers.get('content-encoding')], ['br', null])
  assert.match(packed.headers.get('vary') ?? '', /accept-encoding/i)
  assert.deepEqual(await packed.json(), await plain.json())
  const short = await fetch(new URL(sites.routes.list.path, api.url), { headers: { authorization: `Bearer ${client.token}`, 'accept-encoding': 'br' } })
  assert.equal(short.headers.get('content-encoding'), null)
})

test('two that hold the same row at the same time wait for each other, and none is lost', async () => {
  const site = (await client.call(sites.routes.create, { domainName: 'busy.example' })).data.id
  await Promise.all(Array.from({ length: 30 }, (_, index) => client.call(dnsRecords.routes.create, { site, type: 'TXT', name: `n${index}`, value: 'x' })))
  assert.equal((await client.call(sites.routes.get, { site })).version, 31)
})
