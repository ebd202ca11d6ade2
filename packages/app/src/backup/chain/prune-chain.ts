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

/** Which backups stay: so many of the newest, and the newest that was proven. */
export function keptBases(bases: readonly KeptBase[], keep: number, doubted: string | null): KeptBase[] {
  const proven = bases.findLast(({ key, provenAt }) => provenAt !== null && key !== doubted)
  const newest = new Set(bases.slice(-keep))
  return bases.filter((one) => newest.has(one) || one === proven)
}

/**
 * Leaves the newest backups of a chain and the newest proven one, with everything that they stand on, and the log from
 * the oldest of them on.
 * Only while nobody adds a backup. One that was killed leaves what the next one takes away.
 * @param doubted the backup whose last proof failed
 * @returns the names of the backups that have gone
 */
export async function pruneChain(chain: Chain, keep: number, doubted: string | null): Promise<string[]> {
  // Nobody else puts these now; pieces of the log are another's.
  for (const prefix of ['part-', 'base-']) await chain.storage.sweep(prefix)
  const { bases, wal, parts } = await contentOf(chain)
  const needed = new Set<string>()
  const kept: KeptBase[] = []
  for (const one of keptBases(bases, keep, doubted)) {
    const listing = await readable(chain, one)
    if (listing === null) continue
    kept.push(one)
    const lists = [...listing.files.map((file) => file.parts), ...Object.values(listing.events), one.base.listing]
    for (const name of lists.flat()) needed.add(name)
  }
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
