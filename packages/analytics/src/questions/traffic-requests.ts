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
}

/** Single requests, newest first, and how many fit in all: counted by itself, which needs no row in memory. */
export async function trafficRequests(
  store: EventStore,
  input: TrafficRequestsInput,
): Promise<{ rows: TrafficRequestRow[]; total: number }> {
  const { from, until, path, id, limit } = input
  const where = [
    ...trafficConditions(input),
    ...(path === undefined ? [] : ['path = {path:String}']),
    ...(id === undefined ? [] : ['id = {id:String}']),
  ].join(' AND ')
  const parameters = { ...trafficParameters(input), from, until, path: path ?? '', id: id ?? '', limit }
  const [rows, counted] = await Promise.all([
    store.query<TrafficRequestRow>(
      `SELECT toUnixTimestamp64Milli(at) AS moment, id, site, domain, cdn, node, host, method, path, status, intDiv(bytes, weight) AS bytes, round(ms, 1) AS ms, cache_status, why, client, country
     FROM edge_requests WHERE ${where} ORDER BY at DESC, id LIMIT {limit:UInt32}`,
      parameters,
    ),
    store.query<{ total: number }>(`SELECT count() AS total FROM edge_requests WHERE ${where}`, parameters),
  ])
  return { rows, total: counted[0]?.total ?? 0 }
}
