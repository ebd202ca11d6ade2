import crypto from 'node:crypto'

const SLOTS = 2 ** 20
/** Beyond this the searches get long: what is oldest is forgotten early then. */
const FULL = SLOTS * 0.7

/** 64 bits as two halves: numbers of their own would be made for each beacon. `high` is not 0, which marks a free slot. */
type Id = { low: number; high: number }

class Generation {
  size = 0
  readonly #slots = new Uint32Array(2 * SLOTS)

  has(id: Id): boolean {
    return this.#slots[this.#slot(id) + 1] === id.high
  }

  add(id: Id): void {
    const slot = this.#slot(id)
    this.#slots[slot] = id.low
    this.#slots[slot + 1] = id.high
    this.size++
  }

  /** The slot stays taken, for others may stand behind it, and by an id that is nobody's. */
  forget(id: Id): void {
    const slot = this.#slot(id)
    if (this.#slots[slot + 1] !== 0) this.#slots[slot] = ~id.low >>> 0
  }

  /** Where the id stands, or where it would. */
  #slot({ low, high }: Id): number {
    const slots = this.#slots
    let slot = (low & (SLOTS - 1)) * 2
    while (slots[slot + 1] !== 0 && (slots[slot] !== low || slots[slot + 1] !== high))
      slot = (slot + 2) & (2 * SLOTS - 1)
    return slot
  }
}

/**
 * Beacons that came within the window, so that one that comes again counts once. Two generations of equal size: memory
 * is the same however many come, and each is remembered for at least `windowMs` while fewer than some hundred thousand
 * come in that time.
 */
export class SeenBeacons {
  readonly #windowMs: number
  #young = new Generation()
  #old: Generation | null = null
  #since = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  /** False when the beacon has been seen. `now` is monotonic, in ms. */
  isNew(name: string, now: number): boolean {
    if (now - this.#since >= this.#windowMs || this.#young.size >= FULL) {
      this.#old = this.#young.size > 0 ? this.#young : null
      this.#young = this.#old ? new Generation() : this.#young
      this.#since = now
    }
    const id = idOf(name)
    if (this.#young.has(id) || this.#old?.has(id)) return false
    this.#young.add(id)
    return true
  }

  /** What could not be taken is new when it comes again. */
  forget(name: string): void {
    const id = idOf(name)
    this.#young.forget(id)
    this.#old?.forget(id)
  }
}

function idOf(name: string): Id {
  const hash = crypto.hash('sha1', name, 'buffer')
  return { low: hash.readUInt32LE(0), high: hash.readUInt32LE(4) || 1 }
}
