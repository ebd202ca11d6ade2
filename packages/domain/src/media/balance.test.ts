import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BalancerMode, CdnScores, ScoresSnapshot, Visitor } from '@fairway/contract'
import fc from 'fast-check'
import {
  type BalanceEntry,
  POINTS,
  balancePolicy,
  drawOrder,
  nextPoint,
  simulateSessions,
  steerPlayer,
  steeringManifest,
} from './balance.ts'

const NOW = 1_800_000_000_000
const TOKYO: Visitor = {
  address: '133.11.0.0',
  prefixLength: 24,
  location: { continent: 'AS', country: 'JP', region: '13', city: null, network: null, asn: null },
}
const entry = (pathway: string, weight: number, enabled = true): BalanceEntry => ({
  pathway,
  name: pathway,
  host: `${pathway}.example`,
  weight,
  enabled,
})
const ENTRIES = [entry('a', 60), entry('b', 30), entry('c', 10)]
const balance = (mode: BalancerMode = 'weights', entries = ENTRIES) => ({
  policy: balancePolicy({ balancerId: 'x', organizationId: 'o', mode }, entries),
  pathways: entries
    .filter(({ enabled }) => enabled)
    .map(({ pathway, host, weight }) => ({ id: pathway, host, weight })),
})
type Seen = { down?: boolean; ms?: number; availability?: number }
const placesOf = ({ ms, availability = 100 }: Seen): CdnScores['places'] =>
  ms === undefined ? {} : { 'country:JP': { rum: { samples: 500, availability, latencyMs: ms, newestAt: NOW } } }
const scores = (cdns: Record<string, Seen>): ScoresSnapshot => ({
  organizationId: 'o',
  serial: 1,
  builtAt: NOW,
  lifetimeSeconds: 600,
  cdns: Object.fromEntries(
    Object.entries(cdns).map(([id, seen]) => [
      id,
      { hardDown: seen.down ?? false, hardDownSince: seen.down ? NOW : null, places: placesOf(seen) },
    ]),
  ),
})
const steer = (point: number, seen: ScoresSnapshot | null = null, mode: BalancerMode = 'weights', previous?: string) =>
  steerPlayer({ balance: balance(mode), scores: seen, visitor: TOKYO, point, previous: previous ?? null, now: NOW })
const shares = (seen: ScoresSnapshot | null, mode: BalancerMode = 'weights', entries = ENTRIES) =>
  simulateSessions({ balance: balance(mode, entries), scores: seen, visitor: TOKYO, now: NOW }, 1_000)

test('over 1,000 sessions shares are within 2 points of the weights, from whatever draw they begin', () => {
  const weight = fc.integer({ min: 1, max: 100 })
  fc.assert(
    fc.property(fc.array(weight, { minLength: 1, maxLength: 10 }), fc.nat(POINTS - 1), (weights, from) => {
      const among = weights.map((one, index) => ({ id: String(index), weight: one }))
      const total = weights.reduce((sum, one) => sum + one, 0)
      const counts = new Map<string, number>()
      let point = from
      for (let session = 0; session < 1_000; session++) {
        point = nextPoint(point)
        const [first = ''] = drawOrder(point, among)
        counts.set(first, (counts.get(first) ?? 0) + 1)
      }
      for (const { id, weight: one } of among)
        assert.ok(Math.abs((counts.get(id) ?? 0) / 10 - (100 * one) / total) <= 2)
    }),
    { numRuns: 60 },
  )
  assert.deepEqual(
    shares(null).map(({ pathway, percent }) => [pathway, Math.round(percent)]),
    [
      ['a', 60],
      ['b', 30],
      ['c', 10],
    ],
  )
})

test('every order names each pathway once, and the same session always has the same', () => {
  fc.assert(
    fc.property(fc.nat(POINTS - 1), (point) => {
      const { priority } = steer(point)
      assert.deepEqual(priority.toSorted(), ['a', 'b', 'c'])
      assert.deepEqual(steer(point).priority, priority)
    }),
  )
})

test('a dead CDN leaves the list; only its own sessions move, and they spread by weight', () => {
  const dead = scores({ a: { down: true }, b: { ms: 20 }, c: { ms: 20 } })
  let [point, moved, toB] = [0, 0, 0]
  for (let session = 0; session < 1_000; session++) {
    point = nextPoint(point)
    const before = steer(point).priority
    const after = steer(point, dead).priority
    assert.deepEqual(
      after,
      before.filter((id) => id !== 'a'),
    )
    if (before[0] !== 'a') continue
    moved++
    if (after[0] === 'b') toB++
  }
  assert.ok(Math.abs(moved - 600) <= 20)
  assert.ok(Math.abs(toB / moved - 0.75) <= 0.03)
})

test('when all are dead the list is not empty, and says so', () => {
  const { priority, decision } = steer(7, scores({ a: { down: true }, b: { down: true }, c: { down: true } }))
  assert.equal(priority.length, 3)
  assert.equal(decision.strategyId, null)
})

