const WORDS = 3
const FIRST_SLOTS = 16

/**
 * How often each pair of numbers was met. It stands on the query path: one table of integers where a `Map` would make a
 * number object
 * for each wide key and look in three places. Open addressing, at most half full; a count of 0 is an empty slot.
 */
export class Tally {
  size = 0
  #table = new Int32Array(FIRST_SLOTS * WORDS)
  #mask = FIRST_SLOTS - 1

  /** Counts one; true when the pair is new. */
  add(first: number, second: number): boolean {
    const at = this.#find(first, second)
    const before = this.#table[at + 2] ?? 0
    this.#table[at + 2] = before + 1
    if (before > 0) return false
    this.#table[at] = first
    this.#table[at + 1] = second
    if (++this.size * 2 > this.#mask) this.#grow()
    return true
  }

  *rows(): Generator<{ first: number; second: number; count: number }> {
    const table = this.#table
    for (let at = 0; at < table.length; at += WORDS) {
      const count = table[at + 2] ?? 0
      if (count > 0) yield { first: table[at] ?? 0, second: table[at + 1] ?? 0, count }
    }
  }

  #find(first: number, second: number): number {
    const table = this.#table
    let hash = Math.imul(first ^ Math.imul(second, 0x85ebca6b), 0x9e3779b1)
    hash ^= hash >>> 16
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * WORDS
      if ((table[at + 2] ?? 0) === 0 || (table[at] === first && table[at + 1] === second)) return at
    }
  }

  #grow(): void {
    const former = [...this.rows()]
    this.#table = new Int32Array(this.#table.length * 4)
    this.#mask = this.#table.length / WORDS - 1
    for (const { first, second, count } of former) {
      const at = this.#find(first, second)
      this.#table[at] = first
      this.#table[at + 1] = second
      this.#table[at + 2] = count
    }
  }
}
