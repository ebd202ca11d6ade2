import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { HealthTransition, ScoresSnapshot } from '@fairway/contract'
import { ApiRefusal, makeLog } from '@fairway/platform'
import { binOf } from '../log-histogram.ts'
import { type EventStore, openStore } from '../store/store.ts'
import { type BeaconRow, type ProbeRow, storeTime } from '../store/tables.ts'
import { startTestStore } from '../test-store.ts'
import { MeasurementWindow } from './measurement-window.ts'
import { startScores } from './scores.ts'

const embedded = await startTestStore({ FAIRWAY_SCORE_INTERVAL_MS: '200' })
const { config } = embedded
const store = openStore(config)
const log = makeLog('test', { logLevel: 'error' })
after(async () => {
  await store[Symbol.asyncDispose]()
  await embedded[Symbol.asyncDispose]()
})

const beacon = (at: number, more: Partial<BeaconRow> = {}): BeaconRow => ({
  at: storeTime(at),
  organization: 'o1',
  cdn: 'a',
  continent: 'AS',
  country: 'JP',
  region: 'Tokyo',
  city: 'Tokyo',
  network: 'AS2497',
  subnet: 1,
  ok: 1,
  rtt_ms: 20,
  ...more,
})
const probe = (at: number, more: Partial<ProbeRow> = {}): ProbeRow => ({
  at: storeTime(at),
  organization: 'o1',
  cdn: 'a',
  node: 'n/dns',
  ok: 1,
  rtt_ms: 3,
  error: '',
  ...more,
})

/** All that a window holds, in one order. */
const plain = ({ organizations }: MeasurementWindow) =>
  [...organizations]
    .flatMap(([organization, cdns]) =>
      [...cdns].flatMap(([cdn, sources]) =>
        (['rum', 'sum'] as const).flatMap((source) =>
          [...sources[source].values()].flatMap(({ subnet, network, keys, cells }) =>
            cells.map(({ bucket, samples, successes, bins }) =>
              JSON.stringify([
                organization,
                cdn,
                source,
                subnet,
                network,
                keys,
                bucket,
                samples,
                successes,
                [...bins].sort(),
              ]),
            ),
          ),
        ),
      ),
    )
    .sort()

test('a window that is moved on step by step holds what one read afresh holds, at every level', async () => {
  const start = Math.floor(Date.now() / 10_000) * 10_000 - 3_600_000
  const moving = new MeasurementWindow(60)
  const cities = [
    ['JP', 'Tokyo', 'Tokyo', 'AS2497'],
    ['JP', 'Osaka', 'Osaka', 'AS2497'],
    ['US', 'CA', 'San Jose', 'AS7922'],
    ['CN', '31', 'Shanghai', 'CT'],
  ] as const
  for (let step = 0; step < 30; step++) {
    const now = start + step * 5000
    const rows = Array.from({ length: 12 }, (_, i) => {
      const [country, region, city, network] = cities[(i + step) % 4] ?? cities[0]
      return beacon(now - 4900 + i * 400, {
        country,
        region,
        city,
        network,
        continent: country === 'US' ? 'NA' : 'AS',
        cdn: i % 3 ? 'a' : 'b',
        organization: 'moving',
        rtt_ms: 5 + ((i * 37 + step * 11) % 200),
        ok: i % 5 === 0 ? 0 : 1,
        subnet: 1 + (i % 7),
      })
    })
    await store.insert('beacons', rows)
    await store.insert('probes', [probe(now - 100, { organization: 'moving' })])
    await moving.refresh(store, now)
  }
  const now = start + 29 * 5000
  const fresh = new MeasurementWindow(60)
  await fresh.refresh(store, now)
  assert.deepEqual(plain(moving), plain(fresh))
  const sources = fresh.organizations.get('moving')?.get('a')
  const keys = new Set([...(sources?.rum.values() ?? [])].flatMap((leaf) => leaf.keys))
  for (const key of [
    'world',
    'continent:NA',
    'country:CN|CT',
    'region:US-CA',
    'city:JP-Tokyo-Tokyo|AS2497',
    'city:US-CA-San Jose',
  ])
    assert.ok(keys.has(key), key)
  assert.deepEqual(
    [...(sources?.sum.values() ?? [])].map((leaf) => leaf.keys),
    [['world']],
  )
})

