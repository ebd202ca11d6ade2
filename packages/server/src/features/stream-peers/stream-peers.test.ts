import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type EventStore, openStore, startStore } from '@fairway/analytics'
import { auditLog, liveStreams, notifications, signedUrls, streamAssets, streamPeers } from '@fairway/contract'
import { peersReader } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { type NodeUnderTest, startNodeUnderTest } from '../../testing/node-under-test.ts'
import { until } from '../../testing/until.ts'
import { guardPeers } from './guard-peers.ts'

const { figures, get, set } = streamPeers.routes

let api: ApiUnderTest
let collector: NodeUnderTest
const stack = new AsyncDisposableStack()
before(async () => {
  api = await startApiUnderTest()
  collector = startNodeUnderTest(api, 'collector')
})
after(async () => {
  await collector[Symbol.asyncDispose]()
  await stack.disposeAsync()
  await api[Symbol.asyncDispose]()
})

const sql = <T extends object>(text: string, values: unknown[]) =>
  api.database.system((tx) => tx.query<T>(text, values))
const newClient = () => api.newClient({ planId: 'enterprise' })
async function newVideo(client: Client): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `INSERT INTO stream_asset (organization_id, name, size, state, is_playable, created_by) VALUES ($1, 'pier.mp4', 1, 'ready', true, 'x') RETURNING id`,
    [client.organizationId],
  )
  return row?.id ?? ''
}
async function newLive(client: Client): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `INSERT INTO stream_live (organization_id, name, latency, key_frame_seconds, rewind_seconds, key_hash, created_by) VALUES ($1::uuid, 'Harbour', 'normal', 2, 60, gen_random_uuid()::text, 'x') RETURNING id`,
    [client.organizationId],
  )
  return row?.id ?? ''
}
const isPublished = (source: string, wanted: boolean) =>
  until(async () => {
    const found = collector.document('stream-peers', source)
    return wanted ? found?.sourceId === source : found === null
  })

test('peers are off until their owner switches them on, for that video alone, and its collectors are told', async () => {
  const client = await newClient()
  const [film, live] = [await newVideo(client), await newLive(client)]
  const first = await client.call(get, { source: film })
  assert.deepEqual([first.isOn, first.withSigned, first.state, first.stop], [false, false, 'off', null])
  assert.match(first.script, /\/p-[\w-]{16}\.js$/)
  assert.deepEqual(peersReader(api.config)(new URL(first.address).pathname), {
    organizationId: client.organizationId,
    kind: 'asset',
    sourceId: film,
  })
  assert.equal((await client.call(set, { source: live, isOn: true })).state, 'on')
  await isPublished(live, true)
  assert.equal(collector.document('stream-peers', film), undefined)
  assert.equal((await client.call(get, { source: film })).state, 'off')
  await client.call(set, { source: live, isOn: false })
  await isPublished(live, false)
  const entries = (await client.call(auditLog.routes.list, {})).data.filter(({ action }) => action.includes('peers'))
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['stream-peers.set', 'stream-peers.set'],
  )
})

test('while signing is on peers rest, unless their owner wants them all the same', async () => {
  const client = await newClient()
  const film = await newVideo(client)
  await client.call(set, { source: film, isOn: true })
  await isPublished(film, true)
  await client.call(signedUrls.routes.createKey, {})
  await client.call(signedUrls.routes.set, { on: true })
  await isPublished(film, false)
  assert.equal((await client.call(get, { source: film })).state, 'resting')
  assert.equal((await client.call(set, { source: film, isOn: true, withSigned: true })).state, 'on')
  await isPublished(film, true)
})

test('what is removed has no peers any more; strangers find nothing, and who only looks changes nothing', async () => {
  const client = await newClient()
  const [film, live] = [await newVideo(client), await newLive(client)]
  for (const source of [film, live]) {
    await client.call(set, { source, isOn: true })
    await isPublished(source, true)
  }
  const other = await newClient()
  const viewer = await api.colleague(client, ['ViewSite'])
  assert.equal((await other.refusal(get, { source: film })).code, 404)
  assert.equal((await other.refusal(set, { source: film, isOn: false })).code, 404)
  assert.equal((await other.refusal(figures, { source: film })).code, 404)
  assert.equal((await client.refusal(get, { source: 'none' })).code, 404)
  assert.equal((await viewer.refusal(set, { source: film, isOn: false })).code, 403)
  assert.equal((await viewer.call(get, { source: film })).state, 'on')
  assert.equal((await client.refusal(set, { source: film, isOn: 'yes' } as never)).code, 400)
  await client.call(liveStreams.routes.remove, { id: live })
  await client.call(streamAssets.routes.remove, { id: film })
  await isPublished(live, false)
  await isPublished(film, false)
  assert.equal((await client.refusal(get, { source: live })).code, 404)
})

