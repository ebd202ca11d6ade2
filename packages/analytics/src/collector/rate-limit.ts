/** Buckets that are full again are looked for so often at least, however long a whole one takes to fill. */
const SWEEP_MOST_MS = 60_000

/**
 * A token bucket for each network: `burst` at once, then `perSecond`. Those that are full again are forgotten, so
 * memory is bounded by who was active in the last seconds, or has used up much.
 */
export class RateLimit {
  readonly #buckets = new Map<string, { tokens: number; at: number }>()
  readonly #perSecond: number
  readonly #burst: number
  #sweptAt = 0

  constructor({ perSecond, burst }: { perSecond: number; burst: number }) {
    this.#perSecond = perSecond
    this.#burst = burst
  }

  /** Takes so many tokens of the network's bucket; false when it has fewer. `now` is monotonic, in ms. */
  take(network: string, now: number, count = 1): boolean {
    this.#sweep(now)
    const bucket = this.#buckets.get(network)
    if (!bucket) {
      this.#buckets.set(network, { tokens: this.#burst - count, at: now })
      return true
    }
    bucket.tokens = this.#filled(bucket, now)
    bucket.at = now
    if (bucket.tokens < count) return false
    bucket.tokens -= count
    return true
  }

  /** What the network's bucket has. */
  left(network: string, now: number): number {
    const bucket = this.#buckets.get(network)
    return bucket ? this.#filled(bucket, now) : this.#burst
  }

  get size(): number {
    return this.#buckets.size
  }

  #filled({ tokens, at }: { tokens: number; at: number }, now: number): number {
    return Math.min(this.#burst, tokens + ((now - at) / 1000) * this.#perSecond)
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < Math.min((this.#burst / this.#perSecond) * 1000, SWEEP_MOST_MS)) return
    this.#sweptAt = now
    for (const [network, bucket] of this.#buckets)
      if (this.#filled(bucket, now) >= this.#burst) this.#buckets.delete(network)
  }
}
