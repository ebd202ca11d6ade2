import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ScoresSnapshot } from '@fairway/contract'
import { scoreKeys } from '@fairway/domain'
import { binOf } from '../log-histogram.ts'
import { buildSnapshot } from './build-snapshot.ts'
import type { Verdict } from './health.ts'
import type { Leaf } from './level-sum.ts'
import type { Measured } from './measurement-window.ts'

const NOW = 1_800_000_000_000
const BUCKET = NOW / 1000 - 10
type Said = { rttMs?: number; ok?: number; failed?: number; subnet?: number; network?: string; at?: number }

let subnets = 0
/** What one /24 of Tokyo said in one bucket. */
const said = ({ rttMs = 50, ok = 1, failed = 0, subnet = ++subnets, network = 'AS2497', at = BUCKET }: Said): Leaf => ({
  subnet,
  network,
  country: 'JP',
  keys: scoreKeys({ continent: 'AS', country: 'JP', region: 'Tokyo', city: 'Tokyo', network, asn: null }),
  changed: 0,
  cells: [
    {
      bucket: at,
      samples: ok + failed,
      successes: ok,
      bins: ok ? [[binOf(rttMs), ok]] : [],
      newestAt: at * 1000 + 9000,
    },
  ],
})
const many = (count: number, more: Said = {}) => Array.from({ length: count }, () => said(more))
const verdict = (more: Partial<Verdict> = {}): Verdict => ({
  cdnId: 'a',
  down: false,
  since: null,
  outages: [],
  returning: null,
  isAlive: true,
  ...more,
})
const probes = (samples: number): Leaf => ({ ...said({ rttMs: 10, ok: samples, subnet: 0 }), keys: ['world'] })
const measured = (rum: Leaf[], sum: Leaf[] = [], nel: Leaf[] = [], edge: Leaf[] = [], wide: Leaf[] = []): Measured => {
  const named = (leaves: Leaf[]) => new Map(leaves.map((leaf, index) => [String(index), leaf]))
  return new Map([['a', { rum: named(rum), sum: named(sum), nel: named(nel), edge: named(edge), wide: named(wide) }]])
}
const built = (from: Measured | undefined, more: Partial<Parameters<typeof buildSnapshot>[0]> = {}) =>
  buildSnapshot({
    organizationId: 'o1',
    measured: from,
    health: [],
    previous: null,
    lifetimeSeconds: 300,
    shortSeconds: 30,
    lots: 7,
    now: NOW,
    ...more,
  })
const snapshotOf = (...args: Parameters<typeof built>) => built(...args).snapshot
const places = (leaves: Leaf[], more?: Partial<Parameters<typeof buildSnapshot>[0]>) =>
  snapshotOf(measured(leaves), more).cdns['a']?.places ?? {}

test('figures of both sources stand at their keys, in the form of the contract', () => {
  const snapshot = snapshotOf(measured([...many(90), ...many(10, { ok: 0, failed: 1 })], [probes(20)]))
  assert.deepEqual(ScoresSnapshot.parse(snapshot), snapshot)
  const world = snapshot.cdns['a']?.places['world']
  assert.deepEqual([world?.rum?.samples, world?.sum?.samples], [20, 20])
  assert.ok(Math.abs((world?.rum?.latencyMs ?? 0) - 50) < 2.5)
  assert.equal(places([...many(90), ...many(10, { ok: 0, failed: 1 })])['city:JP-Tokyo-Tokyo']?.rum?.availability, 90)
})

test('fine places with few samples are left out, the coarse ones stay', () => {
  assert.deepEqual(Object.keys(places(many(4))), ['world', 'continent:AS', 'country:JP'])
  assert.ok(places(many(5))['city:JP-Tokyo-Tokyo'])
})

