import { ClientSubnet } from './client-subnet.ts'
import {
  HEADER_BYTES,
  OPTION_CLIENT_SUBNET,
  OPTION_COOKIE,
  OPTION_NSID,
  OPTION_PADDING,
  PLAIN_UDP_BYTES,
  RCODE,
  TYPE,
} from './codes.ts'
import { NameCursor } from './name-cursor.ts'

/** A query taken apart, reused for every packet. `parse` never throws, whatever the bytes are. */
export class Query {
  readonly name = new NameCursor()
  readonly subnet = new ClientSubnet()
  /** First and second flag byte of the header. */
  flags = 0
  /** Where the question ends; `HEADER_BYTES` while it could not be read. */
  questionEnd = HEADER_BYTES
  type = 0
  class = 0
  edns = false
  ednsVersion = 0
  dnssecOk = false
  /** The client takes NXDOMAIN together with a compact denial (RFC 9824 5). */
  compactOk = false
  /** Where the data of the cookie option stands, and its length; 0 without one. */
  cookieAt = 0
  cookieLength = 0
  /** The client wants the length of its answer hidden (RFC 7830). */
  padded = false
  /** The client asks which server answers (RFC 5001). */
  identityAsked = false
  /** Where the TSIG record starts, 0 without one. */
  tsigAt = 0
  /** Largest UDP answer the client takes. */
  udpBytes = PLAIN_UDP_BYTES

  /** Answers the response code the message earns by its form alone, or -1 when it gets no answer at all. */
  parse(bytes: Uint8Array, length: number): number {
    this.questionEnd = HEADER_BYTES
    this.edns = this.dnssecOk = this.subnet.present = false
    this.compactOk = this.padded = this.identityAsked = false
    this.ednsVersion = this.cookieAt = this.cookieLength = this.tsigAt = 0
    this.udpBytes = PLAIN_UDP_BYTES
    // A response is never answered: two servers would play ping-pong.
    if (length < HEADER_BYTES || (u8(bytes, 2) & 0x80) !== 0) return -1
    this.flags = u8(bytes, 2)
    if ((this.flags & 0x78) === 0) return this.#question(bytes, length)
    // What other messages hold is not known here, but who speaks EDNS is answered in it (RFC 6891 6.1.1).
    if (this.#question(bytes, length) !== RCODE.NOERROR) {
      this.questionEnd = HEADER_BYTES
      this.edns = this.identityAsked = this.padded = this.subnet.present = false
      this.cookieAt = 0
    }
    this.tsigAt = 0
    return RCODE.NOTIMP
  }

  #question(bytes: Uint8Array, length: number): number {
    // RFC 9619: a query has one question.
    if (u16(bytes, 4) !== 1 || u16(bytes, 6) !== 0) return RCODE.FORMERR
    const afterName = this.name.read(bytes, HEADER_BYTES, length)
    if (afterName < 0 || afterName + 4 > length) return RCODE.FORMERR
    this.type = u16(bytes, afterName)
    this.class = u16(bytes, afterName + 2)
    this.questionEnd = afterName + 4
    const authorities = u16(bytes, 8)
    // IXFR alone carries the client's SOA in its authority section (RFC 1995 3).
    if (authorities !== 0 && this.type !== TYPE.IXFR) return RCODE.FORMERR
    return this.#records(bytes, length, authorities, u16(bytes, 10))
  }

  #records(bytes: Uint8Array, length: number, authorities: number, additionals: number): number {
    let at = this.questionEnd
    for (let i = 0; i < authorities + additionals; i++) {
      const owner = at
      at = skipName(bytes, at, length)
      if (at < 0 || at + 10 > length) return RCODE.FORMERR
      const type = u16(bytes, at)
      const end = at + 10 + u16(bytes, at + 8)
      if (end > length) return RCODE.FORMERR
      // RFC 8945 5.1: the last record of all, and one.
      if (this.tsigAt > 0) return RCODE.FORMERR
      if (type === TYPE.TSIG) {
        if (i !== authorities + additionals - 1) return RCODE.FORMERR
        this.tsigAt = owner
      } else if (type === TYPE.OPT) {
        // RFC 6891 6.1.1: one OPT, in the additional section, owned by the root.
        if (this.edns || i < authorities || u8(bytes, owner) !== 0) return RCODE.FORMERR
        if (!this.#opt(bytes, at, end)) return RCODE.FORMERR
      }
      at = end
    }
    return at === length ? RCODE.NOERROR : RCODE.FORMERR
  }

  /** Reads the OPT record whose type stands at `at`; false when an option is malformed. */
  #opt(bytes: Uint8Array, at: number, end: number): boolean {
    this.edns = true
    this.udpBytes = Math.max(PLAIN_UDP_BYTES, u16(bytes, at + 2))
    this.ednsVersion = u8(bytes, at + 5)
    this.dnssecOk = (u8(bytes, at + 6) & 0x80) !== 0
    this.compactOk = this.dnssecOk && (u8(bytes, at + 6) & 0x40) !== 0
    // Another version may have other options; all it gets is BADVERS (RFC 6891 6.1.3).
    if (this.ednsVersion !== 0) return true
    let option = at + 10
    while (option < end) {
      if (option + 4 > end) return false
      const next = option + 4 + u16(bytes, option + 2)
      if (next > end) return false
      const code = u16(bytes, option)
      if (code === OPTION_CLIENT_SUBNET && !this.subnet.present && !this.subnet.read(bytes, option + 4, next))
        return false
      if (code === OPTION_COOKIE && this.cookieAt === 0) {
        const bytesLong = next - option - 4
        // RFC 7873 5.2.2: eight bytes of the client, or with eight to 32 of a server. One of another length is not
        // answered with a cookie: it may end the packet early.
        if (bytesLong !== 8 && (bytesLong < 16 || bytesLong > 40)) return false
        this.cookieAt = option + 4
        this.cookieLength = bytesLong
      }
      if (code === OPTION_PADDING) this.padded = true
      if (code === OPTION_NSID) this.identityAsked = true
      option = next
    }
    return true
  }
}

/** Where the name at `at` ends, compressed or not; -1 when it runs out of the message. */
function skipName(bytes: Uint8Array, at: number, length: number): number {
  while (at < length) {
    const label = u8(bytes, at)
    if (label === 0) return at + 1
    if (label >= 0xc0) return at + 2 <= length ? at + 2 : -1
    if (label > 63) return -1
    at += label + 1
  }
  return -1
}

function u8(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0
}

function u16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}
