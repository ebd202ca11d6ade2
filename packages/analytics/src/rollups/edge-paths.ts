import { CACHE_HITS } from '@fairway/contract'
import type { Grain } from './grain.ts'

/**
 * So many paths of a domain are kept for each bucket; a crawler that asks for a million names must not become a million
 * rows.
 */
const KEPT_PATHS = 200

const RANGE = 'at >= fromUnixTimestamp({from:Int64}) AND at < fromUnixTimestamp({until:Int64})'
export const HIT_LIST = CACHE_HITS.map((status) => `'${status}'`).join(', ')

/** The most requested paths of each minute and domain; all others are the empty path. */
export function edgePathsFromRaw(): string {
  return paths(
    'minute',
    `SELECT toDateTime(toStartOfMinute(at), 'UTC') AS bucket, organization, site, domain, path, sum(weight) AS n, sum(bytes) AS b, sumIf(weight, cache_status IN (${HIT_LIST})) AS h
    FROM edge_requests WHERE ${RANGE} GROUP BY bucket, organization, site, domain, path`,
  )
}

export function edgePathsFromRollup(grain: Grain, finer: Grain, start: string): string {
  return paths(
    grain,
    `SELECT ${start} AS bucket, organization, site, domain, path, sum(one) AS n, sum(sent) AS b, sum(hit) AS h
    FROM edge_paths_${finer} FINAL ARRAY JOIN mapKeys(requests) AS path, mapValues(requests) AS one, mapValues(bytes) AS sent, mapValues(hits) AS hit
    WHERE ${RANGE} GROUP BY bucket, organization, site, domain, path`,
  )
}

function paths(grain: Grain, counted: string): string {
  const map = (value: string) => `CAST((groupArray(kept), groupArray(${value})), 'Map(String, UInt64)')`
  return `INSERT INTO edge_paths_${grain} (at, organization, site, domain, requests, bytes, hits, built)
    SELECT bucket, organization, site, domain, ${map('kept_n')}, ${map('kept_b')}, ${map('kept_h')}, {built:UInt64}
    FROM (
      SELECT bucket, organization, site, domain, if(rank <= ${KEPT_PATHS}, path, '') AS kept, sum(n) AS kept_n, sum(b) AS kept_b, sum(h) AS kept_h
      FROM (SELECT *, row_number() OVER (PARTITION BY bucket, organization, site, domain ORDER BY path = '', n DESC, path) AS rank FROM (${counted}))
      GROUP BY bucket, organization, site, domain, kept
    ) GROUP BY bucket, organization, site, domain`
}
