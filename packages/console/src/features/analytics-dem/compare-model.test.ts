import { expect, test } from 'vitest'
import { comparisonOf, readItem, writeItem } from './compare-model.ts'
import type { CdnFigure } from './report-model.ts'

const figure = (cdnId: string, value: number | null): CdnFigure => ({
  cdnId,
  value,
  before: 7,
  samples: 40,
  small: null,
  trend: [],
})
const points = [{ at: 0, value: 20, samples: 40 }]

test.each(['swiftlane', 'a-b.c_d@JP'])('%s is read from the address and written back', (text) => {
  expect(writeItem(readItem(text))).toBe(text)
})

test('each item has a colour and a figure of its own; what is not known stays unknown', () => {
  const japan = { figures: [figure('a', 20)], series: [{ cdnId: 'a', points }] }
  const { figures, lines } = comparisonOf(
    ['a@JP', 'b@JP', 'a'].map(readItem),
    [japan, japan, undefined],
    ({ cdnId, country }) => `${cdnId} ${country ?? 'all'}`,
    (value) => `${value} ms`,
  )
  expect(lines.map(({ name, series, total, points: own }) => [name, series, total, own.length])).toEqual([
    ['a JP', 1, '20 ms', 1],
    ['b JP', 2, '—', 0],
    ['a all', 3, '—', 0],
  ])
  expect(figures.map(({ value, samples, before }) => [value, samples, before])).toEqual([
    [20, 40, null],
    [null, 0, null],
    [null, 0, null],
  ])
})