test('measured: the fastest where the viewer is goes first, what is not good enough last, what is dead not at all', () => {
  const seen = scores({ a: { ms: 80 }, b: { ms: 20 }, c: { ms: 10, availability: 40 } })
  assert.deepEqual(steer(1, seen, 'measured').priority, ['b', 'a', 'c'])
  const dead = scores({ a: { ms: 80 }, b: { ms: 20, down: true }, c: { ms: 60 } })
  assert.deepEqual(steer(1, dead, 'measured').priority, ['c', 'a'])
  // Nothing measured here: by weight.
  assert.equal(steer(1, scores({}), 'measured').decision.strategyId, 'weights')
  assert.equal(shares(null, 'measured')[0]?.sessions, 600)
})

test('a player stays where it is within the margin, and a pathway that it made up counts for nothing', () => {
  const close = scores({ a: { ms: 100 }, b: { ms: 97 }, c: { ms: 500 } })
  assert.equal(steer(1, close, 'measured').priority[0], 'b')
  assert.equal(steer(1, close, 'measured', 'a').priority[0], 'a')
  assert.equal(steer(1, close, 'measured', 'http://evil.example').priority[0], 'b')
})

test('an entry that is switched off gets nobody', () => {
  const entries = [entry('a', 60, false), entry('b', 30), entry('c', 10)]
  assert.deepEqual(
    shares(null, 'weights', entries).map(({ pathway, percent }) => [pathway, Math.round(percent)]),
    [
      ['b', 75],
      ['c', 25],
    ],
  )
})

test('a copy is told of a pathway by the same scheme, and only our own hosts at our port', () => {
  const pathways = [
    { id: 'a', host: 'a.example', weight: 1, isHouse: false },
    { id: 'b', host: 'b.example', weight: 1, isHouse: true },
    { id: 'c', host: 'c.example', weight: 1, isHouse: false },
    { id: 'd', host: 'd.example', weight: 1, isHouse: true },
  ]
  const told = steeringManifest({
    priority: [],
    pathways,
    known: ['a', 'b'],
    ttlSeconds: 10,
    port: ':8081',
    reloadUri: '/',
  })
  assert.deepEqual(told['PATHWAY-CLONES'], [
    { 'BASE-ID': 'a', ID: 'c', 'URI-REPLACEMENT': { HOST: 'c.example' } },
    { 'BASE-ID': 'b', ID: 'd', 'URI-REPLACEMENT': { HOST: 'd.example:8081' } },
  ])
})

test('where our port is named, nothing is told as a copy of what is asked by another scheme', () => {
  const pathways = [
    { id: 'own', host: 'own.example', weight: 1, isHouse: true },
    { id: 'more', host: 'more.example', weight: 1, isHouse: true },
    { id: 'other', host: 'other.example', weight: 1, isHouse: false },
  ]
  const copies = (known: string[], port: string) =>
    steeringManifest({ priority: [], pathways, known, ttlSeconds: 10, port, reloadUri: '/' })['PATHWAY-CLONES']
  assert.deepEqual(copies(['own'], ':8081'), [
    { 'BASE-ID': 'own', ID: 'more', 'URI-REPLACEMENT': { HOST: 'more.example:8081' } },
  ])
  assert.equal(copies(['other'], ':8081'), undefined)
  // Without one, all of them are asked alike.
  assert.deepEqual(copies(['own', 'more'], ''), [
    { 'BASE-ID': 'own', ID: 'other', 'URI-REPLACEMENT': { HOST: 'other.example' } },
  ])
})

test('pathways that a playlist does not name are told as copies of one that it does', () => {
  const { pathways } = balance()
  const manifest = (known: string[]) =>
    steeringManifest({ priority: ['c', 'a', 'b'], pathways, known, ttlSeconds: 10, reloadUri: '/x' })
  assert.equal(manifest(['a', 'b', 'c'])['PATHWAY-CLONES'], undefined)
  assert.deepEqual(manifest(['b'])['PATHWAY-CLONES'], [
    { 'BASE-ID': 'b', ID: 'a', 'URI-REPLACEMENT': { HOST: 'a.example' } },
    { 'BASE-ID': 'b', ID: 'c', 'URI-REPLACEMENT': { HOST: 'c.example' } },
  ])
  assert.deepEqual(
    (manifest(['.'])['PATHWAY-CLONES'] as { 'BASE-ID': string; ID: string }[]).map((one) => [one['BASE-ID'], one.ID]),
    pathways.map(({ id }) => ['.', id]),
  )
  // What a playlist names that we have no more is no base for anything.
  assert.equal(manifest(['old'])['PATHWAY-CLONES'], undefined)
  assert.deepEqual(
    [manifest([])['VERSION'], manifest([])['TTL'], manifest([])['PATHWAY-PRIORITY']],
    [1, 10, ['c', 'a', 'b']],
  )
})
