import { expect, test } from 'vitest'
import { dropPosition, moved } from './order.ts'

test('an item moves to its new position and the others keep their order', () => {
  expect(moved(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(moved(['a', 'b', 'c', 'd'], 3, 1)).toEqual(['a', 'd', 'b', 'c'])
})

test('beyond an end is the end, and an item that is not there changes nothing', () => {
  expect(moved(['a', 'b', 'c'], 1, -5)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b', 'c'], 1, 99)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b'], 7, 0)).toEqual(['a', 'b'])
})

test('a row lands after the rows whose middle it has passed', () => {
  const middles = [20, 60, 100, 140]
  expect(dropPosition(middles, 0, 20)).toBe(0)
  expect(dropPosition(middles, 0, 101)).toBe(2)
  expect(dropPosition(middles, 3, 5)).toBe(0)
  expect(dropPosition(middles, 1, 500)).toBe(3)
})
