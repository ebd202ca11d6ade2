import type { TrafficBreakdown, TrafficDimension } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'
import { chartGrain, chartTimes } from './grain.ts'
import { IS_HIT, STATUS_CLASS, type TrafficInput, trafficParameters, trafficRows } from './traffic-source.ts'

const LINES = 6
const SHARES = 100
const VALUE: Record<TrafficDimension, string> = { cdn: 'cdn', site: 'site', domain: 'domain', status: `toString(${STATUS_CLASS})`, cache: 'cache', country: 'country' }

type Row = { value: string; requests: number; bytes: number; hits: number }

/** Traffic of a range told apart by one dimension: lines of the values with most requests, shares of all. Times are epoch ms. */
export async function trafficBreakdown(store: EventStore, { by, ...input }: TrafficInput & { by: TrafficDimension }): Promise<TrafficBreakdown> {
  const now = Math.floor(input.now / 1000)
  const grain = chartGrain(input.seconds, input.until ?? now, now)
  const parameters = { ...trafficParameters(input), from: grain.from, until: grain.until, step: grain.intervalSeconds, lines: LINES, shares: SHARES }
  const rows = trafficRows(grain, input)
  const counted = `SELECT toString(${VALUE[by]}) AS value, sum(one) AS requests, sum(sent) AS bytes, sumIf(one, ${IS_HIT}) AS hits FROM ${rows} GROUP BY value`
  const [shares, points] = await Promise.all([
    store.query<Row & { all_requests: number; all_bytes: number; all_hits: number; values: number }>(
      `SELECT value, requests, bytes, hits, sum(requests) OVER () AS all_requests, sum(bytes) OVER () AS all_bytes, sum(hits) OVER () AS all_hits, count() OVER () AS values
       FROM (${counted}) ORDER BY requests DESC, value LIMIT {shares:UInt32}`, parameters),
    store.query<{ line: number; series: string; is_other: 0 | 1; requests: number; bytes: number }>(
      `WITH (SELECT groupArray(value) FROM (${counted} ORDER BY requests DESC, value LIMIT {lines:UInt32})) AS top
       SELECT intDiv(toUInt32(toDateTime(at)), {step:UInt32}) * {step:UInt32} AS line, NOT has(top, toString(${VALUE[by]})) AS is_other, if(is_other, '', toString(${VALUE[by]})) AS series, sum(one) AS requests, sum(sent) AS bytes
       FROM ${rows} GROUP BY line, is_other, series`, parameters),
  ])
  const lines = Map.groupBy(points, (point) => (point.is_other ? null : point.series))
  const series = (value: string | null) => {
    const known = new Map(lines.get(value)?.map((point) => [point.line, point]))
    return { value: value ?? '', other: value === null, points: chartTimes(grain).map((at) => ({ at: at * 1000, requests: known.get(at)?.requests ?? 0, bytes: known.get(at)?.bytes ?? 0 })) }
  }
  const [first] = shares
  return {
    intervalSeconds: grain.intervalSeconds,
    totals: { requests: first?.all_requests ?? 0, bytes: first?.all_bytes ?? 0, hits: first?.all_hits ?? 0 },
    series: [...shares.slice(0, LINES).map(({ value }) => series(value)), ...(lines.has(null) ? [series(null)] : [])],
    shares: shares.map(({ value, requests, bytes, hits }) => ({ value, requests, bytes, hits })),
    distinct: first?.values ?? 0,
  }
}
