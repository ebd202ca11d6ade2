import { MIGRATIONS } from './migrations.ts'
import type { EventStore } from './store.ts'

/**
 * Brings the tables up to date and writes down what was done. Two that run at once do no harm: every statement may run
 * twice.
 */
export async function migrateStore(store: EventStore): Promise<void> {
  await store.command(
    `CREATE TABLE IF NOT EXISTS fairway_migrations (number UInt32, name String, applied_at DateTime('UTC') DEFAULT now()) ENGINE = MergeTree ORDER BY number`,
  )
  const applied = new Set(
    (await store.query<{ number: number }>('SELECT DISTINCT number FROM fairway_migrations')).map((row) => row.number),
  )
  for (const { number, name, statements } of MIGRATIONS) {
    if (applied.has(number)) continue
    for (const statement of statements) await store.command(statement)
    await store.command('INSERT INTO fairway_migrations (number, name) SELECT {number:UInt32}, {name:String}', {
      number,
      name,
    })
  }
}

/** Whether the tables are those of this code; while they are being changed, or the store is away, they are not. */
export async function isMigrated(store: EventStore): Promise<boolean> {
  const latest = Math.max(...MIGRATIONS.map(({ number }) => number))
  try {
    const [row] = await store.query<{ number: number }>('SELECT max(number) AS number FROM fairway_migrations')
    return row !== undefined && row.number >= latest
  } catch {
    return false
  }
}
