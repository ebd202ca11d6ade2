/**
 * A function of the address as steps: each entry says what holds from its position (two 32-bit halves) on, until the
 * next entry. Neighbours with equal values are one.
 */
export class Steps {
  high: Uint32Array
  low: Uint32Array
  value: Uint32Array
  length = 0

  constructor(capacity: number) {
    this.high = new Uint32Array(capacity)
    this.low = new Uint32Array(capacity)
    this.value = new Uint32Array(capacity)
  }

  /** Positions come in ascending order; the same position again replaces its value. */
  append(high: number, low: number, value: number): void {
    const last = this.length - 1
    if (last >= 0 && this.high[last] === high && this.low[last] === low) this.length = last
    if (this.length > 0 ? this.value[this.length - 1] === value : value === 0 && (high | low) !== 0) return
    if (this.length === this.high.length) this.#grow()
    this.high[this.length] = high
    this.low[this.length] = low
    this.value[this.length++] = value
  }

  /**
   * Negative when the last entry stands before the position (or there is none), 0 when at it, positive when after it.
   */
  compareLast(high: number, low: number): number {
    const last = this.length - 1
    if (last < 0) return -1
    return (this.high[last] ?? 0) - high || (this.low[last] ?? 0) - low
  }

  #grow(): void {
    const larger = (from: Uint32Array) => {
      const to = new Uint32Array(from.length * 2)
      to.set(from)
      return to
    }
    this.high = larger(this.high)
    this.low = larger(this.low)
    this.value = larger(this.value)
  }
}

/** Steps of both functions together; `combine` numbers the pair of values. */
export function joinSteps(a: Steps, b: Steps, combine: (a: number, b: number) => number): Steps {
  const joined = new Steps(a.length + b.length + 1)
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const order =
      i >= a.length ? 1 : j >= b.length ? -1 : (a.high[i] ?? 0) - (b.high[j] ?? 0) || (a.low[i] ?? 0) - (b.low[j] ?? 0)
    const from = order <= 0 ? a : b
    const at = order <= 0 ? i : j
    const high = from.high[at] ?? 0
    const low = from.low[at] ?? 0
    if (order <= 0) i++
    if (order >= 0) j++
    joined.append(high, low, combine(i > 0 ? (a.value[i - 1] ?? 0) : 0, j > 0 ? (b.value[j - 1] ?? 0) : 0))
  }
  return joined
}
