import { expect, test } from 'vitest'
import { firstPosition, isMoved, sampleCountries } from './effect-rows.ts'

test('visitors of the filter come first, and some from elsewhere are always there', () => {
  const countries = sampleCountries({ places: ['country:TW', 'region:US-CA'] })
  expect(countries.slice(0, 2).sort()).toEqual(['TW', 'US'])
  expect(countries).toHaveLength(6)
})

test('a whole continent does not push the others out', () => {
  const countries = sampleCountries({ places: ['continent:AS'] })
  expect(countries.slice(0, 3).sort()).toEqual(['CN', 'IN', 'JP'])
  expect(countries).toEqual(expect.arrayContaining(['US', 'DE']))
})

test('visitors are moved when CDNs or shares change, not by a rounding', () => {
  const a = [{ cdnId: 'a', percent: 100 }]
  expect(isMoved(a, [{ cdnId: 'a', percent: 100 }])).toBe(false)
  expect(isMoved(a, [{ cdnId: 'b', percent: 100 }])).toBe(true)
  expect(
    isMoved(
      [
        { cdnId: 'a', percent: 66.7 },
        { cdnId: 'b', percent: 33.3 },
      ],
      [
        { cdnId: 'b', percent: 33.4 },
        { cdnId: 'a', percent: 66.6 },
      ],
    ),
  ).toBe(false)
  expect(
    isMoved(a, [
      { cdnId: 'a', percent: 50 },
      { cdnId: 'b', percent: 50 },
    ]),
  ).toBe(true)
})

test('a new strategy begins before the one for everyone, where it can matter', () => {
  const rule = (places: string[], enabled = true) => ({ enabled, filter: { places, networks: [], cidrs: [] } })
  expect(firstPosition([rule(['country:JP']), rule([], false), rule([]), rule(['country:DE'])])).toBe(2)
  expect(firstPosition([rule(['country:JP'])])).toBe(1)
})
