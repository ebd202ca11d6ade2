import { FLAG } from '../segment/format.ts'
import type { Segment } from '../segment/segment.ts'
import type { Zones } from '../segment/zones.ts'
import { wildcardHash, type NameCursor } from '../wire/name-cursor.ts'
import { TYPE } from '../wire/codes.ts'

export const FOUND = { node: 0, referral: 1, nothing: 2, foreign: 3 } as const
export type Found = (typeof FOUND)[keyof typeof FOUND]

/**
 * Finds what our zones have at a name (RFC 1034 4.3.2, RFC 4592). Reused from query to query; the fields hold what was
 * found last.
 */
export class Lookup {
  zone: Segment | null = null
  node = 0
  /** Label of the name at which it is delegated. */
  cutLabel = 0
  /** The node is a wildcard that stands in for the name. */
  wildcard = false
  readonly #zones: Zones

  constructor(zones: Zones) {
    this.#zones = zones
  }

  find(name: NameCursor, type: number): Found {
    const zone = this.#zones.find(name, type)
    this.zone = zone
    this.wildcard = false
    if (!zone) return FOUND.foreign
    const node = zone.find(name.hashes[0] ?? 0, name.lower, 0, name.length)
    if (node === 0) return this.#atEncloser(zone, name)
    this.node = node
    // At a cut DS alone is the parent's own.
    if ((zone.flags(node) & FLAG.cut) === 0 || type === TYPE.DS) return FOUND.node
    this.cutLabel = 0
    return FOUND.referral
  }

  /** The closest name that exists decides: a cut refers, else its wildcard stands in, else there is nothing. */
  #atEncloser(zone: Segment, name: NameCursor): Found {
    for (let label = 1; label <= name.labels; label++) {
      const start = name.starts[label] ?? 0
      const hash = name.hashes[label] ?? 0
      const length = name.length - start
      const encloser = zone.find(hash, name.lower, start, length)
      if (encloser === 0) continue
      this.node = encloser
      this.cutLabel = label
      if ((zone.flags(encloser) & FLAG.cut) !== 0) return FOUND.referral
      const wildcard = zone.findWildcard(wildcardHash(hash), name.lower, start, length)
      if (wildcard === 0) return FOUND.nothing
      this.node = wildcard
      this.wildcard = true
      return FOUND.node
    }
    return FOUND.foreign
  }
}
