import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Backlog } from './backlog.ts'

test('what waits is counted once, in its order, when there is much of it or when it is asked for', () => {
  const number = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
  const step = fc.oneof(
    { weight: 1, arbitrary: fc.constant('settle' as const) },
    { weight: 300, arbitrary: fc.tuple(fc.constantFrom({ zone: 'a' }, { zone: 'b' }), number, number, number) },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 2000, size: 'max' }), (steps) => {
      const counted: unknown[][] = []
      const added: unknown[][] = []
      const backlog = new Backlog<{ zone: string }>((...row) => void counted.push(row))
      for (const one of steps) {
        if (one === 'settle') {
          backlog.settle()
          assert.equal(counted.length, added.length)
          continue
        }
        backlog.add(...one)
        added.push(one)
        assert.ok(added.length - counted.length < 256)
      }
      backlog.settle()
      assert.deepEqual(counted, added)
    }),
    { numRuns: 20 },
  )
})

test('a count that fails costs what waited and nothing later', () => {
  const counted: number[] = []
  const backlog = new Backlog<object>((_under, first) => {
    if (first === 1) throw new Error('no')
    counted.push(first)
  })
  for (const first of [0, 1, 2]) backlog.add({}, first, 0, 0)
  assert.throws(() => backlog.settle())
  backlog.add({}, 3, 0, 0)
  backlog.settle()
  assert.deepEqual(counted, [0, 3])
})
