import { isTimedSql } from '../log-histogram.ts'
import type { EventStore } from '../store/store.ts'

export type BeaconTrendsInput = {
  organizationId: string
  /** The line goes back so far. */ trendSeconds: number
  /** Epoch ms. */ now: number
}
export type CdnTrend = { cdnId: string; trend: { at: number; latencyMs: number | null }[] }
export type BeaconTrends = {
  /** Measurements by visitors' browsers in the last minute: one per CDN measured once. */ beaconsPerMinute: number
  trends: CdnTrend[]
}

const POINTS = 30

/**
 * What visitors' browsers have measured: how much in the last minute, and the median latency of each CDN as a line of
 * thirty points.
 */
export async function beaconTrends(
  store: EventStore,
  { organizationId, trendSeconds, now }: BeaconTrendsInput,
): Promise<BeaconTrends> {
  const step = Math.max(10, Math.ceil(trendSeconds / POINTS / 10) * 10)
  const until = Math.ceil(now / 1000 / step) * step
  const from = until - step * POINTS
  const rows = await store.query<{ cdn: string; point: number; newest: number; good: number; latency: number }>(
    `SELECT cdn, intDiv(toUnixTimestamp(at) - {from:UInt32}, {step:UInt32}) AS point, countIf(at >= fromUnixTimestamp({recent:Int64})) AS newest, countIf(${isTimedSql('ok', 'rtt_ms')}) AS good, quantileIf(0.5)(rtt_ms, ${isTimedSql('ok', 'rtt_ms')}) AS latency FROM beacons
     WHERE organization = {organization:String} AND at >= fromUnixTimestamp({from:Int64}) AND at < fromUnixTimestamp({until:Int64}) GROUP BY cdn, point`,
    { organization: organizationId, from, until, step, recent: Math.floor(now / 1000) - 60 },
  )
  const trends = [
    ...Map.groupBy(
      rows.filter(({ good }) => good > 0),
      (row) => row.cdn,
    ),
  ].map(([cdnId, own]) => {
    const line = new Map(own.map(({ point, latency }) => [point, latency]))
    return {
      cdnId,
      trend: Array.from({ length: POINTS }, (_, index) => ({
        at: (from + index * step) * 1000,
        latencyMs: line.get(index) ?? null,
      })),
    }
  })
  return { beaconsPerMinute: rows.reduce((sum, { newest }) => sum + newest, 0), trends }
}
