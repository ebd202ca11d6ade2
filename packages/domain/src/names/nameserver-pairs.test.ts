import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { drawPair, samePair, type NameserverPair } from './nameserver-pairs.ts'

test('pairs are distinct while the set lasts, and then shared by as few as can be', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 1, max: 70 }), fc.nat(), (servers, count, seed) => {
      const taken: NameserverPair[] = []
      for (let index = 0; index < count; index++)
        taken.push(drawPair({ servers, taken, avoid: [] }, (below) => (seed + index * 7) % below))
      const all = (servers * (servers - 1)) / 2
      const uses = [...Map.groupBy(taken, String).values()].map((same) => same.length)
      assert.ok(Math.max(...uses) <= Math.ceil(count / all))
      for (const [first, second] of taken) assert.ok(first < second && second < servers)
    }),
  )
})

test('a pair that others have for the name is not drawn while there is another', () => {
  const pairs: NameserverPair[] = [
    [0, 1],
    [0, 2],
  ]
  for (let lot = 0; lot < 9; lot++)
    assert.ok(
      samePair(
        drawPair({ servers: 3, taken: [[1, 2]], avoid: pairs }, (below) => lot % below),
        [1, 2],
      ),
    )
  assert.ok(drawPair({ servers: 2, taken: [], avoid: [[0, 1]] }, () => 0))
})
