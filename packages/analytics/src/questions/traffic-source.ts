import type { TrafficCounts, TrafficDimension } from '@fairway/contract'
import { HIT_LIST } from '../rollups/edge-paths.ts'
import type { ChartGrain } from './grain.ts'
import { LINE, SERVED, vendorApart, vendorApartLines, vendorServed } from './vendor-rows.ts'
import type { TrafficScope } from './traffic-input.ts'

/**
 * Conditions that raw requests and their rollups share. A request without an answer has status 0 and counts among 5xx.
 */
export function trafficConditions({ siteId, domainId, cdn, status, cache, country }: TrafficScope): string[] {
  return [
    'organization = {organization:String}',
    'at >= fromUnixTimestamp({from:Int64})',
    'at < fromUnixTimestamp({until:Int64})',
    ...(siteId === undefined ? [] : ['site = {site:String}']),
    ...(domainId === undefined ? [] : ['domain = {domain:String}']),
    ...(cdn === undefined ? [] : ['cdn = {cdn:String}']),
    ...(status === undefined ? [] : [`${STATUS_CLASS} = {status:UInt16}`]),
    ...(cache === undefined ? [] : ['cache_status = {cache:String}']),
    ...(country === undefined ? [] : ['country = {country:String}']),
  ]
}

const STATUS_CLASS = 'if(status < 100, 5, intDiv(status, 100))'
const IS_HIT = `cache_status IN (${HIT_LIST})`

export function trafficParameters({
  organizationId,
  siteId,
  domainId,
  cdn,
  status,
  cache,
  country,
}: TrafficScope): Record<string, string | number> {
  return {
    organization: organizationId,
    site: siteId ?? '',
    domain: domainId ?? '',
    cdn: cdn ?? '',
    status: Number(status ?? 0),
    cache: cache ?? '',
    country: country ?? '',
  }
}

/** Where rows come from: the grain of the chart. `step` among the parameters is its interval. */
type From = Pick<ChartGrain, 'level'>

/** Requests at the edge: `one` or many by a row of the level that the range is read from, each with its bytes. */
function edgeCounts({ level }: From, scope: TrafficScope) {
  const one = level === 'raw' ? 'weight' : 'requests'
  return {
    requests: `sum(${one})`,
    bytes: 'sum(bytes)',
    hits: `sumIf(${one}, ${IS_HIT})`,
    hitBytes: `sumIf(bytes, ${IS_HIT})`,
    ofStatus: (condition: string) => `sumIf(${one}, ${condition})`,
    rows: `${level === 'raw' ? 'edge_requests' : `edge_traffic_${level} FINAL`} WHERE ${trafficConditions(scope).join(' AND ')}`,
  }
}

/** Counts that lie over `turns` intervals of the chart from `begin` (epoch seconds) on. */
export type SpreadRow = { begin: number; turns: number }

/**
 * What the edge and vendors have served, with how much of it is told of cache and status. Engines take long to read a
 * text, so it says everything once.
 */
export function servedRows(grain: From, scope: TrafficScope): string {
  const { requests, bytes, hits, hitBytes, ofStatus, rows } = edgeCounts(grain, scope)
  const counts: Record<keyof TrafficCounts, string> = {
    requests,
    bytes,
    hits,
    hitBytes,
    cacheTold: 'requests_',
    cacheToldBytes: 'bytes_',
    clientErrors: ofStatus('intDiv(status, 100) = 4'),
    serverErrors: ofStatus('status < 100 OR intDiv(status, 100) = 5'),
    statusTold: 'requests_',
    leftOut: 'toUInt64(0)',
    leftOutBytes: 'toUInt64(0)',
  }
  return `SELECT ${LINE} AS begin, 1 AS turns, ${SERVED.map((name) => `${counts[name]} AS ${name}_`).join(', ')} FROM ${rows} GROUP BY begin UNION ALL ${vendorServed(grain, scope)}`
}

/**
 * The same told apart by one dimension: `counts` (requests, bytes, hits, those whose cache status is told) of a
 * `value`, or of what is not told (`is_untold`), over the whole range.
 */
export function apartRows(grain: From, scope: TrafficScope, by: TrafficDimension): string {
  const { requests, bytes, hits, rows } = edgeCounts(grain, scope)
  return `SELECT ${edgeValue(by)} AS value, 0 AS is_untold, [${requests}, ${bytes}, ${hits}, ${requests}] AS counts FROM ${rows} GROUP BY value UNION ALL ${vendorApart(grain, scope, by)}`
}

/**
 * The same over time. `series` is the place of the value in `top`, counted from 1; 0 is any other, -1 what is not told.
 */
export function apartLines(grain: From, scope: TrafficScope, by: TrafficDimension): string {
  const { requests, bytes, rows } = edgeCounts(grain, scope)
  return `SELECT ${LINE} AS begin, 1 AS turns, toInt32(indexOf({top:Array(String)}, ${edgeValue(by)})) AS series, ${requests} AS requests_, ${bytes} AS bytes_ FROM ${rows} GROUP BY begin, series UNION ALL ${vendorApartLines(grain, scope, by)}`
}

const edgeValue = (by: TrafficDimension): string =>
  `toString(${by === 'status' ? STATUS_CLASS : by === 'cache' ? 'cache_status' : by})`

/**
 * Counts of one interval as parts of rows: `share` of a count is what falls there, and all its parts make the whole
 * again.
 */
export function eachPart<Row extends SpreadRow>(
  rows: readonly Row[],
  { from, until, intervalSeconds }: ChartGrain,
  visit: (line: number, row: Row, share: (count: number) => number) => void,
): void {
  for (const row of rows) {
    for (let turn = 0; turn < row.turns; turn++) {
      const moment = row.begin + turn * intervalSeconds
      if (moment >= from && moment < until)
        visit(
          moment - (moment % intervalSeconds),
          row,
          (count) => Math.floor((count * (turn + 1)) / row.turns) - Math.floor((count * turn) / row.turns),
        )
    }
  }
}
