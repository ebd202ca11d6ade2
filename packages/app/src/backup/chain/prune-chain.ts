import {
  BackupError,
  type Chain,
  type Config,
  type Listing,
  failedProof,
  momentOfBase,
  proofOf,
  readLsn,
  segmentStart,
  stretchesOf,
} from '@fairway/platform'
import { type KeptBase, contentOf, listingOf } from './chain-content.ts'

/** The backup of a chain whose last proof failed; null when none did. */
export function doubtedIn(config: Config, { storage }: Chain): string | null {
  const file = failedProof(config)?.file ?? ''
  const key = file.slice(file.lastIndexOf('/') + 1)
  return momentOfBase(key) !== null && file === storage.address(key) ? key : null
}

/** Whether one was proven, and no proof of it has failed since. */
export const isProven = ({ key, provenAt }: KeptBase, doubted: string | null): boolean =>
  provenAt !== null && key !== doubted

/** Which backups stay: so many of the newest, and the newest that was proven. */
export function keptBases(bases: readonly KeptBase[], keep: number, doubted: string | null): KeptBase[] {
  const proven = bases.findLast((one) => isProven(one, doubted))
  const newest = new Set(bases.slice(-keep))
  return bases.filter((one) => newest.has(one) || one === proven)
}

/**
 * Leaves the newest backups of a chain and the newest proven one, with everything that they stand on, and the log from
 * the oldest of them on.
 * Only while nobody adds a backup. One that was killed leaves what the next one takes away. A backup whose listing is
 * damaged counts for none.
 * @param doubted the backup whose last proof failed
 * @returns the names of the backups that have gone
 * @throws BackupError when a listing is damaged and no proven backup would stay
 */
export async function pruneChain(chain: Chain, keep: number, doubted: string | null): Promise<string[]> {
  // Nobody else puts these now; pieces of the log are another's.
  for (const prefix of ['part-', 'base-']) await chain.storage.sweep(prefix)
  const { bases, wal, parts } = await contentOf(chain)
  const named = new Map<KeptBase, string[]>()
  for (const one of bases) {
    const listing = await readable(chain, one)
    if (listing === null) continue
    const lists = [...listing.files.map((file) => file.parts), ...Object.values(listing.events), one.base.listing]
    named.set(one, lists.flat())
  }
  const kept = keptBases([...named.keys()], keep, doubted)
  // Where parts cannot be read, which may be the disk's fault alone, nothing says that what would stay can be restored.
  if (named.size < bases.length && !kept.some((one) => isProven(one, doubted)))
    throw new BackupError('No readable proven backup: nothing is removed.')
  const needed = new Set(kept.flatMap((one) => named.get(one) ?? []))
  const removed = bases.filter((one) => !kept.includes(one)).map(({ key }) => key)
  for (const key of removed) for (const one of [key, proofOf(key)]) await chain.storage.delete(one)
  const [oldest] = kept
  const from = oldest ? segmentStart(readLsn(oldest.base.start), chain.facts.segmentBytes) : 0n
  const used = new Set(stretchesOf(wal).flatMap((stretch) => stretch.parts.map(({ key }) => key)))
  for (const part of wal) if (part.to <= from || !used.has(part.key)) await chain.storage.delete(part.key)
  for (const name of parts.keys()) if (!needed.has(name)) await chain.storage.delete(name)
  return removed
}

/** What one consists of; null when that is damaged, and nothing could ever be restored from it. */
async function readable(chain: Chain, { base }: KeptBase): Promise<Listing | null> {
  try {
    return await listingOf(chain, base)
  } catch (error) {
    if (error instanceof BackupError) return null
    throw error
  }
}
