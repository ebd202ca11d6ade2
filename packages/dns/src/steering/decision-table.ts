const WORDS = 3
const FIRST_SLOTS = 64

/**
 * What was decided for a region, a place and a network. It stands on the query path: integers side by side, where a
 * `Map` would need a number object
 * for each key that is wider than 31 bits. Open addressing, at most half full.
 */
export class DecisionTable<Decided extends object> {
  size = 0
  #keys = new Int32Array(FIRST_SLOTS * WORDS)
  #decisions: (Decided | null)[] = new Array<Decided | null>(FIRST_SLOTS).fill(null)
  #mask = FIRST_SLOTS - 1

  get(region: number, place: number, network: number): Decided | null {
    return this.#decisions[this.#slot(region, place, network)] ?? null
  }

  set(region: number, place: number, network: number, decision: Decided): void {
    const slot = this.#slot(region, place, network)
    if (!this.#decisions[slot]) this.size++
    this.#keys[slot * WORDS] = region
    this.#keys[slot * WORDS + 1] = place
    this.#keys[slot * WORDS + 2] = network
    this.#decisions[slot] = decision
    if (this.size * 2 > this.#mask) this.#grow()
  }

  /** Where the three stand, or where they would. */
  #slot(region: number, place: number, network: number): number {
    const keys = this.#keys
    const decisions = this.#decisions
    let hash = Math.imul(region ^ Math.imul(place ^ Math.imul(network, 0xc2b2ae35), 0x85ebca6b), 0x9e3779b1)
    hash ^= hash >>> 16
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      if (!decisions[slot]) return slot
      const at = slot * WORDS
      if (keys[at] === region && keys[at + 1] === place && keys[at + 2] === network) return slot
    }
  }

  #grow(): void {
    const keys = this.#keys
    const decisions = this.#decisions
    this.#keys = new Int32Array(keys.length * 2)
    this.#decisions = new Array<Decided | null>(decisions.length * 2).fill(null)
    this.#mask = decisions.length * 2 - 1
    this.size = 0
    for (const [slot, decision] of decisions.entries())
      if (decision)
        this.set(keys[slot * WORDS] ?? 0, keys[slot * WORDS + 1] ?? 0, keys[slot * WORDS + 2] ?? 0, decision)
  }
}
