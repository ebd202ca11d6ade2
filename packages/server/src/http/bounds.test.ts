import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ErrorEnvelope, auditLog, auth, overview, sites } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../testing/api-under-test.ts'

let api: ApiUnderTest
let client: Client
before(async () => {
  api = await startApiUnderTest()
  client = await api.newClient()
})
after(() => api[Symbol.asyncDispose]())

const ask = (path: string, init: RequestInit = {}) =>
  fetch(new URL(path, api.url), { ...init, headers: { authorization: `Bearer ${client.token}`, ...init.headers } })

test('a body has half a minute to come', () => {
  assert.equal(api.server.requestTimeout, 30_000)
  assert.ok(api.server.headersTimeout > 0 && api.server.headersTimeout <= 30_000)
})

test('a person has room for some event streams; one more is told so, and again has room when one ends', async () => {
  const open = async () => {
    const end = new AbortController()
    const response = await ask(overview.routes.events.path, { signal: end.signal })
    return { response, end }
  }
  const streams: Awaited<ReturnType<typeof open>>[] = []
  try {
    for (let count = 0; count < 20; count++) {
      const stream = await open()
      assert.equal(stream.response.status, 200)
      streams.push(stream)
    }
    const refused = await open()
    assert.deepEqual(
      [refused.response.status, ErrorEnvelope.parse(await refused.response.json()).meta.code],
      [429, 1531],
    )
    // Another person has room.
    const other = await api.newClient()
    const theirs = new AbortController()
    const answer = await fetch(new URL(overview.routes.events.path, api.url), {
      headers: { authorization: `Bearer ${other.token}` },
      signal: theirs.signal,
    })
    assert.equal(answer.status, 200)
    theirs.abort()
    streams.pop()?.end.abort()
    let again = await open()
    while (again.response.status === 429) again = await open()
    streams.push(again)
  } finally {
    for (const { end } of streams) end.abort()
  }
})

test('nobody gets around the lock of signing in by naming another address', async () => {
  const wrong = (number: number) =>
    ask(auth.routes.login.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${number}` },
      body: JSON.stringify({ email: 'locked@example.com', password: 'wrong' }),
    })
  for (let number = 1; number <= 5; number++) assert.equal((await wrong(number)).status, 401)
  assert.equal((await wrong(6)).status, 429)
})

test('answers are kept by nobody, least of all those with a token', async () => {
  const signedIn = await ask(auth.routes.login.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: client.email, password: 'Correct-Horse-9' }),
  })
  assert.deepEqual([signedIn.status, signedIn.headers.get('cache-control')], [200, 'no-store'])
  assert.equal((await ask(sites.routes.list.path)).headers.get('cache-control'), 'no-store')
})

test('a query that nobody reads is refused, not answered as if it had not been there', async () => {
  const answer = await ask(`${auditLog.routes.list.path}?pageSize=4`)
  assert.deepEqual(
    [answer.status, ErrorEnvelope.parse(await answer.json()).meta.fields],
    [400, [{ path: 'pageSize', message: 'validation.unknownField' }]],
  )
  assert.equal((await client.call(auditLog.routes.list, { page_size: 4 })).meta.pageSize, 4)
})
