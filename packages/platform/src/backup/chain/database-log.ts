import fs from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import type { Config } from '../../config.ts'
import { databaseFolder } from '../../database/connection.ts'
import { BackupError } from '../backup-error.ts'
import { connected } from './database-files.ts'
import { readLsn, readSegmentHead, segmentName, segmentStart, writeLsn } from './wal-parts.ts'

/** By it the database keeps what was not carried away yet, up to `max_slot_wal_keep_size`. */
const SLOT = 'fairway_backup'
const HEAD_BYTES = 40

export type LogPlace = { until: string; to: bigint; timeline: number }

/** Who makes the chain of a home, or finds it. */
const CHAIN_LOCK = 4731

/** The log of the embedded database, read from its files as far as it is on the disk. */
export class DatabaseLog implements AsyncDisposable {
  #client: pg.Client
  #folder: string
  readonly systemIdentifier: string
  readonly postgres: string
  readonly segmentBytes: number

  private constructor(
    client: pg.Client,
    folder: string,
    facts: { systemIdentifier: string; postgres: string; segmentBytes: number },
  ) {
    this.#client = client
    this.#folder = folder
    this.systemIdentifier = facts.systemIdentifier
    this.postgres = facts.postgres
    this.segmentBytes = facts.segmentBytes
  }

  static async open(config: Config): Promise<DatabaseLog> {
    const client = await connected(config)
    try {
      const { rows } = await client.query<{ system: string; major: string; segment: number; level: string }>(
        `SELECT system_identifier::text AS system, (current_setting('server_version_num')::int / 10000)::text AS major,
                current_setting('wal_level') AS level,
                (SELECT setting::int FROM pg_settings WHERE name = 'wal_segment_size') AS segment FROM pg_control_system()`,
      )
      const [found] = rows
      if (!found) throw new BackupError('The database does not say which one it is.')
      if (found.level === 'minimal')
        throw new BackupError(
          'The database was started by an earlier version, and its log is not enough for a backup: restart Fairway.',
        )
      return new DatabaseLog(client, path.join(databaseFolder(config), 'pg_wal'), {
        systemIdentifier: found.system,
        postgres: found.major,
        segmentBytes: found.segment,
      })
    } catch (error) {
      await client.end()
      throw error
    }
  }

  /** What a backup and whoever follows the log must not do at the same time. */
  async alone<T>(run: () => Promise<T>): Promise<T> {
    await this.#client.query('SELECT pg_advisory_lock($1)', [CHAIN_LOCK])
    try {
      return await run()
    } finally {
      // The end of the connection would set it free as well.
      await this.#client.query('SELECT pg_advisory_unlock($1)', [CHAIN_LOCK]).catch(() => {})
    }
  }

  /**
   * Has the database keep its log from here on.
   * @returns from where on it is kept, and whether some that should have been kept has gone
   */
  async keep(): Promise<{ from: bigint; hasLost: boolean }> {
    const { rows } = await this.#client.query<{ status: string; from: string | null }>(
      'SELECT wal_status AS status, restart_lsn::text AS from FROM pg_replication_slots WHERE slot_name = $1',
      [SLOT],
    )
    const [found] = rows
    if (found?.from && found.status !== 'lost') return { from: readLsn(found.from), hasLost: false }
    if (found) await this.#client.query('SELECT pg_drop_replication_slot($1)', [SLOT])
    await this.#client.query('SELECT pg_create_physical_replication_slot($1, true)', [SLOT])
    const made = await this.#client.query<{ from: string }>(
      'SELECT restart_lsn::text AS from FROM pg_replication_slots WHERE slot_name = $1',
      [SLOT],
    )
    const from = made.rows[0]?.from
    if (!from) throw new BackupError('The database does not keep its log.')
    return { from: readLsn(from), hasLost: found !== undefined }
  }

  /** From where on the log is kept; null while it is not. */
  async keptFrom(): Promise<bigint | null> {
    const { rows } = await this.#client.query<{ from: string | null }>(
      `SELECT restart_lsn::text AS from FROM pg_replication_slots WHERE slot_name = $1 AND wal_status <> 'lost'`,
      [SLOT],
    )
    return rows[0]?.from ? readLsn(rows[0].from) : null
  }

  /** What lies before may go. */
  async release(before: bigint): Promise<void> {
    await this.#client.query(
      `SELECT pg_replication_slot_advance(slot_name, $2::pg_lsn) FROM pg_replication_slots WHERE slot_name = $1 AND restart_lsn < $2::pg_lsn`,
      [SLOT, writeLsn(before)],
    )
  }

  /** Brings all that is in it to the disk: a mark alone is not waited for by anybody. */
  async flush(): Promise<void> {
    await this.#client.query(`SELECT pg_logical_emit_message(false, 'fairway', 'backup', true)`)
  }

  /** How far it is on the disk: whatever was acknowledged before `until` is there. */
  async place(): Promise<LogPlace> {
    const clock = await this.#client.query<{ at: Date }>('SELECT clock_timestamp() AS at')
    const { rows } = await this.#client.query<{ to: string; timeline: number }>(
      'SELECT pg_current_wal_flush_lsn()::text AS to, timeline_id AS timeline FROM pg_control_checkpoint()',
    )
    const [found] = rows
    if (!found) throw new BackupError('The database does not say how far its log goes.')
    return {
      until: clock.rows[0]?.at.toISOString() ?? '',
      to: readLsn(found.to),
      timeline: found.timeline,
    }
  }

  /**
   * Bytes of one segment; null when its file has gone.
   * @throws BackupError when the file is none of this database
   */
  async read(timeline: number, from: bigint, to: bigint): Promise<Buffer | null> {
    const start = segmentStart(from, this.segmentBytes)
    const file = path.join(this.#folder, segmentName(timeline, from, this.segmentBytes))
    let handle: fs.promises.FileHandle
    try {
      handle = await fs.promises.open(file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
    try {
      const [head, bytes] = [Buffer.alloc(HEAD_BYTES), Buffer.alloc(Number(to - from))]
      await handle.read(head, 0, head.length, 0)
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, Number(from - start))
      const found = readSegmentHead(head)
      if (bytesRead < bytes.length || found?.at !== start || found.systemIdentifier !== this.systemIdentifier)
        throw new BackupError(`${file} is not the part of the log that its name says.`)
      return bytes
    } finally {
      await handle.close()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end()
  }
}

/** Lets the database throw its log away as it likes: nobody carries it off any more. */
export async function forgetLog(config: Config): Promise<void> {
  const client = await connected(config)
  try {
    await client.query(
      'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1 AND NOT active',
      [SLOT],
    )
  } finally {
    await client.end()
  }
}
