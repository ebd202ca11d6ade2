import type { TrafficCounts, TrafficReport } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'
import { type ChartGrain, MINUTES_KEPT_SECONDS, chartGrain, chartTimes } from './grain.ts'
import { type SpreadRow, eachPart, servedRows, trafficParameters } from './traffic-source.ts'
import type { TrafficInput } from './traffic-input.ts'
import { SERVED } from './vendor-rows.ts'

const NONE: TrafficCounts = {
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

/** Requests and bytes over a range and over the range before it, point by point. Times are epoch ms. */
export async function trafficReport(
  store: EventStore,
  input: TrafficInput,
): Promise<Omit<TrafficReport, 'marks' | 'vendors'>> {
  const now = Math.floor(input.now / 1000)
  const grain = chartGrain(input.seconds, input.until ?? now, now)
  const length = grain.until - grain.from
  const before: ChartGrain = { ...grain, from: grain.from - length, until: grain.from }
  const isKept = grain.level !== 'minute' || now - before.from <= MINUTES_KEPT_SECONDS
  const [points = [], pointsBefore = []] = isKept
    ? await countedOf(store, input, { ...grain, from: before.from }).then(
        (counted) => [pointsOf(grain, counted), pointsOf(before, counted)] as const,
      )
    : await Promise.all(
        [grain, { ...before, level: 'hour' as const }].map(async (one) =>
          pointsOf(one, await countedOf(store, input, one)),
        ),
      )
  return {
    intervalSeconds: grain.intervalSeconds,
    points,
    totals: sum(points),
    before: { points: pointsBefore, totals: sum(pointsBefore) },
  }
}

/** Counts by the interval's begin. */
async function countedOf(
  store: EventStore,
  input: TrafficInput,
  grain: ChartGrain,
): Promise<Map<number, TrafficCounts>> {
  const rows = await store.query<SpreadRow & Record<`${keyof TrafficCounts}_`, number>>(servedRows(grain, input), {
    ...trafficParameters(input),
    from: grain.from,
    until: grain.until,
    step: grain.intervalSeconds,
  })
  const counted = new Map<number, TrafficCounts>()
  eachPart(rows, grain, (line, row, share) => {
    const counts = counted.getOrInsertComputed(line, () => ({ ...NONE }))
    for (const key of SERVED) counts[key] += share(row[`${key}_`])
  })
  return counted
}

const pointsOf = (grain: ChartGrain, counted: ReadonlyMap<number, TrafficCounts>): TrafficReport['points'] =>
  chartTimes(grain).map((at) => ({ at: at * 1000, ...(counted.get(at) ?? NONE) }))

function sum(points: readonly TrafficCounts[]): TrafficCounts {
  const total = { ...NONE }
  for (const point of points) for (const key of SERVED) total[key] += point[key]
  return total
}
