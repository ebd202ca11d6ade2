import crypto from 'node:crypto'

const SLOTS = 2 ** 20
/** Beyond this the searches get long: what is oldest is forgotten early then. */
const FULL = SLOTS * 0.7

class Generation {
  size = 0
  readonly #slots = new BigUint64Array(SLOTS)

  has(id: bigint): boolean {
    return this.#slots[this.#slot(id)] === id
  }

  add(id: bigint): void {
    this.#slots[this.#slot(id)] = id
    this.size++
  }

  /** Where the id stands, or where it would. */
  #slot(id: bigint): number {
    let slot = Number(id & BigInt(SLOTS - 1))
    for (; this.#slots[slot] !== 0n && this.#slots[slot] !== id; slot = (slot + 1) & (SLOTS - 1));
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
}

/** 64 bits that are not 0, which marks a free slot. */
const idOf = (name: string): bigint => crypto.hash('sha1', name, 'buffer').readBigUInt64LE(0) || 1n
