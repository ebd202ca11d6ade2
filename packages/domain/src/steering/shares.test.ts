import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { percentages } from './shares.ts'

test('percentages sum to exactly 100 in any order and stay within a hundredth of the exact share', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(100), { minLength: 1, maxLength: 20 }).filter((weights) => weights.some((one) => one > 0)),
      (weights) => {
        const shares = percentages(weights)
        const total = weights.reduce((sum, weight) => sum + weight, 0)
        for (const order of [shares, shares.toReversed(), shares.toSorted((a, b) => a - b)])
          assert.equal(
            order.reduce((sum, one) => sum + one, 0),
            100,
          )
        for (const [index, one] of shares.entries())
          assert.ok(Math.abs(one - ((weights[index] ?? 0) * 100) / total) < 0.01)
      },
    ),
    { numRuns: 2000 },
  )
})

test('whole percentages come out whole', () => assert.deepEqual(percentages([70, 20, 10]), [70, 20, 10]))
