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

/**
 * `former` are chains of the same database that this home has left for another passphrase. `folder` is the inode of the
 * database's folder, which a copy has another of: that of the device, which earlier versions noted before it, is another
 * one after a reboot.
 */
type Own = { id: string; place: string; system: string; folder: string; former?: string[] }

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
  const mine = { place, system: log.systemIdentifier, folder: `${fs.statSync(databaseFolder(config)).ino}` }
  const own = readOwn(config.home)
  const isSame = own?.place === mine.place && own.system === mine.system && own.folder.split(':').at(-1) === mine.folder
  if (own && isSame) {
    const chain = await opened(place, config, own.id, passphrase)
    if (chain) return chain
  }
  const chain = await Chain.begin(place, config, passphrase, {
    systemIdentifier: log.systemIdentifier,
    postgres: log.postgres,
    segmentBytes: log.segmentBytes,
  })
  const draft = `${fileOf(config.home)}.${process.pid}`
  const former = own && isSame ? [...(own.former ?? []), own.id] : []
  fs.writeFileSync(draft, JSON.stringify({ ...mine, id: chain.facts.id, former } satisfies Own), { mode: 0o600 })
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

/** The chain that this home added to last in a place, and those that it has left; null where it has begun none. */
export function knownChain(config: Config): { id: string; system: string; former: string[] } | null {
  const own = readOwn(config.home)
  return own?.place === backupFolderOf(config) ? { id: own.id, system: own.system, former: own.former ?? [] } : null
}

function readOwn(home: string): Own | null {
  try {
    return JSON.parse(fs.readFileSync(fileOf(home), 'utf8')) as Own
  } catch {
    return null
  }
}
