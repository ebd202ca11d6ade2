import { isMappedIpv4, type Family } from './address.ts'
import { HEADER_BYTES, OPTION_CLIENT_SUBNET } from './codes.ts'

/**
 * Bytes of an option that tells an IPv4 /24, as most resolvers that tell anything do (RFC 7871 11.1): code, length,
 * family, two prefix lengths, three of the address.
 */
const IPV4_24_BYTES = 11

/**
 * Where the address stands in a message that ends in the subnet option of an IPv4 /24; 0 when it does not look so. A
 * glance, for guesses.
 */
export function subnetAtEnd(bytes: Uint8Array, length: number): number {
  const at = length - IPV4_24_BYTES
  return at >= HEADER_BYTES &&
    bytes[at] === 0 &&
    bytes[at + 1] === OPTION_CLIENT_SUBNET &&
    bytes[at + 3] === IPV4_24_BYTES - 4 &&
    bytes[at + 5] === 1 &&
    bytes[at + 6] === 24
    ? at + 8
    : 0
}

/** The EDNS Client Subnet option of one query (RFC 7871), reused from query to query. */
export class ClientSubnet {
  present = false
  /** Where the option's data stands in the query, and its length. */
  at = 0
  length = 0
  /** Bits the resolver says are known; 0 means it keeps its client's place to itself. */
  sourceBits = 0
  /** Address with all unknown bits zero; IPv4 in the first four bytes, a mapped one too. */
  readonly address = new Uint8Array(16)
  family: Family = 4
  /** Known bits within `family`. */
  knownBits = 0
  /** Added to a scope within `family` to have it in the option's own family: 96 for mapped IPv4. */
  scopeShift = 0

  /** Reads option data `at`…`end`; false when it is malformed and deserves FORMERR (RFC 7871 6, 7.2.1). */
  read(bytes: Uint8Array, at: number, end: number): boolean {
    if (end - at < 4) return false
    const family = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
    const source = bytes[at + 2] ?? 0
    const octets = (source + 7) >> 3
    // `dig +subnet=0` sends family 0 with nothing in it; any other unknown family is an error.
    const maxBits = family === 1 ? 32 : family === 2 ? 128 : 0
    if (family > 2 || source > maxBits || (bytes[at + 3] ?? 0) !== 0 || end - at !== 4 + octets) return false
    const unknownBits = octets * 8 - source
    if (((bytes[end - 1] ?? 0) & ((1 << unknownBits) - 1)) !== 0 && octets > 0) return false
    this.present = true
    this.at = at
    this.length = end - at
    this.sourceBits = source
    this.#keep(bytes, at + 4, octets, family === 2 ? 6 : 4)
    return true
  }

  #keep(bytes: Uint8Array, at: number, octets: number, family: Family): void {
    const { address } = this
    for (let i = 0; i < octets; i++) address[i] = bytes[at + i] ?? 0
    for (let i = octets; i < 16; i++) address[i] = 0
    this.family = family
    this.knownBits = this.sourceBits
    this.scopeShift = 0
    if (family === 6 && this.sourceBits >= 96 && isMappedIpv4(address)) {
      address.copyWithin(0, 12, 16)
      address.fill(0, 4)
      this.family = 4
      this.knownBits = this.sourceBits - 96
      this.scopeShift = 96
    }
  }
}
