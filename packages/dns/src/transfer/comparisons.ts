/** What is compared at the same time, for one key and in all: it is held in memory until it has gone out. */
const BYTES_PER_KEY = 16 << 20
const BYTES_IN_ALL = 128 << 20

/** Versions that are being compared for secondaries. Who would compare more than its share is given the zone whole. */
export class Comparisons {
  readonly #byKey = new Map<string, number>()
  #all = 0

  /** Whether there is room for so many bytes; `end` gives it back. */
  begin(key: string, bytes: number): boolean {
    const own = (this.#byKey.get(key) ?? 0) + bytes
    if (own > BYTES_PER_KEY || this.#all + bytes > BYTES_IN_ALL) return false
    this.#byKey.set(key, own)
    this.#all += bytes
    return true
  }

  end(key: string, bytes: number): void {
    const left = (this.#byKey.get(key) ?? 0) - bytes
    if (left > 0) this.#byKey.set(key, left)
    else this.#byKey.delete(key)
    this.#all -= bytes
  }
}