const at = (agoMs: number) => new Date(Date.now() - agoMs).toISOString().replace('T', ' ').slice(0, 23)

/** Views of half a minute each, of which the first ones stood for two seconds. */
async function watched(
  events: EventStore,
  of: { organization: string; source: string; group: 'peers' | 'control'; views: number; stalled: number },
): Promise<void> {
  const { organization, source, group, views, stalled } = of
  const row = (view: number, agoMs: number, more: object) => ({
    at: at(agoMs),
    organization,
    source,
    kind: 'live',
    view: `${group === 'peers' ? 'a' : 'b'}${view.toString(16).padStart(23, '0')}`,
    viewer: view,
    event: 'beat',
    position_ms: -1,
    watched_ms: 0,
    ms: -1,
    reached: -1,
    cdn: '',
    country: 'DE',
    device: 'phone',
    player: 'hls.js',
    peer_group: group,
    ...more,
  })
  await events.insert(
    'player_events',
    Array.from({ length: views }, (_, view) => [
      row(view, 9_000, {
        watched_ms: 30_000,
        peer_bytes: group === 'peers' ? 3_000 : 0,
        cdn_bytes: 1_000,
        refused_pieces: group === 'peers' && view === 0 ? 2 : 0,
      }),
      ...(view < stalled
        ? [row(view, 8_000, { event: 'stall' }), row(view, 6_000, { event: 'resume', ms: 2_000 })]
        : []),
    ]).flat(),
  )
}

test('figures are of one’s own video since it was switched on; where peers do harm, they are off by themselves, told and undone by the owner', async () => {
  const client = await newClient()
  const other = await newClient()
  const [harmed, fine] = [await newLive(client), await newLive(other)]
  for (const [who, source] of [
    [client, harmed],
    [other, fine],
  ] as const)
    await who.call(set, { source, isOn: true })
  await sql(`UPDATE stream_peers SET on_since = now() - interval '1 hour'`, [])
  assert.equal((await client.refusal(figures, { source: harmed })).code, 503)
  stack.use(await startStore({ config: api.config, log: api.log }))
  const events = stack.use(openStore(api.config))
  const nothing = await client.call(figures, { source: harmed })
  assert.deepEqual([nothing.peerPercent, nothing.peers.rebufferPercent, nothing.verdict], [null, null, 'unknown'])
  for (const [organization, source, stalled] of [
    [client.organizationId, harmed, 90],
    [other.organizationId, fine, 9],
  ] as const) {
    await watched(events, { organization, source, group: 'peers', views: 180, stalled })
    await watched(events, { organization, source, group: 'control', views: 20, stalled: 1 })
  }
  const shown = await client.call(figures, { source: harmed })
  assert.deepEqual(
    [shown.peerBytes, shown.cdnBytes, shown.peerPercent, shown.refusedPieces, shown.sharing, shown.verdict],
    [540_000, 180_000, 75, 2, 180, 'harmful'],
  )
  assert.deepEqual(shown.control, {
    views: 20,
    stalledViews: 1,
    watchedMs: 600_000,
    stalledMs: 2_000,
    rebufferPercent: 200_000 / 602_000,
  })
  await guardPeers(api.database, events, Date.now(), api)
  await guardPeers(api.database, events, Date.now(), api)
  const stopped = await client.call(get, { source: harmed })
  assert.deepEqual([stopped.isOn, stopped.state], [false, 'stopped'])
  assert.deepEqual([stopped.stop?.peers.stalledViews, stopped.stop?.control.stalledViews], [90, 1])
  await isPublished(harmed, false)
  const news = (await client.call(notifications.routes.list, {})).data.filter(({ event }) => event === 'peers-stopped')
  assert.deepEqual(
    news.map(({ fields }) => fields),
    [{ stream: 'Harbour', withPeers: '3.2', without: '0.3' }],
  )
  assert.equal((await other.call(get, { source: fine })).state, 'on')
  assert.equal((await other.call(figures, { source: fine })).verdict, 'harmless')
  assert.equal((await client.call(set, { source: harmed, isOn: false, withSigned: true })).state, 'stopped')
  // Once more by its owner: what was before is not held against it.
  const again = await client.call(set, { source: harmed, isOn: true })
  assert.deepEqual([again.state, again.stop], ['on', null])
  await guardPeers(api.database, events, Date.now(), api)
  assert.equal((await client.call(get, { source: harmed })).state, 'on')
})
