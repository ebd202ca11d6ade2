import { type EventStore, eventTables, openStore } from '@fairway/analytics'
import { VERSION } from '@fairway/contract'
import {
  type Base,
  BackupError,
  type Chain,
  type Config,
  DatabaseFiles,
  DatabaseLog,
  DatabaseReader,
  type Listing,
  RowSum,
  type TableFigures,
  backupFolderOf,
  baseKey,
  followsLog,
  forgetLog,
  readLsn,
  segmentStart,
  serverThatWrites,
  stretchesOf,
  written,
} from '@fairway/platform'
import { notedFiles, secretsWithPassword } from '../home-files.ts'
import { NoRoom, type Room, firstBytes, roomIn } from '../room.ts'
import { carryLog } from './carry-log.ts'
import { type ChainContent, contentOf, noteContent } from './chain-content.ts'
import { eventParts } from './event-parts.ts'
import { ownChain } from './own-chain.ts'
import { doubtedIn, pruneChain } from './prune-chain.ts'

export type WrittenBase = { file: string; rows: number; addedBytes: number; wholeBytes: number; removed: string[] }

const PARTS_AT_A_TIME = 4
const LISTING_BYTES = 1 << 20

/**
 * Adds a backup to the chain of this home: what is not in the chain yet, of the files of the embedded database while it
 * runs, its log until they are true, and of the rows of the event store.
 * @throws BackupError when it cannot be made. Parts of it may be in the chain then; the next one goes on from them.
 */
export async function writeBase(given: {
  config: Config
  passphrase: string
  keep: number | null
  events: boolean
}): Promise<WrittenBase> {
  const { config } = given
  if (config.databaseUrl !== '')
    throw new BackupError(
      'An outside PostgreSQL is backed up by its own means, to any second too; ./fairway backup without --incremental writes its rows to a file.',
    )
  await using log = await DatabaseLog.open(config)
  await using chain = await ownChain(config, given.passphrase, log)
  await log.keep()
  await using kept = new AsyncDisposableStack()
  // By hand, where nobody carries the log on: nobody would let go of it either.
  if (!followsLog(config)) kept.defer(() => forgetLog(config))
  await using files = await DatabaseFiles.begin(config)
  await using store = openStore(config)
  if (given.events && !(await store.isAnswering()))
    throw new BackupError(
      'The event store does not answer. Start Fairway, or leave its rows out with --without-events.',
    )
  try {
    return await addBase(given, { chain, log, files, store })
  } catch (error) {
    // What a try that found no room has left would take the room of the next one.
    if (error instanceof NoRoom)
      await pruneChain(chain, Number.POSITIVE_INFINITY, doubtedIn(config, chain)).catch(() => {})
    throw error
  }
}

type Sources = { chain: Chain; log: DatabaseLog; files: DatabaseFiles; store: EventStore }

async function addBase(
  given: { config: Config; keep: number | null; events: boolean },
  { chain, log, files, store }: Sources,
): Promise<WrittenBase> {
  const { config } = given
  const content = await contentOf(chain)
  const isDoubted = doubtedIn(config, chain) !== null
  const bytes = content.bases.at(-1)?.base.addedBytes ?? firstBytes(config.home)
  const room = roomIn(config, backupFolderOf(config), 'The backup', bytes)
  const parts = new PartWriter(chain, content.parts, { room, isDoubted })
  const home = notedFiles(config.home)
  const listing: Listing = { label: '', folders: [], files: [], home, events: {}, tables: {}, zones: {} }
  for (const { path, parts: read } of files.files()) listing.files.push({ path, parts: await parts.put(read()) })
  listing.folders = files.folders()
  const { label, stop } = await files.stop()
  listing.label = label
  const moment = await files.moment(config, `fairway-${Date.now().toString(36)}`)
  let schema: string[]
  {
    await using _ = moment
    await using reader = await DatabaseReader.open(await serverThatWrites(config, { isDirect: true }), moment)
    schema = reader.schema
    home.push(...secretsWithPassword(config.home))
    for (const table of reader.tables) {
      const sum = new RowSum()
      for await (const rows of reader.rows(table)) for (const row of rows) sum.add(row)
      listing.tables[table.name] = { rows: sum.rows, digest: sum.digest() }
    }
    listing.zones = await reader.zones()
  }
  if (given.events) await putEvents(store, parts, listing)
  const timeline = await carryMissing(chain, log, isDoubted ? [] : content.wal, readLsn(files.start))
  const base: Base = {
    at: moment.clock,
    version: VERSION,
    schema,
    timeline,
    start: files.start,
    stop,
    point: { name: moment.name, at: moment.at },
    events: given.events,
    rows: rowsOf(listing.tables),
    listing: await parts.put(inPieces(written(listing))),
    addedBytes: parts.addedBytes,
    wholeBytes: parts.wholeBytes,
  }
  const key = baseKey(base.at)
  // From here on it is one.
  await chain.put(key, written(base))
  const removed = given.keep === null ? [] : await pruneChain(chain, given.keep, doubtedIn(config, chain))
  await noteContent(config, backupFolderOf(config), chain)
  return { file: chain.storage.address(key), ...base, removed }
}

