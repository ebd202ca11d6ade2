import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Measure } from '@fairway/contract'
import { SMOOTHING_HALF_LIFE_MS, smooth } from './score.ts'

const seen = { samples: 300, successes: 299, medianLatencyMs: 100, newestAt: 5 }

test('availability is exact and unrounded', () => {
  assert.equal(smooth(seen, null, 0)?.availability, 29900 / 300)
  assert.equal(smooth({ ...seen, successes: 300 }, null, 0)?.availability, 100)
  assert.equal(smooth({ ...seen, successes: 999 }, null, 0)?.availability, 100)
})

test('a first median stands as it is, a later one is approached by half in each half-life', () => {
  const first = smooth(seen, null, 0)
  assert.equal(first?.latencyMs, 100)
  assert.equal(smooth({ ...seen, medianLatencyMs: 200 }, first, SMOOTHING_HALF_LIFE_MS)?.latencyMs, 150)
  assert.equal(smooth({ ...seen, medianLatencyMs: 200 }, first, 0)?.latencyMs, 100)
  assert.ok((smooth({ ...seen, medianLatencyMs: 200 }, first, 60_000)?.latencyMs ?? 0) > 199)
})

test('no sample gives no measure, no success gives no latency', () => {
  assert.equal(smooth({ samples: 0, successes: 0, medianLatencyMs: null, newestAt: 0 }, null, 0), null)
  const dead = smooth({ ...seen, successes: 0, medianLatencyMs: null }, smooth(seen, null, 0), 2000)
  assert.deepEqual(dead, { samples: 300, availability: 0, latencyMs: null, newestAt: 5 })
  assert.ok(Measure.safeParse(dead).success)
})
