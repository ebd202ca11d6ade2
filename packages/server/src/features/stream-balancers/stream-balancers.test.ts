import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type StreamBalance, auditLog, cdnManagement, liveStreams, streamBalancers } from '@fairway/contract'
import { streamCdnHost, streamHost } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { type NodeUnderTest, startNodeUnderTest } from '../../testing/node-under-test.ts'
import { until } from '../../testing/until.ts'

const { get, set, simulate, why } = streamBalancers.routes
const EDGE = { cdnId: 'edge', host: null, weight: 60, enabled: true }
const POLARIS = { cdnId: 'polaris', host: null, weight: 30, enabled: true }
const OUTSIDE = { cdnId: null, host: 'video.other-cdn.net', weight: 10, enabled: true }
const ON = { source: 'assets', isOn: true, mode: 'weights' as const }

let api: ApiUnderTest
let edge: NodeUnderTest
let collector: NodeUnderTest
before(async () => {
  api = await startApiUnderTest()
  edge = startNodeUnderTest(api, 'edge')
  collector = startNodeUnderTest(api, 'collector')
})
after(async () => {
  await edge[Symbol.asyncDispose]()
  await collector[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const sql = <T extends object>(text: string, values: unknown[]) =>
  api.database.system((tx) => tx.query<T>(text, values))

async function newClient({ videos = true } = {}): Promise<Client> {
  const client = await api.newClient({ planId: 'enterprise' })
  if (videos)
    await sql(`INSERT INTO stream_asset (organization_id, name, size, created_by) VALUES ($1, 'film.mp4', 1, 'x')`, [
      client.organizationId,
    ])
  return client
}
async function newLive(client: Client): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `INSERT INTO stream_live (organization_id, name, latency, key_frame_seconds, rewind_seconds, key_hash, created_by) VALUES ($1::uuid, 'Harbour', 'normal', 2, 60, gen_random_uuid()::text, 'x') RETURNING id`,
    [client.organizationId],
  )
  return row?.id ?? ''
}
const idOf = async (client: Client, live: string | null = null) =>
  (
    await sql<{ id: string }>(
      'SELECT id FROM stream_balancer WHERE organization_id = $1 AND live_id IS NOT DISTINCT FROM $2',
      [client.organizationId, live],
    )
  )[0]?.id ?? ''
const document = async (client: Client): Promise<StreamBalance | null | undefined> =>
  collector.document('stream-balance', await idOf(client))

test('before anybody has set one it is off, with our edge alone, and what may be added', async () => {
  const client = await newClient()
  const { isOn, entries, choices, serverUrl, limit } = await client.call(get, { source: 'assets' })
  assert.deepEqual([isOn, serverUrl, limit], [false, null, 10])
  assert.deepEqual(
    entries.map(({ pathway, host, state }) => [pathway, host, state]),
    [['edge', streamHost(api.config, client.organizationId), 'off']],
  )
  assert.ok(choices.some(({ cdnId, host }) => cdnId === 'polaris' && host?.includes('.polaris.')))
})

test('entries become a document, hosts at the edge and probes; their states are what the nodes say', async () => {
  const client = await newClient()
  const saved = await client.call(set, { ...ON, entries: [EDGE, POLARIS, OUTSIDE] })
  assert.ok(saved.serverUrl?.endsWith(`/steer/${await idOf(client)}`))
  const polaris = streamCdnHost(api.config, client.organizationId, 'polaris')
  const own = streamHost(api.config, client.organizationId)
  const published = await until(() => document(client))
  assert.deepEqual(
    published?.pathways.map(({ id, host, weight }) => [id, host, weight]),
    [
      ['edge', own, 60],
      ['polaris', polaris, 30],
      ['video.other-cdn.net', 'video.other-cdn.net', 10],
    ],
  )
  const site = await until(async () => edge.document('edge-site', `stream:${client.organizationId}:polaris`) ?? null)
  assert.deepEqual(
    site?.domains.map(({ host, origin }) => [host, origin.hostHeader, origin.house]),
    [[polaris, own, true]],
  )
  const probes = await until(async () => {
    const found = edge.document('probe-targets', client.organizationId)?.targets
    return found?.length === 3 && found
  })
  assert.deepEqual(
    probes.map(({ cdnId, house, address }) => [cdnId, house, address === null]),
    [
      ['edge', true, false],
      ['polaris', true, false],
      ['video.other-cdn.net', false, true],
    ],
  )
  await until(async () =>
    (await client.call(get, { source: 'assets' })).entries
      .filter(({ pathway }) => pathway !== 'edge')
      .every(({ state }) => state === 'completed'),
  )
  // Off again: nobody is steered, and the host of its own is gone.
  await client.call(set, { ...ON, isOn: false, entries: [EDGE, POLARIS] })
  await until(async () => (await document(client)) === null)
  await until(async () => edge.document('edge-site', `stream:${client.organizationId}:polaris`) === null)
  assert.equal((await client.call(get, { source: 'assets' })).serverUrl, null)
})

test('a live stream has a balancer of its own, which goes with it', async () => {
  const client = await newClient()
  const live = await newLive(client)
  await client.call(set, { ...ON, source: live, entries: [EDGE] })
  assert.equal((await client.call(get, { source: 'assets' })).isOn, false)
  const id = await idOf(client, live)
  assert.equal((await until(async () => collector.document('stream-balance', id)))?.liveId, live)
  await client.call(liveStreams.routes.remove, { id: live })
  assert.equal((await client.refusal(get, { source: live })).status, 404)
  await until(async () => collector.document('stream-balance', id) === null)
})

test('a CDN that players are steered to is not removed, and is once nobody is', async () => {
  const client = await newClient()
  const { createPlatform, removePlatform } = cdnManagement.routes
  const { id } = (await client.call(createPlatform, { name: 'Video CDN', cname: 'edge.video-cdn.net' })).data
  const entry = { cdnId: id, host: 'film.video-cdn.net', weight: 10, enabled: true }
  await client.call(set, { ...ON, entries: [EDGE, entry] })
  assert.equal((await client.refusal(removePlatform, { platform: id })).code, 27033)
  await client.call(set, { ...ON, entries: [EDGE] })
  assert.deepEqual(await client.call(removePlatform, { platform: id }), { id })
})

test('bounds are kept: ten entries, one enabled, weights, hosts of nobody else, nothing twice', async () => {
  const client = await newClient()
  const refused = async (entries: object[], more: object = {}) => {
    const { code, fields } = await client.refusal(set, { ...ON, ...more, entries } as never)
    return [code, fields[0]?.path, fields[0]?.message]
  }
  const hosts = Array.from({ length: 11 }, (_, index) => ({ ...OUTSIDE, host: `h${index}.other.net` }))
  assert.equal((await refused(hosts))[0], 30005)
  assert.equal((await refused([{ ...EDGE, enabled: false }]))[0], 30006)
  for (const entry of [
    { ...EDGE, weight: 0 },
    { ...EDGE, weight: 101 },
    { ...OUTSIDE, host: '127.0.0.1' },
    { ...OUTSIDE, host: 'a b.example' },
    { ...OUTSIDE, host: 'evil.example/path' },
    { ...OUTSIDE, host: 'evil.example:99' },
    { ...OUTSIDE, surprise: 1 },
  ])
    assert.equal((await refused([entry]))[0], 400, JSON.stringify(entry))
  assert.deepEqual(await refused([{ ...EDGE, cdnId: 'nobody' }]), [400, 'entries.0.cdnId', 'validation.invalid'])
  assert.deepEqual(await refused([EDGE, EDGE]), [400, 'entries.1.cdnId', 'validation.duplicateValue'])
  assert.deepEqual(await refused([OUTSIDE, OUTSIDE]), [400, 'entries.1.host', 'validation.duplicateValue'])
  const other = await newClient()
  const foreign = streamHost(api.config, other.organizationId)
  assert.deepEqual(await refused([{ ...OUTSIDE, host: foreign }]), [400, 'entries.0.host', 'validation.ownHost'])
  assert.equal((await refused([EDGE], { mode: 'fastest' }))[0], 400)
})

test('without a video there is nothing that a CDN could fetch', async () => {
  const client = await newClient({ videos: false })
  assert.equal((await client.refusal(set, { ...ON, entries: [EDGE] })).code, 30015)
  assert.equal((await client.call(set, { ...ON, isOn: false, entries: [EDGE] })).isOn, false)
})

test('strangers see nothing of a stream’s balancer, viewers change nothing, and changes are audited', async () => {
  const client = await newClient()
  const live = await newLive(client)
  const other = await newClient()
  assert.equal((await other.refusal(get, { source: live })).status, 404)
  assert.equal((await other.refusal(why, { source: live, client: '8.8.8.8' })).status, 404)
  assert.equal((await other.refusal(simulate, { source: live, mode: 'weights', entries: [EDGE] })).status, 404)
  assert.equal((await other.refusal(set, { ...ON, source: live, entries: [EDGE] })).status, 404)
  const viewer = await api.colleague(client, ['ViewSite'])
  assert.equal((await viewer.refusal(set, { ...ON, source: live, entries: [EDGE] })).status, 403)
  await client.call(set, { ...ON, source: live, entries: [EDGE, POLARIS] })
  const [line] = (await client.call(auditLog.routes.list, {})).data
  assert.deepEqual([line?.action, line?.changes[0]?.label], ['stream-balancer.set', 'Harbour'])
})

test('what 1,000 sessions would get is within 2 points of the weights, before anything is saved', async () => {
  const client = await newClient()
  const { sessions, shares, visitor } = await client.call(simulate, {
    source: 'assets',
    mode: 'weights',
    entries: [EDGE, POLARIS, OUTSIDE],
  })
  assert.deepEqual([sessions, visitor, shares.reduce((sum, one) => sum + one.sessions, 0)], [1_000, null, 1_000])
  for (const [index, weight] of [60, 30, 10].entries()) assert.ok(Math.abs((shares[index]?.percent ?? 0) - weight) <= 2)
  assert.equal(await idOf(client), '')
  const near = await client.call(simulate, {
    source: 'assets',
    mode: 'measured',
    entries: [EDGE],
    client: '133.11.0.1',
  })
  assert.equal(near.visitor?.location.country, 'JP')
})

test('why by address is answered without a collector; what somebody was told only by the one that told it', async () => {
  const client = await newClient()
  assert.equal((await client.refusal(why, { source: 'assets', client: '8.8.8.8' })).code, 30016)
  await client.call(set, { ...ON, entries: [EDGE, { ...POLARIS, weight: 40 }] })
  await until(() => document(client))
  const answer = await client.call(why, { source: 'assets', client: '133.11.0.1' })
  assert.deepEqual([answer.by, answer.decision.strategyId, answer.visitor.location.country], ['api', 'weights', 'JP'])
  assert.deepEqual(
    answer.decision.shares.map(({ cdnId, percent }) => [cdnId, percent]),
    [
      ['edge', 60],
      ['polaris', 40],
    ],
  )
  assert.equal((await client.refusal(why, { source: 'assets', decision: 'x'.repeat(16) })).code, 30016)
  for (const wrong of [{}, { session: 'x' }, { client: 'x' }, { client: '8.8.8.8', decision: 'x'.repeat(16) }])
    assert.equal((await client.refusal(why, { source: 'assets', ...wrong })).code, 400)
})
