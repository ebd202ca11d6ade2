import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BatchStarts } from './batch-starts.ts'

test('after three starts with batches that ended within a minute one is made without, and the next tries again', () => {
  const starts = new BatchStarts('auto')
  const told = Array.from({ length: 5 }, () => {
    const next = starts.next()
    starts.ended(2000)
    return next
  })
  assert.deepEqual(told, ['auto', 'auto', 'auto', 'dgram', 'auto'])
})

test('who lived for long did not die of its start, and a setting that insists is heard', () => {
  for (const [setting, livedMs] of [
    ['auto', 61_000],
    ['mmsg', 1],
    ['dgram', 1],
  ] as const) {
    const starts = new BatchStarts(setting)
    for (let i = 0; i < 6; i++) {
      assert.equal(starts.next(), setting)
      starts.ended(livedMs)
    }
  }
})
