import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { liveStreams, notifications } from '@fairway/contract'
import { streamHost, streamKeyHash } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { until } from '../../testing/until.ts'
import { watchLive } from './watch-live.ts'

const { create, get, list, remove, rotateKey, setTranscoder } = liveStreams.routes
const RUNNER = 'test'

let api: ApiUnderTest
before(async () => {
  api = await startApiUnderTest()
  await sql(`INSERT INTO stream_runner (node, can_encode, seen_at) VALUES ($1, true, now() + interval '1 hour')`, [
    RUNNER,
  ])
})
after(() => api[Symbol.asyncDispose]())

const sql = <T extends object>(text: string, values: unknown[]) =>
  api.database.system((tx) => tx.query<T>(text, values))
/** As the role would. */
const takeIn = (id: string) =>
  sql('UPDATE stream_live SET applied_revision = revision, runner = $2 WHERE id = $1', [id, RUNNER])
const newClient = () => api.newClient({ planId: 'enterprise' })

test('a stream is installed, switched on and off as the role confirms it, and refuses what comes too early', async () => {
  const client = await newClient()
  const { data, key } = await client.call(create, { name: 'Harbour' })
  assert.match(key, /^live_[\w-]{32}$/)
  assert.equal(data.transcoderStatus, 0)
  assert.equal((await client.refusal(setTranscoder, { id: data.id, on: true })).code, 30003)
  await takeIn(data.id)
  const status = async () => (await client.call(get, { id: data.id })).transcoderStatus
  assert.equal(await status(), 1)
  assert.equal((await client.call(setTranscoder, { id: data.id, on: true })).transcoderStatus, 4)
  assert.equal((await client.refusal(setTranscoder, { id: data.id, on: false })).code, 30003)
  await takeIn(data.id)
  assert.equal(await status(), 3)
  assert.equal((await client.call(setTranscoder, { id: data.id, on: false })).transcoderStatus, 5)
})

test('the key is told once, kept as a hash, in no list and no audit entry, and replaced by another', async () => {
  const client = await newClient()
  const { data, key } = await client.call(create, { name: 'Harbour' })
  const kept = async () =>
    (await sql<{ key_hash: string }>('SELECT key_hash FROM stream_live WHERE id = $1', [data.id]))[0]?.key_hash
  assert.equal(await kept(), streamKeyHash(key))
  const { key: other } = await client.call(rotateKey, { id: data.id })
  assert.notEqual(other, key)
  assert.equal(await kept(), streamKeyHash(other))
  const told = JSON.stringify([
    await client.call(list, {}),
    await client.call(get, { id: data.id }),
    await sql('SELECT * FROM audit_log', []),
  ])
  assert.ok(!told.includes(key) && !told.includes(other))
})

test('names are unique, bounds are kept, and strangers and viewers change nothing', async () => {
  const client = await newClient()
  const other = await newClient()
  const { data } = await client.call(create, { name: 'Harbour' })
  assert.equal((await client.refusal(create, { name: 'HARBOUR' })).code, 30014)
  for (const wrong of [
    { keyFrameSeconds: 0 },
    { keyFrameSeconds: 21 },
    { rewindSeconds: 59 },
    { rewindSeconds: 21_601 },
    { name: '' },
  ])
    assert.equal((await client.refusal(create, { name: 'x', ...wrong })).code, 400)
  assert.equal((await other.refusal(rotateKey, { id: data.id })).code, 404)
  assert.equal((await other.call(list, {})).meta.total, 0)
  const viewer = await api.colleague(client, ['ViewSite'])
  assert.equal((await viewer.refusal(setTranscoder, { id: data.id, on: true })).code, 403)
  assert.equal((await viewer.call(get, { id: data.id })).name, 'Harbour')
})

test('an encoder that stops is told of once, and that it is back', async () => {
  const client = await newClient()
  const { data } = await client.call(create, { name: 'Harbour' })
  const input = (state: string) =>
    sql(
      `UPDATE stream_live SET is_on = true, input = jsonb_build_object('state', $2::text, 'since', now() - interval '20 seconds') WHERE id = $1`,
      [data.id, state],
    )
  const look = () => api.database.system((tx) => watchLive(tx))
  await input('lost')
  await look()
  await look()
  const news = async () =>
    (await client.call(notifications.routes.list, {})).data.filter(({ event }) => event === 'live-input-lost')
  assert.deepEqual(
    (await news()).map(({ fields, endedAt }) => [fields['stream'], endedAt]),
    [['Harbour', null]],
  )
  await input('live')
  await look()
  assert.notEqual((await news())[0]?.endedAt, null)
})

test('the edge has the host from the first stream on, and forgets what was removed', async () => {
  const client = await newClient()
  const { data } = await client.call(create, { name: 'Harbour' })
  const published = async (kind: string) => {
    const [row] = await sql<{ body: unknown }>('SELECT body FROM publication WHERE kind = $1 AND key = $2', [
      kind,
      `stream:${client.organizationId}`,
    ])
    return JSON.stringify(row?.body ?? null)
  }
  await until(async () => (await published('edge-site')).includes(streamHost(api.config, client.organizationId)))
  await client.call(remove, { id: data.id })
  assert.equal((await client.refusal(get, { id: data.id })).code, 404)
  await until(async () => (await published('edge-purges')).includes(`/${data.id}/`))
})
