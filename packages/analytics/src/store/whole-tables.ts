import { placeOf } from './migrate.ts'
import { EVENT_TABLES } from './migrations.ts'
import { isEverywhere, tableAt } from './statements.ts'
import type { EventStore } from './store.ts'
import { KINDS, type TableDescription } from './table-descriptions.ts'
import type { TableName } from './tables.ts'

/** Every table of the event store that holds rows, for backups. */
export function eventTables(): TableName[] {
  return EVENT_TABLES.map(({ name }) => name as TableName).sort()
}

/** All rows of a table as lines of JSON; of what a newer build replaced, the newest only. */
export function eventRows(store: EventStore, table: TableName): AsyncIterable<Uint8Array> {
  return store.lines(`SELECT * FROM ${newest(described(table))}`)
}

/** The same in an order that new rows do not change: days and months that are over come out as they did before. */
export async function* orderedRows(store: EventStore, name: TableName): AsyncGenerator<Uint8Array> {
  const table = described(name)
  const isOverShards = store.layout.cluster !== null && !isEverywhere(table)
  const partitions = await store.query<{ id: string }>(
    isOverShards
      ? `SELECT DISTINCT _partition_id AS id FROM ${name} ORDER BY id`
      : `SELECT DISTINCT partition_id AS id FROM system.parts WHERE active AND database = currentDatabase() AND table = '${name}' ORDER BY id`,
  )
  for (const { id } of partitions)
    yield* store.lines(`SELECT * FROM ${newest(table)} WHERE _partition_id = '${id}' ORDER BY ${table.orderBy}`)
}

/** Takes every row away. */
export async function emptyEventTables(store: EventStore): Promise<void> {
  const place = await placeOf(store)
  for (const table of EVENT_TABLES) await store.command(`TRUNCATE TABLE ${tableAt(table, place)}`)
}

const newest = ({ name, kind }: TableDescription): string =>
  KINDS[kind].engine === 'MergeTree' ? name : `${name} FINAL`

function described(name: TableName): TableDescription {
  const table = EVENT_TABLES.find((one) => one.name === name)
  if (!table) throw new Error(`${name} is no table of the event store`)
  return table
}
