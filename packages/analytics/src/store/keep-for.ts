import { placeOf } from './migrate.ts'
import { EVENT_TABLES } from './migrations.ts'
import { heldName, tableAt, ttlOf } from './statements.ts'
import type { EventStore } from './store.ts'

/**
 * Sets how long rows are kept, and when they move to slower disks, as the settings say: also for those written before.
 * Tables that are so already are not touched.
 */
export async function keepFor(store: EventStore): Promise<void> {
  const place = await placeOf(store)
  const { storagePolicy } = store.layout
  const rows = await store.query<{ name: string; said: string; policy: string }>(
    'SELECT name, create_table_query AS said, storage_policy AS policy FROM system.tables WHERE database = currentDatabase()',
  )
  const found = new Map(rows.map((row) => [row.name, row]))
  for (const table of EVENT_TABLES) {
    const now = found.get(heldName(table, store.layout))
    if (!now) continue
    const alter = `ALTER TABLE ${tableAt(table, place)}`
    if (storagePolicy !== null && now.policy !== storagePolicy)
      await store.command(`${alter} MODIFY SETTING storage_policy = '${storagePolicy}'`)
    const ttl = ttlOf(table, store.layout)
    const before = / TTL (.+?)(?: SETTINGS |$)/s.exec(now.said)?.[1] ?? null
    if (ttl !== before) await store.command(ttl === null ? `${alter} REMOVE TTL` : `${alter} MODIFY TTL ${ttl}`)
  }
}
