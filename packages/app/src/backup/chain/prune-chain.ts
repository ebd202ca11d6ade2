import { type Chain, proofOf, readLsn, segmentStart, stretchesOf } from '@fairway/platform'
import { contentOf, listingOf } from './chain-content.ts'

/**
 * Leaves the newest backups of a chain with everything that they stand on, and the log from the oldest of them on.
 * Only while nobody adds a backup. One that was killed leaves what the next one takes away.
 * @returns the names of the backups that have gone
 */
export async function pruneChain(chain: Chain, keep: number): Promise<string[]> {
  // Nobody else puts these now; pieces of the log are another's.
  for (const prefix of ['part-', 'base-']) await chain.storage.sweep(prefix)
  const { bases, wal, parts } = await contentOf(chain)
  const kept = bases.slice(-keep)
  const needed = new Set<string>()
  for (const { base } of kept) {
    const listing = await listingOf(chain, base)
    const lists = [...listing.files.map((file) => file.parts), ...Object.values(listing.events), base.listing]
    for (const name of lists.flat()) needed.add(name)
  }
  const removed = bases.slice(0, -keep).map(({ key }) => key)
  for (const key of removed) for (const one of [key, proofOf(key)]) await chain.storage.delete(one)
  const [oldest] = kept
  const from = oldest ? segmentStart(readLsn(oldest.base.start), chain.facts.segmentBytes) : 0n
  const used = new Set(stretchesOf(wal).flatMap((stretch) => stretch.parts.map(({ key }) => key)))
  for (const part of wal) if (part.to <= from || !used.has(part.key)) await chain.storage.delete(part.key)
  for (const name of parts.keys()) if (!needed.has(name)) await chain.storage.delete(name)
  return removed
}
