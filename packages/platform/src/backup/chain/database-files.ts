import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Config } from '../../config.ts'
import { databaseFolder, embeddedConnection } from '../../database/connection.ts'
import { BackupError } from '../backup-error.ts'
import { LOCK } from '../database-rows.ts'

/** What a server makes anew at its start, or what belongs to the running one. */
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const LEFT_OUT =
  /^(?:postmaster\.(?:pid|opts)|backup_label.*|tablespace_map.*|recovery\.signal|standby\.signal|pg_internal\.init.*|pgsql_tmp.*|.*\.new)$/
const CONTROL = 'global/pg_control'
const READ_BYTES = 256 << 10
const CONTROL_ATTEMPTS = 50
const QUIET_WITHIN_MS = 5_000
const MOST_ATTEMPTS = 10_000

type Seen = { seen: string; clock: Date }
export type Moment = AsyncDisposable & {
  name: string
  /** Its place in the log. */ at: string
  clock: string
  snapshot: string
}

export type DatabaseFile = { path: string; parts(): AsyncGenerator<Buffer> }

/** A copy of the files of the embedded database while it runs: true together with the log between its two ends. */
export class DatabaseFiles implements AsyncDisposable {
  #client: pg.Client
  #folder: string
  readonly start: string

  private constructor(client: pg.Client, folder: string, start: string) {
    this.#client = client
    this.#folder = folder
    this.start = start
  }

  /** @throws BackupError when another backup is being made, or the database does not answer */
  static async begin(config: Config): Promise<DatabaseFiles> {
    const client = await connected(config)
    try {
      await lockBackups(client)
      const spaces = await client.query('SELECT FROM pg_tablespace WHERE spcname NOT LIKE $1', ['pg\\_%'])
      if (spaces.rowCount)
        throw new BackupError('The database has tablespaces of its own: its files cannot be copied from one folder.')
      const { rows } = await client.query<{ start: string }>(
        `SELECT pg_backup_start('fairway', fast => true)::text AS start`,
      )
      return new DatabaseFiles(client, databaseFolder(config), rows[0]?.start ?? '')
    } catch (error) {
      await client.end()
      throw error
    }
  }

