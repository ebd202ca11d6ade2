import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Tally } from './tally.ts'

test('pairs are counted as a map of their texts would', () => {
  const number = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }))
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number), { maxLength: 400 }), (pairs) => {
      const tally = new Tally()
      const expected = new Map<string, number>()
      for (const [first, second] of pairs) {
        const key = `${first} ${second}`
        assert.equal(tally.add(first, second), !expected.has(key))
        expected.set(key, (expected.get(key) ?? 0) + 1)
      }
      assert.equal(tally.size, expected.size)
      assert.deepEqual(new Map(tally.rows().map(({ first, second, count }) => [`${first} ${second}`, count])), expected)
    }),
  )
})
