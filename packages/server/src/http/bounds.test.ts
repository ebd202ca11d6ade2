import assert from 'node:assert/strict'
import fs from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ErrorEnvelope, FEATURES, auditLog, auth, overview, sites } from '@fairway/contract'
import { clientOf, startApiUnderTest, type ApiUnderTest, type Client } from '../testing/api-under-test.ts'

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

test('on a full disk changes are refused before anything is written, all else goes on, and it is over by itself', async (t) => {
  const rich = await api.newClient({ planId: 'enterprise' })
  const site = (await rich.call(sites.routes.create, { domainName: 'full-disk.example' })).data.id
  const { statfsSync } = fs
  const free = (mb: number) => {
    t.mock.restoreAll()
    t.mock.method(fs, 'statfsSync', (of: string) => ({ ...statfsSync(of), bsize: 2 ** 20, bavail: mb }))
  }
  const answersOf = async (code: number | null) => {
    const create = () =>
      rich.call(sites.routes.create, { domainName: `f${Math.random().toString(36).slice(2)}.example` })
    for (;;) {
      const found = await create().then(
        () => null,
        (error: { code?: number }) => error.code ?? 0,
      )
      if (found === code) return
    }
  }
  const degraded = async () =>
    ((await (await ask('/readyz')).json()) as { degraded: string[] }).degraded.includes('disk')
  free(100)
  await answersOf(920903)
  const before = (await rich.call(sites.routes.list, { page_size: -1 })).meta.total
  const record = { site, type: 'TXT', name: 'x', value: 'y' } as const
  assert.deepEqual(
    [
      (await rich.refusal(FEATURES.dnsRecords.routes.create, record)).code,
      (await rich.refusal(sites.routes.remove, { site, confirmName: 'full-disk.example' })).code,
      (await ask('/readyz')).status,
      await degraded(),
    ],
    [920903, 920903, 200, true],
  )
  const refused = await fetch(new URL(sites.routes.create.path, api.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${rich.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ domainName: 'another.example' }),
  })
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '60'])
  assert.equal((await clientOf(api.url, '').refusal(auth.routes.captcha, {})).code, 920903)
  // Who has to make room can come in.
  const signedIn = await fetch(new URL(auth.routes.login.path, api.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: rich.email, password: 'Correct-Horse-9' }),
  })
  assert.equal(signedIn.status, 200)
  assert.equal((await rich.call(sites.routes.list, { page_size: -1 })).meta.total, before)
  // Less than a bit more than the mark is not enough.
  free(280)
  await delay(300)
  assert.equal((await rich.refusal(FEATURES.dnsRecords.routes.create, record)).code, 920903)
  free(900)
  await answersOf(null)
  assert.equal(await degraded(), true)
  free(5000)
  while (await degraded());
})
