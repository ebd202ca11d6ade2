import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { PlayerPost } from '@fairway/contract'
import { type Geo, makeLog } from '@fairway/platform'
import fc from 'fast-check'
import type { PlayerEventRow } from '../store/tables.ts'
import type { CollectorMetrics } from './collector-metrics.ts'
import { readPlayerPost } from './read-player-post.ts'
import { NotTaken, type Spool } from './spool.ts'
import { ViewMemory } from './view-memory.ts'
import { viewHandler } from './view-posts.ts'

const FILM = { organizationId: 'o1', kind: 'asset' as const, sourceId: '0190c1a2-0000-7000-8000-000000000001' }
const OTHER = { ...FILM, organizationId: 'o2', sourceId: '0190c1a2-0000-7000-8000-000000000002' }
const NOWHERE = { find: () => undefined, location: () => ({ country: null, network: null }) } as unknown as Geo
const SENDER = { viewer: 7, country: 'DE', network: 'AS1', device: 'phone' }
const NOW = Date.UTC(2027, 0, 1)
const view = (digit: string) => digit.repeat(24)
const post = (more: object = {}) =>
  JSON.stringify({ v: 1, i: view('a'), n: 0, p: 'hls.js-1.7.4', e: [{ k: 'beat', a: 0, w: 10_000 }], ...more })

function reader() {
  const views = new ViewMemory()
  const began: string[] = []
  let clock = 0
  return {
    began,
    later: (ms: number) => void (clock += ms),
    read(body: string, subject = FILM, sender = SENDER, mayBegin = () => true) {
      const read = readPlayerPost(body, subject, sender, { views, mayBegin, now: NOW + clock, clock })
      const rows =
        read.refused === null
          ? read.lines
              .trimEnd()
              .split('\n')
              .map((line) => JSON.parse(line) as PlayerEventRow)
          : []
      return { refused: read.refused, rows }
    },
  }
}

test('a post becomes rows of the video that its address is of, whatever it says', () => {
  const { read } = reader()
  const { rows } = read(post({ e: [{ k: 'first', a: 1_500, m: 700, c: 'polaris', h: 720, b: 2_000 }] }))
  assert.deepEqual(
    rows.map(({ organization, source, kind, view: of, viewer }) => [organization, source, kind, of, viewer]),
    [['o1', FILM.sourceId, 'asset', view('a'), 7]],
  )
  assert.deepEqual([rows[0]?.at, rows[0]?.ms, rows[0]?.cdn], ['2026-12-31 23:59:58.500', 700, 'polaris'])
})

test('posts count once, in their order, and not for another video', () => {
  const { read, later } = reader()
  assert.equal(read(post()).refused, null)
  assert.equal(read(post()).refused, 'repeated')
  later(10_000)
  assert.equal(read(post({ n: 1 })).refused, null)
  assert.equal(read(post({ n: 0 })).refused, 'repeated')
  assert.equal(read(post({ n: 2 }), OTHER).refused, 'foreign-view')
})

test('nobody can tell of more time than went by', () => {
  const { read, later } = reader()
  const much = { e: Array.from({ length: 8 }, () => ({ k: 'beat', a: 0, w: 120_000 })) }
  const watched = (rows: PlayerEventRow[]) => rows.reduce((sum, row) => sum + row.watched_ms, 0)
  assert.equal(watched(read(post(much)).rows), 15_000)
  later(1_000)
  assert.equal(watched(read(post({ ...much, n: 1 })).rows), 1_000)
})

test('one view that posts without end stores what a player could, and is refused the rest', () => {
  const { read, later } = reader()
  const much = { e: Array.from({ length: 4 }, () => ({ k: 'beat', a: 0, w: 120_000 })) }
  const rows: PlayerEventRow[] = []
  let refused = 0
  for (let n = 0; n < 1_000; n++) {
    const answer = read(post({ ...much, n }))
    rows.push(...answer.rows)
    if (answer.refused === 'too-many-events') refused++
    later(1)
  }
  assert.ok(rows.length >= 290 && rows.length <= 301, `${rows.length} rows`)
  assert.ok(rows.reduce((sum, row) => sum + row.watched_ms, 0) <= 16_000)
  assert.ok(refused > 920, `${refused} refused`)
  // It goes on as a player does.
  later(10_000)
  assert.equal(read(post({ n: 1_000, e: [{ k: 'beat', a: 0, w: 10_000 }] })).rows[0]?.watched_ms, 10_000)
})

