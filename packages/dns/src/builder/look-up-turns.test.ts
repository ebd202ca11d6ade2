import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { AT_ONCE, AT_ONCE_OF_ONE, type Health, LookUpTurns } from './look-up-turns.ts'

/** Look-ups that take for ever, until they are ended. */
function turns() {
  const underWay = new Map<string, () => void>()
  const looked = new LookUpTurns(
    (name) =>
      new Promise((resolve) =>
        underWay.set(name, () => {
          underWay.delete(name)
          resolve()
        }),
      ),
  )
  const add = (owner: string, count: number, health: Health = 'sound') => {
    for (let at = 0; at < count; at++) looked.add(`${health}${at}.${owner}`, owner, health)
  }
  const of = (text: string) => [...underWay.keys()].filter((name) => name.includes(text)).length
  return { underWay, add, of }
}

test('an organisation whose names nobody answers has its share of the look-ups, and others have theirs', () => {
  const { underWay, add, of } = turns()
  add('tarpit', 1_000)
  add('other', 1)
  assert.deepEqual([of('.tarpit'), of('.other')], [AT_ONCE_OF_ONE, 1])
  for (let at = 0; at < 100; at++) add(`org${at}.`, 20)
  assert.equal(underWay.size, AT_ONCE)
})

test('with more organisations than places each has its turn', async () => {
  const { underWay, add, of } = turns()
  for (let at = 0; at < 2 * AT_ONCE; at++) add(`org${at}.`, 20)
  const seen = new Set<string>()
  for (let round = 0; round < 10; round++) {
    for (const [name, end] of underWay) {
      seen.add(name.slice(name.indexOf('.')))
      end()
    }
    await nextTurn()
  }
  assert.equal(seen.size, 2 * AT_ONCE)
  assert.equal(of('.org'), AT_ONCE)
})

test('names that were not answered last keep no others waiting', () => {
  const { add, of } = turns()
  for (let at = 0; at < 50; at++) add(`org${at}.`, 20, 'failing')
  assert.equal(of('failing'), AT_ONCE / 2)
  add('org0.', 1)
  assert.equal(of('sound'), 1)
})
