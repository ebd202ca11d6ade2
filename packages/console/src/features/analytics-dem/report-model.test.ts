import type { DecisionsReport, DemReport } from '@fairway/contract'
import { expect, test } from 'vitest'
import {
  answerCountries,
  deltaOf,
  measuredCountries,
  measuredFigures,
  shareFigures,
  wholeIntervals,
} from './report-model.ts'

const dem = (p50Ms: number, availability: number): DemReport => ({
  intervalSeconds: 60,
  marks: [],
  availability: [],
  latency: [
    {
      cdnId: 'a',
      points: [
        { at: 0, value: p50Ms, samples: 3 },
        { at: 60, value: null, samples: 0 },
      ],
    },
  ],
  totals: [{ cdnId: 'a', p50Ms, p75Ms: p50Ms * 2, p95Ms: p50Ms * 3, availability, samples: 3 }],
  countries: [
    { country: 'JP', cdnId: 'a', p50Ms: 30, availability: 90, samples: 5 },
    { country: 'JP', cdnId: 'b', p50Ms: 10, availability: 80, samples: 5 },
    { country: 'DE', cdnId: 'a', p50Ms: null, availability: null, samples: 40 },
  ],
})
const answers = (a: number, b: number): DecisionsReport => ({
  intervalSeconds: 60,
  marks: [],
  answers: [],
  totals: [
    { cdnId: 'a', answers: a },
    { cdnId: 'b', answers: b },
  ],
  countries: [
    { country: 'JP', cdnId: 'a', answers: 1 },
    { country: 'JP', cdnId: 'b', answers: 4 },
  ],
})

test('a figure stands beside what it was before, and gaps stay gaps', () => {
  const [figure] = measuredFigures(dem(20, 99), dem(25, 98), 'latency')
  expect(figure).toEqual({
    cdnId: 'a',
    value: 20,
    before: 25,
    samples: 3,
    small: { p75Ms: 40, p95Ms: 60 },
    trend: [20, null],
  })
})

test('shares are parts of all answers; without answers there is no share', () => {
  expect(shareFigures(answers(3, 1), undefined).map(({ value, before }) => [value, before])).toEqual([
    [75, null],
    [25, null],
  ])
  expect(shareFigures(answers(0, 0), answers(1, 1)).map(({ value, before }) => [value, before])).toEqual([
    [null, 50],
    [null, 50],
  ])
})

test('the best CDN of a country is the fastest, or the most available, and the country with the most samples comes first', () => {
  expect(measuredCountries(dem(1, 1), 'latency').map(({ country, best }) => [country, best])).toEqual([
    ['DE', null],
    ['JP', 'b'],
  ])
  expect(measuredCountries(dem(1, 1), 'availability')[1]?.best).toBe('a')
  expect(answerCountries(answers(1, 1))[0]?.best).toBe('b')
})

test('a change is told in percent of the figure before, or in points for percentages', () => {
  expect(deltaOf(20, 25, 'percent')).toEqual({ direction: 'down', size: 20 })
  expect(deltaOf(99.5, 99.25, 'points')).toEqual({ direction: 'up', size: 0.25 })
  expect(deltaOf(10, 10.0001, 'percent')).toBeNull()
  expect(deltaOf(null, 10, 'percent')).toBeNull()
  expect(deltaOf(10, 0, 'percent')).toBeNull()
})

test('an interval that has not ended is left out, so that the line does not fall at its end', () => {
  const report = {
    ...answers(1, 1),
    answers: [
      {
        cdnId: 'a',
        points: [
          { at: 0, value: 9, samples: 9 },
          { at: 60_000, value: 2, samples: 2 },
        ],
      },
    ],
  }
  expect(wholeIntervals(report, 90_000).answers[0]?.points.map(({ at }) => at)).toEqual([0])
  expect(wholeIntervals(report, 120_000).answers[0]?.points).toHaveLength(2)
})
