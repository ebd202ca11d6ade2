/**
 * Lets the transfers of a process go on one step at a time, a turn of the event loop for each: however many of them
 * there are, questions wait for one step at most.
 */
export class TransferTurns {
  readonly #waiting: (() => void)[] = []

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) setImmediate(() => this.#one())
    })
  }

  #one(): void {
    this.#waiting[0]?.()
    this.#waiting.shift()
    if (this.#waiting.length > 0) setImmediate(() => this.#one())
  }
}
