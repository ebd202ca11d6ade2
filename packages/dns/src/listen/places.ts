/** Room for connections, together and for each peer (RFC 7766 6.2.2). */
export type PlaceLimits = { connections: number; connectionsPerPeer: number }

/** Who takes how much of that room. */
export class Places {
  readonly #limits: PlaceLimits
  readonly #perPeer = new Map<string, number>()
  #taken = 0

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  /** Takes a place for a connection from this address; false when there is none. */
  take(address: string): boolean {
    const own = this.#perPeer.get(address) ?? 0
    if (this.#taken >= this.#limits.connections || own >= this.#limits.connectionsPerPeer) return false
    this.#taken++
    this.#perPeer.set(address, own + 1)
    return true
  }

  /** Gives one back, once for each that was taken. */
  leave(address: string): void {
    this.#taken--
    const left = (this.#perPeer.get(address) ?? 1) - 1
    if (left > 0) this.#perPeer.set(address, left)
    else this.#perPeer.delete(address)
  }
}
