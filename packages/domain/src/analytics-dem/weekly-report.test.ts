import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { lastWeek, medianRanks, shareInterval } from './weekly-report.ts'

const at = (text: string) => Date.parse(text)
const week = (now: string) => {
  const { from, until } = lastWeek(at(now))
  return [new Date(from).toISOString(), new Date(until).toISOString()].map((one) => one.slice(0, 16)).join(' ')
}

test('a week goes from Monday to Sunday and is told once it is over', () => {
  assert.equal(week('2026-11-26T05:00:00Z'), '2026-11-16T00:00 2026-11-23T00:00')
  assert.equal(week('2026-11-22T23:59:59.999Z'), '2026-11-09T00:00 2026-11-16T00:00')
  assert.equal(week('2026-11-23T00:00:00Z'), '2026-11-16T00:00 2026-11-23T00:00')
  // Over a leap day and the turn of a year.
  assert.equal(week('2028-03-01T12:00:00Z'), '2028-02-21T00:00 2028-02-28T00:00')
  assert.equal(week('2027-01-01T00:00:00Z'), '2026-12-21T00:00 2026-12-28T00:00')
})

test('an interval holds its share, narrows with samples and never closes where nothing has failed', () => {
  assert.equal(shareInterval(0, 0), null)
  const [low, high] = shareInterval(950, 1000) ?? [0, 0]
  assert.ok(Math.abs(low - 93.47) < 0.05 && Math.abs(high - 96.19) < 0.05, `${low} ${high}`)
  assert.equal(shareInterval(20, 20)?.[1], 100)
  assert.ok((shareInterval(20, 20)?.[0] ?? 100) < 84)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), fc.double({ min: 0, max: 1, noNaN: true }), (samples, share) => {
      const successes = Math.round(samples * share)
      const [from, to] = shareInterval(successes, samples) ?? [1, 0]
      const value = (100 * successes) / samples
      assert.ok(from >= 0 && to <= 100 && from <= value + 1e-9 && to >= value - 1e-9)
    }),
  )
})

test('few samples leave the median open', () => {
  assert.equal(medianRanks(0), null)
  assert.deepEqual(medianRanks(3), [0, 1])
  const [low, high] = medianRanks(10_000) ?? [0, 0]
  assert.ok(Math.abs(low - 0.4902) < 1e-9 && Math.abs(high - 0.5098) < 1e-9)
})
