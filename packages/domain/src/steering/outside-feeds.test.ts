import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FeedSaid } from '@fairway/contract'
import fc from 'fast-check'
import {
  agreesWithOthers,
  contradictsItself,
  isContradicting,
  movesOfOutside,
  takeEntry,
  type KeptEntry,
  type OutsideEntry,
} from '../index.ts'
import { NOW, answerOf, ask, candidateOf, cdn, policy, scores, seen, strategy, targets } from './decide-samples.ts'

const HERE = 'country:JP'
const said = (change: Partial<FeedSaid>): FeedSaid => ({
  feed: 'f',
  name: 'Own monitoring',
  samples: 1000,
  share: 0.25,
  availability: null,
  latencyMs: null,
  newestAt: NOW - 1000,
  ...change,
})
const probed = { world: { sum: seen(100, 20) } }
const available = strategy('static-route', { targets: targets('A', 'B'), availabilityThreshold: 90 })
const fastest = strategy('best-latency', { targets: targets('A', 'B') })

test('where no visitors are heard a feed stands in for the probes', () => {
  const told = scores({ A: { ...probed, [HERE]: { feed: [said({ availability: 10 })] } }, B: probed })
  const decided = ask([available], { scores: told })
  assert.equal(answerOf(decided), 'B')
  const { availability, latency } = candidateOf(decided, 'A')
  assert.deepEqual(
    [availability?.source, availability?.level, availability?.feed?.names, latency?.source],
    ['feed', HERE, ['Own monitoring'], 'sum'],
  )
})

test('beside visitors all feeds together have a quarter of a figure at most, however much they claim', () => {
  const measured = seen(100, 20)
  for (const [feed, expected] of [
    [[said({ availability: 0, samples: 1e9 })], 75],
    [[said({ availability: 0, samples: 1e9, share: 0.125 })], 87.5],
    [[said({ availability: 0, samples: 1e9 }), said({ feed: 'g', availability: 0, samples: 1e9 })], 75],
    [[said({ availability: 0, samples: 25 })], 80],
    [[said({ availability: 0, samples: 0 })], 100],
  ] as const) {
    const told = scores({ A: { [HERE]: { rum: measured, feed: [...feed] } }, B: probed })
    const { availability } = candidateOf(ask([available], { scores: told }), 'A')
    assert.deepEqual([availability?.source, availability?.value], ['rum', expected])
  }
})

test('a feed at a coarser place than visitors were heard at says nothing, and none holds up what falls fast', () => {
  const coarse = scores({ A: { [HERE]: seen(100, 20), world: { feed: [said({ availability: 0 })] } }, B: probed })
  assert.equal(candidateOf(ask([available], { scores: coarse }), 'A').availability?.value, 100)
  const short = { samples: 40, subnets: 9, availability: 0 }
  const falling = scores({
    A: { [HERE]: { rum: seen(95, 20, { short }), feed: [said({ availability: 100 })] } },
    B: probed,
  })
  const { availability } = candidateOf(ask([available], { scores: falling }), 'A')
  assert.deepEqual([availability?.value, availability?.fellFast], [0, true])
})

test('latency of feeds decides only where they time all CDNs that may answer', () => {
  const two = { cdns: [cdn('A'), cdn('B')] }
  const one = scores({
    A: { ...probed, [HERE]: { feed: [said({ latencyMs: 1 })] } },
    B: { world: { sum: seen(100, 10) } },
  })
  assert.equal(answerOf(ask([fastest], { scores: one, change: two })), 'B')
  const both = scores({
    A: { ...probed, [HERE]: { feed: [said({ latencyMs: 1 })] } },
    B: { world: { sum: seen(100, 10) }, [HERE]: { feed: [said({ latencyMs: 30 })] } },
  })
  const decided = ask([fastest], { scores: both, change: two })
  assert.equal(answerOf(decided), 'A')
  assert.deepEqual(candidateOf(decided, 'A').latency?.source, 'feed')
})

test('too few, too old, switched off by the feed or by the domain: it is not read', () => {
  for (const [name, change, ignores] of [
    ['too few', { samples: 19 }, []],
    ['too old', { newestAt: NOW - 301_000 }, []],
    ['switched off', { off: true as const }, []],
    ['ignored', {}, ['feed' as const]],
  ] as const) {
    const told = scores({ A: { ...probed, [HERE]: { feed: [said({ availability: 0, ...change })] } }, B: probed })
    const cdns = [cdn('A', { ignores: [...ignores] }), cdn('B')]
    assert.equal(answerOf(ask([available], { scores: told, change: { cdns } })), 'A', name)
  }
})

