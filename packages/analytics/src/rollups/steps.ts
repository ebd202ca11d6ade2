import type { EventStore } from '../store/store.ts'
import { edgePathsFromRaw, edgePathsFromRollup } from './edge-paths.ts'
import { measuresFromRaw, rawTableOf } from './measures-from-raw.ts'
import type { Grain } from './grain.ts'
import { tablesWithRows } from '../store/tables-with-rows.ts'

export const GRAIN_SECONDS: Record<Grain, number> = { minute: 60, hour: 3600, day: 86_400 }
const FINER: Record<Exclude<Grain, 'minute'>, Grain> = { hour: 'minute', day: 'hour' }

/**
 * One step over a range of whole buckets, each read from the level below: minute from raw, hour from minute, day from
 * hour. May be run again at will: a newer build of a row replaces the older.
 * A bucket for which the level below holds nothing keeps what it has; `isEmpty` where none of them held anything.
 */
export async function runStep(
  store: EventStore,
  grain: Grain,
  fromSeconds: number,
  untilSeconds: number,
  built: number,
): Promise<{ isEmpty: boolean }> {
  const width = GRAIN_SECONDS[grain]
  const range = { from: Math.floor(fromSeconds / width) * width, until: Math.ceil(untilSeconds / width) * width, built }
  const statements = statementsOf(grain)
  const filled = await tablesWithRows(store, [...new Set(statements.map(({ from }) => from))], range)
  for (const { from, sql } of statements) if (filled.has(from)) await store.command(sql, range)
  return { isEmpty: filled.size === 0 }
}

const RANGE = 'at >= fromUnixTimestamp({from:Int64}) AND at < fromUnixTimestamp({until:Int64})'

/**
 * Countries added up: what a line over a week or a month is drawn from, a hundredth of the rows. Read from the same
 * level, so that both say the same.
 */
const worldStatement = (grain: Exclude<Grain, 'minute'>): string =>
  `INSERT INTO measures_world_${grain} (at, source, organization, cdn, samples, successes, rtt, built)
   SELECT at, source, organization, cdn, sum(samples), sum(successes), sumMap(rtt), {built:UInt64}
   FROM measures_${grain} FINAL WHERE ${RANGE} GROUP BY at, source, organization, cdn`

/** For rows that were written at a level and not rolled up from the one below. */
export async function addUpCountries(
  store: EventStore,
  grain: Exclude<Grain, 'minute'>,
  range: { from: number; until: number; built: number },
): Promise<void> {
  await store.command(worldStatement(grain), range)
}

/**
 * Tables of plain counts: where the raw rows stand, what they are told apart by, and what is counted of the raw rows.
 */
const COUNTED: readonly { raw: string; table: string; by: string; counts: Record<string, string> }[] = [
  {
    raw: 'dns_answers',
    table: 'dns_answers',
    by: 'organization, site, domain, cdn, country',
    counts: { answers: 'sum(answers)' },
  },
  {
    raw: 'dns_requests',
    table: 'dns_requests',
    by: 'organization, site, name, type, rcode, node',
    counts: { requests: 'sum(requests)' },
  },
  {
    raw: 'dns_networks',
    table: 'dns_networks',
    by: 'organization, site, network, node',
    counts: { requests: 'sum(requests)' },
  },
  {
    raw: 'edge_requests',
    table: 'edge_traffic',
    by: 'organization, site, domain, cdn, country, status, cache_status',
    counts: { requests: 'sum(weight)', bytes: 'sum(bytes)' },
  },
  {
    raw: 'security_events',
    table: 'security_counts',
    by: 'organization, site, domain, part, action, rule, reason, country',
    counts: { requests: 'sum(weight)', bytes: 'sum(bytes)' },
  },
]

/** Raw tables that rollups are built of; of the others single rows are read. */
export const ROLLED_UP: ReadonlySet<string> = new Set(['beacons', 'probes', ...COUNTED.map(({ raw }) => raw)])

/** `from` is the table that it reads: where that holds nothing in a range, there is nothing to write. */
type Statement = { from: string; sql: string }

function statementsOf(grain: Grain): Statement[] {
  if (grain === 'minute') {
    return [
      ...(['rum', 'sum'] as const).map((source) => ({
        from: rawTableOf(source),
        sql: `INSERT INTO measures_minute (at, source, organization, cdn, country, samples, successes, rtt, built)
        SELECT bucket, '${source}', organization, cdn, country, samples, successes, rtt, {built:UInt64} FROM (${measuresFromRaw(source, 60)})`,
      })),
      ...COUNTED.map(({ raw, table, by, counts }) => ({
        from: raw,
        sql: `INSERT INTO ${table}_minute (at, ${by}, ${Object.keys(counts).join(', ')}, built)
        SELECT toDateTime(toStartOfMinute(at), 'UTC') AS bucket, ${by}, ${Object.values(counts).join(', ')}, {built:UInt64}
        FROM ${raw} WHERE ${RANGE} GROUP BY bucket, ${by}`,
      })),
      { from: 'edge_requests', sql: edgePathsFromRaw() },
    ]
  }
  const finer = FINER[grain]
  const start = grain === 'hour' ? 'toStartOfHour(at)' : `toDateTime(toStartOfDay(at), 'UTC')`
  return [
    {
      from: `measures_${finer}`,
      sql: `INSERT INTO measures_${grain} (at, source, organization, cdn, country, samples, successes, rtt, built)
      SELECT ${start} AS bucket, source, organization, cdn, country, sum(samples), sum(successes), sumMap(rtt), {built:UInt64}
      FROM measures_${finer} FINAL WHERE ${RANGE} GROUP BY bucket, source, organization, cdn, country`,
    },
    ...COUNTED.map(({ table, by, counts }) => ({
      from: `${table}_${finer}`,
      sql: `INSERT INTO ${table}_${grain} (at, ${by}, ${Object.keys(counts).join(', ')}, built)
      SELECT ${start} AS bucket, ${by}, ${Object.keys(counts)
        .map((count) => `sum(${count})`)
        .join(', ')}, {built:UInt64}
      FROM ${table}_${finer} FINAL WHERE ${RANGE} GROUP BY bucket, ${by}`,
    })),
    // Of the level that was just written, which has nothing new where the one below it is silent.
    { from: `measures_${finer}`, sql: worldStatement(grain) },
    { from: `edge_paths_${finer}`, sql: edgePathsFromRollup(grain, finer, start) },
  ]
}
