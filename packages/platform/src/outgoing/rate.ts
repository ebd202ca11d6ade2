/** So many seconds' worth may be used at once after a pause. */
const BURST_SECONDS = 10
/** Buckets beyond this many are looked through for full ones, which need not be remembered. */
const REMEMBERED = 1_000

/** A token bucket for each owner: `perSecond` on average; 0 is no limit. `clock` in ms. */
export class Rate {
  readonly #perSecond: number
  readonly #clock: () => number
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  constructor(perSecond: number, clock: () => number) {
    this.#perSecond = perSecond
    this.#clock = clock
  }

  /** Takes one; false when the bucket is empty. */
  take(owner: string): boolean {
    if (this.#perSecond === 0) return true
    const most = this.#perSecond * BURST_SECONDS
    const now = this.#clock()
    if (this.#buckets.size > REMEMBERED) this.#forgetFull(now, most)
    const bucket = this.#buckets.get(owner) ?? { tokens: most, at: now }
    bucket.tokens = Math.min(most, bucket.tokens + ((now - bucket.at) / 1_000) * this.#perSecond)
    bucket.at = now
    this.#buckets.set(owner, bucket)
    if (bucket.tokens < 1) return false
    bucket.tokens--
    return true
  }

  #forgetFull(now: number, most: number): void {
    for (const [owner, { tokens, at }] of this.#buckets)
      if (tokens + ((now - at) / 1_000) * this.#perSecond >= most) this.#buckets.delete(owner)
  }
}
