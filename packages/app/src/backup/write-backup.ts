import path from 'node:path'
import { Readable } from 'node:stream'
import zlib from 'node:zlib'
import { type EventStore, eventRows, eventTables, openStore } from '@fairway/analytics'
import { VERSION } from '@fairway/contract'
import {
  type ArchiveEntry,
  type ArchiveTable,
  BackupError,
  type Config,
  DatabaseReader,
  isS3Place,
  keptBackups,
  noteKept,
  openStorage,
  proofOf,
  RowSum,
  sealArchive,
  serverThatWrites,
  splitLines,
  type Storage,
  type TableFigures,
  writeLines,
} from '@fairway/platform'
import { notedFiles, secretFiles } from './home-files.ts'

export type BackupOptions = {
  config: Config
  passphrase: string
  /** A folder, or `s3://bucket/prefix`. */
  place: string
  /** How many complete ones stay there; null keeps all. */
  keep: number | null
  /** False leaves the event store out: measurements, requests and their sums. */
  events: boolean
}

export type WrittenBackup = { file: string; bytes: number; rows: number; removed: string[] }

/**
 * Writes a backup of what runs. Its name appears when it is complete and on the disk.
 * @throws BackupError when it cannot be made; what was begun is gone then.
 */
export async function writeBackup({ config, passphrase, place, keep, events }: BackupOptions): Promise<WrittenBackup> {
  const noted = notedFiles(config.home)
  await using storage = openStorage(place, config)
  await using reader = await DatabaseReader.open(await serverThatWrites(config, { isDirect: true }))
  await using store = openStore(config)
  if (events && !(await store.isAnswering()))
    throw new BackupError(
      'The event store does not answer. Start Fairway, or leave its rows out with --without-events.',
    )
  // Nobody else writes one of this database now, so what lies about was left by one that was killed.
  await storage.sweep('fairway-')
  const at = new Date()
  const name = `fairway-${at.toISOString().replaceAll(':', '-')}.backup`
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
  const stored = await storage.put(name, sealArchive(packed(writeLines(entries())), passphrase))
  const rows = Object.values(figures).reduce((sum, table) => sum + table.rows, 0)
  const removed = keep === null ? [] : await removeOld(storage, keep)
  if (isS3Place(place) && place === config.backupFolder) noteKept(config, await keptBackups(storage))
  return { file: storage.address(name), bytes: stored.bytes, rows, removed }
}

/** Packs bytes on their way; what fails before is told to who reads. */
async function* packed(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const compress = zlib.createZstdCompress()
  const source = Readable.from(bytes, { objectMode: false })
  source.on('error', (error) => compress.destroy(error))
  try {
    yield* source.pipe(compress) as AsyncIterable<Buffer>
  } finally {
    source.destroy()
    compress.destroy()
  }
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
async function removeOld(storage: Storage, keep: number): Promise<string[]> {
  const all = (await keptBackups(storage)).map(({ file }) => path.posix.basename(file)).sort()
  const old = all.slice(0, Math.max(0, all.length - keep))
  for (const key of old) for (const one of [key, proofOf(key)]) await storage.delete(one)
  return old
}
