import zlib from 'node:zlib'
import { type TableName, emptyEventTables, eventTables, openStore, startStore } from '@fairway/analytics'
import {
  type ArchiveEnd,
  type ArchiveEntry,
  type ArchiveHead,
  type ArchiveTable,
  BackupError,
  type Config,
  DatabaseWriter,
  type Log,
  makeSchema,
  migrationNames,
  openArchive,
  openStored,
  readLines,
  RowSum,
  serverThatWrites,
  startEmbeddedDatabase,
  StorageError,
  writeRestored,
} from '@fairway/platform'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { writeHomeFile } from './home-files.ts'
import type { Room } from './room.ts'

const INSERT_BYTES = 4 << 20

export type PutBack = { head: ArchiveHead; end: ArchiveEnd; rows: number }

/**
 * Fills an empty home and its empty engines from a backup; the settings say where the engines are.
 * @param given.file in a folder or in a bucket
 * @param check is called with the engines running and everything in them
 * @throws BackupError with the reason. The home may be half filled then; the database is not.
 */
export async function putBack(
  { file, passphrase, config, log, room }: { file: string; passphrase: string; config: Config; log: Log; room?: Room },
  check: (put: PutBack) => Promise<void> = async () => {},
): Promise<PutBack> {
  const entries = readBackup(file, passphrase, config)
  const head = await headOf(entries)
  let next = await entries.next()
  for (; !next.done && next.value.kind === 'file'; next = await entries.next()) writeHomeFile(config.home, next.value)
  await using engines = new AsyncDisposableStack()
  if (!config.databaseUrl) engines.use(await startEmbeddedDatabase({ config, log }))
  const events = head.events ? await openEvents(config, log, engines) : null
  const writer = engines.use(
    await DatabaseWriter.open(await serverThatWrites(config, { isDirect: true }), (client) =>
      makeSchema(client, head.schema),
    ),
  )
  const sums = new Map<string, RowSum>()
  let table: ArchiveTable | null = null
  let end: ArchiveEnd | null = null
  try {
    for (; !next.done; next = await entries.next()) {
      const entry: ArchiveEntry = next.value
      room?.check()
      if (entry.kind === 'table') {
        await events?.flush()
        table = entry
        sums.set(table.name, new RowSum())
      } else if (entry.kind === 'end') {
        await events?.flush()
        end = entry
      } else if (entry.kind === 'rows' && table) {
        for (const row of entry.rows) sums.get(table.name)?.add(row)
        if (table.engine === 'database') await writer.write(table, entry.rows)
        else await events?.write(table.name, entry.rows)
      } else throw new BackupError('The backup is damaged: its parts are not in order.')
    }
    if (!end) throw new BackupError('The backup is cut short: it has no end.')
    const wrong = differing(end, sums)
    if (wrong) throw new BackupError(`The backup is damaged: rows of ${wrong} are not those that were counted.`)
    await writer.finish(end.sequences)
    writeRestored(config.home, head.at)
  } catch (error) {
    await events?.empty().catch(() => {})
    throw error
  }
  const put = { head, end, rows: Object.values(end.tables).reduce((sum, { rows }) => sum + rows, 0) }
  await check(put)
  return put
}

/** The first table whose figures are not those of the end; null when all are. */
function differing({ tables }: ArchiveEnd, sums: ReadonlyMap<string, RowSum>): string | null {
  const names = new Set([...Object.keys(tables), ...sums.keys()])
  for (const name of names) {
    const [said, found] = [tables[name], sums.get(name)]
    if (said?.rows !== found?.rows || said?.digest !== found?.digest()) return name
  }
  return null
}

async function headOf(entries: AsyncGenerator<ArchiveEntry>): Promise<ArchiveHead> {
  const first = await entries.next()
  if (first.done || first.value.kind !== 'head') throw new BackupError('The backup is damaged: it has no head.')
  const known = new Set(migrationNames())
  const newer = first.value.schema.find((name) => !known.has(name))
  if (newer !== undefined)
    throw new BackupError(
      `The backup was made by a newer Fairway (${first.value.version}, ${newer}): restore it with that version.`,
    )
  return first.value
}

async function* readBackup(
  file: string,
  passphrase: string,
  config: Config,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const { storage, key } = openStored(file, config)
  await using _ = storage
  if ((await storage.head(key)) === null) throw new BackupError(`There is no ${storage.address(key)}.`)
  const unpack = zlib.createZstdDecompress()
  // Its failure is told to who reads from `unpack`.
  const running = pipeline(Readable.from(openArchive(storage.get(key), passphrase), { objectMode: false }), unpack)
  running.catch(() => {})
  try {
    yield* readLines(unpack as AsyncIterable<Buffer>)
  } catch (error) {
    if (error instanceof BackupError || error instanceof StorageError) throw error
    throw new BackupError('The backup is damaged: what is in it cannot be unpacked.', { cause: error })
  }
  await running
}

type Events = {
  write(table: string, rows: readonly Buffer[]): Promise<void>
  flush(): Promise<void>
  empty(): Promise<void>
}

/** Starts the event store of a home to fill it. @throws BackupError when rows are in it already */
export async function openEvents(config: Config, log: Log, engines: AsyncDisposableStack): Promise<Events> {
  engines.use(await startStore({ config, log }))
  const store = engines.use(openStore(config))
  const known = new Set<string>(eventTables())
  if (config.clickhouseUrl) {
    for (const name of known) {
      const [found] = await store.query<{ rows: number }>(`SELECT count() AS rows FROM ${name}`)
      if (found && found.rows > 0)
        throw new BackupError(`The event store is not empty (${name}): a backup is restored into an empty one only.`)
    }
  }
  let [waiting, bytes, into] = [[] as Buffer[], 0, '']
  const flush = async () => {
    const rows = waiting
    ;[waiting, bytes] = [[], 0]
    if (rows.length > 0) await store.insertLines(into as TableName, Buffer.from(rows.map((row) => `${row}\n`).join('')))
  }
  return {
    async write(table, rows) {
      if (!known.has(table))
        throw new BackupError(`The backup has a table of events that this version does not know: ${table}.`)
      into = table
      for (const row of rows) {
        waiting.push(row)
        bytes += row.length
        if (bytes >= INSERT_BYTES) await flush()
      }
    },
    flush,
    async empty() {
      if (config.clickhouseUrl) await emptyEventTables(store)
    },
  }
}
