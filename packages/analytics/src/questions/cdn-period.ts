import { medianRanks, shareInterval } from '@fairway/domain'
import { type LogHistogram, quantileOf } from '../log-histogram.ts'
import type { Source } from '../rollups/measures-from-raw.ts'
import type { EventStore } from '../store/store.ts'

export type CdnPeriod = {
  cdnId: string
  source: Source
  samples: number
  /** Percent, with the 95 % interval of it. */
  availability: number
  availabilityInterval: [low: number, high: number]
  /** Median and its 95 % interval, ms; null when nothing was timed. */
  latency: { medianMs: number; interval: [lowMs: number, highMs: number] } | null
}

/** What was measured of each CDN of an organisation between two whole hours, epoch ms, by both sources. */
export async function cdnPeriod(
  store: EventStore,
  { organizationId, from, until }: { organizationId: string; from: number; until: number },
): Promise<CdnPeriod[]> {
  const rows = await store.query<{ cdn: string; source: Source; n: number; good: number; histogram: LogHistogram }>(
    `SELECT cdn, source, sum(samples) AS n, sum(successes) AS good, sumMap(rtt) AS histogram FROM measures_world_hour FINAL
     WHERE organization = {organization:String} AND at >= fromUnixTimestamp({from:Int64}) AND at < fromUnixTimestamp({until:Int64}) GROUP BY cdn, source ORDER BY cdn, source`,
    { organization: organizationId, from: Math.floor(from / 1000), until: Math.floor(until / 1000) },
  )
  return rows.flatMap(({ cdn, source, n, good, histogram }) => {
    const availabilityInterval = shareInterval(good, n)
    if (availabilityInterval === null) return []
    return [
      {
        cdnId: cdn,
        source,
        samples: n,
        availability: (100 * good) / n,
        availabilityInterval,
        latency: timed(histogram),
      },
    ]
  })
}

function timed(histogram: LogHistogram): CdnPeriod['latency'] {
  const ranks = medianRanks(Object.values(histogram).reduce((sum, count) => sum + count, 0))
  const medianMs = quantileOf(histogram, 0.5)
  if (ranks === null || medianMs === null) return null
  const [low, high] = ranks.map((rank) => quantileOf(histogram, rank) ?? medianMs)
  return { medianMs, interval: [low ?? medianMs, high ?? medianMs] }
}
