import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Alike, drawLots } from './lots.ts'

const countOf = (all: readonly Alike[]) => all.reduce((sum, one) => sum + one.count, 0)
const alike = (bucket: number, ok: boolean, count: number): Alike => ({ subnet: 7, bucket, ok, bin: 80, count })

test('as many as are asked for are drawn, of those that were heard', () => {
  const heard = fc.uniqueArray(
    fc.record({
      subnet: fc.constantFrom(1, 2),
      bucket: fc.integer({ min: 0, max: 20 }),
      ok: fc.boolean(),
      bin: fc.integer({ min: -20, max: 200 }),
      count: fc.integer({ min: 1, max: 1_000_000 }),
    }),
    { selector: (one) => JSON.stringify({ ...one, count: 0 }), maxLength: 30 },
  )
  fc.assert(
    fc.property(heard, fc.integer({ min: 0, max: 200 }), fc.integer(), (all, most, seed) => {
      const drawn = drawLots(all, most, seed)
      assert.equal(countOf(drawn), Math.min(most, countOf(all)))
      for (const one of drawn) {
        const from = all.find(
          (other) => JSON.stringify({ ...other, count: 0 }) === JSON.stringify({ ...one, count: 0 }),
        )
        assert.ok(from && one.count <= from.count)
      }
      assert.deepEqual(drawLots(all, most, seed), drawn)
    }),
  )
})

test('lots are fair: over many seeds a tenth of the samples is drawn in a tenth of the cases', () => {
  const heard = [alike(10, true, 900), alike(10, false, 100)]
  let failed = 0
  for (let seed = 0; seed < 4000; seed++) failed += countOf(drawLots(heard, 1, seed * 7919).filter((one) => !one.ok))
  assert.ok(Math.abs(failed / 4000 - 0.1) < 0.02, String(failed / 4000))
})

test('a sample that was drawn is drawn again while the window moves on', () => {
  const window = (from: number) => Array.from({ length: 30 }, (_, i) => alike(from + i, (from + i) % 3 > 0, 2))
  let same = 0
  for (let seed = 0; seed < 300; seed++) {
    const [before, after] = [drawLots(window(0), 1, seed), drawLots(window(1), 1, seed)]
    if (before[0]?.bucket === after[0]?.bucket) same++
  }
  assert.ok(same > 270, String(same))
})
