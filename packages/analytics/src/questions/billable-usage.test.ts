import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openStore } from '../store/store.ts'
import { type DnsAnswerRow, type EdgeRequestRow, storeTime } from '../store/tables.ts'
import { startTestStore } from '../test-store.ts'
import { loggedUsage, viewedUsage } from './billable-usage.ts'

const embedded = await startTestStore()
const store = openStore(embedded.config)
after(async () => {
  await store[Symbol.asyncDispose]()
  await embedded[Symbol.asyncDispose]()
})

const DAY = 86_400_000
const today = Math.floor(Date.now() / DAY) * DAY
const answer = (at: number, more: Partial<DnsAnswerRow> = {}): DnsAnswerRow => ({
  at: storeTime(at),
  organization: 'o1',
  site: 's1',
  domain: 'd1',
  cdn: 'a',
  country: 'JP',
  node: 'n/dns',
  answers: 10,
  ...more,
})
const request = (at: number, more: Partial<EdgeRequestRow> = {}): EdgeRequestRow => ({
  rtt_ms: 0,
  network: '',
  at: storeTime(at),
  organization: 'o1',
  site: 's1',
  domain: 'd1',
  cdn: '',
  node: 'n/edge',
  host: 'www.x.test',
  method: 'GET',
  path: '/',
  status: 200,
  bytes: 1500,
  ms: 1,
  cache_status: 'HIT',
  why: '',
  client: '192.0.2.0',
  country: 'JP',
  id: 'r',
  weight: 1,
  ...more,
})

test('usage is what the logs hold: every day, place and meter by itself, nothing of others, no moment twice', async () => {
  await store.insert('dns_answers', [
    answer(today - DAY),
    answer(today - 1),
    answer(today, { country: 'CN' }),
    answer(today, { node: 'm/dns' }),
    answer(today, { organization: 'o2' }),
  ])
  await store.insert('edge_requests', [
    request(today - 1),
    request(today - 1, { bytes: 500 }),
    request(today, { cdn: 'polaris' }),
  ])
  const dayOf = (at: number) => storeTime(at).slice(0, 10)
  const rows = (await loggedUsage(store, { from: today - DAY, until: today + DAY, organizationId: 'o1' }))
    .map((row) => [row.day, row.meter, row.cdnId, row.used].join(' '))
    .sort()
  assert.deepEqual(
    rows,
    [
      `${dayOf(today - DAY)} cdnRequest  2`,
      `${dayOf(today - DAY)} cdnTraffic  2000`,
      `${dayOf(today - DAY)} dnsQuery a 20`,
      `${dayOf(today)} cdnRequest polaris 1`,
      `${dayOf(today)} cdnTraffic polaris 1500`,
      `${dayOf(today)} chinaDnsQuery a 10`,
      `${dayOf(today)} dnsQuery a 10`,
    ].sort(),
  )
  const halves = [
    ...(await loggedUsage(store, { from: today - DAY, until: today })),
    ...(await loggedUsage(store, { from: today, until: today + DAY })),
  ]
  const whole = await loggedUsage(store, { from: today - DAY, until: today + DAY })
  const total = (list: typeof whole) => list.reduce((sum, row) => sum + row.used, 0)
  assert.equal(total(halves), total(whole))
  assert.deepEqual([...new Set(whole.map((row) => row.organizationId))].sort(), ['o1', 'o2'])
})

test('a view is billed that the edge served, and none that is only told of', async () => {
  const seen = { at: storeTime(today + 1000), organization: 'o3', source: 'film', kind: 'asset', event: 'first' }
  const piece = {
    at: storeTime(today + 2000),
    organization: 'o3',
    source: 'film',
    status: 200,
    path: '/film/v1/s1.m4s',
  }
  await store.insert('player_events', [
    ...Array.from({ length: 1_000 }, (_, number) => ({ ...seen, view: `forged ${number}` })),
    { ...seen, view: 'real' },
    { ...seen, view: 'real', at: storeTime(today + 3000) },
    { ...seen, view: 'by a CDN of others', cdn: 'vendor' },
    { ...seen, view: 'the same by DASH', cdn: 'vendor' },
    { ...seen, view: 'another’s' },
    { ...seen, view: 'refused' },
    { ...seen, view: 'a picture' },
  ])
  await store.insert('stream_segments', [
    { ...piece, view: 'real' },
    { ...piece, view: 'real', path: '/film/v1/s2.m4s' },
    { ...piece, view: 'by a CDN of others', path: '/film/master.m3u8' },
    { ...piece, view: 'the same by DASH', path: '/film/manifest.mpd' },
    { ...piece, view: 'another’s', organization: 'o4' },
    { ...piece, view: 'refused', status: 403 },
    { ...piece, view: 'a picture', path: '/film/poster.jpg' },
    { ...piece, view: '' },
  ])
  const rows = await loggedUsage(store, { from: today, until: today + DAY, organizationId: 'o3' })
  assert.deepEqual(
    rows.map(({ meter, domainId, used }) => [meter, domainId, used]),
    [['streamView', 'film', 3]],
  )
})

test('views that strangers make up in addresses cost no memory, and a day counts the same beside others', async () => {
  const minute = today + 12 * 3_600_000
  await store.command(
    `INSERT INTO stream_segments (at, organization, source, view, status, path)
     SELECT fromUnixTimestamp64Milli(toInt64(${minute})), 'o5', 'film', concat('made up ', toString(cityHash64(number)), ' and rather long'), 200, '/film/master.m3u8' FROM numbers(400000)`,
  )
  for (const at of [minute - DAY, minute]) {
    const row = { at: storeTime(at), organization: 'o5', source: 'film', view: `seen ${at}` }
    await store.insert('player_events', [{ ...row, kind: 'asset', event: 'first' }])
    await store.insert('stream_segments', [{ ...row, status: 200, path: '/film/v1/s1.m4s' }])
  }
  const tight = {
    ...store,
    query: <Row>(sql: string, parameters?: Record<string, unknown>) =>
      store.query<Row>(`${sql} SETTINGS max_memory_usage = 40000000, max_threads = 1`, parameters),
  }
  for (const organizationId of [undefined, 'o5']) {
    const rows = await viewedUsage(tight, {
      from: today - DAY,
      until: today + DAY,
      ...(organizationId ? { organizationId } : {}),
    })
    assert.deepEqual(
      rows
        .filter((row) => row.organizationId === 'o5')
        .map(({ day, used }) => [day, used])
        .toSorted(),
      [minute - DAY, minute].map((at) => [storeTime(at).slice(0, 10), 1]),
    )
  }
})