test('where nobody measures one question is asked in each round, none while nothing is stored, and what comes after the silence is read at once', async () => {
  // A day ahead no other test has stored anything.
  const now = Date.now() + 86_400_000
  let asked: string[] = []
  const counting: EventStore = {
    ...store,
    query: (sql, parameters) => {
      asked.push(sql)
      return store.query(sql, parameters)
    },
  }
  const window = new MeasurementWindow(60)
  const askedIn = async (nowMs: number, stored: number | null = null) => {
    asked = []
    await window.refresh(counting, nowMs, stored)
    return asked.length
  }
  assert.deepEqual([await askedIn(now - 16_000), await askedIn(now - 14_000)], [5, 1])
  // As many rows as before came there, then none that are known, then others; and in the end it was long ago.
  assert.deepEqual([await askedIn(now - 12_000, 7), await askedIn(now - 10_000, 7)], [1, 0])
  assert.deepEqual(
    [await askedIn(now - 8_000), await askedIn(now - 6_000, 8), await askedIn(now - 4_000, 8)],
    [1, 1, 0],
  )
  assert.deepEqual([await askedIn(now + 4_000, 8), await askedIn(now + 6_000, 8)], [1, 0])
  // Set back by a little, the clock has read nothing of what is now.
  assert.equal(await askedIn(now + 1_000, 8), 1)
  await store.insert('beacons', [beacon(now + 7000, { organization: 'woken' })])
  // The cheap question and beacons.
  assert.equal(await askedIn(now + 8000, 9), 2)
  assert.deepEqual([...window.organizations.keys()], ['woken'])
  await store.insert('probes', [probe(now + 9000, { organization: 'probed' })])
  assert.equal(await askedIn(now + 10_000), 3)
  assert.deepEqual([...window.organizations.keys()].sort(), ['probed', 'woken'])
  // Throughput comes along once in ten seconds, and stays when it is not asked for.
  await store.insert('beacons', [beacon(now + 11_000, { organization: 'woken', mbps: 80 })])
  const isWide = () => window.organizations.get('woken')?.get('a')?.wide.size === 1
  assert.deepEqual([await askedIn(now + 12_000), isWide()], [4, true])
  assert.deepEqual([await askedIn(now + 14_000), isWide()], [3, true])
})

test('connections of the edge are read by network and /24, the own edge under its own name, and untimed ones not at all', async () => {
  const now = Date.now()
  const request = (more: object) => ({
    at: storeTime(now - 2000),
    organization: 'connected',
    country: 'JP',
    network: 'AS2497',
    client: '192.0.2.0',
    rtt_ms: 12,
    ...more,
  })
  await store.insert('edge_requests', [
    request({ cdn: 'a' }),
    request({ cdn: 'a', rtt_ms: 14 }),
    request({ cdn: 'a', client: '198.51.100.0' }),
    request({ cdn: '' }),
    request({ cdn: 'a', rtt_ms: 0 }),
    request({ cdn: 'a', network: '' }),
  ])
  const window = new MeasurementWindow(60)
  await window.refresh(store, now)
  const leaves = (cdn: string) => [...(window.organizations.get('connected')?.get(cdn)?.edge.values() ?? [])]
  const samples = (cdn: string) => leaves(cdn).map(({ cells }) => cells.reduce((sum, cell) => sum + cell.samples, 0))
  assert.deepEqual([samples('a').sort(), samples('edge')], [[1, 2], [1]])
  assert.deepEqual(leaves('a')[0]?.keys, ['country:JP|AS2497'])
  assert.equal(new Set(leaves('a').map(({ subnet }) => subnet)).size, 2)
})

test('throughput is read of those who measured it, by /24, and not of failures', async () => {
  const now = Date.now()
  const wide = (more: Partial<BeaconRow>) => beacon(now - 2000, { organization: 'wide', ...more })
  await store.insert('beacons', [
    wide({ mbps: 80 }),
    wide({ mbps: 81 }),
    wide({ mbps: 20, subnet: 2 }),
    wide({ subnet: 3 }),
    wide({ mbps: 90, ok: 0, rtt_ms: 0, subnet: 4 }),
  ])
  const window = new MeasurementWindow(60)
  await window.refresh(store, now)
  const sources = window.organizations.get('wide')?.get('a')
  const cells = [...(sources?.wide.values() ?? [])].map(({ subnet, cells: [cell] }) => [
    subnet,
    cell?.samples,
    cell?.bins.map(([bin]) => bin).sort((a, b) => a - b),
  ])
  assert.deepEqual(
    cells.sort((a, b) => Number(a[0]) - Number(b[0])),
    [
      [1, 2, [binOf(80), binOf(81)]],
      [2, 1, [binOf(20)]],
    ],
  )
  assert.equal(sources?.rum.size, 4, 'all of them are samples of the CDN itself')
})

