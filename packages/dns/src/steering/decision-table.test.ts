import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DecisionTable } from './decision-table.ts'

test('what was decided last for three numbers is what is found for them, and nothing for any others', () => {
  const number = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 ** 31 - 1 }))
  fc.assert(
    fc.property(
      fc.array(fc.tuple(number, number, number), { maxLength: 400 }),
      fc.tuple(number, number, number),
      (keys, other) => {
        const table = new DecisionTable<{ number: number }>()
        const model = new Map<string, { number: number }>()
        for (const [i, key] of keys.entries()) {
          const decision = { number: i }
          table.set(...key, decision)
          model.set(key.join(), decision)
        }
        assert.equal(table.size, model.size)
        for (const key of [...keys, other]) assert.equal(table.get(...key), model.get(key.join()) ?? null)
      },
    ),
  )
})
