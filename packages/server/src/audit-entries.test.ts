import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { after, before, test } from 'node:test'
import { send, startApiUnderTest, type ApiUnderTest } from './testing/api-under-test.ts'
import { everyRoute, isMutating, type NamedRoute } from './testing/every-route.ts'
import { startGate } from './testing/gate-under-test.ts'
import { type SteeredDomain, newSteeredDomain } from './testing/steered-domain.ts'
import { Failure } from './http/failure.ts'

const CHANGE = { entity: 'thing', id: '1', label: 'a thing', before: { size: 1 }, after: { size: 2 } }

let api: ApiUnderTest
let gate: Awaited<ReturnType<typeof startGate>>
let own: SteeredDomain
let refusing = false
before(async () => {
  api = await startApiUnderTest()
  own = await newSteeredDomain(api)
  await api.database.system((tx) =>
    tx.query('UPDATE app_user SET is_operator = true WHERE email = $1', [own.client.email]),
  )
  gate = await startGate(api, async (_route, { change }) => {
    change.record(CHANGE)
    if (refusing) throw new Failure(7409)
  })
})
after(async () => {
  await gate[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

type Entry = {
  action: string
  user_label: string
  impostor: string | null
  ip: string
  changes: unknown
  version: number | null
  site_id: string | null
}
const forUsers = everyRoute.filter(({ route }) => route.permission !== 'public' && route.permission !== 'node')
const entries = () =>
  api.database.system((tx) =>
    tx.query<Entry>(
      'SELECT action, user_label, impostor, ip, changes, version, site_id FROM audit_log WHERE organization_id = $1 ORDER BY number',
      [own.client.organizationId],
    ),
  )

/** Calls the route and answers what it has added to the log. */
async function added({ name, route, params }: NamedRoute, status: number): Promise<Entry[]> {
  const before = await entries()
  const path = Object.fromEntries(
    params.map((param) => [param, { site: own.site, domain: own.domain, number: '1' }[param] ?? crypto.randomUUID()]),
  )
  const response = await send(gate.url, own.client.token, route, path)
  assert.equal(response.status, status, `${name}: ${await response.text()}`)
  return (await entries()).slice(before.length)
}

test('every mutating route with an audit name writes exactly one entry: that name, who, from where, before and after, and its version; every other route writes none', async () => {
  let audited = 0
  for (const entry of forUsers.filter(({ route }) => !route.stream)) {
    const { name, route } = entry
    const found = await added(entry, 200)
    if (!isMutating(route) || !route.audit) {
      assert.deepEqual(found, [], name)
      continue
    }
    assert.deepEqual(
      found.map(({ action, user_label, ip, changes }) => [action, user_label, ip, changes]),
      [[route.audit, own.client.email, '127.0.0.1', [CHANGE]]],
      name,
    )
    const isVersion = (route.changes?.length ?? 0) > 0 && entry.params.includes('site')
    assert.deepEqual(
      [found[0]?.version !== null, found[0]?.site_id],
      [isVersion, entry.params.includes('site') ? own.site : null],
      name,
    )
    audited++
  }
  assert.ok(audited > 40, `${audited} audited`)
})

test('a call that is refused after all writes none', async () => {
  refusing = true
  for (const entry of forUsers.filter(({ route }) => isMutating(route) && !route.stream))
    assert.deepEqual(await added(entry, 409), [], entry.name)
  refusing = false
})

test('who looks on is told with whom they act for, on every route they reach', async () => {
  await api.database.system((tx) =>
    tx.query(
      `UPDATE session SET impostor = 'operator@example.com', impostor_id = (SELECT id FROM app_user WHERE is_operator LIMIT 1) WHERE organization_id = $1`,
      [own.client.organizationId],
    ),
  )
  for (const entry of forUsers.filter(
    ({ route }) =>
      isMutating(route) && route.audit && !route.personal && !route.lasting && route.permission !== 'operator',
  )) {
    const [found] = await added(entry, 200)
    assert.deepEqual([found?.user_label, found?.impostor], [own.client.email, 'operator@example.com'], entry.name)
  }
})

test('a mutating route says what it is called in the log, or is one of those that tell it by themselves or change nothing to ask about', () => {
  for (const { name, route } of everyRoute.filter((entry) => isMutating(entry.route)))
    assert.ok(route.audit !== undefined, name)
  // The wrapper knows nobody in a public call, so that an audit name there would be an empty promise.
  assert.deepEqual(
    everyRoute
      .filter(({ route }) => (route.permission === 'public' || route.permission === 'node') && route.audit)
      .map(({ name }) => name),
    [],
  )
})
