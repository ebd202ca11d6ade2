import fs from 'node:fs'
import path from 'node:path'
import {
  BackupError,
  Chain,
  type Config,
  type DatabaseLog,
  NotStored,
  backupFolderOf,
  databaseFolder,
} from '@fairway/platform'

/** Where the chain of this home is remembered; no backup holds it, so that a restored home begins one of its own. */
const fileOf = (home: string): string => path.join(home, 'chain-of-backups')

type Own = { id: string; place: string; system: string; folder: string }

/**
 * The chain that this home goes on with, a new one where there is none: at first, in another place, by another
 * passphrase, and in a copy of a home, which must not write between the lines of its original.
 */
export function ownChain(config: Config, passphrase: string, log: DatabaseLog): Promise<Chain> {
  // The first backup and whoever follows the log begin together, and each would make a chain of its own.
  return log.alone(() => foundOrBegun(config, passphrase, log))
}

async function foundOrBegun(config: Config, passphrase: string, log: DatabaseLog): Promise<Chain> {
  const place = backupFolderOf(config)
  const { dev, ino } = fs.statSync(databaseFolder(config))
  const mine = { place, system: log.systemIdentifier, folder: `${dev}:${ino}` }
  const own = readOwn(config.home)
  if (own && own.place === mine.place && own.system === mine.system && own.folder === mine.folder) {
    const chain = await opened(place, config, own.id, passphrase)
    if (chain) return chain
  }
  const chain = await Chain.begin(place, config, passphrase, {
    systemIdentifier: log.systemIdentifier,
    postgres: log.postgres,
    segmentBytes: log.segmentBytes,
  })
  const draft = `${fileOf(config.home)}.${process.pid}`
  fs.writeFileSync(draft, JSON.stringify({ ...mine, id: chain.facts.id } satisfies Own), { mode: 0o600 })
  fs.renameSync(draft, fileOf(config.home))
  return chain
}

/** Null when it can never be opened again; a place that is away is another matter. */
async function opened(place: string, config: Config, id: string, passphrase: string): Promise<Chain | null> {
  try {
    return await Chain.open(place, config, id, passphrase)
  } catch (error) {
    if (error instanceof BackupError || error instanceof NotStored) return null
    throw error
  }
}

function readOwn(home: string): Own | null {
  try {
    return JSON.parse(fs.readFileSync(fileOf(home), 'utf8')) as Own
  } catch {
    return null
  }
}