/** What is in the log up to now, and in the chain not yet; whoever carries it all the time has most of it there. */
async function carryMissing(chain: Chain, log: DatabaseLog, wal: ChainContent['wal'], start: bigint): Promise<number> {
  await log.flush()
  const place = await log.place()
  const from = segmentStart(start, log.segmentBytes)
  const there = stretchesOf(wal).find((one) => one.timeline === place.timeline && one.from <= from && one.to > from)
  const carried = await carryLog(chain, log, there?.to ?? from, place, 0)
  if (carried.isTorn)
    throw new BackupError('The database has thrown away some of its log before it was saved: take another backup.')
  return place.timeline
}

async function putEvents(store: EventStore, parts: PartWriter, { events, tables }: Listing): Promise<void> {
  const figures: Record<string, TableFigures> = {}
  for (const table of eventTables()) events[table] = await parts.put(eventParts(store, table, figures))
  Object.assign(tables, figures)
}

const rowsOf = (tables: Record<string, TableFigures>): number =>
  Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)

function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += LISTING_BYTES) yield bytes.subarray(at, at + LISTING_BYTES)
}

/** Puts what a chain does not have yet, a few at a time; in doubt also what it has, but not as it was written. */
class PartWriter {
  #chain: Chain
  #known: Map<string, number>
  #seen = new Set<string>()
  #room: Room
  #isDoubted: boolean
  addedBytes = 0
  wholeBytes = 0

  constructor(
    chain: Chain,
    known: ReadonlyMap<string, number>,
    { room, isDoubted }: { room: Room; isDoubted: boolean },
  ) {
    this.#chain = chain
    this.#known = new Map(known)
    this.#room = room
    this.#isDoubted = isDoubted
  }

  /** @returns the names of all, in their order */
  async put(parts: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<string[]> {
    const names: string[] = []
    const running = new Set<Promise<void>>()
    const failed: unknown[] = []
    for await (const part of parts) {
      const name = this.#chain.nameOf(part)
      names.push(name)
      this.wholeBytes += part.length
      if (this.#seen.has(name) || (this.#known.has(name) && !this.#isDoubted)) continue
      this.#seen.add(name)
      const put = this.#putOne(name, part)
        .catch((error: unknown) => void failed.push(error))
        .finally(() => running.delete(put))
      running.add(put)
      if (running.size >= PARTS_AT_A_TIME) await Promise.race(running)
      if (failed.length > 0) break
    }
    await Promise.all(running)
    if (failed.length > 0) throw failed[0]
    return names
  }

  async #putOne(name: string, part: Buffer): Promise<void> {
    if (this.#known.has(name) && (await this.#isAsWritten(name))) return
    this.#room.check()
    this.addedBytes += await this.#chain.put(name, part)
  }

  /** Its name is of its content, and it opens under no other one. */
  async #isAsWritten(name: string): Promise<boolean> {
    return this.#chain.get(name).then(
      () => true,
      () => false,
    )
  }
}
