import { mayFollow } from '@fairway/domain/lean'
import { FLAG, KIND, STEERED } from '../segment/format.ts'
import type { Segment } from '../segment/segment.ts'
import type { SteeredEntry } from '../segment/steered-entry.ts'
import type { Zones } from '../segment/zones.ts'
import type { Steerer } from '../steering/steerer.ts'
import { TYPE } from '../wire/codes.ts'
import { NameCursor } from '../wire/name-cursor.ts'
import { FOUND, Lookup } from './lookup.ts'

const LONGEST_CHAIN = 8

/**
 * Finds the address records behind a CDN's name, in our zones or among those resolved beforehand. Reused; the fields
 * hold what was found last.
 */
export class Flattener {
  source: Uint8Array = new Uint8Array(0)
  from = 0
  to = 0
  /** Records found; 0 when the name is known to have none of the type. */
  count = 0
  /** It could not be asked for again when its time was over. */
  stale = false
  /** A steered name of ours on the way, and its zone, whose steering has to be asked; then `find` has answered false. */
  steered: { entry: SteeredEntry; zone: Segment } | null = null
  readonly #lookup: Lookup
  readonly #steerer: Steerer
  readonly #name = new NameCursor()

  constructor(zones: Zones, steerer: Steerer) {
    this.#lookup = new Lookup(zones)
    this.#steerer = steerer
  }

  /** False when nothing is known about the name that `asking` leads to. */
  find(cname: Uint8Array, type: number, asking: Segment): boolean {
    this.stale = false
    this.steered = null
    let from = asking
    let target = cname
    let at = 0
    for (let hop = 0; hop < LONGEST_CHAIN; hop++) {
      const end = this.#name.read(target, at, target.length)
      const found = this.#lookup.find(this.#name, type)
      const { zone, node } = this.#lookup
      const isOutside = !zone || zone.expired || found === FOUND.foreign || found === FOUND.referral
      if (isOutside || !mayFollow(from, zone)) return this.#resolvedBefore(target.subarray(at, end), type)
      from = zone
      this.count = 0
      if (found === FOUND.nothing) return false
      if ((zone.flags(node) & STEERED) !== 0) {
        const entry = zone.steered[zone.steeredIndex(node)]
        this.steered = entry ? { entry, zone } : null
        return false
      }
      const entry = zone.entry(node, type) || zone.entry(node, type | KIND.transfer)
      if (entry !== 0) {
        this.source = zone.bytes
        this.from = zone.recordsAt(entry)
        this.to = zone.answersEnd(entry)
        this.count = zone.answers(entry)
        return true
      }
      const flat = (zone.flags(node) & FLAG.alias) === 0 ? 0 : zone.entry(node, KIND.alias)
      if (flat !== 0) {
        target = zone.bytes
        at = zone.recordsAt(flat) + 4
        continue
      }
      const alias = zone.entry(node, TYPE.CNAME)
      if (alias === 0) return true
      target = zone.bytes
      at = zone.recordsAt(alias) + 12
    }
    return false
  }

  #resolvedBefore(name: Uint8Array, type: number): boolean {
    const records = this.#steerer.flattened(name, type)
    if (!records) return false
    this.source = records.bytes
    this.stale = records.stale
    this.from = 0
    this.to = records.bytes.length
    this.count = records.count
    return true
  }
}
