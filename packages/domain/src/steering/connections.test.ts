import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fedDecisions, movesOfSwitch } from '../index.ts'
import { NOW, answerOf, ask, at, cdn, policy, scores, seen, strategy, targets } from './decide-samples.ts'

// The kernel's round trips of the edge's own connections, beside what beacons and probes say.

const HERE = 'country:JP|AS2497'
const probed = (latencyMs: number) => ({ world: { sum: seen(100, latencyMs) } })
const two = { cdns: [cdn('A'), cdn('B')] }
const fastest = strategy('best-latency', { targets: targets('A', 'B') })
/** Probes find A faster, connections of this network B. */
const told = scores({
  A: { ...probed(10), [HERE]: { edge: seen(100, 90) } },
  B: { ...probed(30), [HERE]: { edge: seen(100, 15) } },
})

test('CDNs of our edge are compared by its connections in the visitor’s network, and nowhere else', () => {
  assert.equal(answerOf(ask([fastest], { scores: told, change: two })), 'B')
  const elsewhere = at({ network: 'AS4713', asn: 4713 })
  assert.equal(answerOf(ask([fastest], { scores: told, change: two, visitor: elsewhere })), 'A')
  const [trace] = ask([fastest], { scores: told, change: two }).trace.steps[0]?.candidates ?? []
  assert.deepEqual(
    [trace?.latency?.source, trace?.latency?.level, trace?.latency?.value, trace?.availability?.source],
    ['edge', HERE, 90, 'sum'],
  )
})

test('they decide only between CDNs that all have them, and never where visitors are heard', () => {
  const a = { ...probed(10), [HERE]: { edge: seen(100, 90) } }
  const cases: [name: string, ofB: Parameters<typeof scores>[0][string], expected: string][] = [
    ['another CDN has none', probed(30), 'A'],
    ['too few of one', { ...probed(30), [HERE]: { edge: seen(100, 15, { samples: 19 }) } }, 'A'],
    ['too old of one', { ...probed(30), [HERE]: { edge: seen(100, 15, { newestAt: NOW - 301_000 }) } }, 'A'],
    ['of a whole country', { ...probed(30), 'country:JP': { edge: seen(100, 15) } }, 'A'],
    ['beacons of one', { ...probed(30), [HERE]: { rum: seen(100, 40), edge: seen(100, 15) } }, 'A'],
    ['all have them', { ...probed(30), [HERE]: { edge: seen(100, 15) } }, 'B'],
  ]
  for (const [name, ofB, expected] of cases)
    assert.equal(answerOf(ask([fastest], { scores: scores({ A: a, B: ofB }), change: two })), expected, name)
  // A CDN that is off need not have any; one that serves beside them must.
  const off = { cdns: [...two.cdns, cdn('C', { enabled: false })] }
  assert.equal(answerOf(ask([fastest], { scores: told, change: off })), 'B')
  assert.equal(answerOf(ask([fastest], { scores: told, change: { cdns: [...two.cdns, cdn('C')] } })), 'A')
})

test('a CDN’s availability is not theirs to say: what connects is there, and who cannot is not seen', () => {
  const failing = scores({
    A: { ...probed(10), [HERE]: { edge: seen(100, 90) } },
    B: { world: { sum: seen(50, 30) }, [HERE]: { edge: seen(100, 15) } },
  })
  assert.equal(answerOf(ask([{ ...fastest, availabilityThreshold: 90 }], { scores: failing, change: two })), 'A')
})

test('switched off, for one CDN too, or for strategies without real users and for regions they are not read', () => {
  const ignoring = { cdns: [cdn('A', { ignores: ['edge'] }), cdn('B')] }
  assert.equal(answerOf(ask([fastest], { scores: told, change: ignoring })), 'A')
  assert.equal(answerOf(ask([{ ...fastest, omitRum: true }], { scores: told, change: two })), 'A')
  assert.equal(
    answerOf(ask([strategy('regional-latency', { targets: targets('A', 'B') })], { scores: told, change: two })),
    'A',
  )
  const nothing = new Set<string>()
  const off = { feed: 'edge-connections', wanted: 'off' } as const
  assert.deepEqual(
    movesOfSwitch(policy([fastest], two), told, off, nothing, NOW).map(({ place, after }) => [place, after[0]?.cdnId]),
    [[HERE, 'A']],
  )
  const here = fedDecisions(policy([fastest], two), told, nothing, NOW).find(({ place }) => place === HERE)
  assert.deepEqual(here?.feeds.toSorted(), ['edge-connections', 'probes'])
})