type Post = { snapshots: ScoresSnapshot[]; transitions: HealthTransition[] }
function startedScores(open = store) {
  const posts: Post[] = []
  const watchers = new Set<() => void>()
  const folder = fs.mkdtempSync(path.join(config.home, 'scores-'))
  const state: { refuse: boolean; refuses?: (post: Post) => boolean; hangs?: Promise<void>; ahead: number } = {
    refuse: false,
    ahead: 0,
  }
  const scores = startScores({
    config,
    folder,
    store: open,
    log,
    now: () => Date.now() + state.ahead,
    publish: async (post) => {
      if (state.refuse) throw new Error('the API is away')
      if (state.refuses?.(post)) throw new ApiRefusal('the API answered 413', 413)
      await state.hangs
      posts.push(post)
      for (const look of watchers) look()
    },
  })
  const seen = (holds: (posts: Post[]) => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => holds(posts) && (watchers.delete(look), resolve())
      watchers.add(look)
      look()
    })
  return { scores, posts, seen, state, [Symbol.asyncDispose]: () => scores[Symbol.asyncDispose]() }
}
const snapshotsOf = (posts: Post[], organizationId: string) =>
  posts.flatMap((post) => post.snapshots).filter((one) => one.organizationId === organizationId)
const bad = (node: string, cdnId = 'a', organizationId = 'o1') => ({
  node,
  results: [{ organizationId, cdnId, at: Date.now(), ok: false, rttMs: null, error: 'ECONNREFUSED' }],
})

test('beacons in the store become published scores within rounds', async () => {
  await using running = startedScores()
  await store.insert(
    'beacons',
    Array.from({ length: 40 }, (_, i) => beacon(Date.now() - 500, { rtt_ms: 18 + (i % 5), subnet: i + 1 })),
  )
  await running.seen((posts) =>
    snapshotsOf(posts, 'o1').some((one) => one.cdns['a']?.places['city:JP-Tokyo-Tokyo|AS2497']?.rum?.samples === 40),
  )
  const measure = snapshotsOf(running.posts, 'o1').at(-1)?.cdns['a']?.places['country:JP']?.rum
  assert.ok(
    measure && measure.latencyMs !== null && Math.abs(measure.latencyMs - 20) < 1 && measure.availability === 100,
  )
})

test('a dead CDN is published at once with its transition, also while the store is away', async () => {
  await using nowhere = openStore({ ...config, clickhouseUrl: 'http://127.0.0.1:9' })
  await using running = startedScores(nowhere)
  running.scores.probes(bad('n/dns'))
  running.scores.probes(bad('n/edge'))
  await running.seen((posts) => snapshotsOf(posts, 'o1').some((one) => one.cdns['a']?.hardDown === true))
  assert.deepEqual(
    running.posts.flatMap((post) => post.transitions).map((one) => [one.cdnId, one.hardDown]),
    [['a', true]],
  )
})

test('transitions wait for an API that is away, and each is told once', async () => {
  await using running = startedScores()
  running.state.refuse = true
  for (const node of ['n/dns', 'n/edge']) running.scores.probes(bad(node, 'b', 'o2'))
  await new Promise((resolve) => setImmediate(resolve))
  running.state.refuse = false
  await running.seen((posts) => posts.some((post) => post.transitions.length > 0))
  running.scores.probes({
    node: 'n/dns',
    results: [{ organizationId: 'o3', cdnId: 'z', at: Date.now(), ok: true, rttMs: 1, error: null }],
  })
  await running.seen((posts) => snapshotsOf(posts, 'o3').length > 0)
  assert.equal(running.posts.flatMap((post) => post.transitions).filter((one) => one.cdnId === 'b').length, 1)
  assert.ok(snapshotsOf(running.posts, 'o2').some((one) => one.cdns['b']?.hardDown))
})

