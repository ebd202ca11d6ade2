import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { viewMoments } from '@fairway/domain'
import { openStore } from '../store/store.ts'
import { type PlayerEventRow, type StreamSegmentRow, storeTime } from '../store/tables.ts'
import { startTestStore } from '../test-store.ts'
import { streamAudience, streamConcurrent } from './stream-audience.ts'
import { streamPerformance } from './stream-performance.ts'
import { streamView, streamViews } from './stream-views.ts'

const embedded = await startTestStore()
const store = openStore(embedded.config)
after(async () => {
  await store[Symbol.asyncDispose]()
  await embedded[Symbol.asyncDispose]()
})

const FILM = '0190c1a2-0000-7000-8000-000000000001'
const LIVE = '0190c1a2-0000-7000-8000-000000000002'
const now = Math.floor(Date.now() / 60_000) * 60_000 + 30_000
const event = (agoMs: number, more: Partial<PlayerEventRow>): PlayerEventRow => ({
  at: storeTime(now - agoMs),
  organization: 'o1',
  source: FILM,
  kind: 'asset',
  view: 'v',
  viewer: 1,
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
  network: 'AS3320',
  device: 'desktop',
  player: 'hls.js-1.7.4',
  peer_group: '',
  peer_bytes: 0,
  cdn_bytes: 0,
  refused_pieces: 0,
  ...more,
})
const segment = (agoMs: number, more: Partial<StreamSegmentRow>): StreamSegmentRow => ({
  at: storeTime(now - agoMs),
  organization: 'o1',
  source: FILM,
  view: 'v',
  cdn: '',
  node: 'n/edge',
  country: 'DE',
  network: 'AS3320',
  path: '/x.m4s',
  status: 200,
  bytes: 1000,
  ms: 3,
  cache_status: 'HIT',
  object: 'v',
  bitrate: 900,
  throughput: 5000,
  duration_ms: 4000,
  buffer_ms: 9000,
  starved: 0,
  ...more,
})
const keep = (table: 'player_events' | 'stream_segments', rows: object[]) => store.insert(table, rows)

// Two minutes ago: three views of a film by two viewers, one of which stalls for two seconds, one of which fails.
const PAST = 120_000
before(async () => {
  const one = { view: 'a1', viewer: 11 }
  const two = { view: 'a2', viewer: 12, country: 'JP', device: 'phone', cdn: 'vega' }
  const three = { view: 'a3', viewer: 12, country: 'JP', device: 'phone', cdn: 'vega' }
  await keep('player_events', [
    event(PAST + 5_000, { ...one, event: 'start', cdn: '' }),
    event(PAST + 4_500, { ...one, event: 'first', ms: 500 }),
    event(PAST, { ...one, watched_ms: 4_500, bitrate: 1_000, height: 360, reached: 30 }),
    event(PAST - 10_000, { ...one, watched_ms: 10_000, bitrate: 2_000, height: 720, reached: 90 }),
    event(PAST - 12_000, { ...one, event: 'end', watched_ms: 2_000, bitrate: 2_000, height: 720, reached: 100 }),
    event(PAST, { ...two, event: 'start', cdn: '' }),
    event(PAST - 3_000, { ...two, event: 'first', ms: 3_000 }),
    event(PAST - 7_000, { ...two, event: 'stall', watched_ms: 4_000, bitrate: 3_000, throughput: 2_000, height: 1080 }),
    event(PAST - 9_000, { ...two, event: 'resume', ms: 2_000, bitrate: 1_000, height: 360 }),
    event(PAST - 13_000, { ...two, watched_ms: 4_000, bitrate: 1_000, height: 360 }),
    event(PAST, { ...three, event: 'start', cdn: '' }),
    event(PAST - 1_000, { ...three, event: 'error', error: 'manifestLoadError', fatal: 1 }),
    event(PAST, { view: 'b1', viewer: 13, organization: 'o2', event: 'first', ms: 100 }),
    event(PAST, { view: 'l1', viewer: 14, source: LIVE, kind: 'live', event: 'first', ms: 900, country: '' }),
    event(5_000, {
      view: 'l1',
      viewer: 14,
      source: LIVE,
      kind: 'live',
      watched_ms: 9_000,
      bitrate: 800,
      country: '',
    }),
  ])
  await keep('stream_segments', [
    segment(PAST - 5_000, { view: 'a2', cache_status: 'MISS', ms: 30 }),
    segment(PAST - 5_000, { view: 'a2', organization: 'o2' }),
    segment(PAST - 5_000, { view: 'a2', source: LIVE }),
  ])
})
const input = { organizationId: 'o1', seconds: 600, now }

test('views, viewers and time are counted once each, told apart, and never across organisations', async () => {
  const { totals, countries, devices, sources, points, engagement, engagementViews } = await streamAudience(
    store,
    input,
  )
  assert.deepEqual(totals, { views: 3, viewers: 3, watchedMs: 33_500, attempts: 4 })
  assert.deepEqual(countries, [
    { country: 'DE', views: 1, viewers: 1, watchedMs: 16_500 },
    { country: '', views: 1, viewers: 1, watchedMs: 9_000 },
    { country: 'JP', views: 1, viewers: 1, watchedMs: 8_000 },
  ])
  assert.deepEqual(
    devices.map(({ device, views }) => [device, views]),
    [
      ['desktop', 2],
      ['phone', 1],
    ],
  )
  assert.deepEqual(
    sources.map(({ source, kind, views }) => [source, kind, views]),
    [
      [FILM, 'asset', 2],
      [LIVE, 'live', 1],
    ],
  )
  assert.equal(
    points.reduce((sum, { watchedMs }) => sum + watchedMs, 0),
    33_500,
  )
  assert.deepEqual([engagement, engagementViews], [null, 2])
  const narrowed = await streamAudience(store, { ...input, country: 'JP', kind: 'asset', source: FILM, cdn: 'vega' })
  assert.deepEqual(narrowed.totals, { views: 1, viewers: 1, watchedMs: 8_000, attempts: 2 })
  const nobody = await streamAudience(store, { ...input, organizationId: 'nobody' })
  assert.deepEqual([nobody.totals.views, nobody.countries], [0, []])
})

