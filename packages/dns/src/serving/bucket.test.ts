import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDue, TICK_MS } from './bucket.ts'

test('few counts are sent at the next look, many are gathered for longer, but never beyond what a bucket may be', () => {
  const sentAt = (rows: number) =>
    Array.from({ length: 10 }, (_, i) => (i + 1) * TICK_MS).find((ageMs) => isDue(rows, ageMs))
  assert.equal(sentAt(0), 2000)
  assert.equal(sentAt(2000), 2000)
  assert.equal(sentAt(2001), 10_000)
  assert.equal(sentAt(20_000), 10_000)
  // A look that comes late must not make the next one too late.
  assert.ok(isDue(20_000, 8_500))
})
