import { expect, test } from 'vitest'
import {
  asShares,
  gatherChanges,
  isLone,
  labelled,
  marksWithin,
  momentsOf,
  nearestMoment,
  summaryOf,
} from './time-series-model.ts'
import type { ChartLine } from './time-series-model.ts'

const line = (key: string, values: (number | null)[]): ChartLine => ({
  key,
  name: key,
  series: 1,
  points: values.map((value, index) => ({ at: index * 10, value, samples: 1 })),
})

test('shares of a moment sum to 100, and a moment without answers has none', () => {
  const [a, b] = asShares([line('a', [3, 0, null]), line('b', [1, 0, 5])])
  expect(a?.points.map(({ value }) => value)).toEqual([75, null, 0])
  expect(b?.points.map(({ value }) => value)).toEqual([25, null, 100])
})

test('moments of all lines come once and in order', () => {
  expect(momentsOf([line('a', [1, 2]), line('b', [1, 2, 3])])).toEqual([0, 10, 20])
})

test('a pointer between two moments means the nearer one', () => {
  expect([4, 6, -50, 900].map((at) => nearestMoment([line('a', [1, 2]), line('b', [1, 2, 3])], at))).toEqual([
    0, 10, 0, 20,
  ])
})

test('a mark that still lasts reaches the end of the span, one outside is left out, a change is a moment', () => {
  const marks = [
    { from: 50, to: null, kind: 'failover', label: 'now', cdnId: null },
    { from: -20, to: -10, kind: 'failover', label: 'before', cdnId: null },
    { from: -5, to: 5, kind: 'failover', label: 'cut', cdnId: null },
    { from: 30, to: 90, kind: 'change', label: 'change', cdnId: null },
  ] as const
  expect(marksWithin(marks, { from: 0, to: 100 }).map(({ label, from, to }) => [label, from, to])).toEqual([
    ['cut', 0, 5],
    ['change', 30, 30],
    ['now', 50, 100],
  ])
})

test('labels that would lie on each other give way to failovers, then to the newest', () => {
  const at = (moment: number, kind: 'failover' | 'change') => ({ from: moment, to: moment, kind })
  expect(labelled([at(10, 'change'), at(80, 'change'), at(90, 'change')], { from: 0, to: 100 }, 0.13)).toEqual([
    true,
    false,
    true,
  ])
  expect(labelled([at(80, 'failover'), at(88, 'change'), at(40, 'change')], { from: 0, to: 100 }, 0.13)).toEqual([
    true,
    false,
    true,
  ])
})

test('the summary skips lines without values', () => {
  expect(summaryOf([line('a', [4, null, 2]), line('b', [null])])).toEqual([{ name: 'a', low: 2, high: 4, last: 2 }])
})

test('changes in a row become one mark that says how many, and a failover among them stays', () => {
  const change = (from: number, label: string) => ({ from, to: null, kind: 'change' as const, label, cdnId: null })
  const gathered = gatherChanges(
    [
      change(10, 'v1'),
      change(10.5, 'v2'),
      change(60, 'v3'),
      { from: 10, to: 20, kind: 'failover', label: 'down', cdnId: 'a' },
    ],
    { from: 0, to: 100 },
    (count, { label }) => `${count} up to ${label}`,
  )
  expect(gathered.map(({ label }) => label)).toEqual(['down', '2 up to v2', 'v3'])
})

test('a point is alone where nothing is known before it and after it', () => {
  const alone = (values: (number | null)[]) =>
    values.flatMap((_, index) =>
      isLone(
        values.map((value) => ({ value })),
        index,
      )
        ? [index]
        : [],
    )
  expect(alone([7])).toEqual([0])
  expect(alone([null, null, 0])).toEqual([2])
  expect(alone([1, null, 2, 3, null, 4])).toEqual([0, 5])
  expect(alone([null, null])).toEqual([])
  expect(alone([])).toEqual([])
})
