import type { TrafficFilter } from '@fairway/contract'
import { HIT_LIST } from '../rollups/edge-paths.ts'
import type { ChartGrain } from './grain.ts'

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

/** Requests and bytes by everything they are told apart by, from the level that the range is read from: `one` request or many, and what was `sent` for them. */
export function trafficRows({ level }: Pick<ChartGrain, 'level'>, scope: TrafficScope): string {
  const where = trafficConditions(scope).join(' AND ')
  return level === 'raw'
    ? `(SELECT at, site, domain, cdn, country, status, cache_status AS cache, toUInt64(1) AS one, bytes AS sent FROM edge_requests WHERE ${where})`
    : `(SELECT at, site, domain, cdn, country, status, cache_status AS cache, requests AS one, bytes AS sent FROM edge_traffic_${level} FINAL WHERE ${where})`
}
