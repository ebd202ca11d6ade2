import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { databaseConnection } from './connection.ts'

const FOLDER = path.join(import.meta.dirname, '../migrations')

const MIGRATION_TABLE =
  'CREATE TABLE IF NOT EXISTS schema_migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())'

/** Brings the database to the newest schema, forward only, one transaction a file, one process at a time. */
export async function migrate(config: Config, log: Log): Promise<void> {
  const client = new pg.Client(databaseConnection(config))
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock(4711)')
    await client.query(MIGRATION_TABLE)
    const done = new Set(
      (await client.query<{ name: string }>('SELECT name FROM schema_migration')).rows.map((row) => row.name),
    )
    const files = migrationNames()
    refuseNewer(done, files)
    for (const name of files.filter((file) => !done.has(file))) {
      await client.query('BEGIN')
      await client.query(fs.readFileSync(path.join(FOLDER, name), 'utf8'))
      await client.query('INSERT INTO schema_migration (name) VALUES ($1)', [name])
      await client.query('COMMIT')
      log.info({ event: 'database.migrated', name })
    }
  } finally {
    await client.end()
  }
}

/** Files of the schema, oldest first. */
export function migrationNames(): string[] {
  return fs
    .readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()
}

/** Gives an empty database the schema that these files make, in the transaction that is open. */
export async function makeSchema(client: pg.Client, names: readonly string[]): Promise<void> {
  await client.query(MIGRATION_TABLE)
  for (const name of names) {
    await client.query(fs.readFileSync(path.join(FOLDER, name), 'utf8'))
    await client.query('SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED')
  }
}

function refuseNewer(done: Set<string>, files: string[]): void {
  const unknown = [...done].find((name) => !files.includes(name))
  if (unknown)
    throw new Error(
      `The database was made by a newer Fairway (${unknown}). Start that version, or point FAIRWAY_HOME to another folder.`,
    )
}
