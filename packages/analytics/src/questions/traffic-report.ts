import type { TrafficCounts, TrafficReport } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'
import { type ChartGrain, MINUTES_KEPT_SECONDS, chartGrain, chartTimes } from './grain.ts'
import { IS_HIT, STATUS_CLASS, type TrafficInput, trafficParameters, trafficRows } from './traffic-source.ts'

const NONE: TrafficCounts = { requests: 0, bytes: 0, hits: 0, hitBytes: 0, clientErrors: 0, serverErrors: 0 }

/** Requests and bytes over a range and over the range before it, point by point. Times are epoch ms. */
export async function trafficReport(store: EventStore, input: TrafficInput): Promise<Omit<TrafficReport, 'marks'>> {
  const now = Math.floor(input.now / 1000)
  const grain = chartGrain(input.seconds, input.until ?? now, now)
  const length = grain.until - grain.from
  const before = { ...grain, from: grain.from - length, until: grain.from }
  if (grain.level === 'minute' && now - before.from > MINUTES_KEPT_SECONDS) before.level = 'hour'
  const [points, pointsBefore] = await Promise.all([pointsOf(store, input, grain), pointsOf(store, input, before)])
  return { intervalSeconds: grain.intervalSeconds, points, totals: sum(points), before: { points: pointsBefore, totals: sum(pointsBefore) } }
}

async function pointsOf(store: EventStore, input: TrafficInput, grain: ChartGrain): Promise<TrafficReport['points']> {
  const rows = await store.query<{ line: number } & TrafficCounts>(
    `SELECT intDiv(toUInt32(toDateTime(at)), {step:UInt32}) * {step:UInt32} AS line, sum(one) AS requests, sum(sent) AS bytes, sumIf(one, ${IS_HIT}) AS hits, sumIf(sent, ${IS_HIT}) AS hitBytes,
       sumIf(one, ${STATUS_CLASS} = 4) AS clientErrors, sumIf(one, ${STATUS_CLASS} = 5) AS serverErrors
     FROM ${trafficRows(grain, input)} GROUP BY line`,
    { ...trafficParameters(input), from: grain.from, until: grain.until, step: grain.intervalSeconds })
  const byTime = new Map(rows.map(({ line, ...counts }) => [line, counts]))
  return chartTimes(grain).map((at) => ({ at: at * 1000, ...(byTime.get(at) ?? NONE) }))
}

function sum(points: readonly TrafficCounts[]): TrafficCounts {
  const total = { ...NONE }
  for (const point of points) for (const key of Object.keys(NONE) as (keyof TrafficCounts)[]) total[key] += point[key]
  return total
}
