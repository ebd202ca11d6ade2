/** Queries that wait to be counted. */
const WAITING = 256
const NUMBERS = 3

/** Counts one query that waited: what it is counted under, and three numbers of its own. */
export type Count<Under> = (under: Under, first: number, second: number, third: number) => void

/**
 * What is to be counted of queries already answered. Counting reads tables that are larger than the processor's caches:
 * between two
 * answers every such read is waited for, while those of many queries in a row overlap.
 */
export class Backlog<Under> {
  readonly #count: Count<Under>
  readonly #unders: (Under | null)[] = new Array<Under | null>(WAITING).fill(null)
  readonly #numbers = new Int32Array(WAITING * NUMBERS)
  #waiting = 0

  constructor(count: Count<Under>) {
    this.#count = count
  }

  add(under: Under, first: number, second: number, third: number): void {
    const numbers = this.#numbers
    const at = this.#waiting++
    this.#unders[at] = under
    numbers[at * NUMBERS] = first
    numbers[at * NUMBERS + 1] = second
    numbers[at * NUMBERS + 2] = third
    if (this.#waiting === WAITING) this.settle()
  }

  /** Counts all that wait. */
  settle(): void {
    const waiting = this.#waiting
    const [unders, numbers, count] = [this.#unders, this.#numbers, this.#count]
    this.#waiting = 0
    for (let i = 0; i < waiting; i++) {
      const under = unders[i]
      unders[i] = null
      if (under) count(under, numbers[i * NUMBERS] ?? 0, numbers[i * NUMBERS + 1] ?? 0, numbers[i * NUMBERS + 2] ?? 0)
    }
  }
}
