/** Marsaglia's xorshift: cheap numbers for sharing out, from 0 up to but not including 1. Not for secrets. */
export class Xorshift {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0 || 1
  }

  next(): number {
    let state = this.#state
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    this.#state = state
    return (state >>> 0) / 4294967296
  }
}
