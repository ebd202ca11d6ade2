import type { TrafficCounts, TrafficReport } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'
import { type ChartGrain, MINUTES_KEPT_SECONDS, chartGrain, chartTimes } from './grain.ts'
import { type TrafficInput, servedRows, trafficParameters } from './traffic-source.ts'

const NONE: TrafficCounts = { requests: 0, bytes: 0, hits: 0, hitBytes: 0, cacheTold: 0, cacheToldBytes: 0, clientErrors: 0, serverErrors: 0, statusTold: 0, leftOut: 0, leftOutBytes: 0 }
const COLUMN: Record<keyof TrafficCounts, string> = {
  requests: 'one', bytes: 'sent', hits: 'hits', hitBytes: 'hit_sent', cacheTold: 'cache_told', cacheToldBytes: 'cache_told_sent', clientErrors: 'client_errors', serverErrors: 'server_errors', statusTold: 'status_told', leftOut: 'left_one', leftOutBytes: 'left_sent',
}

/** Requests and bytes over a range and over the range before it, point by point. Times are epoch ms. */
export async function trafficReport(store: EventStore, input: TrafficInput): Promise<Omit<TrafficReport, 'marks' | 'vendors'>> {
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
    `SELECT intDiv(toUInt32(moment), {step:UInt32}) * {step:UInt32} AS line, ${Object.entries(COLUMN).map(([name, column]) => `sum(${column}_) AS ${name}`).join(', ')}
     FROM ${servedRows(grain, input)} GROUP BY line`,
    { ...trafficParameters(input), from: grain.from, until: grain.until, step: grain.intervalSeconds })
  const byTime = new Map(rows.map(({ line, ...counts }) => [line, counts]))
  return chartTimes(grain).map((at) => ({ at: at * 1000, ...(byTime.get(at) ?? NONE) }))
}

function sum(points: readonly TrafficCounts[]): TrafficCounts {
  const total = { ...NONE }
  for (const point of points) for (const key of Object.keys(NONE) as (keyof TrafficCounts)[]) total[key] += point[key]
  return total
}
