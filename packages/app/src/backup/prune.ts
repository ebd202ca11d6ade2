import fs from 'node:fs'
import {
  Chain,
  type Config,
  backupFolderOf,
  chainsIn,
  noteKept,
  isS3Place,
  keptBackups,
  momentOfBase,
  openStorage,
  withoutBackups,
} from '@fairway/platform'
import { contentOf, noteContent } from './chain/chain-content.ts'
import { knownChain } from './chain/own-chain.ts'
import { doubtedIn, isProven, keptBases, pruneChain } from './chain/prune-chain.ts'
import { backupPassphrase } from './passphrase.ts'
import { pruneWhole } from './write-backup.ts'

/** One that this home does not remember to have left may be another's, which rests for a while. */
const QUIET_MS = 30 * 86_400_000

/**
 * Removes what is older than so many backups from the place of the settings, and writes none: whole files, backups of
 * the chain of this home, and chains of the same database that it has left. The newest proven ones stay.
 * @returns the addresses of what has gone
 * @throws BackupError when a backup is being made, or the chain cannot be opened
 */
export async function pruneBackups(config: Config, keep: number): Promise<string[]> {
  const place = backupFolderOf(config)
  const removed: string[] = []
  {
    await using storage = openStorage(place, config)
    for (const key of await pruneWhole(config, storage, keep)) removed.push(storage.address(key))
    if (isS3Place(place)) noteKept(config, await keptBackups(storage))
  }
  const own = knownChain(config)
  if (own === null || config.databaseUrl !== '') return removed
  const passphrase = backupPassphrase(config)
  await using _ = await withoutBackups(config)
  await using chain = await Chain.open(place, config, own.id, passphrase)
  for (const key of await pruneChain(chain, keep, doubtedIn(config, chain))) removed.push(chain.storage.address(key))
  removed.push(...(await removeFormer(config, { chain, former: own.former, keep, passphrase })))
  await noteContent(config, place, chain)
  return removed
}

/** Chains of this database that nobody adds to, once there are so many newer backups, and a proven one, without them. */
async function removeFormer(
  config: Config,
  { chain, former, keep, passphrase }: { chain: Chain; former: string[]; keep: number; passphrase: string },
): Promise<string[]> {
  const place = backupFolderOf(config)
  const { bases } = await contentOf(chain)
  const oldest = bases.at(-keep)
  const doubted = doubtedIn(config, chain)
  const hasProven = keptBases(bases, keep, doubted).some((one) => isProven(one, doubted))
  const removed: string[] = []
  if (!oldest || !hasProven) return removed
  for (const id of (await chainsIn(place, config)).filter((one) => one !== chain.facts.id)) {
    await using storage = openStorage(`${place.replace(/\/+$/, '')}/chain-${id}`, config)
    const found = await Array.fromAsync(storage.list())
    const changedAt = found.reduce((latest, one) => Math.max(latest, one.changedAt), 0)
    if (changedAt >= oldest.writtenAt) continue
    if (!former.includes(id) && !(await isFormer(id, changedAt))) continue
    // Its key last: until then it is seen to be there.
    const rank = (key: string) => (momentOfBase(key) !== null ? 0 : key === 'key' ? 2 : 1)
    for (const { key } of found.sort((a, b) => rank(a.key) - rank(b.key))) await storage.delete(key)
    if (!isS3Place(place)) fs.rmSync(storage.address(), { recursive: true, force: true })
    removed.push(storage.address())
  }
  return removed

  async function isFormer(id: string, changedAt: number): Promise<boolean> {
    if (Date.now() - changedAt < QUIET_MS) return false
    try {
      await using other = await Chain.open(place, config, id, passphrase)
      return (
        other.facts.systemIdentifier === chain.facts.systemIdentifier && other.facts.startedAt < chain.facts.startedAt
      )
    } catch {
      // Of another passphrase: whoever has it knows whose it is.
      return false
    }
  }
}