test('who would move by one feed is told before it is switched off, and before it is switched on', () => {
  const told = (off?: true) =>
    scores({ A: { ...probed, [HERE]: { feed: [said({ availability: 0, ...(off ? { off } : {}) })] } }, B: probed })
  const moved = (snapshot: ReturnType<typeof told>, wanted: 'on' | 'off', outside = 'f') =>
    movesOfOutside(policy([available]), snapshot, { outside, wanted }, new Set(), NOW).map(
      ({ place, before, after }) => `${place} ${before[0]?.cdnId} ${after[0]?.cdnId}`,
    )
  assert.deepEqual(moved(told(), 'off'), [`${HERE} B A`])
  assert.deepEqual(moved(told(true), 'on'), [`${HERE} A B`])
  assert.deepEqual(moved(told(), 'off', 'another'), [])
})

const entry = (change: Partial<OutsideEntry> = {}): OutsideEntry => ({
  cdnId: 'A',
  place: HERE,
  availability: 100,
  latencyMs: 40,
  samples: 50,
  measuredAt: NOW,
  ...change,
})
const kept = (change: Partial<KeptEntry> = {}): KeptEntry => ({
  ...entry({ measuredAt: NOW - 60_000 }),
  held: null,
  ...change,
})
const at = { now: NOW, windowMs: 300_000 }

test('a jump counts once it is said again, and neither the old nor the new counts until then', () => {
  const first = takeEntry(kept(), entry({ availability: 40, measuredAt: NOW - 20_000 }), at)
  assert.deepEqual([first.verdict, first.kept?.availability, first.kept?.held?.availability], ['jumped', 100, 40])
  const soon = takeEntry(first.kept, entry({ availability: 41, measuredAt: NOW - 15_000 }), at)
  assert.equal(soon.verdict, 'jumped')
  const again = takeEntry(soon.kept, entry({ availability: 39, measuredAt: NOW - 5000 }), at)
  assert.deepEqual([again.verdict, again.kept?.availability, again.kept?.held], ['taken', 39, null])
  const back = takeEntry(first.kept, entry({ availability: 99, measuredAt: NOW - 5000 }), at)
  assert.deepEqual([back.verdict, back.kept?.held], ['taken', null])
  assert.equal(takeEntry(kept(), entry({ latencyMs: 161 }), at).verdict, 'jumped')
})

test('what is too old, of the future, or not newer than before is left', () => {
  for (const [measuredAt, before, verdict] of [
    [NOW - 301_000, undefined, 'too-old'],
    [NOW + 31_000, undefined, 'in-future'],
    [NOW - 60_000, kept(), 'not-newer'],
    [NOW, kept(), 'taken'],
    [NOW, kept({ availability: 1, measuredAt: NOW - 301_000 }), 'taken'],
  ] as const)
    assert.equal(takeEntry(before, entry({ measuredAt }), at).verdict, verdict)
})

test('a kept entry is never older than the one before it, whatever comes', () => {
  const entries = fc.record({
    availability: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
    latencyMs: fc.option(fc.double({ min: 1, max: 60_000, noNaN: true })),
    measuredAt: fc.integer({ min: NOW - 400_000, max: NOW + 60_000 }),
  })
  fc.assert(
    fc.property(fc.array(entries, { maxLength: 20 }), (all) => {
      let before: KeptEntry | undefined
      for (const one of all) {
        const { kept: after } = takeEntry(before, entry(one), at)
        assert.ok((after?.measuredAt ?? 0) >= (before?.measuredAt ?? 0))
        before = after
      }
    }),
  )
})

test('a post that contradicts itself is known, and so is a feed that contradicts the others', () => {
  assert.equal(contradictsItself([entry(), entry({ place: 'world' })]), false)
  assert.equal(contradictsItself([entry(), entry({ availability: 3 })]), true)
  assert.equal(contradictsItself([entry({ availability: 0 })]), true)
  const told = scores({ A: { [HERE]: seen(99, 20), world: { sum: seen(100, 20) } } })
  for (const [change, agrees] of [
    [{ availability: 10 }, false],
    [{ availability: 90 }, true],
    [{ availability: 10, place: 'world' }, false],
    [{ availability: 10, place: 'country:DE' }, null],
    [{ availability: null }, null],
    [{ cdnId: 'B', availability: 10 }, null],
  ] as const)
    assert.equal(agreesWithOthers(entry(change), told), agrees)
  const short = { samples: 30, subnets: 9, availability: 5 }
  const falling = scores({ A: { [HERE]: seen(97, 20, { short }) } })
  assert.equal(agreesWithOthers(entry({ availability: 10 }), falling), true, 'it saw the outage first')
  assert.deepEqual(
    [isContradicting(0, 0), isContradicting(1, 0), isContradicting(10, 8), isContradicting(10, 7)],
    [false, true, false, true],
  )
})
