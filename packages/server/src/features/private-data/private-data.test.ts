import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { auditLog, cdnManagement, privateData, pulse } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { until } from '../../testing/until.ts'

const { list, get, create, update, remove, look } = privateData.routes
const OPEN = { 'access-control-allow-origin': '*', 'timing-allow-origin': '*', 'cache-control': 'max-age=3600' }
let answer: http.RequestListener = (_request, response) => void response.writeHead(200, OPEN).end(Buffer.alloc(2_000))
const object = http.createServer((request, response) => answer(request, response))
let hostname = ''
let api: ApiUnderTest
before(async () => {
  await new Promise<void>((resolve) => object.listen(0, '127.0.0.1', resolve))
  hostname = `127.0.0.1:${(object.address() as AddressInfo).port}`
  api = await startApiUnderTest({ FAIRWAY_PRIVATE_NETWORKS: hostname })
})
after(async () => {
  await api[Symbol.asyncDispose]()
  object.closeAllConnections()
  await new Promise((resolve) => object.close(resolve))
})
const own = (change: object = {}) => ({ name: 'Mine', hostname, path: '/t.bin', secure: false, ...change })
/** Has the worker look now and not when it is due. */
const lookNow = () =>
  api.database.system(async (tx) => {
    await tx.query('UPDATE monitoring_cdn SET due_at = now()')
    await tx.query(`SELECT pg_notify('monitoring', '')`)
  })

test('an object that is right is measured by browsers; one that turns bad is put aside; a dead CDN is measured on', async () => {
  const client = await api.newClient()
  const cdn = (await client.call(cdnManagement.routes.createPlatform, { name: 'Ours', cname: 'edge.ours.example' }))
    .data.id
  const { id } = await client.call(create, own({ track: 'steer', cdnId: cdn }))
  const state = async () => (await client.call(get, { id })).state
  const targets = async () => (await client.call(pulse.routes.get, {})).settings.targets
  await until(async () => (await state()) === 'operational')
  assert.deepEqual(await targets(), [{ c: cdn, u: `http://${hostname}/t.bin`, o: 1 }])

  answer = (_request, response) => void response.writeHead(200, { 'timing-allow-origin': '*' }).end(Buffer.alloc(2_000))
  await lookNow()
  await until(async () => (await state()) === 'aside')
  assert.deepEqual(
    (await client.call(get, { id })).findings.flatMap(({ check, state: found }) => (found === 'fault' ? [check] : [])),
    ['cors'],
  )
  assert.deepEqual(await targets(), [])

  answer = (_request, response) => void response.writeHead(200, OPEN).end(Buffer.alloc(2_000))
  await lookNow()
  await until(async () => (await state()) === 'operational')

  answer = (_request, response) => void response.writeHead(503).end()
  await lookNow()
  await until(async () =>
    (await client.call(get, { id })).findings.some(
      ({ check, state: found }) => check === 'status' && found === 'fault',
    ),
  )
  assert.equal(await state(), 'operational')
  assert.equal((await targets()).length, 1)
  answer = (_request, response) => void response.writeHead(200, OPEN).end(Buffer.alloc(2_000))
})

test('while it is being deployed it cannot be changed, and no address of ours can be looked at', async () => {
  const client = await api.newClient()
  const { id, state } = await client.call(create, own({ hostname: '127.0.0.1:1', name: 'Inner' }))
  assert.equal(state, 'deploying')
  assert.equal((await client.refusal(update, { id, ...own() })).code, 810010)
  const { findings } = await client.call(look, { hostname: '127.0.0.1:1', path: '/', secure: false })
  assert.deepEqual(
    findings.find(({ check }) => check === 'reachable'),
    {
      check: 'reachable',
      state: 'fault',
      seen: 'the name stands for an address of a private network',
    },
  )
  assert.equal(
    (await client.call(look, { hostname, path: '/t.bin', secure: false })).findings.every(
      ({ state: found }) => found !== 'fault',
    ),
    true,
  )
  answer = (_request, response) => void response.writeHead(200, OPEN).end(Buffer.alloc(100_000))
  assert.equal(
    (await client.call(look, { hostname, path: '/t.bin', secure: false })).findings.find(
      ({ check }) => check === 'size',
    )?.state,
    'fault',
  )
  answer = (_request, response) => void response.writeHead(200, OPEN).end(Buffer.alloc(2_000))
  await client.call(remove, { id })
  assert.equal((await client.call(list, {})).data.length, 0)
  assert.deepEqual(
    (await client.call(auditLog.routes.list, {})).data.slice(0, 2).map(({ action }) => action),
    ['private-data.remove', 'private-data.create'],
  )
})

