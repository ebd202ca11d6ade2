import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FeedName } from '@fairway/contract'
import {
  answersPercent,
  fedDecisions,
  feedDifferences,
  feedOf,
  movesOfSwitch,
  policyWithFeed,
  type FeedCdnFigures,
} from '../index.ts'
import { NOW, policy, scores, seen, strategy } from './decide-samples.ts'

const fastest = policy([strategy('best-latency')])
const nothing = new Set<string>()
const off = (feed: FeedName) => ({ feed, wanted: 'off' as const })

test('without visitors the probes decide, and only places where the winner changes are told', () => {
  const both = scores({
    A: { 'country:JP': seen(99, 20), world: { sum: seen(99, 50) } },
    B: { 'country:JP': seen(99, 40), world: { sum: seen(99, 10) } },
  })
  const moves = movesOfSwitch(fastest, both, off('pulse'), nothing, NOW)
  const at = (place: string) => moves.find((move) => move.place === place)
  assert.deepEqual([at('country:JP')?.before[0]?.cdnId, at('country:JP')?.after[0]?.cdnId], ['A', 'B'])
  assert.equal(at('country:BR'), undefined, 'only probes speak there: nothing changes')
  assert.deepEqual(movesOfSwitch(fastest, both, off('edge-connections'), nothing, NOW), [])
  assert.deepEqual(movesOfSwitch(fastest, null, off('pulse'), nothing, NOW), [])
})

test('a CDN that probes see down is back in the answers without them', () => {
  const down = scores({ A: { 'country:JP': seen(99, 20) }, B: { 'country:JP': seen(99, 40) } }, ['A'])
  const move = movesOfSwitch(fastest, down, off('probes'), nothing, NOW).find(({ place }) => place === 'country:JP')
  assert.deepEqual([move?.before[0]?.cdnId, move?.after[0]?.cdnId], ['B', 'A'])
})

test('beacons of objects of one’s own are a feed apart, and a place names every feed that was compared', () => {
  const own = new Set(['B'])
  assert.deepEqual(
    [feedOf('rum', 'A', own), feedOf('rum', 'B', own), feedOf('sum', 'B', own)],
    ['pulse', 'private-data', 'probes'],
  )
  const measured = scores({ A: { 'country:JP': seen(99, 20) }, B: { 'country:JP': seen(99, 40) } })
  const rows = fedDecisions(fastest, measured, own, NOW)
  assert.deepEqual(rows.find(({ place }) => place === 'country:JP')?.feeds, ['pulse', 'private-data'])
  assert.deepEqual(rows.find(({ place }) => place === 'country:BR')?.feeds, [])
  const after = movesOfSwitch(fastest, measured, off('pulse'), own, NOW).find(
    ({ place }) => place === 'country:JP',
  )?.after
  assert.deepEqual(after, [{ cdnId: 'B', percent: 100 }])
})

test('a feed that is off is not read, and switched on again it moves back whom it moved away', () => {
  const both = scores(
    {
      A: { 'country:JP': seen(99, 20), world: { sum: seen(99, 50) } },
      B: { 'country:JP': seen(99, 40), world: { sum: seen(99, 10) } },
    },
    ['B'],
  )
  const without = policyWithFeed(policyWithFeed(fastest, 'pulse', 'off', nothing), 'probes', 'off', nothing)
  const rows = fedDecisions(without, both, nothing, NOW)
  assert.deepEqual([...new Set(rows.flatMap(({ feeds }) => feeds))], [], 'no hard failure is seen either')
  const probed = policyWithFeed(without, 'probes', 'on', nothing)
  const move = movesOfSwitch(probed, both, { feed: 'probes', wanted: 'off' }, nothing, NOW)
  assert.ok(move.length > 0)
  assert.deepEqual(policyWithFeed(probed, 'pulse', 'on', nothing), fastest)
})

test('feeds differ from five points on, and only with enough samples each', () => {
  const said = (feed: FeedCdnFigures['feed'], availability: number | null, samples = 20): FeedCdnFigures => ({
    feed,
    cdnId: 'A',
    samples,
    availability,
    latencyMs: null,
    newestAt: NOW,
    senders: 1,
  })
  assert.deepEqual(feedDifferences([said('pulse', 90), said('probes', 99)]), [
    { cdnId: 'A', between: ['pulse', 'probes'], points: 9 },
  ])
  for (const other of [said('probes', 95), said('probes', 99, 19), said('probes', null)])
    assert.deepEqual(feedDifferences([said('pulse', 90), other]), [])
})

test('answers count by country, once each, and are unknown without any', () => {
  const answers = new Map([
    ['JP', 30],
    ['DE', 70],
  ])
  assert.equal(answersPercent(['country:JP', 'country:JP', 'country:JP|AS2497'], answers), 30)
  assert.equal(answersPercent(['country:JP'], new Map()), null)
})
