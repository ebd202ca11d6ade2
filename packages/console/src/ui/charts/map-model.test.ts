import { expect, test } from 'vitest'
import { type MapCountry, changedWinners, paintCountries } from './map-model.ts'

const share = (key: string, value: number) => ({ key, name: key.toUpperCase(), series: key === 'a' ? 1 : 2, value })
const country = (code: string, a: number, b: number): MapCountry => ({
  country: code,
  shares: [share('a', a), share('b', b)],
})

test('a country has the colour of the CDN that answers it most, and stripes only when the second counts', () => {
  const paints = paintCountries([country('JP', 10, 90), country('DE', 60, 40)])
  expect(paints.get('JP')?.winner.key).toBe('b')
  expect(paints.get('JP')?.second).toBeNull()
  expect(paints.get('DE')?.second?.key).toBe('b')
})

test('the strongest colour is for the most answers, and the weakest is still to be seen', () => {
  const paints = paintCountries([country('JP', 1, 0), country('DE', 1000, 0)])
  expect(paints.get('DE')?.strength).toBe(92)
  expect(paints.get('JP')?.strength).toBe(42)
})

test('a country without answers is not painted', () => {
  expect(paintCountries([country('JP', 0, 0)]).size).toBe(0)
})

test('only a country whose winner changed pulses; one that appears does not', () => {
  const before = paintCountries([country('JP', 9, 1), country('DE', 9, 1)])
  const after = paintCountries([country('JP', 1, 9), country('DE', 8, 2), country('FR', 0, 5)])
  expect(changedWinners(before, after)).toEqual([{ country: 'JP', series: 2 }])
})
