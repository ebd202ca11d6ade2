import { type LogHistogram, quantileOf } from '../log-histogram.ts'
import { measuresFromRaw } from '../rollups/measures-from-raw.ts'
import type { EventStore } from '../store/store.ts'

export type CdnTrendsInput = { organizationId: string; /** The figures are of this window. */ windowSeconds: number; /** The line goes back so far. */ trendSeconds: number; /** Epoch ms. */ now: number }
export type CdnTrend = { cdnId: string; availability: number | null; latencyMs: number | null; samples: number; trend: { at: number; latencyMs: number | null }[] }

const POINTS = 30

/** Availability and median latency of each CDN as visitors see it in the last window, with a line of thirty points of what came before. */
export async function cdnTrends(store: EventStore, input: CdnTrendsInput): Promise<CdnTrend[]> {
  const step = Math.max(10, Math.ceil(input.trendSeconds / POINTS / 10) * 10)
  const until = Math.ceil(input.now / 1000 / step) * step
  const from = until - step * POINTS
  const rows = await store.query<Row>(
    `SELECT cdn, intDiv(toUInt32(bucket) - {from:UInt32}, {step:UInt32}) AS point, grouping(point) AS is_window,
       sumIf(samples, bucket >= fromUnixTimestamp({window:Int64})) AS n, sumIf(successes, bucket >= fromUnixTimestamp({window:Int64})) AS good,
       sumMapIf(rtt, bucket >= fromUnixTimestamp({window:Int64})) AS window_rtt, sumMap(rtt) AS line_rtt
     FROM (${measuresFromRaw('rum', 10, ['organization = {organization:String}'])}) GROUP BY GROUPING SETS ((cdn), (cdn, point))`,
    { organization: input.organizationId, from, until, step, window: Math.floor(input.now / 1000) - input.windowSeconds },
  )
  return rows.filter((row) => row.is_window).map((row) => {
    const line = new Map(rows.filter((other) => !other.is_window && other.cdn === row.cdn).map((other) => [other.point, quantileOf(other.line_rtt, 0.5)]))
    return {
      cdnId: row.cdn,
      availability: row.n > 0 ? (row.good * 100) / row.n : null,
      latencyMs: quantileOf(row.window_rtt, 0.5),
      samples: row.n,
      trend: Array.from({ length: POINTS }, (_, index) => ({ at: (from + index * step) * 1000, latencyMs: line.get(index) ?? null })),
    }
  })
}

type Row = { cdn: string; point: number; is_window: 0 | 1; n: number; good: number; window_rtt: LogHistogram; line_rtt: LogHistogram }
