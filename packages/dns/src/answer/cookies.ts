import type { Peer } from '../wire/peer.ts'
import { SipHash } from '../wire/siphash.ts'

const CLIENT_BYTES = 8
const SERVER_BYTES = 16
/** Where the address stands in what is hashed. */
const ADDRESS_AT = CLIENT_BYTES + 8
/** A cookie is good for an hour, and for five minutes from the future (RFC 9018 4.3). */
const LIFETIME_SECONDS = 3600
const AHEAD_SECONDS = 300
const VERSION = 1

/**
 * DNS cookies in the form that all servers of one name can share (RFC 7873, RFC 9018): who shows one of ours is at the
 * address it writes from.
 * Not re-entrant.
 */
export class Cookies {
  readonly #hash: SipHash
  readonly #nowMs: () => number
  readonly #input = new Uint8Array(ADDRESS_AT + 16)
  readonly #made = new Uint8Array(8)

  /** @param secret 16 bytes that all nodes have in common */
  constructor(secret: Uint8Array, nowMs: () => number) {
    this.#hash = new SipHash(secret)
    this.#nowMs = nowMs
  }

  /**
   * Writes the cookie to send back into `out` (24 bytes) and answers whether the one that came, `length` bytes at `at`,
   * is ours and in time.
   */
  answer(bytes: Uint8Array, at: number, length: number, peer: Peer, out: Uint8Array): boolean {
    const now = Math.floor(this.#nowMs() / 1000)
    const addressBytes = peer.family === 4 ? 4 : 16
    for (let i = 0; i < addressBytes; i++) this.#input[ADDRESS_AT + i] = peer.bytes[i] ?? 0
    for (let i = 0; i < CLIENT_BYTES; i++) this.#input[i] = out[i] = bytes[at + i] ?? 0
    const good = length === CLIENT_BYTES + SERVER_BYTES && this.#isOurs(bytes, at + CLIENT_BYTES, now, addressBytes)
    this.#head(now)
    this.#digest(addressBytes)
    for (let i = 0; i < 8; i++) {
      out[CLIENT_BYTES + i] = this.#input[CLIENT_BYTES + i] ?? 0
      out[CLIENT_BYTES + 8 + i] = this.#made[i] ?? 0
    }
    return good
  }

  #isOurs(bytes: Uint8Array, at: number, now: number, addressBytes: number): boolean {
    const written =
      (((bytes[at + 4] ?? 0) << 24) |
        ((bytes[at + 5] ?? 0) << 16) |
        ((bytes[at + 6] ?? 0) << 8) |
        (bytes[at + 7] ?? 0)) >>>
      0
    // Serial number arithmetic: the clock goes round in 2106.
    const age = (now - written) | 0
    if (bytes[at] !== VERSION || age > LIFETIME_SECONDS || age < -AHEAD_SECONDS) return false
    for (let i = 0; i < 8; i++) this.#input[CLIENT_BYTES + i] = bytes[at + i] ?? 0
    this.#digest(addressBytes)
    let difference = 0
    for (let i = 0; i < 8; i++) difference |= (bytes[at + 8 + i] ?? 0) ^ (this.#made[i] ?? 0)
    return difference === 0
  }

  #head(now: number): void {
    this.#input.fill(0, CLIENT_BYTES, CLIENT_BYTES + 8)
    this.#input[CLIENT_BYTES] = VERSION
    for (let i = 0; i < 4; i++) this.#input[CLIENT_BYTES + 4 + i] = now >>> (24 - 8 * i)
  }

  #digest(addressBytes: number): void {
    this.#hash.write(this.#input, ADDRESS_AT + addressBytes, this.#made, 0)
  }
}
