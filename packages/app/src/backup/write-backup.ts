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
  failedProof,
  isAhead,
  isS3Place,
  type KeptBackup,
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
import { type Room, firstBytes, roomIn } from './room.ts'

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
  const room = roomIn(config, place, 'The backup', (await lastBytes(storage)) ?? firstBytes(config.home))
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
  const stored = await storage.put(name, sealArchive(checked(packed(writeLines(entries())), room), passphrase))
  const rows = Object.values(figures).reduce((sum, table) => sum + table.rows, 0)
  const removed = keep === null ? [] : await pruneWhole(config, storage, keep)
  if (isS3Place(place) && place === config.backupFolder) noteKept(config, await keptBackups(storage))
  return { file: storage.address(name), bytes: stored.bytes, rows, removed }
}

async function lastBytes(storage: Storage): Promise<number | null> {
  const [newest] = await keptBackups(storage)
  return newest ? ((await storage.head(path.posix.basename(newest.file)))?.bytes ?? null) : null
}

async function* checked(bytes: AsyncIterable<Buffer>, room: Room): AsyncGenerator<Buffer> {
  for await (const some of bytes) {
    room.check()
    yield some
  }
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

/**
 * Leaves so many of the newest backups of a place, and the newest that was proven. Names are times; what was written
 * under a clock that was ahead goes first, not what came after it.
 * @returns the names of those that have gone
 */
export async function pruneWhole(config: Config, storage: Storage, keep: number): Promise<string[]> {
  const [now, doubted] = [Date.now(), failedProof(config)?.file]
  const ahead = ({ file, writtenAt }: KeptBackup) => (isAhead(Math.max(writtenAt, momentOfName(file)), now) ? 1 : 0)
  const all = (await keptBackups(storage)).sort((a, b) => ahead(a) - ahead(b) || (a.file < b.file ? 1 : -1))
  const proven = all.find(({ file, provenAt }) => provenAt !== null && file !== doubted)
  const old = all.filter((one, index) => index >= keep && one !== proven).map(({ file }) => path.posix.basename(file))
  for (const key of old) for (const one of [key, proofOf(key)]) await storage.delete(one)
  return old
}

const momentOfName = (file: string): number => {
  const [, moment = ''] = /^fairway-(\S+)\.backup$/.exec(path.posix.basename(file)) ?? []
  return Date.parse(moment.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:')) || 0
}
