import type { TrafficDimension, TrafficFilter } from '@fairway/contract'
import { HIT_LIST } from '../rollups/edge-paths.ts'
import type { ChartGrain } from './grain.ts'
import { vendorApart, vendorServed } from './vendor-rows.ts'

export type TrafficScope = { organizationId: string; siteId?: string | undefined; domainId?: string | undefined } & Pick<TrafficFilter, 'cdn' | 'status' | 'cache' | 'country'>
export type TrafficInput = TrafficScope & { seconds: number; /** Epoch seconds; default is now. */ until?: number | undefined; /** Epoch ms. */ now: number }

/** Conditions that raw requests and their rollups share. A request without an answer has status 0 and counts among 5xx. */
export function trafficConditions({ siteId, domainId, cdn, status, cache, country }: TrafficScope): string[] {
  return [
    'organization = {organization:String}', 'at >= fromUnixTimestamp({from:Int64})', 'at < fromUnixTimestamp({until:Int64})',
    ...(siteId === undefined ? [] : ['site = {site:String}']), ...(domainId === undefined ? [] : ['domain = {domain:String}']), ...(cdn === undefined ? [] : ['cdn = {cdn:String}']),
    ...(status === undefined ? [] : [`${STATUS_CLASS} = {status:UInt16}`]), ...(cache === undefined ? [] : ['cache_status = {cache:String}']), ...(country === undefined ? [] : ['country = {country:String}']),
  ]
}

export const STATUS_CLASS = 'if(status < 100, 5, intDiv(status, 100))'
export const IS_HIT = `cache IN (${HIT_LIST})`

export function trafficParameters({ organizationId, siteId, domainId, cdn, status, cache, country }: TrafficScope): Record<string, string | number> {
  return { organization: organizationId, site: siteId ?? '', domain: domainId ?? '', cdn: cdn ?? '', status: Number(status ?? 0), cache: cache ?? '', country: country ?? '' }
}

/** Where rows come from: the grain of the chart. `step` among the parameters is its interval. */
type From = Pick<ChartGrain, 'level'>

/** The edge's requests from the level that the range is read from: `one` request or many, and what was `sent` for them. */
function edgeRows({ level }: From, scope: TrafficScope): string {
  const where = trafficConditions(scope).join(' AND ')
  return level === 'raw'
    ? `(SELECT toDateTime(at) AS moment, site, domain, cdn, country, ${STATUS_CLASS} AS class, cache_status AS cache, toUInt64(1) AS one, bytes AS sent FROM edge_requests WHERE ${where})`
    : `(SELECT at AS moment, site, domain, cdn, country, ${STATUS_CLASS} AS class, cache_status AS cache, requests AS one, bytes AS sent FROM edge_traffic_${level} FINAL WHERE ${where})`
}

/** Counts that every row of `servedRows` has; `left_` is what the filter leaves out only because it is not told. */
const SERVED = ['one', 'sent', 'hits', 'hit_sent', 'cache_told', 'cache_told_sent', 'client_errors', 'server_errors', 'status_told', 'left_one', 'left_sent'] as const

/** What the edge and vendors have served, with how much of it is told of cache and status. */
export function servedRows(grain: From, scope: TrafficScope): string {
  const count = (condition: string, what: 'one' | 'sent' = 'one') => `if(${condition}, ${what}, 0)`
  const edge = { one: 'one', sent: 'sent', hits: count(IS_HIT), hit_sent: count(IS_HIT, 'sent'), cache_told: 'one', cache_told_sent: 'sent', client_errors: count('class = 4'), server_errors: count('class = 5'), status_told: 'one', left_one: 'toUInt64(0)', left_sent: 'toUInt64(0)' }
  return `(SELECT moment, ${SERVED.map((name) => `${edge[name]} AS ${name}_`).join(', ')} FROM ${edgeRows(grain, scope)} UNION ALL ${vendorServed(grain, scope)})`
}

/** The same told apart by one dimension: `value`, or `is_untold` where it is not known. */
export function apartRows(grain: From, scope: TrafficScope, by: TrafficDimension): string {
  const value = by === 'status' ? 'toString(class)' : `toString(${by})`
  return `(SELECT moment, ${value} AS value, 0 AS is_untold, one AS one_, sent AS sent_, if(${IS_HIT}, one, 0) AS hits_, one AS cache_told_ FROM ${edgeRows(grain, scope)} UNION ALL ${vendorApart(grain, scope, by)})`
}
