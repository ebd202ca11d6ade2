import type { EventStore } from './store.ts'

/**
 * Which of these tables hold rows from second `from` on, to before second `until` where it is said: one cheap question,
 * so that nothing that costs more is asked of silent ones.
 *
 * @throws StoreAway when the store does not answer
 */
export async function tablesWithRows<Table extends string>(
  store: EventStore,
  tables: readonly Table[],
  { from, until = null }: { from: number; until?: number | null },
): Promise<ReadonlySet<Table>> {
  if (tables.length === 0) return new Set()
  const range = `at >= fromUnixTimestamp({from:Int64})${until === null ? '' : ' AND at < fromUnixTimestamp({until:Int64})'}`
  const rows = await store.query<{ name: Table }>(
    tables.map((table) => `(SELECT '${table}' AS name FROM ${table} WHERE ${range} LIMIT 1)`).join(' UNION ALL '),
    until === null ? { from } : { from, until },
  )
  return new Set(rows.map(({ name }) => name))
}