test('names are told once, limits hold, and what steers names a CDN of its own organisation', async () => {
  const [client, other] = [await api.newClient(), await api.newClient()]
  const foreign = (
    await other.call(cdnManagement.routes.createPlatform, { name: 'Theirs', cname: 'edge.theirs.example' })
  ).data.id
  assert.equal((await client.refusal(create, own({ track: 'steer' }))).status, 400)
  assert.equal((await client.refusal(create, own({ track: 'steer', cdnId: foreign }))).status, 400)
  await client.call(create, own())
  assert.equal((await client.refusal(create, own())).code, 27034)
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO monitoring_cdn (organization_id, name, type, provider, track, hostname, path, secure, due_at) SELECT $1, 'n' || i, 'cdn', '', 'compare', 'x.example', '/', true, 'infinity' FROM generate_series(2, 20) AS i`,
      [client.organizationId],
    ),
  )
  assert.equal((await client.refusal(create, own({ name: 'One more' }))).code, 27045)
  assert.equal((await other.call(list, {})).data.length, 0)
})

test('objects that hang have two places of their organisation: those of others are looked at meanwhile', async () => {
  const [slow, honest] = [await api.newClient(), await api.newClient()]
  const hanging = new Set<http.ServerResponse>()
  let most = 0
  answer = (request, response) => {
    if (request.url !== '/hangs') return void response.writeHead(200, OPEN).end(Buffer.alloc(2_000))
    hanging.add(response)
    response.on('close', () => hanging.delete(response))
    most = Math.max(most, hanging.size)
  }
  const insertHanging = () =>
    api.database.system((tx) =>
      tx.query(
        `INSERT INTO monitoring_cdn (organization_id, name, type, provider, track, hostname, path, secure) SELECT $1, 'n' || i, 'cdn', '', 'compare', $2, '/hangs', false FROM generate_series(1, 20) AS i`,
        [slow.organizationId, hostname],
      ),
    )
  await insertHanging()
  await until(async () => hanging.size === 2)
  const { id } = await honest.call(create, own())
  await until(async () => (await honest.call(get, { id })).state === 'operational')
  const { checkedAt } = await honest.call(get, { id })
  assert.equal(most, 2)
  // Removed while they are looked at, and there again: the looks go on.
  const clear = () =>
    api.database.system((tx) =>
      tx.query('DELETE FROM monitoring_cdn WHERE organization_id = $1', [slow.organizationId]),
    )
  await clear()
  await insertHanging()
  await lookNow()
  await until(async () => (await honest.call(get, { id })).checkedAt !== checkedAt)
  assert.equal(most, 2)
  await clear()
  for (const response of hanging) response.destroy()
})

test('one that was seldom looked at has not failed yet, however long ago it was made', async () => {
  const client = await api.newClient()
  answer = (_request, response) => void response.writeHead(503).end()
  const { id } = await client.call(create, own())
  const looked = async (looks: number) => {
    await api.database.system((tx) =>
      tx.query(
        `UPDATE monitoring_cdn SET state_since = now() - interval '11 minutes', looks = $2, checked_at = NULL WHERE id = $1`,
        [id, looks],
      ),
    )
    await lookNow()
    await until(async () => (await client.call(get, { id })).checkedAt !== null)
    return (await client.call(get, { id })).state
  }
  assert.equal(await looked(1), 'deploying')
  assert.equal(await looked(9), 'failed')
  answer = (_request, response) => void response.writeHead(200, OPEN).end(Buffer.alloc(2_000))
})