/** The handler behind a server, and what it kept. */
async function serving(parts: Partial<Parameters<typeof viewHandler>[0]> = {}) {
  const state = { kept: [] as string[], refusedRows: 0, hasRoom: true }
  const spool = {
    append: async (lines: string) => {
      if (!state.hasRoom) throw new NotTaken('the disk is nearly full')
      state.kept.push(...lines.trimEnd().split('\n'))
    },
  } as unknown as Spool
  const handle = viewHandler({
    trustedProxies: [],
    geo: NOWHERE,
    readViewPath: () => FILM,
    viewerOf: () => 7,
    watch: { played: () => undefined, playRefused: () => void state.refusedRows++ },
    spools: { player_events: spool },
    metrics: { views: { inc: () => undefined } } as unknown as CollectorMetrics,
    log: makeLog('test', { logLevel: 'silent' }),
    ...parts,
  })
  const server = http.createServer((request, response) => handle(request.url ?? '', request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    state,
    send: async (body: string) => (await fetch(url, { method: 'POST', body })).status,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a post that could not be kept is new when it comes again, and tells the same time', async () => {
  await using served = await serving()
  const { state, send } = served
  assert.equal(await send(post()), 204)
  state.hasRoom = false
  const next = post({ n: 1, e: [{ k: 'beat', a: 0, w: 3_000 }] })
  assert.deepEqual([await send(next), await send(next)], [503, 503])
  state.hasRoom = true
  // A later one came before it.
  assert.equal(await send(post({ n: 2, e: [{ k: 'beat', a: 0 }] })), 204)
  assert.equal(await send(next), 204)
  assert.equal(await send(next), 204)
  const rows = state.kept.map((line) => JSON.parse(line) as PlayerEventRow)
  assert.deepEqual(
    rows.map(({ post: number, watched_ms }) => [number, watched_ms]),
    [
      [0, 10_000],
      [2, 0],
      [1, 3_000],
    ],
  )
})

test('rows beyond what may be kept are refused and told; the same post is new when there is room for it', async () => {
  let hasLeft = false
  await using served = await serving({ rows: { take: () => hasLeft } })
  assert.deepEqual([await served.send(post()), await served.send(post())], [429, 429])
  assert.deepEqual([served.state.kept.length, served.state.refusedRows], [0, 2])
  hasLeft = true
  assert.equal(await served.send(post()), 204)
  assert.equal(served.state.kept.length, 1)
})

test('views that were under way before a start go on behind one network, in its first minutes', async () => {
  let clock = 1e6
  await using served = await serving({ clockNow: () => clock })
  const of = (index: number, n: number) => served.send(post({ i: index.toString(16).padStart(24, '0'), n }))
  const all = async (first: number, n: number) =>
    (await Promise.all(Array.from({ length: 400 }, (_, index) => of(first + index, n)))).filter((one) => one === 204)
      .length
  assert.equal(await all(0, 7), 400)
  assert.equal(await all(1_000, 0), 150)
  clock += 10_000
  assert.equal(await all(0, 8), 400)
  clock += 300_000
  assert.equal(await all(2_000, 7), 150)
})

test('who watches on from another network is still one viewer', () => {
  const { read } = reader()
  read(post())
  assert.equal(read(post({ n: 1 }), FILM, { ...SENDER, viewer: 8 }).rows[0]?.viewer, 7)
})

test('a network that has begun as many views as it may goes on with those, and begins no other', () => {
  const { read } = reader()
  assert.equal(read(post()).refused, null)
  assert.equal(read(post({ n: 1 }), FILM, SENDER, () => false).refused, null)
  assert.equal(read(post({ i: view('b') }), FILM, SENDER, () => false).refused, 'too-many-views')
})

test('what is no post is refused', () => {
  const { read } = reader()
  const wrong: [string, string][] = [
    ['not-json', '{'],
    ['wrong-form', 'null'],
    ['wrong-form', post({ v: 2 })],
    ['wrong-form', post({ i: 'short' })],
    ['wrong-form', post({ n: -1 })],
    ['wrong-form', post({ p: 'a b' })],
    ['wrong-form', post({ e: [] })],
    ['wrong-form', post({ e: Array.from({ length: 65 }, () => ({ k: 'beat', a: 0 })) })],
    ['wrong-form', post({ organization: 'o2' })],
    ['wrong-form', post({ e: [{ k: 'beat', a: 0, viewer: '1' }] })],
    ['wrong-form', post({ e: [{ k: 'beat', a: -1 }] })],
    ['wrong-form', post({ e: [{ k: 'error', a: 0, x: `'; DROP TABLE` }] })],
    ['wrong-form', post({ e: [{ k: 'quality', a: 0, c: '../..' + 'x'.repeat(200) }] })],
    ['wrong-form', post({ e: [{ k: 'beat', a: 0, w: 1e9 }] })],
  ]
  for (const [refused, body] of wrong) assert.equal(read(body).refused, refused, body)
})

test('any text is refused or becomes whole rows within bounds', () => {
  const event = fc.record(
    Object.fromEntries(
      ['k', 'a', 'w', 'm', 'p', 'r', 'b', 'h', 'c', 'l', 't', 'g', 'x', 'f', 's'].map((key) => [key, fc.anything()]),
    ),
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.array(event).map((e) => post({ e })),
      ),
      (body) => {
        const { refused, rows } = reader().read(body)
        assert.ok(refused !== null || rows.every((row) => row.organization === 'o1' && row.watched_ms >= 0))
        if (refused === null) assert.ok(PlayerPost.safeParse(JSON.parse(body)).success)
      },
    ),
  )
})
