import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStore, startStore } from '@fairway/analytics'
import { streamAnalytics } from '@fairway/contract'
import { viewReader } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'

const { audience, concurrent, performance: performanceOf, usage, views, timeline, tag } = streamAnalytics.routes
const VIEW = 'a'.repeat(24)
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const at = (agoMs: number) => new Date(Date.now() - agoMs).toISOString().replace('T', ' ').slice(0, 23)
const addFilm = (client: Client) =>
  api.database.system(async (tx) => {
    const [row] = await tx.query<{ id: string }>(
      `INSERT INTO stream_asset (organization_id, name, size, state, is_playable, source, created_by, ready_at) VALUES ($1, 'Harbour', 1000, 'ready', true, '{"seconds":60}', 'x', now() - interval '1 minute') RETURNING id`,
      [client.organizationId],
    )
    const id = row?.id ?? ''
    await tx.query(
      `INSERT INTO stream_job (organization_id, asset_id, seq, kind, name, state) SELECT $1, $2, n, 'video', n::text, 'done' FROM generate_series(1, 2) n`,
      [client.organizationId, id],
    )
    return id
  })
const told = (organization: string, source: string, agoMs: number, more: object) => ({
  at: at(agoMs),
  organization,
  source,
  kind: 'asset',
  view: VIEW,
  viewer: 7,
  event: 'beat',
  post: 0,
  position_ms: -1,
  watched_ms: 0,
  ms: -1,
  reached: -1,
  bitrate: -1,
  height: -1,
  cdn: 'polaris',
  buffer_ms: -1,
  throughput: -1,
  segment_age_ms: -1,
  error: '',
  fatal: 0,
  session: '',
  country: 'DE',
  network: '',
  device: 'phone',
  player: 'hls.js-1.7.4',
  ...more,
})

test('what players told is shown to the organisation whose video it is, by name, and to nobody else', async () => {
  const own = await api.newClient({ planId: 'enterprise' })
  const other = await api.newClient({ planId: 'enterprise' })
  const film = await addFilm(own)
  assert.equal((await own.refusal(audience, {})).code, 503)
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  await events.insert('player_events', [
    told(own.organizationId, film, 30_000, { event: 'start' }),
    told(own.organizationId, film, 29_000, { event: 'first', ms: 800 }),
    told(own.organizationId, film, 9_000, {
      watched_ms: 20_000,
      bitrate: 900,
      height: 360,
      reached: 33,
      peer_bytes: 700,
    }),
  ])
  await events.insert('edge_traffic_minute', [
    {
      at: at(60_000).slice(0, 17) + '00',
      organization: own.organizationId,
      site: `stream:${own.organizationId}`,
      domain: `stream:${own.organizationId}`,
      cdn: '',
      country: 'DE',
      status: 200,
      cache_status: 'HIT',
      requests: 5,
      bytes: 5_000,
      built: 1,
    },
  ])
  const { totals, sources, engagement } = await own.call(audience, { seconds: 3_600 })
  assert.deepEqual(totals, { views: 1, viewers: 1, watchedMs: 20_000, attempts: 1 })
  assert.deepEqual([sources[0]?.name, sources[0]?.source, engagement], ['Harbour', film, null])
  assert.equal((await own.call(concurrent, {})).now, 1)
  const played = await own.call(performanceOf, { seconds: 3_600, by: 'source' })
  assert.deepEqual([played.rows[0]?.name, played.totals.score, played.totals.stalls], ['Harbour', 100, 0])
  const used = await own.call(usage, { seconds: 3_600 })
  assert.deepEqual(
    [used.deliveredBytes, used.deliveredRequests, used.watchedMs, used.peerBytes],
    [5_000, 5, 20_000, 700],
  )
  assert.deepEqual(
    [used.stored, used.encoded],
    [
      { videos: 1, bytes: 1_000, seconds: 60 },
      { videos: 1, seconds: 120 },
    ],
  )
  assert.deepEqual(
    (await own.call(views, {})).data.map(({ view, name }) => [view, name]),
    [[VIEW, 'Harbour']],
  )
  const line = await own.call(timeline, { view: VIEW })
  assert.deepEqual([line.moments.map(({ kind }) => kind), line.score.score], [['start', 'first', 'beat'], 100])

  assert.equal((await other.call(audience, {})).totals.views, 0)
  assert.equal((await other.call(audience, { source: film })).totals.views, 0)
  assert.deepEqual((await other.call(views, { view: VIEW })).data, [])
  assert.equal((await other.refusal(timeline, { view: VIEW })).code, 404)
  assert.equal((await other.call(usage, {})).deliveredBytes, 0)
})

test('a player’s address is given for one’s own videos alone, and is of that video alone', async () => {
  const own = await api.newClient({ planId: 'enterprise' })
  const other = await api.newClient({ planId: 'enterprise' })
  const film = await addFilm(own)
  const { address, script, integrity } = await own.call(tag, { source: film })
  const { pathname } = new URL(address)
  const read = viewReader(api.config)
  assert.deepEqual(read(pathname), { organizationId: own.organizationId, kind: 'asset', sourceId: film })
  assert.equal(read(pathname.replace('/asset/', '/live/')), null)
  assert.equal(read(pathname.replace(own.organizationId, other.organizationId)), null)
  assert.match(script, /\/v-[\w-]{16}\.js$/)
  assert.match(integrity, /^sha384-/)
  assert.equal((await other.refusal(tag, { source: film })).code, 404)
  assert.equal((await own.refusal(tag, { source: 'none' })).code, 404)
})

test('filters that are none are refused', async () => {
  const own = await api.newClient({ planId: 'enterprise' })
  for (const wrong of [{ country: 'Germany' }, { cdn: `'; DROP` }, { source: 'x' }, { seconds: 1 }, { until: -1 }])
    assert.equal((await own.refusal(audience, wrong)).code, 400, JSON.stringify(wrong))
})
