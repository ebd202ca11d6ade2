/** What waits for a client to read it. */
export type Unread = { destroy(): unknown }

/**
 * What the process keeps for clients that ask and do not read, all together: who has let most time pass makes room for
 * who comes.
 */
export class Unsent {
  /** Connections ended because others needed the room. */
  ended = 0
  readonly #most: number
  readonly #waiting = new Map<Unread, number>()
  #bytes = 0

  /** @param most bytes */
  constructor(most: number) {
    this.#most = most
  }

  get bytes(): number {
    return this.#bytes
  }

  /** So many bytes wait for it now; its place in the line is that of the first time since it had read everything. */
  wait(one: Unread, bytes: number): void {
    this.#bytes += bytes - (this.#waiting.get(one) ?? 0)
    this.#waiting.set(one, bytes)
    for (const [longest] of this.#bytes > this.#most ? this.#waiting : []) {
      this.ended++
      this.done(longest)
      longest.destroy()
      if (this.#bytes <= this.#most) return
    }
  }

  /** It has read everything, or is gone. */
  done(one: Unread): void {
    this.#bytes -= this.#waiting.get(one) ?? 0
    this.#waiting.delete(one)
  }
}
