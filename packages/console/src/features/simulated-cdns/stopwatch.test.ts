import { expect, test } from 'vitest'
import { type Observation, countedGoneMs, raceAway, raceBack } from './stopwatch.ts'

const seen = (at: number, cdns: Record<string, string>): Observation => ({
  at,
  cdnsOf: new Map(Object.entries(cdns).map(([visitor, cdn]) => [visitor, cdn.split('+')])),
})

test('the time runs from the fault to the first and to the last visitor that is answered without the CDN', () => {
  const observations = [
    seen(1000, { jp: 'a', de: 'a', us: 'b' }),
    seen(2500, { jp: 'a', de: 'a', us: 'b' }),
    seen(3000, { jp: 'b', de: 'a', us: 'b' }),
    seen(4200, { jp: 'b', de: 'c', us: 'b' }),
  ]
  expect(raceAway(observations, 'a', 2000)).toEqual({ visitors: 2, moved: 2, firstMs: 1000, allMs: 2200 })
  expect(raceAway(observations.slice(0, 3), 'a', 2000)).toEqual({ visitors: 2, moved: 1, firstMs: 1000, allMs: null })
})

test('a visitor with a share of the CDN still has it, and one that never had it is not counted', () => {
  expect(raceAway([seen(1000, { de: 'a+b', us: 'b' }), seen(3000, { de: 'a+b', us: 'b' })], 'a', 2000)).toEqual({
    visitors: 1,
    moved: 0,
    firstMs: null,
    allMs: null,
  })
})

test('without a look before the fault nothing is claimed', () => {
  expect(raceAway([seen(3000, { jp: 'b' })], 'a', 2000)).toBeNull()
  expect(raceAway([seen(1000, { jp: 'b' }), seen(3000, { jp: 'b' })], 'a', 2000)).toBeNull()
})

test('after a recovery the visitors that come back are timed', () => {
  const observations = [
    seen(1000, { jp: 'b', de: 'b' }),
    seen(2500, { jp: 'b', de: 'b' }),
    seen(5000, { jp: 'a', de: 'b' }),
  ]
  expect(raceBack(observations, 'a', 2000)).toEqual({ visitors: 1, moved: 1, firstMs: 3000, allMs: 3000 })
  expect(raceBack(observations.slice(0, 2), 'a', 2000)).toBeNull()
})

test('counted answers tell when the CDN was gone, by whole intervals, and a pause of all traffic is not a success', () => {
  const points = [
    { at: 0, value: 5, all: 9 },
    { at: 10, value: 2, all: 9 },
    { at: 20, value: 0, all: 0 },
    { at: 30, value: 0, all: 8 },
  ]
  expect(countedGoneMs(points, 10, 12)).toBe(18)
  expect(countedGoneMs(points.slice(0, 3), 10, 12)).toBeNull()
})