test('while the API hangs players leave a dead CDN, and one that comes back takes its next step', async () => {
  await using running = startedScores()
  const { scores, state } = running
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  using _ = { [Symbol.dispose]: () => released.resolve() }
  state.hangs = released.promise
  state.refuses = () => {
    asked.resolve()
    return false
  }
  const check = (ok: boolean) => {
    state.ahead += 1000
    for (const node of ['n/dns', 'n/edge'])
      scores.probes({
        node,
        results: [{ organizationId: 'hung', cdnId: 'a', at: Date.now() + state.ahead, ok, rttMs: null, error: null }],
      })
    return new Promise((resolve) => setImmediate(resolve))
  }
  await check(true)
  await asked.promise
  await check(false)
  const cdn = () => scores.snapshot('hung')?.cdns['a']
  assert.equal(cdn()?.hardDown, true)
  for (let round = 0; round < 2; round++) await check(true)
  assert.deepEqual([cdn()?.hardDown, cdn()?.returning?.percent], [false, 0])
  state.ahead += 16_000
  for (let round = 0; round < 2; round++) scores.publishAll()
  assert.equal(cdn()?.returning?.percent, 10)
  released.resolve()
  await running.seen((posts) => snapshotsOf(posts, 'hung').some(({ cdns }) => cdns['a']?.returning))
  assert.deepEqual(
    running.posts.flatMap((post) => post.transitions).map((one) => one.hardDown),
    [true, false],
  )
})

test('while the store hangs scores go on by the window before, and it is asked once', async () => {
  const hangs = { since: false, asked: 0 }
  const hanging: EventStore = {
    ...store,
    query: (sql, parameters) => {
      if (!hangs.since) return store.query(sql, parameters)
      hangs.asked++
      return new Promise(() => {})
    },
  }
  await store.insert('beacons', [beacon(Date.now() - 500, { organization: 'measured' })])
  await using running = startedScores(hanging)
  await running.seen((posts) => snapshotsOf(posts, 'measured').length > 0)
  hangs.since = true
  const seen = async (organizationId: string) => {
    const results = [{ organizationId, cdnId: 'a', at: Date.now(), ok: true, rttMs: 1, error: null }]
    running.scores.probes({ node: 'n/dns', results })
    await running.seen((posts) => snapshotsOf(posts, organizationId).length > 0)
    return hangs.asked
  }
  await seen('later0')
  const asked = await seen('later1')
  assert.equal(await seen('later2'), asked)
  assert.ok(running.scores.snapshot('measured')?.cdns['a']?.places['world']?.rum)
})

test('figures that do not change are not sent again and again', async () => {
  await using running = startedScores()
  for (const node of ['n/dns', 'n/edge']) running.scores.probes(bad(node, 'c', 'quiet'))
  await running.seen((posts) => snapshotsOf(posts, 'quiet').length >= 1)
  // Something else has to be published for five rounds; the quiet organisation is not in it.
  const before = snapshotsOf(running.posts, 'quiet').length
  for (let round = 0; round < 5; round++) {
    const seen = running.posts.length
    running.scores.probes({
      node: `n${round}`,
      results: [{ organizationId: `loud${round}`, cdnId: 'a', at: Date.now(), ok: true, rttMs: 1, error: null }],
    })
    await running.seen((posts) => posts.length > seen && snapshotsOf(posts, `loud${round}`).length > 0)
  }
  assert.equal(snapshotsOf(running.posts, 'quiet').length, before)
})

test('of any number of organisations the API is told in posts that it takes', async () => {
  await using running = startedScores()
  const many = Array.from({ length: 450 }, (_, i) => `many${i}`)
  const results = many.map((organizationId) => ({
    organizationId,
    cdnId: 'a',
    at: Date.now(),
    ok: true,
    rttMs: 1,
    error: null,
  }))
  running.scores.probes({ node: 'n/dns', results })
  await running.seen((posts) => many.every((one) => snapshotsOf(posts, one).length > 0))
  assert.ok(running.posts.every(({ snapshots }) => snapshots.length <= 200))
})

test('what the API takes of nobody holds up neither other organisations nor what is told of CDNs', async () => {
  await using running = startedScores()
  running.state.refuses = ({ snapshots }) => snapshots.some(({ organizationId }) => organizationId === 'refused7')
  const many = Array.from({ length: 20 }, (_, i) => `refused${i}`)
  for (const node of ['n/dns', 'n/edge'])
    running.scores.probes({ node, results: many.flatMap((one) => bad(node, 'a', one).results) })
  const others = many.filter((one) => one !== 'refused7')
  await running.seen(
    (posts) =>
      others.every((one) => snapshotsOf(posts, one).some(({ cdns }) => cdns['a']?.hardDown)) &&
      posts.flatMap(({ transitions }) => transitions).length === many.length,
  )
  running.state.refuses = () => false
  await running.seen((posts) => snapshotsOf(posts, 'refused7').some(({ cdns }) => cdns['a']?.hardDown))
})