test('a jump of the median goes through by halves in time', () => {
  const first = snapshotOf(measured(many(100)))
  const next = snapshotOf(measured(many(100, { rttMs: 150 })), { previous: first, now: NOW + 5000 })
  const latency = next.cdns['a']?.places['country:JP']?.rum?.latencyMs ?? 0
  assert.ok(latency > 95 && latency < 107, String(latency))
  assert.ok(next.serial > first.serial)
})

test('a dead CDN is told dead, measured or not', () => {
  const health = [verdict({ cdnId: 'x', down: true, since: NOW - 5 }), verdict({ cdnId: 'y' })]
  assert.deepEqual(snapshotOf(undefined, { health }).cdns, {
    x: { hardDown: true, hardDownSince: NOW - 5, places: {} },
    y: { hardDown: false, hardDownSince: null, places: {} },
  })
})

test('nothing succeeded: availability without a latency', () => {
  const rum = places(many(20, { ok: 0, failed: 1 }))['country:JP']?.rum
  assert.deepEqual([rum?.samples, rum?.availability, rum?.latencyMs, rum?.latencyInterval], [20, 0, null, undefined])
})

test('a million samples of one /24 count for one, and the networks that weigh most are told', () => {
  const found = places([said({ ok: 0, failed: 1_000_000, subnet: 999, network: 'AS666' }), ...many(60)], {
    health: [verdict({ isAlive: false })],
  })
  const country = found['country:JP']?.rum
  assert.deepEqual([country?.samples, country?.heard], [21, 1_000_060])
  assert.deepEqual(country?.networks, [
    { network: 'AS2497', samples: 20, heard: 60 },
    { network: 'AS666', samples: 1, heard: 1_000_000 },
  ])
})

test('what was measured during a failure that is over counts neither for nor against', () => {
  const outage = { from: NOW - 100_000, until: NOW - 40_000 }
  const leaves = [...many(30, { at: BUCKET - 200 }), ...many(30, { ok: 0, failed: 1, at: BUCKET - 60 })]
  const during = places(leaves)['city:JP-Tokyo-Tokyo']?.rum
  const after = places(leaves, { health: [verdict({ outages: [outage] })] })['city:JP-Tokyo-Tokyo']?.rum
  assert.deepEqual([during?.samples, during?.availability], [60, 50])
  assert.deepEqual([after?.samples, after?.availability], [30, 100])
})

test('a return holds while fresh samples do, and by the probes where few are fresh', () => {
  const returning = { since: NOW - 30_000, percent: 10, stepAt: NOW - 15_000 }
  const health = [verdict({ outages: [{ from: NOW - 120_000, until: NOW - 30_000 }], returning })]
  const holds = (leaves: Leaf[]) => built(measured(leaves), { health }).holds.get('a')
  assert.equal(holds(many(100, { at: BUCKET })), true)
  assert.equal(holds(many(100, { ok: 0, failed: 1, at: BUCKET })), false)
  assert.equal(holds(many(10, { ok: 0, failed: 1, at: BUCKET })), true)
})

test('reports of one network stand at that network only, bounded by /24, and one that contradicts the others is told', () => {
  const loud = said({ ok: 0, failed: 100_000, subnet: 7, network: 'AS666' })
  const failing = many(40, { ok: 0, failed: 1, network: 'AS666' })
  const others = many(200, { ok: 10, network: 'AS2497' })
  const { snapshot } = built(measured([], [probes(20)], [loud, ...failing, ...others]))
  assert.deepEqual(ScoresSnapshot.parse(snapshot), snapshot)
  const places = snapshot.cdns['a']?.places ?? {}
  const keys = Object.keys(places).filter((key) => places[key]?.nel)
  assert.deepEqual(
    keys.filter((key) => !key.includes('|')),
    [],
  )
  const at = (network: string) => places[`country:JP|${network}`]?.nel
  assert.deepEqual([at('AS2497')?.availability, at('AS666')?.availability], [100, 0])
  assert.ok((at('AS666')?.samples ?? 0) <= 45, 'the loud /24 counts for a twentieth at most')
  assert.deepEqual([at('AS666')?.latencyMs, at('AS666')?.heard], [null, 100_040])
  assert.deepEqual(
    [...new Set(snapshot.disagreements?.map(({ place }) => place))],
    ['country:JP|AS666'],
    'everybody else sees it alive',
  )
})

