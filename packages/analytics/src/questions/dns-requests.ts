import type { DNS_TRANSPORTS, DnsRequestDimension, DnsRequestReport } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'
import { type ChartGrain, chartGrain, chartTimes } from './grain.ts'

export type DnsRequestsInput = {
  organizationId: string
  siteId: string
  by: DnsRequestDimension
  /** Narrow the dimensions that stand in the same table: name, type, rcode and node. */
  name?: string | undefined
  type?: string | undefined
  rcode?: string | undefined
  seconds: number
  /** Epoch seconds; default is now. */
  until?: number | undefined
  /** Epoch ms. */
  now: number
}

const LINES = 6
const SHARES = 100

/**
 * Where a dimension stands, and what is counted there. Country and CDN are counted with the answers, so that a query
 * has both.
 */
const TABLES: Record<
  DnsRequestDimension,
  { table: 'dns_requests' | 'dns_networks' | 'dns_answers'; count: 'requests' | 'answers' }
> = {
  name: { table: 'dns_requests', count: 'requests' },
  type: { table: 'dns_requests', count: 'requests' },
  rcode: { table: 'dns_requests', count: 'requests' },
  node: { table: 'dns_requests', count: 'requests' },
  network: { table: 'dns_networks', count: 'requests' },
  country: { table: 'dns_answers', count: 'answers' },
  cdn: { table: 'dns_answers', count: 'answers' },
}

/**
 * DNS queries of a site over a range, told apart by one dimension: lines of the most asked values, shares of all. Times
 * are epoch ms.
 */
export async function dnsRequests(
  store: EventStore,
  input: DnsRequestsInput,
): Promise<Omit<DnsRequestReport, 'marks'>> {
  const now = Math.floor(input.now / 1000)
  const grain = chartGrain(input.seconds, input.until ?? now, now)
  const parameters = {
    organization: input.organizationId,
    site: input.siteId,
    name: input.name ?? '',
    type: input.type ?? '',
    rcode: input.rcode ?? '',
    from: grain.from,
    until: grain.until,
    step: grain.intervalSeconds,
    shares: SHARES,
  }
  const source = sourceOf(grain, input)
  const shares = await store.query<{ value: string; n: number; total: number; values: number }>(
    `SELECT value, n, sum(n) OVER () AS total, count() OVER () AS values FROM (SELECT ${input.by} AS value, sum(${source.count}) AS n FROM ${source.rows} GROUP BY value) ORDER BY n DESC, value LIMIT {shares:UInt32}`,
    parameters,
  )
  const top = shares.slice(0, LINES).map(({ value }) => value)
  const rows =
    top.length === 0
      ? []
      : await store.query<{ line: number; is_other: 0 | 1; series: string; n: number }>(
          `SELECT intDiv(toUnixTimestamp(at), {step:UInt32}) * {step:UInt32} AS line, NOT has({top:Array(String)}, ${input.by}) AS is_other, if(is_other, '', ${input.by}) AS series, sum(${source.count}) AS n
     FROM ${source.rows} GROUP BY line, is_other, series`,
          { ...parameters, top },
        )
  const lines = Map.groupBy(rows, (row) => (row.is_other ? null : row.series))
  const series = (value: string | null) => {
    const points = new Map(lines.get(value)?.map((row) => [row.line, row.n]))
    return {
      value: value ?? '',
      other: value === null,
      points: chartTimes(grain).map((at) => ({
        at: at * 1000,
        value: points.get(at) ?? 0,
        samples: points.get(at) ?? 0,
      })),
    }
  }
  return {
    intervalSeconds: grain.intervalSeconds,
    total: shares[0]?.total ?? 0,
    series: [...top.map(series), ...(lines.has(null) ? [series(null)] : [])],
    shares: shares.map(({ value, n }) => ({ value, requests: n })),
    distinct: shares[0]?.values ?? 0,
  }
}

function sourceOf({ level }: ChartGrain, { by, name, type, rcode }: DnsRequestsInput): { rows: string; count: string } {
  const { table, count } = TABLES[by]
  const filters =
    table !== 'dns_requests'
      ? []
      : [
          name === undefined ? '' : 'name = {name:String}',
          type === undefined ? '' : 'type = {type:String}',
          rcode === undefined ? '' : 'rcode = {rcode:String}',
        ]
  const conditions = [
    'organization = {organization:String}',
    'site = {site:String}',
    'at >= fromUnixTimestamp({from:Int64})',
    'at < fromUnixTimestamp({until:Int64})',
    ...filters.filter(Boolean),
    // Records that are not steered have no CDN; they are no part of a comparison of CDNs.
    ...(by === 'cdn' ? [`cdn != ''`] : []),
  ]
  return { rows: `${level === 'raw' ? table : `${table}_${level} FINAL`} WHERE ${conditions.join(' AND ')}`, count }
}

export type DnsTailInput = {
  organizationId: string
  siteId: string
  limit: number
  search?: string | undefined
  rcode?: string | undefined
  /** Epoch ms. */ now: number
}
export type DnsTailRow = {
  at: number
  id: string
  node: string
  domain: string
  name: string
  type: string
  rcode: string
  cdn: string
  strategy: string
  country: string
  network: string
  client: string
  scoped: 0 | 1
  transport: (typeof DNS_TRANSPORTS)[number]
}

/** Queries drawn by lot in the last day, newest first. */
export async function dnsTail(
  store: EventStore,
  { organizationId, siteId, limit, search, rcode, now }: DnsTailInput,
): Promise<DnsTailRow[]> {
  return store.query<DnsTailRow>(
    `SELECT toUnixTimestamp64Milli(at) AS at, toString(cityHash64(at, node, name, type, client)) AS id, node, domain, name, type, rcode, cdn, strategy, country, network, client, scoped, transport
     FROM dns_samples WHERE organization = {organization:String} AND site = {site:String} AND at >= fromUnixTimestamp({from:Int64})
       ${search === undefined ? '' : 'AND position(name, {search:String}) > 0'} ${rcode === undefined ? '' : 'AND rcode = {rcode:String}'}
     ORDER BY dns_samples.at DESC LIMIT {limit:UInt32}`,
    {
      organization: organizationId,
      site: siteId,
      from: Math.floor(now / 1000) - 86_400,
      search: search?.toLowerCase() ?? '',
      rcode: rcode ?? '',
      limit,
    },
  )
}
