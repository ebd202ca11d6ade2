import type { DnsZone, DnsZonePatch, Rrset } from '@fairway/contract'

/** From so many sets on a zone is sent whole only now and then, and its changes in between. */
export const PATCHED_FROM_SETS = 1_000
/**
 * Of more names than this, or than this part of the zone's sets, or over more versions, a patch is too long: the zone is
 * sent whole.
 */
const PATCHED_NAMES = { least: 2_500, share: 1 / 16 }
export const MOST_PATCHED_VERSIONS = 500
/** What a patch of so many names or versions changes is put into what was published whole, and the next starts there. */
const FOLDED_FROM = { names: 1_000, versions: 200 }

/** @param sets of the zone as it was published whole */
export const mostPatchedNames = (sets: number): number =>
  Math.max(PATCHED_NAMES.least, Math.floor(sets * PATCHED_NAMES.share))

export const isToBeFolded = ({ names, since, version }: DnsZonePatch): boolean =>
  names.length >= FOLDED_FROM.names || version - since >= FOLDED_FROM.versions

/**
 * A zone after a patch, as it would have been published whole: the same sets in the same order. Sets that stay are the
 * same objects. Null where it does not fit: the zone is older than what the patch starts from, or newer than its end.
 */
export function patchedZone(zone: DnsZone, patch: DnsZonePatch): DnsZone | null {
  const fits = zone.zoneId === patch.zoneId && zone.version >= patch.since && zone.version <= patch.version
  if (!fits || (zone.step ?? 0) !== (patch.step ?? 0)) return null
  const names = new Set(patch.names)
  const isApex = ({ name, type }: Rrset) => name === zone.origin && (type === 'SOA' || type === 'NS')
  const kept = zone.rrsets.filter((set) => !names.has(set.name) && !isApex(set))
  return { ...zone, version: patch.version, rrsets: [...patch.apex, ...merged(kept, patch.rrsets)] }
}

/** Two lists in the order of `toRrsets`, as one. */
function merged(a: readonly Rrset[], b: readonly Rrset[]): Rrset[] {
  const all: Rrset[] = []
  let next = 0
  for (const set of a) {
    for (let other = b[next]; other && isBefore(other, set); other = b[++next]) all.push(other)
    all.push(set)
  }
  return [...all, ...b.slice(next)]
}

const isBefore = (a: Rrset, b: Rrset): boolean => a.name < b.name || (a.name === b.name && a.type < b.type)