  folders(): string[] {
    return [...this.#walk()].flatMap(({ inner, isFolder }) => (isFolder ? [inner] : []))
  }

  /** The control file last, as what it says must not be older than the others. */
  *files(): Generator<DatabaseFile> {
    for (const { inner, isFolder } of this.#walk())
      if (!isFolder && inner !== CONTROL) yield { path: inner, parts: () => read(path.join(this.#folder, inner)) }
    yield { path: CONTROL, parts: () => readTwice(path.join(this.#folder, CONTROL)) }
  }

  /**
   * A moment at which no change was half made, with its name in the log: whoever reads by the snapshot sees exactly what
   * a database has that was brought to that name. Lasts until it is let go.
   */
  async moment(config: Config, name: string): Promise<Moment> {
    const other = await connected(config)
    const giveUpAt = performance.now() + QUIET_WITHIN_MS
    try {
      for (let attempt = 1; ; attempt++) {
        const isPatient = performance.now() < giveUpAt
        // Never quiet by itself: changes wait for a moment.
        if (!isPatient) await this.#holdChanges()
        const called = `${name}-${attempt}`
        await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        const seen = await other.query<Seen & { at: string }>(
          `SELECT pg_current_snapshot()::text AS seen, clock_timestamp() AS clock, pg_create_restore_point($1)::text AS at`,
          [called],
        )
        const after = await this.#client.query<Seen>('SELECT pg_current_snapshot()::text AS seen')
        const [before] = seen.rows
        if (before && before.seen === after.rows[0]?.seen && before.seen.endsWith(':')) {
          const exported = await other.query<{ snapshot: string }>('SELECT pg_export_snapshot() AS snapshot')
          if (!isPatient) await this.#client.query('COMMIT')
          return {
            name: called,
            at: before.at,
            clock: before.clock.toISOString(),
            snapshot: exported.rows[0]?.snapshot ?? '',
            [Symbol.asyncDispose]: () => other.end(),
          }
        }
        await other.query('ROLLBACK')
        if (!isPatient) await this.#client.query('ROLLBACK')
        if (attempt >= MOST_ATTEMPTS) throw new BackupError('The database is never without a half made change.')
        await delay(1)
      }
    } catch (error) {
      await other.end()
      throw error
    }
  }

  async #holdChanges(): Promise<void> {
    const { rows } = await this.#client.query<{ names: string }>(
      `SELECT string_agg(format('public.%I', tablename), ', ') AS names FROM pg_tables WHERE schemaname = 'public'`,
    )
    await this.#client.query(`BEGIN; SET LOCAL lock_timeout = '2s'; LOCK TABLE ${rows[0]?.names} IN SHARE MODE`)
  }

  /** Ends it. What it answers belongs to the copy. */
  async stop(): Promise<{ label: string; stop: string }> {
    const { rows } = await this.#client.query<{ label: string; stop: string }>(
      'SELECT labelfile AS label, lsn::text AS stop FROM pg_backup_stop(wait_for_archive => false)',
    )
    if (!rows[0]) throw new BackupError('The database did not say where its backup ends.')
    return rows[0]
  }

  *#walk(under = ''): Generator<{ inner: string; isFolder: boolean }> {
    for (const entry of fs.readdirSync(path.join(this.#folder, under), { withFileTypes: true })) {
      if (LEFT_OUT.test(entry.name)) continue
      const inner = under === '' ? entry.name : `${under}/${entry.name}`
      if (entry.isDirectory()) {
        yield { inner, isFolder: true }
        if (!EMPTIED.has(inner)) yield* this.#walk(inner)
      } else if (entry.isFile()) yield { inner, isFolder: false }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end()
  }
}

/**
 * Keeps others from making a backup of the embedded database meanwhile. Where it does not run nobody makes one.
 * @throws BackupError when one is being made, or it runs and does not answer
 */
export async function withoutBackups(config: Config): Promise<AsyncDisposable> {
  const client = await connected(config).catch((error: unknown) => {
    const cause = error instanceof BackupError ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
    if (cause?.code === 'ECONNREFUSED' || cause?.code === 'ENOENT') return null
    throw error
  })
  if (client === null) return { async [Symbol.asyncDispose]() {} }
  try {
    await lockBackups(client)
  } catch (error) {
    await client.end()
    throw error
  }
  return { [Symbol.asyncDispose]: () => client.end() }
}

/** Held until the connection ends. @throws BackupError when a backup is being made */
async function lockBackups(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [LOCK])
  if (!rows[0]?.free) throw new BackupError('Another backup of this database is being made at this moment.')
}

export async function connected(config: Config): Promise<pg.Client> {
  const client = new pg.Client({ ...embeddedConnection(config), connectionTimeoutMillis: 5000, keepAlive: true })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new BackupError(
      `The database does not answer (${error instanceof Error ? error.message : String(error)}). A backup is made while Fairway runs: start it first.`,
      { cause: error },
    )
  }
  return client
}

/** What goes while it is read is empty: the log says what became of it. */
async function* read(file: string): AsyncGenerator<Buffer> {
  let handle: fs.promises.FileHandle
  try {
    handle = await fs.promises.open(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  try {
    for (;;) {
      const buffer = Buffer.allocUnsafe(READ_BYTES)
      let length = 0
      while (length < READ_BYTES) {
        const { bytesRead } = await handle.read(buffer, length, READ_BYTES - length)
        if (bytesRead === 0) break
        length += bytesRead
      }
      if (length > 0) yield buffer.subarray(0, length)
      if (length < READ_BYTES) return
    }
  } finally {
    await handle.close()
  }
}

/** It is written in place: read until it was the same twice. */
async function* readTwice(file: string): AsyncGenerator<Buffer> {
  let before = fs.readFileSync(file)
  for (let attempt = 0; attempt < CONTROL_ATTEMPTS; attempt++) {
    await delay(2)
    const now = fs.readFileSync(file)
    if (now.equals(before)) return yield now
    before = now
  }
  throw new BackupError('The control file of the database changes too fast to be read.')
}
