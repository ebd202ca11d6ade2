import type { EventStore } from '../store/store.ts'

export type ProbesNearInput = {
  organizationId: string
  cdnId: string
  /** Epoch ms. */ at: number
  /** Looked at before and after. */ secondsAround: number
}
export type ProbesNear = {
  at: number
  node: string
  ok: number
  failed: number
  error: string | null
  latencyMs: number | null
}[]

/**
 * What probes saw of a CDN around a moment, second by second and node by node: the evidence behind a failover event.
 */
export async function probesNear(
  store: EventStore,
  { organizationId, cdnId, at, secondsAround }: ProbesNearInput,
): Promise<ProbesNear> {
  const rows = await store.query<{
    second: number
    node: string
    good: number
    bad: number
    reason: string
    latency: number | null
  }>(
    `SELECT toUInt32(toDateTime(at)) AS second, node, countIf(ok = 1) AS good, countIf(ok = 0) AS bad, anyIf(error, ok = 0) AS reason, if(countIf(ok = 1 AND rtt_ms > 0) > 0, avgIf(rtt_ms, ok = 1 AND rtt_ms > 0), NULL) AS latency
     FROM probes WHERE organization = {organization:String} AND cdn = {cdn:String} AND at >= fromUnixTimestamp({from:Int64}) AND at < fromUnixTimestamp({until:Int64})
     GROUP BY second, node ORDER BY second, node LIMIT 2000`,
    {
      organization: organizationId,
      cdn: cdnId,
      from: Math.floor(at / 1000) - secondsAround,
      until: Math.floor(at / 1000) + secondsAround + 1,
    },
  )
  return rows.map((row) => ({
    at: row.second * 1000,
    node: row.node,
    ok: row.good,
    failed: row.bad,
    error: row.reason || null,
    latencyMs: row.latency,
  }))
}
