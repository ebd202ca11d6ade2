import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from './options.ts'
import { faultOf } from './sim.ts'

test('the four states of a simulated CDN are understood as they are typed', () => {
  assert.deepEqual(faultOf('up', undefined), { mode: 'up' })
  assert.deepEqual(faultOf('down', undefined), { mode: 'down' })
  assert.deepEqual(faultOf('slow', '250'), { mode: 'slow', addMs: 250 })
  assert.deepEqual(faultOf('errors', '12.5'), { mode: 'errors', percent: 12.5 })
})

test('anything else is answered with the states there are', () => {
  for (const [mode, figure] of [
    ['broken', undefined],
    ['slow', undefined],
    ['slow', 'very'],
    ['slow', '0'],
    ['errors', '101'],
    ['down', '5'],
  ] as const) {
    assert.throws(
      () => faultOf(mode, figure),
      (error) => error instanceof UsageError && /States: up, down, slow <ms>.*errors <percent>/.test(error.message),
    )
  }
})
