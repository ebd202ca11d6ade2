import { expect, test } from 'vitest'
import { sparkPaths } from './sparkline-path.ts'

test('a series spans the whole width and puts the largest value at the top', () => {
  const { line, last } = sparkPaths([0, 10], 100, 20)
  expect(line).toBe('M0 17L100 3')
  expect(last).toEqual({ x: 100, y: 3 })
})

test('a gap parts the line, and a lone point between gaps stays visible', () => {
  expect(sparkPaths([1, null, 2, null, 3, 4], 50, 20).line.match(/M/g)).toHaveLength(3)
  expect(sparkPaths([1, null, 2], 50, 20).line).toContain('h0.01')
})

test('a flat series lies in the middle, and nothing at all draws nothing', () => {
  expect(sparkPaths([5, 5], 10, 20).line).toBe('M0 10L10 10')
  expect(sparkPaths([null, null], 10, 20)).toEqual({ line: '', area: '', last: null })
})

test('a floor keeps small changes of a large figure small', () => {
  expect(sparkPaths([90, 100], 10, 26, 0).line).toBe('M0 5L10 3')
})
