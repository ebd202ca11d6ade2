import { expect, test } from 'vitest'
import { lengthen } from './pseudo.ts'

test.each(['Save', 'Records', 'Your plan Developer does not include it.'])(
  '%s is at least 40 %% longer, and looks unlike itself',
  (text) => {
    expect(lengthen(text).length).toBeGreaterThanOrEqual(Math.ceil(text.length * 1.4))
    expect(lengthen(text).startsWith(text)).toBe(false)
  },
)

test('nothing stays nothing', () => {
  expect(lengthen('')).toBe('')
})
