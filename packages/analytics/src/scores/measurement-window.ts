import { Continent, NetworkKey, type Location } from '@fairway/contract'
import { scoreKeys } from '@fairway/domain'
import { binSql, isTimedSql, type LogHistogram } from '../log-histogram.ts'
import type { EventStore } from '../store/store.ts'

/** Sums over the window at one score key. `newestAt` is epoch ms. */
export type WindowSum = { samples: number; successes: number; bins: Map<number, number>; newestAt: number }
export type Source = 'rum' | 'sum'
/** Organisation → CDN → source and score key → sums. */
export type WindowSums = Map<string, Map<string, Record<Source, Map<string, WindowSum>>>>

type Row = {
  bucket: number
  organization: string
  cdn: string
  samples: number
  successes: number
  newest: number
  rtt: LogHistogram
} & Partial<Record<'continent' | 'country' | 'region' | 'city' | 'network', string>>

const BUCKET_SECONDS = 10
/** Rows reach the store within a second; buckets so young are read again in each round. */
const SETTLING_SECONDS = 20

/**
 * The last minutes of measurements, summed for every level a decision may look at. Each round reads only the newest
 * buckets of ten seconds and takes the expired ones out again, so the cost does not grow with
 * the window. When the store does not answer, everything stays as it was: figures then age by their own newest sample.
 */
export class MeasurementWindow {
  readonly sums: WindowSums = new Map()
  readonly #buckets = new Map<number, { row: Row; source: Source }[]>()
  readonly #windowSeconds: number
  readonly #keys = new Map<string, string[]>()
  #readUntil = 0

  constructor(windowSeconds: number) {
    this.#windowSeconds = windowSeconds
  }

  /** @throws StoreAway when the store does not answer; nothing has changed then */
  async refresh(store: EventStore, nowMs: number): Promise<void> {
    const now = Math.floor(nowMs / 1000)
    const oldest = alignDown(now - this.#windowSeconds)
    const from = Math.max(oldest, alignDown(this.#readUntil - SETTLING_SECONDS))
    const [beacons, probes] = await Promise.all([
      store.query<Row>(BEACONS, { from }),
      store.query<Row>(PROBES, { from }),
    ])
    for (const bucket of this.#buckets.keys()) if (bucket < oldest || bucket >= from) this.#remove(bucket)
    for (const row of beacons) this.#add(row, 'rum')
    for (const row of probes) this.#add(row, 'sum')
    this.#forgetSilent()
    if (this.#keys.size > 100_000) this.#keys.clear()
    this.#readUntil = now
  }

  #add(row: Row, source: Source): void {
    const bucket = this.#buckets.get(row.bucket)
    if (bucket) bucket.push({ row, source })
    else this.#buckets.set(row.bucket, [{ row, source }])
    const sums = this.#sumsOf(row)[source]
    for (const key of this.#keysOf(row, source)) {
      const sum = sums.get(key)
      if (sum) add(sum, row, 1)
      else sums.set(key, add({ samples: 0, successes: 0, bins: new Map(), newestAt: 0 }, row, 1))
    }
  }

  #remove(bucket: number): void {
    for (const { row, source } of this.#buckets.get(bucket) ?? []) {
      const sums = this.#sumsOf(row)[source]
      for (const key of this.#keysOf(row, source)) {
        const sum = sums.get(key)
        // The newest sample leaves last, so `newestAt` holds as long as anything is left.
        if (sum && add(sum, row, -1).samples <= 0) sums.delete(key)
      }
    }
    this.#buckets.delete(bucket)
  }

  /** CDNs and organisations without anything in the window. */
  #forgetSilent(): void {
    for (const [organization, cdns] of this.sums) {
      for (const [cdn, { rum, sum }] of cdns) if (rum.size === 0 && sum.size === 0) cdns.delete(cdn)
      if (cdns.size === 0) this.sums.delete(organization)
    }
  }

  #sumsOf({ organization, cdn }: Row): Record<Source, Map<string, WindowSum>> {
    const cdns = this.sums.get(organization) ?? new Map<string, Record<Source, Map<string, WindowSum>>>()
    this.sums.set(organization, cdns)
    const known = cdns.get(cdn) ?? { rum: new Map(), sum: new Map() }
    cdns.set(cdn, known)
    return known
  }

  /** Probes run where the nodes stand, not where visitors are: they speak for the world only. */
  #keysOf(row: Row, source: Source): string[] {
    if (source === 'sum') return WORLD
    const name = `${row.continent}|${row.country}|${row.region}|${row.city}|${row.network}`
    const known = this.#keys.get(name)
    if (known) return known
    const keys = scoreKeys(locationOf(row))
    this.#keys.set(name, keys)
    return keys
  }
}

const WORLD = ['world']
const alignDown = (seconds: number) => Math.floor(seconds / BUCKET_SECONDS) * BUCKET_SECONDS

function add(sum: WindowSum, row: Row, sign: 1 | -1): WindowSum {
  sum.samples += sign * row.samples
  sum.successes += sign * row.successes
  if (sign > 0) sum.newestAt = Math.max(sum.newestAt, row.newest)
  for (const [bin, count] of Object.entries(row.rtt)) {
    const left = (sum.bins.get(Number(bin)) ?? 0) + sign * count
    if (left > 0) sum.bins.set(Number(bin), left)
    else sum.bins.delete(Number(bin))
  }
  return sum
}

function locationOf({ continent, country, region, city, network }: Row): Location {
  const known = Continent.safeParse(continent)
  const named = NetworkKey.safeParse(network)
  return {
    continent: known.success ? known.data : '00',
    country: country || null,
    region: region || null,
    city: city || null,
    network: named.success ? named.data : null,
    asn: null,
  }
}

const counted = (table: string, columns: string) => `
  SELECT bucket, organization, cdn, ${columns} sum(n) AS samples, sumIf(n, ok = 1) AS successes, max(newest_ms) AS newest, CAST((groupArrayIf(bin, timed), groupArrayIf(n, timed)), 'Map(Int16, UInt64)') AS rtt
  FROM (
    SELECT toUInt32(toStartOfInterval(toDateTime(at), INTERVAL ${BUCKET_SECONDS} SECOND)) AS bucket, organization, cdn, ${columns} ok, (${isTimedSql('ok', 'rtt_ms')}) AS timed, if(timed, ${binSql('rtt_ms')}, toInt16(0)) AS bin, count() AS n, toUnixTimestamp64Milli(max(at)) AS newest_ms
    FROM ${table} WHERE at >= fromUnixTimestamp({from:Int64}) GROUP BY bucket, organization, cdn, ${columns} ok, timed, bin
  ) GROUP BY ${columns} bucket, organization, cdn`
const BEACONS = counted('beacons', 'continent, country, region, city, network,')
const PROBES = counted('probes', '')
