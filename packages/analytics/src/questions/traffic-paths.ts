import type { TrafficPaths } from '@fairway/contract'
import { HIT_LIST } from '../rollups/edge-paths.ts'
import type { EventStore } from '../store/store.ts'
import { chartGrain } from './grain.ts'
import { trafficConditions, trafficParameters } from './traffic-source.ts'
import type { TrafficInput } from './traffic-input.ts'

/**
 * The most requested paths of a range, most first; what was too rare to be kept by name comes last as the empty path.
 */
export async function trafficPaths(
  store: EventStore,
  input: Pick<TrafficInput, 'organizationId' | 'siteId' | 'domainId' | 'seconds' | 'until' | 'now'> & { limit: number },
): Promise<TrafficPaths['data']> {
  const now = Math.floor(input.now / 1000)
  const grain = chartGrain(input.seconds, input.until ?? now, now)
  const where = trafficConditions(input).join(' AND ')
  const counted =
    grain.level === 'raw'
      ? `SELECT path, sum(weight) AS requests, sum(bytes) AS sent, sumIf(weight, cache_status IN (${HIT_LIST})) AS hits FROM edge_requests WHERE ${where} GROUP BY path`
      : `SELECT path, sum(one) AS requests, sum(size) AS sent, sum(hit) AS hits
       FROM (SELECT path, one, size, hit FROM edge_paths_${grain.level} FINAL ARRAY JOIN mapKeys(requests) AS path, mapValues(requests) AS one, mapValues(bytes) AS size, mapValues(hits) AS hit WHERE ${where}) GROUP BY path`
  return store.query(
    `SELECT path, requests, sent AS bytes, hits FROM (${counted}) ORDER BY path = '', requests DESC, path LIMIT {limit:UInt32}`,
    { ...trafficParameters(input), from: grain.from, until: grain.until, limit: input.limit },
  )
}
