import { expect, test } from 'vitest'
import { wholePoints } from './whole-points.ts'

test('the interval under way is left out, the one that has just ended is not', () => {
  const points = [0, 60_000, 120_000].map((at) => ({ at, value: 5, samples: 5 }))
  expect(wholePoints(points, 60, 120_000).map(({ at }) => at)).toEqual([0, 60_000])
  expect(wholePoints(points, 60, 179_999).map(({ at }) => at)).toEqual([0, 60_000])
  expect(wholePoints(points, 60, 180_000)).toEqual(points)
})
