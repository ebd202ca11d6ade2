import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { GeoHit } from './geo-hit.ts'
import { eachIpv4Range, findIpv4, indexIpv4, prefetchIpv4 } from './ipv4-table.ts'
import { Steps } from './steps.ts'

const LEAF_PLACE = Uint32Array.from([0, 1, 1, 2 ** 18 - 1, 2 ** 24 - 1, 2 ** 18])
const LEAF_NETWORK = Uint32Array.from([0, 1, 2 ** 20 - 1, 3, 2 ** 20 - 1, 0])
const SPACE = 2 ** 32

type Range = { start: number; end: number; place: number; network: number }

function rangesOf(steps: Steps): Range[] {
  const ranges: Range[] = []
  for (let i = -1; i < steps.length; i++) {
    const start = i < 0 ? 0 : (steps.high[i] ?? 0)
    const end = i + 1 < steps.length ? (steps.high[i + 1] ?? 0) : SPACE
    const leaf = i < 0 ? 0 : (steps.value[i] ?? 0)
    if (end > start) ranges.push({ start, end, place: LEAF_PLACE[leaf] ?? 0, network: LEAF_NETWORK[leaf] ?? 0 })
  }
  return ranges
}

/** The shortest prefix whose network lies within the range. */
function prefixLengthIn({ start, end }: Range, address: number): number {
  for (let length = 0; length < 32; length++) {
    const size = 2 ** (32 - length)
    const from = Math.floor(address / size) * size
    if (from >= start && from + size <= end) return length
  }
  return 32
}

// Borders of chunks, their neighbours, and addresses near each other.
const address = fc.oneof(
  fc.integer({ min: 0, max: SPACE - 1 }),
  fc
    .tuple(fc.integer({ min: 0, max: 2 ** 18 - 1 }), fc.integer({ min: -2, max: 2 }))
    .map(([chunk, by]) => Math.min(SPACE - 1, Math.max(0, chunk * 2 ** 14 + by))),
  fc.integer({ min: 0x0a000000, max: 0x0a010000 }),
  fc.constantFrom(0, 1, SPACE - 1),
)

test('every address has the place and network of its step and the widest network in which nothing changes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(address, fc.integer({ min: 0, max: LEAF_PLACE.length - 1 })), { maxLength: 60 }),
      fc.array(address, { maxLength: 30 }),
      (borders, others) => {
        const steps = new Steps(1)
        for (const [at, leaf] of borders.toSorted(([a], [b]) => a - b)) steps.append(at, 0, leaf)
        const table = indexIpv4(steps, LEAF_PLACE, LEAF_NETWORK)
        const ranges = rangesOf(steps)
        const asked = [...borders.flatMap(([at]) => [at - 1, at, at + 1]), ...others].filter(
          (at) => at >= 0 && at < SPACE,
        )
        prefetchIpv4(table, Int32Array.from(asked), asked.length)
        const hit: GeoHit = { place: 0, network: 0, prefixLength: 0 }
        for (const at of asked) {
          const range = ranges.findLast(({ start }) => start <= at) ?? assert.fail()
          findIpv4(table, at, hit)
          assert.deepEqual(
            { ...hit },
            { place: range.place, network: range.network, prefixLength: prefixLengthIn(range, at) },
            String(at),
          )
        }
        const told: Range[] = []
        eachIpv4Range(table, (start, end, place, network) => told.push({ start, end, place, network }))
        assert.deepEqual(told, ranges)
      },
    ),
    { numRuns: 60 },
  )
})

test('what the form of the table has no room for is refused', () => {
  const steps = new Steps(1)
  steps.append(0, 0, 1)
  assert.throws(() => indexIpv4(steps, Uint32Array.from([0, 2 ** 24]), Uint32Array.from([0, 0])), /beyond the form/)
  assert.throws(() => indexIpv4(steps, Uint32Array.from([0, 0]), Uint32Array.from([0, 2 ** 20])), /beyond the form/)
})
