import type { TrafficCounts, TrafficPoint, TrafficReport } from '@fairway/contract'
import type { ChartPoint } from '../../ui/charts/time-series-model.ts'

export const METRICS = ['requests', 'traffic', 'hitRatio', 'byteHitRatio', 'clientErrors', 'serverErrors'] as const
export type Metric = (typeof METRICS)[number]
/** More than this cannot be compared at a glance. */
export const MOST_METRICS = 4
export const MEASURES = ['requests', 'traffic'] as const
export type Measure = (typeof MEASURES)[number]

const percent = (part: number, whole: number): number | null => (whole === 0 ? null : (part / whole) * 100)

const VALUE: Record<Metric, (counts: TrafficCounts) => number | null> = {
  requests: ({ requests }) => requests,
  traffic: ({ bytes }) => bytes,
  hitRatio: ({ hits, cacheTold }) => percent(hits, cacheTold),
  byteHitRatio: ({ hitBytes, cacheToldBytes }) => percent(hitBytes, cacheToldBytes),
  clientErrors: ({ clientErrors, statusTold }) => percent(clientErrors, statusTold),
  serverErrors: ({ serverErrors, statusTold }) => percent(serverErrors, statusTold),
}

/** Amounts; the others are percent. */
const AMOUNTS: ReadonlySet<Metric> = new Set(['requests', 'traffic'])
export const isAmount = (metric: Metric): boolean => AMOUNTS.has(metric)
/** Whether more is better; null when neither is. */
export const isUpGood = (metric: Metric): boolean | null =>
  isAmount(metric) ? null : metric === 'hitRatio' || metric === 'byteHitRatio'

/**
 * Of which part of the requests a metric is known, percent; vendors' CDNs do not tell all of them. Null where that is
 * all.
 */
export function toldOf(metric: Metric, { requests, cacheTold, statusTold }: TrafficCounts): number | null {
  const told = isAmount(metric) ? requests : metric === 'hitRatio' || metric === 'byteHitRatio' ? cacheTold : statusTold
  return told >= requests ? null : percent(told, requests)
}

/** Null where nothing was asked for, or nothing is told, so that a ratio of nothing is no figure. */
export const valueOf = (metric: Metric, counts: TrafficCounts): number | null => VALUE[metric](counts)

export function pointsOf(metric: Metric, points: readonly TrafficPoint[]): ChartPoint[] {
  return points.map((point) => ({ at: point.at, value: valueOf(metric, point), samples: point.requests }))
}

/** The points of the window before, drawn where the shown window is. */
export function shiftedPoints(metric: Metric, { points, before }: TrafficReport): ChartPoint[] {
  const shift = (points[0]?.at ?? 0) - (before.points[0]?.at ?? 0)
  return pointsOf(metric, before.points).map((point) => ({ ...point, at: point.at + shift }))
}

/**
 * Up to when the counts are whole, epoch ms: what vendors have not told yet would look like a fall, as half an interval
 * would. Of a vendor that cannot be read, and of more than
 * a quarter of the window, the page says so instead.
 */
export function wholeUntil({ vendors, points, intervalSeconds }: TrafficReport, now: number): number {
  const lengthMs = points.length * intervalSeconds * 1000
  const told = vendors.filter(({ problem }) => problem === null).map(({ readUntil }) => Date.parse(readUntil))
  return Math.max(Math.min(now, ...told), Math.min(now, (points[0]?.at ?? 0) + lengthMs) - lengthMs / 4)
}

/** Without the intervals that are not whole. */
export function wholeIntervals(report: TrafficReport, now: number): TrafficReport {
  const until = wholeUntil(report, now)
  return { ...report, points: report.points.filter(({ at }) => at + report.intervalSeconds * 1000 <= until) }
}

/** Puts a metric among the chosen or takes it away, in the order of the list; one stays, and no more than four do. */
export function toggled(chosen: readonly Metric[], metric: Metric): Metric[] {
  const wanted = chosen.includes(metric) ? chosen.filter((one) => one !== metric) : [...chosen, metric]
  if (wanted.length === 0 || wanted.length > MOST_METRICS) return [...chosen]
  return METRICS.filter((one) => wanted.includes(one))
}
