import { Continent, NetworkKey, type Location, type MeasureSource } from '@fairway/contract'
import { UNTOLD_SUBNET, scoreKeys } from '@fairway/domain'
import { binSql, isTimedSql, type LogHistogram } from '../log-histogram.ts'
import type { EventStore } from '../store/store.ts'
import { tablesWithRows } from '../store/tables-with-rows.ts'
import type { Cell, Leaf } from './level-sum.ts'

/** Sources that are counted out of samples; outside feeds bring figures. */
export type Source = Exclude<MeasureSource, 'feed'>
/**
 * CDN → what visitors, probes and reports of browsers say of it. `wide` is the throughput that visitors measured: its
 * samples are those that measured it, and its bins count Mbit/s.
 */
export type Measured = Map<string, Record<Source | 'wide', Map<string, Leaf>>>

/** What was measured in one bucket of time at one place, by one /24 or /48 (or by all probes). */
export type MeasuredRow = {
  bucket: number
  organization: string
  cdn: string
  samples: number
  successes: number
  newest: number
  rtt: LogHistogram
} & Partial<Record<'continent' | 'country' | 'region' | 'city' | 'network', string>> & { subnet?: number }

export const BUCKET_SECONDS = 10
/** Rows reach the store within two seconds; buckets so young are read again in each round. */
const SETTLING_SECONDS = 20
/** Clocks of collectors differ a little; what was measured later than that from now counts when its time has come. */
const AHEAD_SECONDS = 20
/** What nobody has written is asked for so often all the same: somebody may have put rows there by hand. */
const ASKED_ANYWAY_MS = 10_000
/** Round trips of the edge and throughput, which no failure is seen by, are asked for so often. */
const SLOW_MS = 10_000
/** /24s (or /48s) of one bucket and CDN that are told apart; where there are more, lots choose who is heard. */
const SUBNETS_PER_BUCKET = 5_000

/**
 * The last minutes of measurements by who said them. Each round reads only the newest buckets of ten seconds and takes
 * the expired ones out again. However much one /24 sends, it is one row for each bucket and place; and of those only so
 * many are read. When the store does not answer, everything stays as it was: figures then age by their own newest
 * sample.
 */
