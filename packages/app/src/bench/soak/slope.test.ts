import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { slopePercent } from './slope.ts'

const at = (of: (hours: number) => number, hours = [0, 0.25, 0.5, 0.75, 1]) =>
  hours.map((hour) => ({ hours: hour, value: of(hour) }))

test('what is flat has no slope; what grows has that of its line, whatever shakes it evenly', () => {
  assert.equal(slopePercent(at(() => 100)), 0)
  assert.ok(Math.abs(slopePercent(at((hours) => 99.5 + hours)) - 1) < 1e-9)
  assert.ok(Math.abs(slopePercent(at((hours) => 101 - 2 * hours)) + 2) < 1e-9)
  const shaken = at((hours) => 100 + (hours % 0.5 === 0 ? 4 : -6))
  assert.ok(Math.abs(slopePercent(shaken)) < 1e-9)
  fc.assert(
    fc.property(
      fc.double({ min: -50, max: 50, noNaN: true }),
      fc.double({ min: 200, max: 1e9, noNaN: true }),
      (a, b) => {
        const slope = slopePercent(at((hours) => b * (1 + (a / 100) * (hours - 0.5))))
        return Math.abs(slope - a) < 1e-6
      },
    ),
  )
})

test('of one reading there is no slope, and of nothing', () => {
  assert.ok(Number.isNaN(slopePercent([])))
  assert.ok(Number.isNaN(slopePercent([{ hours: 1, value: 5 }])))
})
