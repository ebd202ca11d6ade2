import { MIGRATIONS } from './migrations.ts'
import type { EventStore } from './store.ts'
import type { TableName } from './tables.ts'

/** Every table of the event store that holds rows, for backups. */
export function eventTables(): TableName[] {
  const names = MIGRATIONS.flatMap(({ statements }) =>
    statements.flatMap((text) => /^CREATE TABLE IF NOT EXISTS (\w+)/.exec(text)?.[1] ?? []),
  )
  return [...new Set(names)].sort() as TableName[]
}

/** All rows of a table as lines of JSON; of what a newer build replaced, the newest only. */
export function eventRows(store: EventStore, table: TableName): AsyncIterable<Uint8Array> {
  return store.lines(`SELECT * FROM ${table}${isReplacing(table) ? ' FINAL' : ''}`)
}

/** The same in an order that new rows do not change: days and months that are over come out as they did before. */
export async function* orderedRows(store: EventStore, table: TableName): AsyncGenerator<Uint8Array> {
  const [found] = await store.query<{ sorting: string }>(
    `SELECT sorting_key AS sorting FROM system.tables WHERE database = currentDatabase() AND name = '${table}'`,
  )
  const partitions = await store.query<{ id: string }>(
    `SELECT DISTINCT partition_id AS id FROM system.parts WHERE active AND database = currentDatabase() AND table = '${table}' ORDER BY id`,
  )
  for (const { id } of partitions)
    yield* store.lines(
      `SELECT * FROM ${table}${isReplacing(table) ? ' FINAL' : ''} WHERE _partition_id = '${id}'${found?.sorting ? ` ORDER BY ${found.sorting}` : ''}`,
    )
}

function isReplacing(table: TableName): boolean {
  return MIGRATIONS.some(({ statements }) =>
    statements.some(
      (text) => text.startsWith(`CREATE TABLE IF NOT EXISTS ${table} (`) && text.includes('ReplacingMergeTree'),
    ),
  )
}
