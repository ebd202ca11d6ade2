import type { EventStore } from './store/store.ts'
import { type VendorTrafficRow, storeSecond } from './store/tables.ts'

/** Requests and bytes by value; bytes are null where only requests are told. */
type Told = Record<string, { requests: number; bytes: number | null }>
export type ServedBucket = {
  /** Epoch ms. */ at: number
  requests: number
  bytes: number
  status: Told
  cache: Told
  country: Told
}
export type VendorTrafficOf = {
  organizationId: string
  siteId: string
  domainId: string
  cdnId: string
  /** It came through an account of the operator, who pays for it. */ isBilled: boolean
}

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/**
 * Writes what a vendor says that it has served for a domain in a range, which begins at a whole hour, and replaces all
 * that was written for that range before: buckets that it names no more have served nothing.
 * The hours over it are made from the same buckets, the days from the hours.
 */
export async function writeVendorTraffic(
  store: EventStore,
  of: VendorTrafficOf,
  { from, until, bucketMs }: { from: number; until: number; bucketMs: number },
  buckets: readonly ServedBucket[],
  now: number,
): Promise<void> {
  const known = new Map(buckets.map((bucket) => [bucket.at, bucket]))
  const whole: ServedBucket[] = []
  for (let at = from; at < until; at += bucketMs)
    whole.push(known.get(at) ?? { at, requests: 0, bytes: 0, status: {}, cache: {}, country: {} })
  const hours = Map.groupBy(whole, ({ at }) => Math.floor(at / HOUR_MS) * HOUR_MS)
  await store.insert(
    'vendor_traffic_minute',
    whole.map((bucket) => rowOf(of, bucket.at, bucketMs, [bucket], now)),
  )
  await store.insert(
    'vendor_traffic_hour',
    [...hours].map(([at, inside]) => rowOf(of, at, HOUR_MS, inside, now)),
  )
  const sums = ['status', 'cache', 'country'].flatMap((dimension) => [dimension, `${dimension}_bytes`])
  await store.command(
    `INSERT INTO vendor_traffic_day (at, organization, site, domain, cdn, seconds, billed, requests, bytes, ${sums.join(', ')}, built)
     SELECT toDateTime(toStartOfDay(at), 'UTC') AS day, organization, site, domain, cdn, 86400, max(billed), sum(requests), sum(bytes), ${sums.map((map) => `sumMap(${map})`).join(', ')}, {built:UInt64}
     FROM vendor_traffic_hour FINAL WHERE organization = {organization:String} AND site = {site:String} AND domain = {domain:String} AND cdn = {cdn:String} AND at >= fromUnixTimestamp({from:Int64}) AND at < fromUnixTimestamp({until:Int64})
     GROUP BY day, organization, site, domain, cdn`,
    {
      organization: of.organizationId,
      site: of.siteId,
      domain: of.domainId,
      cdn: of.cdnId,
      from: Math.floor(from / DAY_MS) * 86_400,
      until: Math.ceil(until / DAY_MS) * 86_400,
      built: now,
    },
  )
}

function rowOf(
  { organizationId, siteId, domainId, cdnId, isBilled }: VendorTrafficOf,
  at: number,
  lengthMs: number,
  buckets: readonly ServedBucket[],
  built: number,
): VendorTrafficRow {
  const sum = (count: (bucket: ServedBucket) => number) => buckets.reduce((total, bucket) => total + count(bucket), 0)
  const by = (dimension: 'status' | 'cache' | 'country', what: 'requests' | 'bytes') => {
    const counts: Record<string, number> = {}
    for (const bucket of buckets)
      for (const [value, told] of Object.entries(bucket[dimension]))
        if (told[what] !== null) counts[value] = (counts[value] ?? 0) + told[what]
    return counts
  }
  return {
    at: storeSecond(at),
    organization: organizationId,
    site: siteId,
    domain: domainId,
    cdn: cdnId,
    seconds: lengthMs / 1000,
    billed: isBilled ? 1 : 0,
    requests: sum(({ requests }) => requests),
    bytes: sum(({ bytes }) => bytes),
    status: by('status', 'requests'),
    status_bytes: by('status', 'bytes'),
    cache: by('cache', 'requests'),
    cache_bytes: by('cache', 'bytes'),
    country: by('country', 'requests'),
    country_bytes: by('country', 'bytes'),
    built,
  }
}
