import type { EventStore } from '../store/store.ts'

export type CdnTrendsInput = { organizationId: string; /** The line goes back so far. */ trendSeconds: number; /** Epoch ms. */ now: number }
export type CdnTrend = { cdnId: string; trend: { at: number; latencyMs: number | null }[] }

const POINTS = 30

/** The median latency of each CDN as visitors saw it, as a line of thirty points. */
export async function cdnTrends(store: EventStore, { organizationId, trendSeconds, now }: CdnTrendsInput): Promise<CdnTrend[]> {
  const step = Math.max(10, Math.ceil(trendSeconds / POINTS / 10) * 10)
  const until = Math.ceil(now / 1000 / step) * step
  const from = until - step * POINTS
  const rows = await store.query<{ cdn: string; point: number; latency: number }>(
    `SELECT cdn, intDiv(toUInt32(toDateTime(at)) - {from:UInt32}, {step:UInt32}) AS point, quantile(0.5)(rtt_ms) AS latency FROM beacons
     WHERE organization = {organization:String} AND at >= fromUnixTimestamp({from:Int64}) AND at < fromUnixTimestamp({until:Int64}) AND ok = 1 GROUP BY cdn, point`,
    { organization: organizationId, from, until, step })
  return [...Map.groupBy(rows, (row) => row.cdn)].map(([cdnId, own]) => {
    const line = new Map(own.map(({ point, latency }) => [point, latency]))
    return { cdnId, trend: Array.from({ length: POINTS }, (_, index) => ({ at: (from + index * step) * 1000, latencyMs: line.get(index) ?? null })) }
  })
}