export class MeasurementWindow {
  readonly organizations = new Map<string, Measured>()
  readonly #buckets = new Map<number, { leaf: Leaf; cell: Cell }[]>()
  readonly #windowSeconds: number
  readonly #lots: number
  readonly #keys = new Map<string, string[]>()
  #readUntil = 0
  #silent: ReadonlySet<Table> = new Set()
  #stored: number | null = null
  #changes = 0
  #askedAt = -Infinity
  #slow: Record<'connections' | 'throughput', readonly MeasuredRow[]> & { askedAt: number } = {
    connections: [],
    throughput: [],
    askedAt: -Infinity,
  }

  /** `lots` seeds who is heard when too many speak; it must be nothing that a visitor can know. */
  constructor(windowSeconds: number, lots = 0) {
    this.#windowSeconds = windowSeconds
    this.#lots = lots
  }

  /**
   * Tables that were silent are asked together, with one cheap question, whether they still are: an installation that
   * nobody visits asks one thing in each round instead of five. Where all were silent and nothing came to them since, it
   * asks nothing.
   *
   * @param stored rows brought to the store so far, by the only one who does; null when it is not known
   * @throws StoreAway when the store does not answer; nothing has changed then
   */
  async refresh(store: EventStore, nowMs: number, stored: number | null = null): Promise<void> {
    const from = this.readsFrom(nowMs)
    const silent = TABLES.filter((table) => this.#silent.has(table))
    const isQuiet = stored !== null && stored === this.#stored && silent.length === TABLES.length
    // Set back, the clock has read nothing of what is now: all of it is read anew.
    const isBack = this.#readUntil > Math.floor(nowMs / 1000)
    if (isQuiet && !isBack && Math.abs(nowMs - this.#askedAt) < ASKED_ANYWAY_MS) return this.take(NOTHING, nowMs)
    const stirring = await tablesWithRows(store, silent, { from })
    const isSilent = (table: Table) => silent.includes(table) && !stirring.has(table)
    const ask = async (table: Table, sql: string): Promise<MeasuredRow[]> =>
      isSilent(table) ? [] : await store.query<MeasuredRow>(sql, { from, lots: this.#lots >>> 0 })
    const isSlowDue = isBack || Math.abs(nowMs - this.#slow.askedAt) >= SLOW_MS
    const askSlow = async (table: Table, sql: string, last: readonly MeasuredRow[]) =>
      isSlowDue ? await ask(table, sql) : last.filter((row) => row.bucket >= from)
    const [beacons, probes, reports, connections, throughput] = await Promise.all([
      ask('beacons', BEACONS),
      ask('probes', PROBES),
      ask('network_reports', REPORTS),
      askSlow('edge_requests', CONNECTIONS, this.#slow.connections),
      askSlow('beacons', THROUGHPUT, this.#slow.throughput),
    ])
    this.take({ beacons, probes, reports, connections, throughput }, nowMs)
    this.#slow = { connections, throughput, askedAt: isSlowDue ? nowMs : this.#slow.askedAt }
    this.#stored = stored
    this.#askedAt = nowMs
    const rows = { beacons, probes, network_reports: reports, edge_requests: connections }
    this.#silent = new Set(
      TABLES.filter((table) =>
        table === 'edge_requests' && !isSlowDue ? this.#silent.has(table) : rows[table].length === 0,
      ),
    )
  }

  /** Start of the oldest bucket that the next `take` replaces, epoch seconds. */
  readsFrom(nowMs: number): number {
    const now = Math.floor(nowMs / 1000)
    const oldest = alignDown(now - this.#windowSeconds)
    // A clock that was ahead and is set right has read nothing of what is now.
    return this.#readUntil > now ? oldest : Math.max(oldest, alignDown(this.#readUntil - SETTLING_SECONDS))
  }

  /** Moves on to `nowMs` with all rows of the buckets from `readsFrom` on. */
  take(
    {
      beacons,
      probes,
      reports,
      connections,
      throughput,
    }: Record<'beacons' | 'probes' | 'reports' | 'connections' | 'throughput', readonly MeasuredRow[]>,
    nowMs: number,
  ): void {
    const now = Math.floor(nowMs / 1000)
    const oldest = alignDown(now - this.#windowSeconds)
    const from = this.readsFrom(nowMs)
    this.#changes++
    // Of what is read again most is as it was, and whatever was worked out for its leaves holds.
    const before = new Map<Leaf, Cell[]>()
    for (const [bucket, said] of this.#buckets) {
      if (bucket >= oldest && bucket < from) continue
      for (const { leaf, cell } of said) before.set(leaf, [...(before.get(leaf) ?? []), cell])
      this.#buckets.delete(bucket)
    }
    const latest = now + AHEAD_SECONDS
    const add = (rows: readonly MeasuredRow[], source: Source | 'wide') => {
      for (const row of rows) if (row.bucket <= latest) this.#add(row, source, before)
    }
    add(beacons, 'rum')
    add(probes, 'sum')
    add(reports, 'nel')
    add(connections, 'edge')
    add(throughput, 'wide')
    this.#sweep(new Set([...before.values()].flat()))
    if (this.#keys.size > 100_000) this.#keys.clear()
    this.#readUntil = now
  }

  /** @param before cells of buckets that are read again; what is in none of the rows is left in it */
  #add(row: MeasuredRow, source: Source | 'wide', before: Map<Leaf, Cell[]>): void {
    const leaf = this.#leafOf(row, source)
    const read: Cell = {
      bucket: row.bucket,
      samples: row.samples,
      successes: row.successes,
      bins: Object.entries(row.rtt).map(([bin, count]) => [Number(bin), count]),
      newestAt: row.newest,
    }
    const known = before.get(leaf)?.find((cell) => isSame(cell, read))
    if (known) {
      before.set(leaf, before.get(leaf)?.filter((cell) => cell !== known) ?? [])
    } else {
      leaf.cells.push(read)
      leaf.changed = this.#changes
    }
    const cell = known ?? read
    const bucket = this.#buckets.get(row.bucket)
    if (bucket) bucket.push({ leaf, cell })
    else this.#buckets.set(row.bucket, [{ leaf, cell }])
  }

  /** Takes out cells that are gone, and who has said nothing in the window. */
  #sweep(gone: ReadonlySet<Cell>): void {
    if (gone.size === 0) return
    for (const [organization, cdns] of this.organizations) {
      for (const [cdn, sources] of cdns) {
        for (const leaves of Object.values(sources))
          for (const [name, leaf] of leaves) {
            const left = leaf.cells.filter((cell) => !gone.has(cell))
            if (left.length === 0) leaves.delete(name)
            else if (left.length < leaf.cells.length) {
              leaf.cells = left
              leaf.changed = this.#changes
            }
          }
        if (Object.values(sources).every((leaves) => leaves.size === 0)) cdns.delete(cdn)
      }
      if (cdns.size === 0) this.organizations.delete(organization)
    }
  }

  #leafOf(row: MeasuredRow, source: Source | 'wide'): Leaf {
    const cdns: Measured = this.organizations.get(row.organization) ?? new Map()
    this.organizations.set(row.organization, cdns)
    const sources = cdns.get(row.cdn) ?? {
      rum: new Map<string, Leaf>(),
      sum: new Map(),
      nel: new Map(),
      edge: new Map(),
      wide: new Map(),
    }
    cdns.set(row.cdn, sources)
    const place = `${row.continent}|${row.country}|${row.region}|${row.city}|${row.network}`
    const subnet = row.subnet ?? UNTOLD_SUBNET
    const name = `${subnet}|${place}`
    const known = sources[source].get(name)
    if (known) return known
    // Probes run where the nodes stand, not where visitors are: they speak for the world only.
    const keys =
      source === 'sum' ? WORLD : this.#keysOf(place, row).filter((key) => source !== 'edge' || isOfNetwork(key))
    const leaf = {
      subnet,
      network: row.network ?? '',
      country: row.country ?? '',
      keys,
      cells: [],
      changed: this.#changes,
    }
    sources[source].set(name, leaf)
    return leaf
  }

  #keysOf(place: string, row: MeasuredRow): string[] {
    const known = this.#keys.get(place)
    if (known) return known
    const keys = scoreKeys(locationOf(row))
    this.#keys.set(place, keys)
    return keys
  }
}

const isSame = (one: Cell, other: Cell): boolean =>
  one.bucket === other.bucket &&
  one.samples === other.samples &&
  one.successes === other.successes &&
  one.newestAt === other.newestAt &&
  one.bins.length === other.bins.length &&
  one.bins.every(([bin, count], index) => bin === other.bins[index]?.[0] && count === other.bins[index]?.[1])

const TABLES = ['beacons', 'probes', 'network_reports', 'edge_requests'] as const
type Table = (typeof TABLES)[number]
const NOTHING = { beacons: [], probes: [], reports: [], connections: [], throughput: [] }

const WORLD = ['world']
// The edge's connections are compared within one network only, see `connectionsLevel`.
const isOfNetwork = (key: string) => key.includes('|')
const alignDown = (seconds: number) => Math.floor(seconds / BUCKET_SECONDS) * BUCKET_SECONDS

function locationOf({ continent, country, region, city, network }: MeasuredRow): Location {
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

const counted = (table: string, columns: string, limit = '') => `
  SELECT bucket, organization, cdn, ${columns} sum(n) AS samples, sumIf(n, ok = 1) AS successes, max(newest_ms) AS newest, CAST((groupArrayIf(bin, timed), groupArrayIf(n, timed)), 'Map(Int16, UInt64)') AS rtt
  FROM (
    SELECT toUInt32(toStartOfInterval(toDateTime(at), INTERVAL ${BUCKET_SECONDS} SECOND)) AS bucket, organization, cdn, ${columns} ok, (${isTimedSql('ok', 'rtt_ms')}) AS timed, if(timed, ${binSql('rtt_ms')}, toInt16(0)) AS bin, count() AS n, toUnixTimestamp64Milli(max(at)) AS newest_ms
    FROM ${table} WHERE at >= fromUnixTimestamp({from:Int64}) GROUP BY bucket, organization, cdn, ${columns} ok, timed, bin
  ) GROUP BY ${columns} bucket, organization, cdn ${limit}`
const PLACES = 'continent, country, region, city, network, subnet,'
const HEARD = `ORDER BY sipHash64(subnet, bucket, {lots:UInt32}) LIMIT ${SUBNETS_PER_BUCKET} BY bucket, organization, cdn`
const BEACONS = counted('beacons', PLACES, HEARD)
const PROBES = counted('probes', '')
// Untimed: how long a request took that a browser reports is not the first byte that others are compared by.
const REPORTS = `
  SELECT toUInt32(toStartOfInterval(toDateTime(at), INTERVAL ${BUCKET_SECONDS} SECOND)) AS bucket, organization, cdn, ${PLACES} sum(weight) AS samples, sumIf(weight, ok = 1) AS successes, toUnixTimestamp64Milli(max(at)) AS newest, CAST(([], []), 'Map(Int16, UInt64)') AS rtt
  FROM network_reports WHERE at >= fromUnixTimestamp({from:Int64}) GROUP BY ${PLACES} bucket, organization, cdn ${HEARD}`
// Our edge answers under its own name too, where its requests name no CDN. The address is cut when it comes.
const CONNECTIONS = `
  SELECT bucket, organization, cdn, country, network, subnet, sum(n) AS samples, sum(n) AS successes, max(newest_ms) AS newest, CAST((groupArray(bin), groupArray(n)), 'Map(Int16, UInt64)') AS rtt
  FROM (
    SELECT toUInt32(toStartOfInterval(toDateTime(at), INTERVAL ${BUCKET_SECONDS} SECOND)) AS bucket, organization, if(edge_requests.cdn = '', 'edge', edge_requests.cdn) AS cdn, country, network, toUInt32(sipHash64(client) % 4294967295) + 1 AS subnet, ${binSql('rtt_ms')} AS bin, count() AS n, toUnixTimestamp64Milli(max(at)) AS newest_ms
    FROM edge_requests WHERE at >= fromUnixTimestamp({from:Int64}) AND rtt_ms > 0 AND network != '' AND country != '' GROUP BY bucket, organization, cdn, country, network, subnet, bin
  ) GROUP BY country, network, subnet, bucket, organization, cdn ${HEARD}`
// One measurement in twenty has it; who is heard is drawn among those.
const THROUGHPUT = `
  SELECT bucket, organization, cdn, ${PLACES} sum(n) AS samples, sum(n) AS successes, max(newest_ms) AS newest, CAST((groupArray(bin), groupArray(n)), 'Map(Int16, UInt64)') AS rtt
  FROM (
    SELECT toUInt32(toStartOfInterval(toDateTime(at), INTERVAL ${BUCKET_SECONDS} SECOND)) AS bucket, organization, cdn, ${PLACES} ${binSql('mbps')} AS bin, count() AS n, toUnixTimestamp64Milli(max(at)) AS newest_ms
    FROM beacons WHERE at >= fromUnixTimestamp({from:Int64}) AND ok = 1 AND mbps > 0 GROUP BY ${PLACES} bucket, organization, cdn, bin
  ) GROUP BY ${PLACES} bucket, organization, cdn ${HEARD}`
