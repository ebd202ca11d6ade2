import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { binOf, histogramOf, quantileOf } from './log-histogram.ts'

test('a quantile is within half a bin and a rank of the true one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 1, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
      fc.constantFrom(0.5, 0.75, 0.95),
      (values, q) => {
        const found = quantileOf(histogramOf(values), q)
        const sorted = values.toSorted((a, b) => a - b)
        const truth = sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? 0
        assert.ok(found !== null && found >= truth / 1.0501 && found <= truth * 1.0501, `${found} for ${truth}`)
      },
    ),
  )
})

test('nothing counted is no quantile, and the limits of what is believed have bins', () => {
  assert.equal(quantileOf({}, 0.5), null)
  assert.deepEqual([binOf(1), binOf(60_000)], [0, 225])
})
