/**
 * Batches that came lately. A node that heard no answer in time sends the same batch again; what was taken then must
 * not count twice.
 */
export class TakenBatches {
  readonly #taken = new Map<string, Promise<string | null>>()
  readonly #most: number
  constructor(most = 5_000) {
    this.#most = most
  }

  /** Takes it, or answers what became of it the first time. What was refused or failed may come again. */
  once(batch: string, take: () => Promise<string | null>): Promise<string | null> {
    const before = this.#taken.get(batch)
    if (before) return before
    const taken = take()
    this.#taken.set(batch, taken)
    const forget = () => this.#taken.delete(batch)
    taken.then((problem) => problem !== null && forget(), forget)
    const [oldest] = this.#taken.keys()
    if (this.#taken.size > this.#most && oldest !== undefined) this.#taken.delete(oldest)
    return taken
  }
}
