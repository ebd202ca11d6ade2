import type { CacheStatus } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'
import { trafficConditions, trafficParameters } from './traffic-source.ts'
import type { TrafficScope } from './traffic-input.ts'

export type TrafficRequestsInput = TrafficScope & {
  /** Epoch seconds, `until` excluded. */ from: number
  until: number
  path?: string | undefined
  id?: string | undefined
  limit: number
}
export type TrafficRequestRow = {
  moment: number
  id: string
  site: string
  domain: string
  cdn: string
  node: string
  host: string
  method: string
  path: string
  status: number
  bytes: number
  ms: number
  cache_status: CacheStatus
  why: string
  client: string
  country: string
  total: number
}

/** Single requests, newest first; `total` is how many fit in all. */
export async function trafficRequests(store: EventStore, input: TrafficRequestsInput): Promise<TrafficRequestRow[]> {
  const { from, until, path, id, limit } = input
  const where = [
    ...trafficConditions(input),
    ...(path === undefined ? [] : ['path = {path:String}']),
    ...(id === undefined ? [] : ['id = {id:String}']),
  ].join(' AND ')
  return store.query(
    `SELECT toUnixTimestamp64Milli(at) AS moment, id, site, domain, cdn, node, host, method, path, status, intDiv(bytes, weight) AS bytes, round(ms, 1) AS ms, cache_status, why, client, country, count() OVER () AS total
     FROM edge_requests WHERE ${where} ORDER BY at DESC, id LIMIT {limit:UInt32}`,
    { ...trafficParameters(input), from, until, path: path ?? '', id: id ?? '', limit },
  )
}
