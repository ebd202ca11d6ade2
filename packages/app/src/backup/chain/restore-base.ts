import fs from 'node:fs'
import path from 'node:path'
import {
  BackupError,
  type Base,
  type Chain,
  type Config,
  type Listing,
  type Log,
  type RecoveryTarget,
  RowSum,
  type Stretch,
  databaseFolder,
  migrationNames,
  readHomeFiles,
  readLsn,
  readSegmentHead,
  recoverDatabase,
  segmentName,
  segmentStart,
  splitLines,
  writeRestored,
} from '@fairway/platform'
import { writeHomeFile } from '../home-files.ts'
import { openEvents } from '../put-back.ts'
import type { Room } from '../room.ts'
import { type ChainContent, type KeptBase, contentOf, listingOf, logPart, stretchOf } from './chain-content.ts'

/** Major version of the embedded PostgreSQL, which reads files of its own only. */
const POSTGRES = '18'

/**
 * Fills an empty home from a chain: the database at the moment that is asked for, and the event store as the chain knew
 * it last, as what was measured stays true whatever a person has changed meanwhile.
 * @throws BackupError with the reason
 */
export async function fillHome(given: {
  chain: Chain
  content: ChainContent
  kept: KeptBase
  target: RecoveryTarget
  config: Config
  log: Log
  room?: Room
}): Promise<Listing> {
  const { chain, content, kept, config, room } = given
  const { base } = kept
  if (config.databaseUrl !== '')
    throw new BackupError('A chain of backups holds files of an embedded database: unset FAIRWAY_DATABASE_URL.')
  if (chain.facts.postgres !== POSTGRES)
    throw new BackupError(
      `The chain was made by PostgreSQL ${chain.facts.postgres}, and this Fairway has ${POSTGRES}: restore it with the version that made it (${base.version}).`,
    )
  const known = new Set(migrationNames())
  const newer = base.schema.find((name) => !known.has(name))
  if (newer !== undefined)
    throw new BackupError(
      `The backup was made by a newer Fairway (${base.version}, ${newer}): restore it with that version.`,
    )
  const stretch = stretchOf(chain, kept, content.stretches)
  if (!stretch) throw new BackupError(gapIn(chain, kept, content))
  const listing = await listingOf(chain, base)
  for (const file of listing.home) writeHomeFile(config.home, file)
  await writeSecrets(chain, config)
  await writeFiles(chain, listing, config, room)
  await writeLog(chain, base, stretch, config, room)
  await recoverDatabase(config, given.target)
  writeRestored(config.home, momentOf(given.target, base))
  await writeEvents(chain, newestWithEvents(content) ?? kept, given)
  return listing
}

/** The newest that the log has is of no moment that is known beforehand. */
function momentOf(target: RecoveryTarget, base: Base): string | null {
  if (target === 'end') return null
  return new Date('time' in target ? target.time : base.at).toISOString()
}

/** A key is made when something is first sealed with it, perhaps after the backup that is restored. */
async function writeSecrets(chain: Chain, config: Config): Promise<void> {
  if ((await chain.storage.head('home')) === null) return
  for (const file of readHomeFiles(await chain.get('home')))
    if (file.path.startsWith('secrets/')) writeHomeFile(config.home, file)
}

async function writeFiles(chain: Chain, listing: Listing, config: Config, room: Room | undefined): Promise<void> {
  const folder = databaseFolder(config)
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const inner of [...listing.folders, 'pg_wal/archive_status', 'pg_wal/summaries'])
    fs.mkdirSync(path.join(folder, inner), { recursive: true, mode: 0o700 })
  for (const { path: inner, parts } of listing.files) {
    const handle = await fs.promises.open(path.join(folder, inner), 'wx', 0o600)
    try {
      for (const name of parts) {
        room?.check()
        await handle.write(await chain.get(name))
      }
    } finally {
      await handle.close()
    }
  }
  fs.writeFileSync(path.join(folder, 'backup_label'), listing.label, { mode: 0o600 })
}

async function writeLog(
  chain: Chain,
  base: Base,
  stretch: Stretch,
  config: Config,
  room: Room | undefined,
): Promise<void> {
  const { segmentBytes, systemIdentifier } = chain.facts
  const from = segmentStart(readLsn(base.start), segmentBytes)
  for (const part of stretch.parts.filter(({ to }) => to > from)) {
    room?.check()
    const { bytes } = await logPart(chain, part)
    const start = segmentStart(part.from, segmentBytes)
    const head = part.from === start ? readSegmentHead(bytes) : null
    if (
      BigInt(bytes.length) !== part.to - part.from ||
      (head && (head.at !== start || head.systemIdentifier !== systemIdentifier))
    )
      throw new BackupError(`${chain.storage.address(part.key)} is not the part of the log that its name says.`)
    const file = path.join(databaseFolder(config), 'pg_wal', segmentName(base.timeline, part.from, segmentBytes))
    const handle = await fs.promises.open(file, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600)
    try {
      await handle.truncate(segmentBytes)
      await handle.write(bytes, 0, bytes.length, Number(part.from - start))
    } finally {
      await handle.close()
    }
  }
}

/** Says what of the log that a base needs is missing. */
function gapIn(chain: Chain, { key, base }: KeptBase, { stretches }: ChainContent): string {
  const from = segmentStart(readLsn(base.start), chain.facts.segmentBytes)
  const begun = stretches.find((one) => one.timeline === base.timeline && one.from <= from && one.to > from)
  const missing = segmentName(base.timeline, begun?.to ?? from, chain.facts.segmentBytes)
  return `The log that ${chain.storage.address(key)} needs (up to ${base.point.at}) has a gap: ${chain.storage.address(`wal-${missing}`)} is missing, whole or in part.`
}

const newestWithEvents = ({ bases }: ChainContent): KeptBase | undefined => bases.findLast(({ base }) => base.events)

async function writeEvents(
  chain: Chain,
  kept: KeptBase,
  { config, log, room }: { config: Config; log: Log; room?: Room },
): Promise<void> {
  if (!kept.base.events) return
  const listing = await listingOf(chain, kept.base)
  await using engines = new AsyncDisposableStack()
  const events = await openEvents(config, log, engines)
  for (const [table, parts] of Object.entries(listing.events)) {
    const sum = new RowSum()
    for (const name of parts)
      for await (const rows of splitLines([await chain.get(name)])) {
        const whole = rows.filter((row) => row.length > 0)
        for (const row of whole) sum.add(row)
        room?.check()
        await events.write(table, whole)
      }
    await events.flush()
    const said = listing.tables[table]
    if (said?.rows !== sum.rows || said.digest !== sum.digest())
      throw new BackupError(`The backup is damaged: rows of ${table} are not those that were counted.`)
  }
}

/** A backup of a chain by its name, or its newest. */
export async function findBase(chain: Chain, key: string | null): Promise<{ content: ChainContent; kept: KeptBase }> {
  const content = await contentOf(chain)
  const kept = key === null ? content.bases.at(-1) : content.bases.find((one) => one.key === key)
  if (!kept)
    throw new BackupError(
      key === null ? `No backup is in ${chain.storage.address()} yet.` : `There is no ${chain.storage.address(key)}.`,
    )
  return { content, kept }
}
