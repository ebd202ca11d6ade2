import { expect, test } from 'vitest'
import { RangeSearch, customRange, rangeInput } from './range-search.ts'

test('a preset is a length back from now', () => {
  expect(rangeInput('24h')).toEqual({ seconds: 86_400 })
  expect([rangeInput('12h').seconds, rangeInput('3d').seconds]).toEqual([43_200, 259_200])
})

test('a window that was dragged is kept in the address and asked for as it is', () => {
  const range = customRange(1_700_000_000.4, 1_700_003_600.2)
  expect(range).toBe('1700000000-1700003601')
  expect(rangeInput(range)).toEqual({ seconds: 3601, until: 1_700_003_601 })
})

test('a window is never shorter than a minute nor longer than the API answers', () => {
  expect(rangeInput('1700000000-1700000001').seconds).toBe(60)
  expect(rangeInput('1000000000-1700000000').seconds).toBe(31 * 86_400)
})

test('an address that makes no sense is as if there were none', () => {
  expect(RangeSearch.parse('yesterday')).toBeUndefined()
  expect(RangeSearch.parse(['24h'])).toBeUndefined()
  expect(RangeSearch.parse('7d')).toBe('7d')
})
