import type { TrafficReport } from '@fairway/contract'
import { expect, test } from 'vitest'
import { METRICS, pointsOf, shiftedPoints, toggled, toldOf, valueOf, wholeIntervals } from './metrics.ts'

const counts = {
  requests: 200,
  bytes: 4000,
  hits: 150,
  hitBytes: 1000,
  cacheTold: 200,
  cacheToldBytes: 4000,
  clientErrors: 4,
  serverErrors: 1,
  statusTold: 200,
  leftOut: 0,
  leftOutBytes: 0,
}
const none = {
  requests: 0,
  bytes: 0,
  hits: 0,
  hitBytes: 0,
  cacheTold: 0,
  cacheToldBytes: 0,
  clientErrors: 0,
  serverErrors: 0,
  statusTold: 0,
  leftOut: 0,
  leftOutBytes: 0,
}
const report: TrafficReport = {
  intervalSeconds: 60,
  points: [
    { at: 600_000, ...counts },
    { at: 660_000, ...none },
  ],
  totals: counts,
  marks: [],
  vendors: [],
  before: {
    points: [
      { at: 480_000, ...counts, requests: 100 },
      { at: 540_000, ...none },
    ],
    totals: counts,
  },
}

test('amounts are amounts, the others parts of a hundred; a part of nothing is no figure', () => {
  expect(METRICS.map((metric) => valueOf(metric, counts))).toEqual([200, 4000, 75, 25, 2, 0.5])
  expect(METRICS.map((metric) => valueOf(metric, none))).toEqual([0, 0, null, null, null, null])
})

test('a part is of what is told, and says of how much that is', () => {
  const some = { ...counts, cacheTold: 150, cacheToldBytes: 2000, statusTold: 0, clientErrors: 0, serverErrors: 0 }
  expect(METRICS.map((metric) => valueOf(metric, some))).toEqual([200, 4000, 100, 50, null, null])
  expect(METRICS.map((metric) => toldOf(metric, some))).toEqual([null, null, 75, 75, 0, 0])
  expect(METRICS.map((metric) => toldOf(metric, none))).toEqual([null, null, null, null, null, null])
})

test('the window before lies under the shown one, point by point', () => {
  expect(shiftedPoints('requests', report).map(({ at, value }) => [at, value])).toEqual([
    [600_000, 100],
    [660_000, 0],
  ])
  expect(pointsOf('requests', report.points).map(({ at }) => at)).toEqual([600_000, 660_000])
})

test('an interval that has not ended, or that a vendor has not told yet, is not drawn', () => {
  expect(wholeIntervals(report, 719_999).points.map(({ at }) => at)).toEqual([600_000])
  const points = Array.from({ length: 8 }, (_, index) => ({ at: 600_000 + index * 60_000, ...counts }))
  const drawn = (readUntil: number, problem: string | null) =>
    wholeIntervals(
      { ...report, points, vendors: [{ cdnId: 'a', readUntil: new Date(readUntil).toISOString(), problem }] },
      2_000_000,
    ).points.length
  expect([drawn(2_000_000, null), drawn(1_020_000, null), drawn(1_020_000, 'no answer')]).toEqual([8, 7, 8])
  // Of a vendor that tells by the hour no more than a quarter goes.
  expect(drawn(0, null)).toBe(6)
})

test('between one and four metrics are chosen, in the order of the list', () => {
  expect(toggled(['traffic'], 'requests')).toEqual(['requests', 'traffic'])
  expect(toggled(['traffic'], 'traffic')).toEqual(['traffic'])
  expect(toggled(['requests', 'traffic', 'hitRatio', 'clientErrors'], 'serverErrors')).toEqual([
    'requests',
    'traffic',
    'hitRatio',
    'clientErrors',
  ])
})
