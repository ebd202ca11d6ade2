import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { Problem } from '../problem.ts'
import { refuseUnprepared } from './preparation.ts'
import { PatientClient, serverThatWrites } from './server-that-writes.ts'

const FOLDER = path.join(import.meta.dirname, '../migrations')

const MIGRATION_TABLE =
  'CREATE TABLE IF NOT EXISTS schema_migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())'

/** Not two processes at a time; for a transaction, so that it holds behind a pooler too. */
const ONE_AT_A_TIME = 'BEGIN; SELECT pg_advisory_xact_lock(4711)'
/** Everybody who asks for a table waits behind the one who waits to change it: never for long. */
const LOCK_PATIENCE = '2s'
const LOCK_ATTEMPTS = 60
const LOCK_PAUSE_MS = 500
/** A table that is busy, and two that others take in another order: `lock_not_available`, `deadlock_detected`. */
const TRY_AGAIN = new Set(['55P03', '40P01'])

/** Migrations beside what these files make: `missing` are to come, `unknown` are of a newer version. */
export type SchemaState = { missing: string[]; unknown: string[] }

/**
 * Brings the database to the newest schema, forward only, one transaction a file, one process at a time. One that a
 * newer version has only widened is served as it is.
 * @throws DatabaseError when the database has to be given something first
 * @throws Problem when a newer version has taken away from it
 */
export async function migrate(config: Config, log: Log): Promise<void> {
  const client = await connect(config)
  try {
    const there = await client.query<{ readable: boolean | null }>(
      `SELECT has_table_privilege(to_regclass('public.schema_migration'), 'SELECT') AS readable`,
    )
    const isThere = there.rows[0]?.readable === true
    await refuseUnprepared(client, isThere ? await migrated(client) : new Set(), {
      isDirect: config.databaseDirectUrl !== '',
    })
    if (!isThere) await client.query(`${ONE_AT_A_TIME}; ${MIGRATION_TABLE}; COMMIT`)
    const { missing, unknown } = await stateOf(client)
    refuseNarrowed(unknown)
    if (unknown.length > 0) log.info({ event: 'database.newer', names: unknown })
    for (const name of missing) if (await apply(client, name)) log.info({ event: 'database.migrated', name })
  } finally {
    await client.end()
  }
}

/** What of the schema differs from what these files make; nothing is changed. */
export async function schemaState(config: Config): Promise<SchemaState> {
  const client = await connect(config)
  try {
    return await stateOf(client)
  } finally {
    await client.end()
  }
}

async function connect(config: Config): Promise<pg.Client> {
  const client = new PatientClient(await serverThatWrites(config, { isDirect: true }))
  // A connection that breaks is told by the next question.
  client.on('error', () => {})
  await client.connect()
  return client
}

/**
 * Whether a migration takes away what the release before uses. Its name says so (`0200-sites.narrows.sql`), so that
 * this release knows it of those that it has never seen.
 */
export const isNarrowing = (name: string): boolean => name.endsWith('.narrows.sql')

/** Files of the schema, oldest first. */
export function migrationNames(): string[] {
  return fs
    .readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()
}

/** Gives an empty database the schema that these files make, in the transaction that is open. */
export async function makeSchema(client: pg.Client, names: readonly string[]): Promise<void> {
  await refuseUnprepared(client, new Set(), { isDirect: true })
  await client.query(MIGRATION_TABLE)
  for (const name of names) {
    await client.query(fs.readFileSync(path.join(FOLDER, name), 'utf8'))
    await client.query('SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED')
  }
}

async function migrated(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migration ORDER BY name')
  return new Set(rows.map((row) => row.name))
}

async function stateOf(client: pg.Client): Promise<SchemaState> {
  const done = await migrated(client)
  const files = migrationNames()
  return {
    missing: files.filter((name) => !done.has(name)),
    unknown: [...done].filter((name) => !files.includes(name)),
  }
}

/** False when another process has done it while this one waited. */
async function apply(client: pg.Client, name: string): Promise<boolean> {
  const sql = fs.readFileSync(path.join(FOLDER, name), 'utf8')
  for (let attempt = 1; ; attempt++) {
    try {
      // The turn is waited for as long as it takes, tables are not.
      await client.query(`${ONE_AT_A_TIME}; SET LOCAL lock_timeout = '${LOCK_PATIENCE}'`)
      if ((await migrated(client)).has(name)) {
        await client.query('ROLLBACK')
        return false
      }
      await client.query(sql)
      await client.query('INSERT INTO schema_migration (name) VALUES ($1)', [name])
      await client.query('COMMIT')
      return true
    } catch (error) {
      await client.query('ROLLBACK')
      if (!(error instanceof pg.DatabaseError) || !TRY_AGAIN.has(error.code ?? '') || attempt === LOCK_ATTEMPTS)
        throw error
    }
    await delay(LOCK_PAUSE_MS)
  }
}

function refuseNarrowed(unknown: readonly string[]): void {
  const narrowing = unknown.find(isNarrowing)
  if (narrowing)
    throw new Problem(
      `The database was made by a newer Fairway, which has taken away what this one uses (${narrowing}). Start that version, or restore a backup of before into an empty home.`,
    )
}
