import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import zlib from 'node:zlib'
import { type EventStore, eventRows, eventTables, openStore } from '@fairway/analytics'
import { VERSION } from '@fairway/contract'
import {
  type ArchiveEntry,
  type ArchiveTable,
  BackupError,
  type Config,
  DatabaseReader,
  RowSum,
  type TableFigures,
  databaseConnection,
  isBackupName,
  removeBackup,
  sealArchive,
  splitLines,
  writeLines,
} from '@fairway/platform'
import { notedFiles, secretFiles } from './home-files.ts'

export type BackupOptions = {
  config: Config
  passphrase: string
  folder: string
  /** How many complete ones stay in the folder; null keeps all. */
  keep: number | null
  /** False leaves the event store out: measurements, requests and their sums. */
  events: boolean
}

export type WrittenBackup = { file: string; bytes: number; rows: number; removed: string[] }

const PARTIAL = /^\.fairway-.*\.backup\.partial$/

/**
 * Writes a backup of what runs. Its name appears when it is complete and on the disk.
 * @throws BackupError when it cannot be made; what was begun is gone then.
 */
export async function writeBackup({ config, passphrase, folder, keep, events }: BackupOptions): Promise<WrittenBackup> {
  const noted = notedFiles(config.home)
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  await using reader = await DatabaseReader.open(databaseConnection(config))
  await using store = openStore(config)
  if (events && !(await store.isAnswering()))
    throw new BackupError(
      'The event store does not answer. Start Fairway, or leave its rows out with --without-events.',
    )
  // Nobody else writes one of this database now, so what lies about was left by one that was killed.
  for (const name of fs.readdirSync(folder)) if (PARTIAL.test(name)) fs.rmSync(path.join(folder, name), { force: true })
  const at = new Date()
  const name = `fairway-${at.toISOString().replaceAll(':', '-')}.backup`
  const partial = path.join(folder, `.${name}.partial`)
  const figures: Record<string, TableFigures> = {}
  async function* entries(): AsyncGenerator<ArchiveEntry> {
    yield { kind: 'head', at: at.toISOString(), version: VERSION, schema: reader.schema, events }
    yield* noted
    yield* secretFiles(config.home)
    for (const table of reader.tables) yield* counted(table, reader.rows(table), figures)
    if (events)
      for (const event of eventTables())
        yield* counted({ kind: 'table', engine: 'events', name: event, columns: [] }, eventLines(store, event), figures)
    yield { kind: 'end', tables: figures, sequences: await reader.sequences(), zones: await reader.zones() }
  }
  try {
    const packed = zlib.createZstdCompress()
    await pipeline(
      Readable.from(writeLines(entries()), { objectMode: false }),
      packed,
      (bytes: AsyncIterable<Buffer>) => sealArchive(bytes, passphrase),
      fs.createWriteStream(partial, { mode: 0o600, flush: true }),
    )
    fs.renameSync(partial, path.join(folder, name))
  } catch (error) {
    fs.rmSync(partial, { force: true })
    throw error
  }
  const rows = Object.values(figures).reduce((sum, table) => sum + table.rows, 0)
  const file = path.join(folder, name)
  return { file, bytes: fs.statSync(file).size, rows, removed: keep === null ? [] : removeOld(folder, keep) }
}

/** Whole rows of a table of the event store. */
export function eventLines(store: EventStore, table: ReturnType<typeof eventTables>[number]): AsyncGenerator<Buffer[]> {
  return splitLines(eventRows(store, table))
}

/** A table with its rows, counted and summed on the way. */
async function* counted(
  table: ArchiveTable,
  rows: AsyncIterable<Buffer[]>,
  figures: Record<string, TableFigures>,
): AsyncGenerator<ArchiveEntry> {
  yield table
  const sum = new RowSum()
  for await (const some of rows) {
    for (const row of some) sum.add(row)
    yield { kind: 'rows', rows: some }
  }
  figures[table.name] = { rows: sum.rows, digest: sum.digest() }
}

/** Names are times, so that the newest come last. */
function removeOld(folder: string, keep: number): string[] {
  const all = fs
    .readdirSync(folder)
    .filter((name) => isBackupName(name))
    .sort()
  const old = all.slice(0, Math.max(0, all.length - keep))
  for (const name of old) removeBackup(path.join(folder, name))
  return old
}
