import type { ShieldBreakdown, ShieldCounts, ShieldDimension, ShieldReport } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'
import { type ChartGrain, MINUTES_KEPT_SECONDS, chartGrain, chartTimes } from './grain.ts'
import {
  IS_CHALLENGED,
  IS_SOLVED,
  IS_STOPPED,
  IS_THREAT,
  type ShieldInput,
  shieldParameters,
  shieldRows,
} from './shield-source.ts'
import { trafficReport } from './traffic-report.ts'

type Stopped = Omit<ShieldCounts, 'requests' | 'bytes'>
const KEYS = ['stopped', 'stoppedBytes', 'challenged', 'solved', 'simulated'] as const
const NONE: Stopped = { stopped: 0, stoppedBytes: 0, challenged: 0, solved: 0, simulated: 0 }
const LINE = 'intDiv(toUnixTimestamp(at), {step:UInt32}) * {step:UInt32}'

/**
 * What was asked of the edge and what web security stopped of it, over a range and the one before. Times are epoch ms.
 */
export async function shieldReport(store: EventStore, input: ShieldInput): Promise<Omit<ShieldReport, 'marks'>> {
  const now = Math.floor(input.now / 1000)
  const grain = chartGrain(input.seconds, input.until ?? now, now)
  const length = grain.until - grain.from
  const before = { ...grain, from: grain.from - length, until: grain.from }
  if (before.level === 'minute' && now - before.from > MINUTES_KEPT_SECONDS) Object.assign(before, { level: 'hour' })
  const { organizationId, siteId, domainId, country, seconds, until } = input
  const [asked, stopped, stoppedBefore] = await Promise.all([
    trafficReport(store, { organizationId, siteId, domainId, country, seconds, until, now: input.now }),
    stoppedOf(store, input, grain),
    stoppedOf(store, input, before),
  ])
  const totals = total([...stopped.values()])
  return {
    intervalSeconds: grain.intervalSeconds,
    points: asked.points.map(({ at, requests, bytes }) => ({
      at,
      requests,
      bytes,
      ...(stopped.get(at / 1000) ?? NONE),
    })),
    totals: { requests: asked.totals.requests, bytes: asked.totals.bytes, ...totals },
    before: {
      requests: asked.before.totals.requests,
      bytes: asked.before.totals.bytes,
      ...total([...stoppedBefore.values()]),
    },
  }
}

async function stoppedOf(store: EventStore, input: ShieldInput, grain: ChartGrain): Promise<Map<number, Stopped>> {
  const { rows, count } = shieldRows(grain.level, input)
  const found = await store.query<Stopped & { line: number }>(
    `SELECT ${LINE} AS line, sumIf(${count}, ${IS_STOPPED}) AS stopped, sumIf(bytes, ${IS_STOPPED}) AS stoppedBytes,
       sumIf(${count}, ${IS_CHALLENGED}) AS challenged, sumIf(${count}, ${IS_SOLVED}) AS solved, sumIf(${count}, action = 'simulate') AS simulated
     FROM ${rows} GROUP BY line`,
    { ...shieldParameters(input), from: grain.from, until: grain.until, step: grain.intervalSeconds },
  )
  return new Map(found.map(({ line, ...counts }) => [line, counts]))
}

function total(points: readonly Stopped[]): Stopped {
  const sum = { ...NONE }
  for (const point of points) for (const key of KEYS) sum[key] += point[key]
  return sum
}

const LINES = 6
const SHARES = 100

type Named = Omit<ShieldBreakdown, 'series' | 'shares'> & {
  series: Omit<ShieldBreakdown['series'][number], 'name'>[]
  shares: Omit<ShieldBreakdown['shares'][number], 'name'>[]
}

/** Threats of a range told apart by one dimension: lines of the most frequent values, shares of all. */
export async function shieldBreakdown(
  store: EventStore,
  { by, ...input }: ShieldInput & { by: ShieldDimension },
): Promise<Named> {
  const now = Math.floor(input.now / 1000)
  const grain = chartGrain(input.seconds, input.until ?? now, now)
  const parameters = {
    ...shieldParameters(input),
    from: grain.from,
    until: grain.until,
    step: grain.intervalSeconds,
    shares: SHARES,
  }
  const { rows, count } = shieldRows(grain.level, input)
  const shares = await store.query<{ value: string; n: number; b: number; total: number; values: number }>(
    `SELECT value, n, b, sum(n) OVER () AS total, count() OVER () AS values
     FROM (SELECT toString(${by}) AS value, sum(${count}) AS n, sum(bytes) AS b FROM ${rows} AND ${IS_THREAT} GROUP BY value) ORDER BY n DESC, value LIMIT {shares:UInt32}`,
    parameters,
  )
  const top = shares.slice(0, LINES).map(({ value }) => value)
  const found =
    top.length === 0
      ? []
      : await store.query<{ line: number; series: number; n: number; b: number }>(
          `SELECT ${LINE} AS line, toInt32(indexOf({top:Array(String)}, toString(${by}))) AS series, sum(${count}) AS n, sum(bytes) AS b
           FROM ${rows} AND ${IS_THREAT} GROUP BY line, series`,
          { ...parameters, top },
        )
  const lines = Map.groupBy(found, ({ series }) => series)
  const pointsOf = (series: number) => {
    const known = new Map(lines.get(series)?.map((row) => [row.line, row]))
    return chartTimes(grain).map((at) => ({
      at: at * 1000,
      requests: known.get(at)?.n ?? 0,
      bytes: known.get(at)?.b ?? 0,
    }))
  }
  return {
    intervalSeconds: grain.intervalSeconds,
    total: shares[0]?.total ?? 0,
    series: [
      ...top.map((value, index) => ({ value, other: false, points: pointsOf(index + 1) })),
      ...(lines.has(0) ? [{ value: '', other: true, points: pointsOf(0) }] : []),
    ],
    shares: shares.map(({ value, n, b }) => ({ value, requests: n, bytes: b })),
    distinct: shares[0]?.values ?? 0,
  }
}
