import { TYPE } from '../wire/codes.ts'
import { NameCursor } from '../wire/name-cursor.ts'
import type { Segment } from './segment.ts'

/**
 * All zones served now. A change replaces one reference; the query in hand is never disturbed, for there is one thread.
 */
export class Zones {
  readonly #byId = new Map<string, Segment>()
  readonly #byOrigin = new Map<string, Segment>()
  #slots: (Segment | null)[] = [null]
  #hashes = new Int32Array(1)
  readonly #origin = new NameCursor()
  #mostLabels = 0
  /** The table has to be made anew at the next look-up, once for many: zones came that it has no room for. */
  #outdated = false

  get size(): number {
    return this.#byId.size
  }

  all(): Iterable<Segment> {
    return this.#byId.values()
  }

  get(zoneId: string): Segment | undefined {
    return this.#byId.get(zoneId)
  }

  /**
   * Starts to serve a segment in place of the zone's former one. @throws Error when another zone has the same origin.
   */
  put(segment: Segment): void {
    const twin = this.#byOrigin.get(segment.originText)
    if (twin && twin.zoneId !== segment.zoneId)
      throw new Error(`${segment.originText} is already served for zone ${twin.zoneId}`)
    const former = this.#byId.get(segment.zoneId)
    if (former) this.#byOrigin.delete(former.originText)
    this.#byId.set(segment.zoneId, segment)
    this.#byOrigin.set(segment.originText, segment)
    if (this.#outdated) return
    if (former && former === twin) this.#slots[this.#slotOf(former)] = segment
    // A name server has a million of them: one that comes or goes must not cost as much as all.
    else if (former || 2 * this.#byId.size > this.#slots.length) this.#outdated = true
    else this.#insert(segment)
  }

  remove(zoneId: string): void {
    const former = this.#byId.get(zoneId)
    if (!former) return
    this.#byId.delete(zoneId)
    this.#byOrigin.delete(former.originText)
    if (!this.#outdated) this.#vacate(this.#slotOf(former))
  }

  /** The closest zone that holds the name; null when none does. DS is the parent's data (RFC 4035 3.1.4.1). */
  find(name: NameCursor, type: number): Segment | null {
    if (this.#outdated) this.#rebuild()
    let own: Segment | null = null
    for (let label = Math.max(0, name.labels - this.#mostLabels); label <= name.labels; label++) {
      const zone = this.#at(name, label)
      if (!zone) continue
      if (type !== TYPE.DS || label > 0) return zone
      own = zone
    }
    return own
  }

  #at(name: NameCursor, label: number): Segment | null {
    const hash = name.hashes[label] ?? 0
    const start = name.starts[label] ?? 0
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const zone = this.#slots[slot]
      if (!zone) return null
      if (this.#hashes[slot] === hash && endsWith(name, start, zone.origin)) return zone
    }
  }

  /** Where a zone that is in the table stands. */
  #slotOf(segment: Segment): number {
    const mask = this.#slots.length - 1
    let slot = this.#read(segment) & mask
    while (this.#slots[slot] !== segment) slot = (slot + 1) & mask
    return slot
  }

  #insert(segment: Segment): void {
    const mask = this.#slots.length - 1
    const hash = this.#read(segment)
    this.#mostLabels = Math.max(this.#mostLabels, this.#origin.labels)
    let slot = hash & mask
    while (this.#slots[slot]) slot = (slot + 1) & mask
    this.#slots[slot] = segment
    this.#hashes[slot] = hash
  }

  /** Those behind it that it kept from their own place move up, so that look-ups end where they should. */
  #vacate(slot: number): void {
    const mask = this.#slots.length - 1
    for (let [hole, at] = [slot, (slot + 1) & mask]; ; at = (at + 1) & mask) {
      this.#slots[hole] = null
      const zone = this.#slots[at]
      if (!zone) return
      const hash = this.#hashes[at] ?? 0
      // As far from its own place as the hole is, or further.
      if (((at - hash) & mask) < ((at - hole) & mask)) continue
      this.#slots[hole] = zone
      this.#hashes[hole] = hash
      hole = at
    }
  }

  /** Reads its origin and answers the hash of all of it. */
  #read({ origin }: Segment): number {
    this.#origin.read(origin, 0, origin.length)
    return this.#origin.hashes[0] ?? 0
  }

  #rebuild(): void {
    let size = 4
    while (size < this.#byId.size * 4) size *= 2
    this.#slots = new Array<Segment | null>(size).fill(null)
    this.#hashes = new Int32Array(size)
    this.#mostLabels = 0
    for (const zone of this.#byId.values()) this.#insert(zone)
    this.#outdated = false
  }
}

function endsWith(name: NameCursor, start: number, origin: Uint8Array): boolean {
  const { lower, length } = name
  const bytes = origin.length
  if (length - start !== bytes) return false
  for (let i = 0; i < bytes; i++) if (lower[start + i] !== origin[i]) return false
  return true
}
