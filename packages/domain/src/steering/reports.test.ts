import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fedDecisions, movesOfSwitch, policyWithFeed } from '../index.ts'
import { NOW, answerOf, ask, at, cdn, policy, scores, seen, strategy, targets } from './decide-samples.ts'

// What browsers report (Network Error Logging), beside what beacons and probes say.

const HERE = 'country:JP|AS2497'
const probed = { world: { sum: seen(100, 20) } }
const failing = seen(0, null)
const first = strategy('static-route', { targets: targets('A', 'B'), availabilityThreshold: 90 })
const elsewhere = at({ network: 'AS4713', asn: 4713 })

test('a CDN that fails for one network is avoided there, and nowhere else', () => {
  const told = scores({ A: { ...probed, [HERE]: { nel: failing } }, B: probed })
  assert.equal(answerOf(ask([first], { scores: told })), 'B')
  assert.equal(answerOf(ask([first], { scores: told, visitor: elsewhere })), 'A')
  const trace = ask([first], { scores: told }).trace.steps[0]?.candidates.find(({ cdnId }) => cdnId === 'A')
  assert.deepEqual(
    [trace?.availability?.source, trace?.availability?.level, trace?.reason, trace?.latency?.source],
    ['nel', HERE, 'below-threshold', 'sum'],
  )
})

test('reports are read at networks only, are never before beacons as fine, and never make a CDN better', () => {
  const cases: [name: string, ofA: Parameters<typeof scores>[0][string], expected: string][] = [
    ['of a whole country', { ...probed, 'country:JP': { nel: failing } }, 'A'],
    ['of the whole world', { world: { sum: seen(100, 20), nel: failing } }, 'A'],
    ['beacons of the same network say otherwise', { ...probed, [HERE]: { rum: seen(99, 20), nel: failing } }, 'A'],
    [
      'beacons of a part of it say otherwise',
      { ...probed, 'city:JP-13-Tokyo': { rum: seen(99, 20) }, [HERE]: { nel: failing } },
      'A',
    ],
    [
      'beacons of the country say otherwise',
      { ...probed, 'country:JP': { rum: seen(99, 20) }, [HERE]: { nel: failing } },
      'B',
    ],
    ['too few', { ...probed, [HERE]: { nel: seen(0, null, { samples: 19 }) } }, 'A'],
    ['too old', { ...probed, [HERE]: { nel: seen(0, null, { newestAt: NOW - 301_000 }) } }, 'A'],
    ['praise where probes say it fails', { world: { sum: seen(50, 20) }, [HERE]: { nel: seen(100, null) } }, 'B'],
  ]
  for (const [name, ofA, expected] of cases)
    assert.equal(answerOf(ask([first], { scores: scores({ A: ofA, B: probed }) })), expected, name)
})

test('a fast fall of reports decides before the window does', () => {
  const short = { samples: 30, subnets: 30, availability: 0 }
  const told = scores({ A: { ...probed, [HERE]: { nel: seen(95, null, { short }) } }, B: probed })
  assert.equal(answerOf(ask([first], { scores: told })), 'B')
})

test('strategies that leave out real users, and domains that switch the feed off, do not read them', () => {
  const told = scores({ A: { ...probed, [HERE]: { nel: failing } }, B: probed })
  assert.equal(answerOf(ask([{ ...first, omitRum: true }], { scores: told })), 'A')
  const cdns = [cdn('A', { ignores: ['nel'] }), cdn('B')]
  assert.equal(answerOf(ask([first], { scores: told, change: { cdns } })), 'A')
})

test('the feed is named by what it decides, and switched off moves back whom it moved', () => {
  const told = scores({ A: { ...probed, [HERE]: { nel: failing } }, B: probed })
  const nothing = new Set<string>()
  const rows = fedDecisions(policy([first]), told, nothing, NOW)
  const feedsOf = (place: string) => rows.find((row) => row.place === place)?.feeds.toSorted()
  assert.deepEqual([feedsOf(HERE), feedsOf('country:JP')], [['network-errors', 'probes'], ['probes']])
  const off = { feed: 'network-errors', wanted: 'off' } as const
  assert.deepEqual(
    movesOfSwitch(policy([first]), told, off, nothing, NOW).map(({ place, after }) => [place, after[0]?.cdnId]),
    [[HERE, 'A']],
  )
  const without = policyWithFeed(policy([first]), 'network-errors', 'off', nothing)
  assert.deepEqual(without.cdns[0]?.ignores, ['nel'])
  assert.deepEqual(policyWithFeed(without, 'network-errors', 'on', nothing), policy([first]))
})
