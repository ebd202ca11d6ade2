import { placeOf } from '@fairway/platform/lean'

/** Room for connections, together and for each peer (RFC 7766 6.2.2). */
export type PlaceLimits = { connections: number; connectionsPerPeer: number }

/** A peer's connections do not spread evenly over processes: each gives it at least so many. */
const LEAST_PER_PEER = 50

/** The room that one of several processes has, so that together they have about as much as one would. */
export function shareOf<Limits extends PlaceLimits>(limits: Limits, processes: number): Limits {
  const { connections, connectionsPerPeer } = limits
  return {
    ...limits,
    connections: Math.ceil(connections / processes),
    connectionsPerPeer: Math.min(
      connectionsPerPeer,
      Math.max(LEAST_PER_PEER, Math.ceil(connectionsPerPeer / processes)),
    ),
  }
}

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
    const peer = placeOf(address)
    const own = this.#perPeer.get(peer) ?? 0
    if (this.#taken >= this.#limits.connections || own >= this.#limits.connectionsPerPeer) return false
    this.#taken++
    this.#perPeer.set(peer, own + 1)
    return true
  }

  /** Gives one back, once for each that was taken. */
  leave(address: string): void {
    const peer = placeOf(address)
    this.#taken--
    const left = (this.#perPeer.get(peer) ?? 1) - 1
    if (left > 0) this.#perPeer.set(peer, left)
    else this.#perPeer.delete(peer)
  }
}