test('round trips of the edge stand at networks only, with a latency, and one /24 cannot bend them alone', () => {
  const loud = said({ rttMs: 3000, ok: 100_000, subnet: 7, network: 'AS666' })
  const quiet = many(40, { rttMs: 20, network: 'AS666' })
  const onlyNetworks = [loud, ...quiet].map((leaf) => ({ ...leaf, keys: leaf.keys.filter((key) => key.includes('|')) }))
  const places = snapshotOf(measured([], [probes(20)], [], onlyNetworks)).cdns['a']?.places ?? {}
  const edge = places['country:JP|AS666']?.edge
  assert.ok(edge?.latencyMs && Math.abs(edge.latencyMs - 20) < 2, String(edge?.latencyMs))
  assert.ok(edge.latencyInterval && edge.samples <= 45)
  assert.equal(places['country:JP']?.edge, undefined)
})

const wideOf = (wide: Leaf[], more?: Partial<Parameters<typeof buildSnapshot>[0]>) => {
  const snapshot = snapshotOf(measured(many(400), [probes(20)], [], [], wide), more)
  assert.deepEqual(ScoresSnapshot.parse(snapshot), snapshot)
  return snapshot.cdns['a']?.places ?? {}
}

test('throughput stands beside what visitors measured, with how many measured it, and nowhere else', () => {
  const found = wideOf(many(30, { rttMs: 80 }))
  const country = found['country:JP']?.rum
  assert.ok(country?.throughputMbps && Math.abs(country.throughputMbps - 80) < 4, String(country?.throughputMbps))
  // One network, of which a country hears twenty samples at most.
  assert.deepEqual([country.throughputSamples, found['country:JP|AS2497']?.rum?.throughputSamples], [20, 30])
  assert.equal(found['world']?.sum?.throughputMbps, undefined)
  const none = wideOf([])['country:JP']?.rum
  assert.deepEqual([none?.throughputMbps, none?.throughputSamples], [undefined, undefined])
  assert.equal(snapshotOf(measured([], [], [], [], many(30))).cdns['a']?.places['country:JP'], undefined)
})

test('a hundred thousand claims of one /24 do not bend the throughput of a place', () => {
  const loud = said({ rttMs: 0.1, ok: 100_000, subnet: 7, network: 'AS666' })
  const found = wideOf([loud, ...many(60, { rttMs: 80 })])
  for (const key of ['country:JP', 'continent:AS', 'world', 'region:JP-Tokyo', 'city:JP-Tokyo-Tokyo']) {
    const mbps = found[key]?.rum?.throughputMbps ?? 0
    assert.ok(Math.abs(mbps - 80) < 5, `${key}: ${mbps}`)
  }
  // In a network of its own it speaks for nobody else.
  assert.equal(found['country:JP|AS666'], undefined)
})

test('throughput moves by halves, and not by what was measured during a failure that is over', () => {
  const first = snapshotOf(measured(many(100), [], [], [], many(100, { rttMs: 80 })))
  const next = wideOf(many(100, { rttMs: 20 }), { previous: first, now: NOW + 5000 })['country:JP']?.rum
  assert.ok(next?.throughputMbps && next.throughputMbps > 45 && next.throughputMbps < 55, String(next?.throughputMbps))
  const outages = [{ from: NOW - 100_000, until: NOW - 40_000 }]
  const leaves = [...many(30, { rttMs: 80, at: BUCKET - 200 }), ...many(60, { rttMs: 1, at: BUCKET - 60 })]
  const after = wideOf(leaves, { health: [verdict({ outages })] })['country:JP|AS2497']?.rum
  assert.ok(after?.throughputMbps && after.throughputMbps > 70 && after.throughputSamples === 30)
})
