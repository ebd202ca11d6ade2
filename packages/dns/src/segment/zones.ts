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
  #mostLabels = 0
  /** Zones came or went since the table was made; it is made anew at the next look-up, once for many. */
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
    const slot = former && former === twin ? this.#slots.indexOf(former) : -1
    if (slot >= 0) this.#slots[slot] = segment
    else this.#outdated = true
  }

  remove(zoneId: string): void {
    const former = this.#byId.get(zoneId)
    if (!former) return
    this.#byId.delete(zoneId)
    this.#byOrigin.delete(former.originText)
    this.#outdated = true
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

  #rebuild(): void {
    let size = 4
    while (size < this.#byId.size * 4) size *= 2
    const slots = new Array<Segment | null>(size).fill(null)
    const hashes = new Int32Array(size)
    const cursor = new NameCursor()
    this.#mostLabels = 0
    for (const zone of this.#byId.values()) {
      cursor.read(zone.origin, 0, zone.origin.length)
      this.#mostLabels = Math.max(this.#mostLabels, cursor.labels)
      let slot = (cursor.hashes[0] ?? 0) & (size - 1)
      while (slots[slot]) slot = (slot + 1) & (size - 1)
      slots[slot] = zone
      hashes[slot] = cursor.hashes[0] ?? 0
    }
    this.#outdated = false
    this.#slots = slots
    this.#hashes = hashes
  }
}

function endsWith(name: NameCursor, start: number, origin: Uint8Array): boolean {
  const { lower, length } = name
  const bytes = origin.length
  if (length - start !== bytes) return false
  for (let i = 0; i < bytes; i++) if (lower[start + i] !== origin[i]) return false
  return true
}
