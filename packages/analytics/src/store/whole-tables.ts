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

function isReplacing(table: TableName): boolean {
  return MIGRATIONS.some(({ statements }) =>
    statements.some(
      (text) => text.startsWith(`CREATE TABLE IF NOT EXISTS ${table} (`) && text.includes('ReplacingMergeTree'),
    ),
  )
}
