import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RowBudget } from './row-budget.ts'

const AMPLE = { perSecond: 1e6, burst: 1e9 }
const HOUR_S = 3_600
/** Rows that were taken of so many a second, in posts of 100 at the most. */
function taken(budget: RowBudget, network: string, perSecond: number, seconds: number, organization = 'o1'): number {
  let sum = 0
  for (let second = 0; second < seconds; second++)
    for (let left = perSecond; left > 0; left -= 100) {
      const rows = Math.min(left, 100)
      if (budget.take(organization, network, rows, second * 1000)) sum += rows
    }
  return sum
}

test('two thousand viewers behind one network are heard for six hours, a flood for minutes', () => {
  const rows = 260 * 6 * HOUR_S
  assert.equal(taken(new RowBudget(AMPLE), '192.0.2.0/24', 260, 6 * HOUR_S), rows)
  const flooded = taken(new RowBudget(AMPLE), '192.0.2.0/24', 4_000, 2 * HOUR_S)
  assert.ok(flooded < 5.5e6, `${flooded} rows`)
})

test('an organisation has so many of all networks together, and takes none of another', () => {
  const budget = new RowBudget({ perSecond: 1, burst: 150 })
  const take = (organization: string, network: string) => budget.take(organization, network, 100, 0)
  assert.deepEqual([take('o1', 'a'), take('o1', 'b'), take('o2', 'b')], [true, false, true])
  assert.equal(budget.take('o1', 'b', 100, 60_000), true)
})

test('one network has so many of all organisations together', () => {
  const budget = new RowBudget(AMPLE)
  const ofEach = Array.from({ length: 20 }, (_, nth) => taken(budget, '192.0.2.0/24', 1_200_000, 1, `o${nth}`))
  const sum = ofEach.reduce((all, one) => all + one, 0)
  assert.ok(sum > 14.9e6 && sum < 15.1e6, `${sum} rows`)
  assert.equal(budget.take('o19', '198.51.100.0/24', 100, 60_000), true)
})

test('networks that flood leave half of an organisation to those that bring what one may always', () => {
  const budget = new RowBudget({ perSecond: 1, burst: 200_000 })
  const flooded = ['a', 'b', 'c'].map((network) => taken(budget, network, 240_000, 1))
  const sum = flooded.reduce((all, one) => all + one, 0)
  assert.ok(sum > 100_000 && sum < 110_000, `${sum} rows`)
  assert.equal(taken(budget, 'viewers', 30, 600), 30 * 600)
})

test('what an organisation refuses is not taken from the network', () => {
  const budget = new RowBudget({ perSecond: 20, burst: 250 })
  const take = (network: string, rows: number, second: number) => budget.take('o1', network, rows, second * 1000)
  assert.equal(take('a', 150, 0), true)
  assert.deepEqual([take('b', 110, 0), take('b', 110, 0), take('b', 110, 0)], [false, false, false])
  assert.equal(take('b', 110, 1), true)
})
