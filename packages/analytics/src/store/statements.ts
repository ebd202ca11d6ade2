import { type Change, columnsOf } from './migrations.ts'
import { KINDS, type TableDescription } from './table-descriptions.ts'
import type { StoreLayout } from './layout.ts'

/** The layout, and the database of the tables, which each statement to a cluster names: servers have own defaults. */
export type Place = { layout: StoreLayout; database: string }

/**
 * What one change is on the servers, in order. For one server the text stays, byte for byte, what it was when it was
 * released; how long rows are kept is then set by `keep-for.ts`.
 */
export function statementsOf(change: Change, place: Place): string[] {
  const { cluster } = place.layout
  if ('create' in change)
    return cluster === null ? [onOneServer(change.create)] : onCluster(change.create, place, cluster)
  const { widen: table, column, type } = change
  const add = `ADD COLUMN IF NOT EXISTS ${column} ${type}`
  if (cluster === null) return [`ALTER TABLE ${table} ${add}`]
  return [held(table), table].map((name) => `ALTER TABLE ${place.database}.${name} ON CLUSTER '${cluster}' ${add}`)
}

/** The table on a server of a cluster that holds rows; the other name reaches those of all shards. */
const held = (name: string): string => `${name}_local`

/** Read and written on every server as a whole: an order that all share, and what was done to the tables. */
export const isEverywhere = ({ kind }: TableDescription): boolean => kind === 'batches' || kind === 'migrations'

/** What a statement that changes the table itself, and not its rows, has to name. */
export function tableAt(table: TableDescription, { layout: { cluster }, database }: Place): string {
  if (cluster === null) return table.name
  return `${database}.${isEverywhere(table) ? table.name : held(table.name)} ON CLUSTER '${cluster}'`
}

/** The name by which `system.tables` has the table that holds rows. */
export const heldName = (table: TableDescription, { cluster }: StoreLayout): string =>
  cluster === null || isEverywhere(table) ? table.name : held(table.name)

function onOneServer(table: TableDescription): string {
  const { engine, partitionBy, age, days, tokens } = KINDS[table.kind]
  return [
    `CREATE TABLE IF NOT EXISTS ${table.name} (${table.columns}) ENGINE = ${engine} ORDER BY ${bracketed(table)}`,
    ...(partitionBy === null ? [] : [`PARTITION BY ${partitionBy}`]),
    ...(days === null ? [] : [`TTL ${age} + INTERVAL ${days} DAY`]),
    ...settings({
      ttl_only_drop_parts: days === null ? null : 1,
      non_replicated_deduplication_window: tokens,
    }),
  ].join(' ')
}

// A week: a segment may wait so long for the store, and its token has to be known still.
const TOKENS_KEPT_SECONDS = 7 * 86_400

/**
 * On every server a replicated table with its rows, and over the shards one that sends them there: by a hash of columns
 * that all rows of a key share, so that a newer build meets the one that it replaces. It has all columns, and is kept as
 * the settings say, because a server that joins later must make it as the others have it by then.
 */
function onCluster(table: TableDescription, place: Place, cluster: string): string[] {
  const { engine, partitionBy, tokens } = KINDS[table.kind]
  const [, family = '', version] = /^(\w+)(?:\((\w+)\))?$/.exec(engine) ?? []
  const [path, replica] = isEverywhere(table) ? ['everywhere', '{shard}-{replica}'] : ['{shard}', '{replica}']
  const keeper = [`'/clickhouse/tables/${path}/{database}/{table}'`, `'${replica}'`, ...(version ? [version] : [])]
  const ttl = ttlOf(table, place.layout)
  const replicated = [
    `CREATE TABLE IF NOT EXISTS ${tableAt(table, place)} (${columnsOf(table)}) ENGINE = Replicated${family}(${keeper.join(', ')}) ORDER BY ${bracketed(table)}`,
    ...(partitionBy === null ? [] : [`PARTITION BY ${partitionBy}`]),
    ...(ttl === null ? [] : [`TTL ${ttl}`]),
    ...settings({
      ttl_only_drop_parts: KINDS[table.kind].days === null ? null : 1,
      replicated_deduplication_window: tokens,
      replicated_deduplication_window_seconds: tokens === null ? null : TOKENS_KEPT_SECONDS,
      storage_policy: place.layout.storagePolicy,
    }),
  ].join(' ')
  if (isEverywhere(table)) return [replicated]
  const { database } = place
  return [
    replicated,
    `CREATE TABLE IF NOT EXISTS ${database}.${table.name} ON CLUSTER '${cluster}' AS ${database}.${held(table.name)} ENGINE = Distributed('${cluster}', '${database}', '${held(table.name)}', cityHash64(organization, at))`,
  ]
}

/** When rows move and go, as the server itself writes it; null where they stay for ever. */
export function ttlOf(table: TableDescription, { cold, days: kept }: StoreLayout): string | null {
  const { age } = KINDS[table.kind]
  const days = daysOf(table, kept)
  const moves = cold !== null && !isEverywhere(table) && (days === null || cold.afterDays < days)
  const steps = [
    ...(moves ? [`${age} + toIntervalDay(${cold.afterDays}) TO VOLUME '${cold.volume}'`] : []),
    ...(days === null ? [] : [`${age} + toIntervalDay(${days})`]),
  ]
  return steps.length === 0 ? null : steps.join(', ')
}

function daysOf({ name, kind }: TableDescription, kept: StoreLayout['days']): number | null {
  if (name === 'security_events') return kept.threats
  if (name === 'recorded_requests') return kept.recordedRequests
  return kind === 'raw' || kind === 'minute' || kind === 'hour' || kind === 'day' ? kept[kind] : KINDS[kind].days
}

const bracketed = ({ orderBy }: TableDescription): string => (orderBy.includes(',') ? `(${orderBy})` : orderBy)

function settings(all: Record<string, number | string | null>): string[] {
  const said = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [`${name} = ${typeof value === 'number' ? value : `'${value}'`}`],
  )
  return said.length === 0 ? [] : [`SETTINGS ${said.join(', ')}`]
}
