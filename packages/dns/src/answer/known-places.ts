import type { GeoHit } from '@fairway/platform'

const SLOTS = 1024
const WORDS = 4
const ADDRESS = 0
const PLACE = 1
const NETWORK = 2
/** One more than the prefix length, so that 0 is an empty slot. */
const PREFIX = 3

/**
 * Where the IPv4 addresses asked from of late are: most queries come from few resolvers, and to find a place means to
 * look into a table of megabytes. Two that share a slot take turns.
 */
export class KnownPlaces {
  readonly #slots = new Int32Array(SLOTS * WORDS)

  /** Writes what is known of the address into `hit`; false when nothing is. */
  find(address: number, hit: GeoHit): boolean {
    const slots = this.#slots
    const at = slotOf(address)
    if (slots[at + ADDRESS] !== address || slots[at + PREFIX] === 0) return false
    hit.place = slots[at + PLACE] ?? 0
    hit.network = slots[at + NETWORK] ?? 0
    hit.prefixLength = (slots[at + PREFIX] ?? 0) - 1
    return true
  }

  keep(address: number, { place, network, prefixLength }: GeoHit): void {
    const slots = this.#slots
    const at = slotOf(address)
    slots[at + ADDRESS] = address
    slots[at + PLACE] = place
    slots[at + NETWORK] = network
    slots[at + PREFIX] = prefixLength + 1
  }
}

const slotOf = (address: number): number => (Math.imul(address, 0x9e3779b1) >>> 22) * WORDS
