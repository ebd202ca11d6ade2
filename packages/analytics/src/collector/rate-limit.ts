/**
 * A token bucket for each network: `burst` at once, then `perSecond`. Networks that have been quiet are forgotten, so
 * memory is bounded by those active in the last seconds.
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
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((now - bucket.at) / 1000) * this.#perSecond)
    bucket.at = now
    if (bucket.tokens < count) return false
    bucket.tokens -= count
    return true
  }

  get size(): number {
    return this.#buckets.size
  }

  #sweep(now: number): void {
    const full = (this.#burst / this.#perSecond) * 1000
    if (now - this.#sweptAt < full) return
    this.#sweptAt = now
    for (const [network, bucket] of this.#buckets) if (now - bucket.at >= full) this.#buckets.delete(network)
  }
}
