import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { after, before, test } from 'node:test'
import { sites } from '@fairway/contract'
import { nodeTokenOf, send, startApiUnderTest, type ApiUnderTest } from './testing/api-under-test.ts'
import { everyRoute, isMutating, type NamedRoute } from './testing/every-route.ts'
import { sessionCookie } from './http/session-cookies.ts'

let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const closed = everyRoute.filter(({ route }) => route.permission !== 'public')
const granted = closed.filter(({ route }) => route.permission !== 'signed-in' && route.permission !== 'node')
const pathOf = ({ params }: NamedRoute) => Object.fromEntries(params.map((param) => [param, crypto.randomUUID()]))

async function eachAnswers(entries: NamedRoute[], token: string, status: number): Promise<void> {
  assert.ok(entries.length > 0)
  for (const entry of entries) {
    const response = await send(api.url, token, entry.route, pathOf(entry))
    const body = (await response.json()) as { meta: { code: number; requestId: string } }
    assert.deepEqual(
      [response.status, body.meta.code, typeof body.meta.requestId],
      [status, status, 'string'],
      entry.name,
    )
  }
}

test('without sign-in every route but the public ones is 401', () => eachAnswers(closed, '', 401))

test('with a token that is none, or one of another session, every route is 401', async () => {
  await eachAnswers(closed, 'nonsense', 401)
  const { token } = await api.newClient()
  await eachAnswers(closed, `${crypto.randomUUID()}.${token.split('.')[1]}`, 401)
  await eachAnswers(closed, `${token.split('.')[0]}.${crypto.randomBytes(32).toString('base64url')}`, 401)
})

test('a user without the permission gets 403, whatever is asked for', async () => {
  const client = await api.newClient({ permissions: [] })
  await eachAnswers(granted, client.token, 403)
})

test('each permission opens its own routes and no others', async () => {
  const owner = await api.newClient()
  const reader = await api.colleague(owner, ['ViewSite'])
  await eachAnswers(
    granted.filter(({ route }) => route.permission !== 'ViewSite'),
    reader.token,
    403,
  )
  assert.equal((await reader.call(sites.routes.list, {})).meta.total, 0)
})

test('routes of nodes are closed to users, routes of users to nodes', async () => {
  const client = await api.newClient({ isOperator: true })
  await eachAnswers(
    closed.filter(({ route }) => route.permission === 'node'),
    client.token,
    403,
  )
  await eachAnswers(
    closed.filter(({ route }) => route.permission !== 'node'),
    nodeTokenOf(api),
    401,
  )
})

test('the sandbox is read-only: every change is 403', async () => {
  const client = await api.newClient()
  await api.database.system((tx) =>
    tx.query('UPDATE organization SET sandbox = true WHERE id = $1', [client.organizationId]),
  )
  await eachAnswers(
    granted.filter(({ route }) => isMutating(route) && route.audit),
    client.token,
    403,
  )
})

test('a cookie alone changes nothing: the header that other origins cannot set has to come with it', async () => {
  const client = await api.newClient()
  for (const { route, name } of closed.filter(
    (entry) => isMutating(entry.route) && entry.route.permission !== 'node',
  )) {
    const path = route.path.replaceAll(/\{\w+\}/g, crypto.randomUUID())
    const response = await fetch(new URL(path, api.url), {
      method: route.method,
      headers: { cookie: `${sessionCookie(api.config)}=${client.token}`, 'content-type': 'application/json' },
      body: '{}',
    })
    assert.equal(response.status, 403, name)
  }
  assert.equal((await client.call(sites.routes.list, {})).meta.total, 0)
})

test('suspended people and organisations are told so', async () => {
  const one = await api.newClient()
  const other = await api.newClient()
  await api.database.system((tx) => tx.query('UPDATE app_user SET suspended = true WHERE email = $1', [one.email]))
  await api.database.system((tx) =>
    tx.query('UPDATE organization SET suspended = true WHERE id = $1', [other.organizationId]),
  )
  assert.equal((await one.refusal(sites.routes.list, {})).code, 1461)
  assert.equal((await other.refusal(sites.routes.list, {})).code, 1451)
})
