import type { TrafficBreakdown, TrafficDimension } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'
import { type ChartGrain, chartGrain, chartTimes } from './grain.ts'
import { type SpreadRow, apartLines, apartRows, eachPart, trafficParameters } from './traffic-source.ts'
import type { TrafficInput } from './traffic-input.ts'

const LINES = 6
const SHARES = 100

/** `counts` and `all` are requests, bytes, hits, and those whose cache status is told. */
type Share = { value: string; is_untold: 0 | 1; counts: Counts; all: Counts; values: number }
type Counts = [requests: number, bytes: number, hits: number, cacheTold: number]
const UNTOLD = -1
const OTHER = 0

/**
 * Traffic of a range told apart by one dimension: lines of the values with most requests, shares of all, and what is
 * not told. Times are epoch ms.
 */
export async function trafficBreakdown(
  store: EventStore,
  { by, ...input }: TrafficInput & { by: TrafficDimension },
): Promise<TrafficBreakdown> {
  const now = Math.floor(input.now / 1000)
  const grain = chartGrain(input.seconds, input.until ?? now, now)
  const parameters = { ...trafficParameters(input), from: grain.from, until: grain.until, step: grain.intervalSeconds }
  const found = await store.query<Share>(
    `SELECT value, is_untold, counts, sumForEach(counts) OVER () AS all, countIf(is_untold = 0) OVER () AS values
     FROM (SELECT value, is_untold, sumForEach(counts) AS counts FROM (${apartRows(grain, input, by)}) GROUP BY value, is_untold HAVING counts[1] + counts[2] > 0)
     ORDER BY is_untold DESC, counts[1] DESC, value LIMIT {shares:UInt32}`,
    { ...parameters, shares: SHARES + 1 },
  )
  const shares = found.filter((share) => share.is_untold === 0).slice(0, SHARES)
  const untold = found.find((share) => share.is_untold === 1)
  const {
    values: distinct,
    all: [requests, bytes, hits, cacheTold],
  } = found[0] ?? { values: 0, all: [0, 0, 0, 0] satisfies Counts }
  const top = shares.slice(0, LINES).map(({ value }) => value)
  const pointsOf =
    found.length === 0 ? () => [] : await linesOf(store, apartLines(grain, input, by), { ...parameters, top }, grain)
  return {
    intervalSeconds: grain.intervalSeconds,
    totals: { requests, bytes, hits, cacheTold },
    series: [
      ...top.map((value, index) => ({ value, other: false, points: pointsOf(index + 1) })),
      ...(distinct > LINES ? [{ value: '', other: true, points: pointsOf(OTHER) }] : []),
    ],
    shares: shares.map(({ value, counts }) => ({
      value,
      requests: counts[0],
      bytes: counts[1],
      hits: counts[2],
      cacheTold: counts[3],
    })),
    distinct,
    untold: untold ? { requests: untold.counts[0], bytes: untold.counts[1], points: pointsOf(UNTOLD) } : null,
  }
}

type Points = TrafficBreakdown['series'][number]['points']

async function linesOf(
  store: EventStore,
  sql: string,
  parameters: Record<string, unknown>,
  grain: ChartGrain,
): Promise<(series: number) => Points> {
  const rows = await store.query<SpreadRow & { series: number; requests_: number; bytes_: number }>(sql, parameters)
  const lines = new Map<number, Map<number, { requests: number; bytes: number }>>()
  eachPart(rows, grain, (at, row, share) => {
    const point = lines
      .getOrInsertComputed(row.series, () => new Map())
      .getOrInsertComputed(at, () => ({ requests: 0, bytes: 0 }))
    point.requests += share(row.requests_)
    point.bytes += share(row.bytes_)
  })
  return (series) =>
    chartTimes(grain).map((at) => ({ at: at * 1000, ...(lines.get(series)?.get(at) ?? { requests: 0, bytes: 0 }) }))
}
