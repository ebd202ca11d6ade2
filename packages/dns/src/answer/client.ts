import type { Geo, GeoHit } from '@fairway/platform'
import { addressText, isMappedIpv4, parseAddress, type Family } from '../wire/address.ts'
import { subnetAtEnd, type ClientSubnet } from '../wire/client-subnet.ts'
import type { Peer } from '../wire/peer.ts'
import { KnownPlaces } from './known-places.ts'

/**
 * Longest scope an answer has because of geography: finer would only fragment the resolvers' caches (RFC 7871 11.1).
 */
const FINEST_PLACE_BITS = { 4: 24, 6: 56 } as const

/** Clients of one batch. */
const EXPECTED = 64

/** What is asked of the location data. */
export type Places = Pick<Geo, 'find' | 'prefetch'>

/**
 * Who is answered: the client subnet when the resolver tells it, else the resolver itself. Reused from query to query.
 */
export class Client {
  /**
   * Unknown bits are zero; IPv4 in the first four bytes. Of a query it is the peer's or the client subnet's own memory.
   */
  bytes: Uint8Array
  family: Family = 4
  knownBits = 0
  /** From a client subnet, so that the answer has a scope. */
  scoped = false
  scopeShift = 0
  readonly hit: GeoHit = { place: 0, network: 0, prefixLength: 0 }
  readonly #geo: Places
  readonly #own = new Uint8Array(16)
  readonly #known = new KnownPlaces()
  readonly #expected = new Int32Array(EXPECTED)
  #expectedCount = 0

  constructor(geo: Places) {
    this.#geo = geo
    this.bytes = this.#own
  }

  /** Takes the client of a query that came from `peer`. */
  set(subnet: ClientSubnet, peer: Peer): void {
    this.scoped = subnet.present
    if (subnet.present) {
      this.bytes = subnet.address
      this.family = subnet.family
      this.knownBits = subnet.knownBits
      this.scopeShift = subnet.scopeShift
      this.#locate()
    } else {
      this.#fromPeer(peer)
      this.#locatePeer()
    }
  }

  /**
   * Notes whom a message not yet taken apart will be answered for, where that can be told at a glance. Nothing hangs on
   * it but time.
   */
  expect(bytes: Uint8Array, length: number): void {
    const at = subnetAtEnd(bytes, length)
    if (at === 0 || this.#expectedCount === EXPECTED) return
    this.#expected[this.#expectedCount++] =
      ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8)
  }

  /** Fetches what will be read to locate those expected. */
  prefetch(): void {
    if (this.#expectedCount > 1) this.#geo.prefetch(this.#expected, this.#expectedCount)
    this.#expectedCount = 0
  }

  /**
   * Takes a client from text, as a question to the control socket has it; false when it is no address. Unknown bits are
   * cleared.
   */
  setText(address: string, prefixLength?: number): boolean {
    this.scoped = false
    if (!this.#fromText(address)) return false
    const bits = this.family === 4 ? 32 : 128
    // The prefix of a mapped address counts from its IPv6 form.
    this.knownBits = Math.max(
      0,
      Math.min(bits, (prefixLength ?? 128) - (this.scopeShift > 0 && prefixLength !== undefined ? 96 : 0)),
    )
    for (let i = 0; i < 16; i++) this.bytes[i] = (this.bytes[i] ?? 0) & keptBits(this.knownBits - 8 * i)
    this.#locate()
    return true
  }

  /** Scope of an answer that hung on the place, on `cidrBits` bits of the address, or on both; 0 when on neither. */
  scopeBits(byPlace: boolean, cidrBits: number): number {
    if (!this.scoped || this.knownBits === 0) return 0
    const finest = FINEST_PLACE_BITS[this.family]
    const place = byPlace ? Math.min(this.hit.prefixLength, finest) : 0
    const scope = Math.max(place, Math.min(cidrBits, Math.max(finest, this.knownBits)))
    return scope === 0 ? 0 : scope + this.scopeShift
  }

  /** Textual address of the known bits. */
  address(): string {
    return addressText(this.bytes, 0, this.family)
  }

  #fromPeer({ bytes, family }: Peer): void {
    this.bytes = bytes
    this.family = family === 6 ? 6 : 4
    this.knownBits = family === 0 ? 0 : family === 4 ? 32 : 128
    this.scopeShift = 0
  }

  #fromText(text: string): boolean {
    this.bytes = this.#own
    const family = parseAddress(text, this.bytes)
    this.family = family === 6 ? 6 : 4
    this.knownBits = family === 0 ? 0 : family === 4 ? 32 : 128
    this.scopeShift = 0
    if (family === 6 && isMappedIpv4(this.bytes)) {
      this.bytes.copyWithin(0, 12, 16)
      this.family = 4
      this.knownBits = 32
      this.scopeShift = 96
    }
    return family !== 0
  }

  #locatePeer(): void {
    if (this.family !== 4 || this.knownBits === 0) return this.#locate()
    const { bytes, hit } = this
    const address = ((bytes[0] ?? 0) << 24) | ((bytes[1] ?? 0) << 16) | ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0)
    if (this.#known.find(address, hit)) return
    this.#locate()
    this.#known.keep(address, hit)
  }

  #locate(): void {
    const { hit } = this
    // Who keeps the client's place to itself (source /0) is nowhere in particular.
    if (this.knownBits === 0) hit.place = hit.network = hit.prefixLength = 0
    else this.#geo.find(this.bytes, 0, this.family, hit)
  }
}

function keptBits(count: number): number {
  return count >= 8 ? 255 : count <= 0 ? 0 : (0xff00 >> count) & 255
}