test('who watches now is who was heard of lately and has not ended', async () => {
  const { now: present, points } = await streamConcurrent(store, { organizationId: 'o1', now })
  assert.equal(present, 1)
  assert.equal(points.length, 60)
  assert.equal(Math.max(...points.map(({ viewers }) => viewers)), 3)
})

test('playback is told by CDN, rendition and in total, and what is not known is null', async () => {
  const { totals, rows, errors, points } = await streamPerformance(store, { ...input, by: 'cdn', kind: 'asset' })
  assert.deepEqual([totals.views, totals.starts, totals.stalls, totals.failedViews], [3, 2, 1, 1])
  assert.ok(Math.abs((totals.rebufferPercent ?? 0) - 200_000 / 26_500) < 0.01)
  assert.ok(Math.abs((totals.failedPercent ?? 0) - 100 / 3) < 0.01)
  const byCdn = new Map(rows.map((row) => [row.value, row]))
  const polaris = byCdn.get('polaris')
  assert.ok(Math.abs((polaris?.startupP50Ms ?? 0) - 500) < 20)
  assert.ok(Math.abs((polaris?.bitrateKbps ?? 0) - (4_500 + 24_000) / 16.5) < 1)
  assert.deepEqual([polaris?.rebufferPercent, polaris?.score, polaris?.failedViews], [0, 100, 0])
  assert.deepEqual([byCdn.get('vega')?.failedViews, byCdn.get('vega')?.views], [1, 2])
  assert.deepEqual(errors, [{ error: 'manifestLoadError', views: 1, times: 1, fatal: 1 }])
  assert.ok(points.some(({ rebufferPercent }) => rebufferPercent === null))
  const renditions = await streamPerformance(store, { ...input, by: 'rendition', kind: 'asset' })
  assert.deepEqual(
    renditions.rows.filter(({ watchedMs }) => watchedMs > 0).map(({ value, watchedMs }) => [value, watchedMs]),
    [
      ['720p', 12_000],
      ['360p', 8_500],
      ['1080p', 4_000],
    ],
  )
  const none = await streamPerformance(store, { ...input, organizationId: 'nobody', by: 'country' })
  assert.deepEqual([none.totals.rebufferPercent, none.totals.score, none.totals.startupP50Ms], [null, null, null])
})

test('a view is found by its number, and told with its stall, the cause of it and its segments', async () => {
  const views = await streamViews(store, { ...input, limit: 10 })
  assert.deepEqual(views.map(({ view }) => view).sort(), ['a1', 'a2', 'a3', 'l1'])
  assert.deepEqual(
    (await streamViews(store, { ...input, limit: 10, only: 'stalled' })).map(({ view }) => view),
    ['a2'],
  )
  assert.deepEqual(
    (await streamViews(store, { ...input, limit: 10, only: 'failed' })).map(({ view, score }) => [view, score]),
    [['a3', 0]],
  )
  const found = await streamView(store, { organizationId: 'o1', view: 'a2' })
  assert.ok(found)
  const { startupMs, stalls, stalledMs, watchedMs } = found.view
  assert.deepEqual([startupMs, stalls, stalledMs, watchedMs], [3_000, 1, 2_000, 8_000])
  const moments = viewMoments(found.record)
  assert.deepEqual(
    moments.map(({ kind }) => kind),
    ['start', 'first', 'segment', 'stall', 'resume', 'beat'],
  )
  assert.deepEqual(moments[3]?.cause, 'viewer')
  assert.equal(await streamView(store, { organizationId: 'o2', view: 'a2' }), null)
})

test('ten thousand viewers are counted within two percent, and engagement is told from a hundred views on', async () => {
  const count = 10_000
  const viewer = () => Math.floor(Math.random() * 2 ** 53)
  const rows = Array.from({ length: count }, (_, index) => {
    const who = { organization: 'crowd', view: `c${index}`, viewer: viewer() }
    const again = { ...who, view: `d${index}` }
    return [
      event(60_000, { ...who, event: 'start' }),
      event(59_000, { ...who, event: 'first', ms: 700 }),
      event(50_000, { ...who, watched_ms: index % 2 === 0 ? 9_000 : 4_000, reached: index % 4 === 0 ? 60 : 20 }),
      ...(index % 10 === 0 ? [event(40_000, { ...again, event: 'first', ms: 300 })] : []),
    ]
  }).flat()
  await keep('player_events', rows)
  const { totals, engagement } = await streamAudience(store, { ...input, organizationId: 'crowd' })
  assert.equal(totals.views, count * 1.1)
  assert.ok(Math.abs(totals.viewers - count) / count < 0.02, `${totals.viewers} viewers`)
  const reached = new Map(engagement?.map((mark) => [mark.mark, mark.reached / mark.of]))
  assert.deepEqual(
    ['start', '3s', '5s', '10s', '25', '50', '75', 'complete'].map((mark) => reached.get(mark as 'start')),
    [1, 1, 0.5, 0, 0.25, 0.25, 0, 0],
  )
})
