import type { TrafficBreakdown, TrafficDimension } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'
import { chartGrain, chartTimes } from './grain.ts'
import { type TrafficInput, apartRows, trafficParameters } from './traffic-source.ts'

const LINES = 6
const SHARES = 100

type Share = { value: string; is_untold: 0 | 1; requests: number; bytes: number; hits: number; cacheTold: number }

/** Traffic of a range told apart by one dimension: lines of the values with most requests, shares of all, and what is not told. Times are epoch ms. */
export async function trafficBreakdown(store: EventStore, { by, ...input }: TrafficInput & { by: TrafficDimension }): Promise<TrafficBreakdown> {
  const now = Math.floor(input.now / 1000)
  const grain = chartGrain(input.seconds, input.until ?? now, now)
  const parameters = { ...trafficParameters(input), from: grain.from, until: grain.until, step: grain.intervalSeconds, lines: LINES, shares: SHARES + 1 }
  const rows = apartRows(grain, input, by)
  const counted = `SELECT value, is_untold, sum(one_) AS requests, sum(sent_) AS bytes, sum(hits_) AS hits, sum(cache_told_) AS cacheTold FROM ${rows} GROUP BY value, is_untold HAVING requests + bytes > 0`
  const [found, points] = await Promise.all([
    store.query<Share & { all_requests: number; all_bytes: number; all_hits: number; all_told: number; values: number }>(
      `SELECT *, sum(requests) OVER () AS all_requests, sum(bytes) OVER () AS all_bytes, sum(hits) OVER () AS all_hits, sum(cacheTold) OVER () AS all_told, countIf(is_untold = 0) OVER () AS values
       FROM (${counted}) ORDER BY is_untold DESC, requests DESC, value LIMIT {shares:UInt32}`, parameters),
    store.query<{ line: number; series: string; kind: 'value' | 'other' | 'untold'; requests: number; bytes: number }>(
      `WITH (SELECT groupArray(value) FROM (SELECT value FROM (${counted}) WHERE is_untold = 0 ORDER BY requests DESC, value LIMIT {lines:UInt32})) AS top
       SELECT intDiv(toUInt32(moment), {step:UInt32}) * {step:UInt32} AS line, multiIf(is_untold = 1, 'untold', has(top, value), 'value', 'other') AS kind, if(kind = 'value', value, '') AS series, sum(one_) AS requests, sum(sent_) AS bytes
       FROM ${rows} GROUP BY line, kind, series`, parameters),
  ])
  const lines = Map.groupBy(points, ({ kind, series }) => `${kind} ${series}`)
  const pointsOf = (key: string) => {
    const known = new Map(lines.get(key)?.map((point) => [point.line, point]))
    return chartTimes(grain).map((at) => ({ at: at * 1000, requests: known.get(at)?.requests ?? 0, bytes: known.get(at)?.bytes ?? 0 }))
  }
  const shares = found.filter((share) => share.is_untold === 0).slice(0, SHARES)
  const untold = found.find((share) => share.is_untold === 1)
  const [first] = found
  return {
    intervalSeconds: grain.intervalSeconds,
    totals: { requests: first?.all_requests ?? 0, bytes: first?.all_bytes ?? 0, hits: first?.all_hits ?? 0, cacheTold: first?.all_told ?? 0 },
    series: [...shares.slice(0, LINES).map(({ value }) => ({ value, other: false, points: pointsOf(`value ${value}`) })), ...(lines.has('other ') ? [{ value: '', other: true, points: pointsOf('other ') }] : [])],
    shares: shares.map(({ value, requests, bytes, hits, cacheTold }) => ({ value, requests, bytes, hits, cacheTold })),
    distinct: first?.values ?? 0,
    untold: untold ? { requests: untold.requests, bytes: untold.bytes, points: pointsOf('untold ') } : null,
  }
}
