import {
  CLASS_IN,
  HEADER_BYTES,
  OPTION_CLIENT_SUBNET,
  OPTION_COOKIE,
  OPTION_EXTENDED_ERROR,
  OPTION_NSID,
  OPTION_PADDING,
  RCODE,
  TYPE,
  UDP_ANSWER_BYTES,
} from './codes.ts'
import type { Query } from './query.ts'

/** Owner pointer to the name in question. */
export const QUESTION_NAME = HEADER_BYTES
/** Leaves the lifetimes of copied records as they are. */
export const OWN_TTL = -1

const OPT_BYTES = 11
/** Client and server cookie together (RFC 9018 4). */
export const COOKIE_BYTES = 24
const OPTION_HEAD_BYTES = 4
const EXTENDED_ERROR_BYTES = OPTION_HEAD_BYTES + 2
/** Answers are made as long as a multiple of it (RFC 8467 4.1). */
const PADDING_BLOCK_BYTES = 468
/** Room for the TSIG record that is appended to the answer of a signed query. */
const TSIG_BYTES = 380
export const SECTION = { answer: 0, authority: 1, additional: 2 } as const
export type Section = (typeof SECTION)[keyof typeof SECTION]

/**
 * The answer being written. Every byte up to `at` is written by us: nothing of an earlier answer in the same buffer can
 * leave the house.
 */
export class Response {
  out: Uint8Array = new Uint8Array(0)
  at = 0
  rcode: number = RCODE.NOERROR
  authoritative = false
  truncated = false
  /** Scope of the client subnet, in the option's own family. */
  scopeBits = 0
  /** Extended error to tell; -1 for none. */
  extendedError = -1
  /** What goes back as cookie; only looked at when the query had one. */
  readonly cookie = new Uint8Array(COOKIE_BYTES)
  /** Who answers, for those who ask (RFC 5001); empty tells nothing. */
  identity: Uint8Array = new Uint8Array(0)
  readonly counts = new Uint16Array(3)
  #query: Uint8Array = new Uint8Array(0)
  /** How far records may reach: room for the OPT record is kept. */
  #limit = 0
  /** How far a padded answer may reach; 0 for one that is not. */
  #padTo = 0

  /** @param encrypted only then is there something to hide in the length */
  begin(query: Uint8Array, parsed: Query, out: Uint8Array, maxBytes: number, encrypted = false): void {
    this.out = out
    this.#query = query
    this.rcode = RCODE.NOERROR
    this.authoritative = this.truncated = false
    this.scopeBits = 0
    this.#clearCounts()
    this.extendedError = -1
    // What is signed is asked by secondaries, and its signature comes after.
    this.#padTo = encrypted && parsed.padded && parsed.tsigAt === 0 ? maxBytes : 0
    this.#limit =
      maxBytes -
      (parsed.edns
        ? OPT_BYTES + EXTENDED_ERROR_BYTES + this.#optionBytes(parsed) + (this.#padTo > 0 ? OPTION_HEAD_BYTES : 0)
        : 0) -
      (parsed.tsigAt > 0 ? TSIG_BYTES : 0)
    this.at = copy(query, 0, parsed.questionEnd, out, 0)
  }

  /**
   * Copies whole records, `from`…`to` of `source`, whose owner becomes the name at `owner` of this message. False when
   * they do not fit.
   */
  records(
    section: Section,
    source: Uint8Array,
    from: number,
    to: number,
    count: number,
    owner: number,
    ttlCap = OWN_TTL,
  ): boolean {
    const start = this.at
    if (start + to - from > this.#limit) return this.#overflow()
    this.at = copy(source, from, to, this.out, start)
    this.#count(section, count)
    if (owner !== QUESTION_NAME || ttlCap !== OWN_TTL) this.#adjust(start, count, owner, ttlCap)
    return true
  }

  /**
   * Copies glue: its owners are pointers into the records that start at `base` of this message, or names of their own.
   */
  glue(source: Uint8Array, from: number, to: number, count: number, base: number): boolean {
    let at = this.at
    if (at + to - from > this.#limit) return false
    this.at = copy(source, from, to, this.out, at)
    this.#count(SECTION.additional, count)
    for (let i = 0; i < count; i++) {
      if (this.#byte(at) >= 0xc0) {
        this.#pointer(at, (this.#u16(at) & 0x3fff) + base)
        at += 2
      } else at = this.#afterName(at)
      at += 10 + this.#u16(at + 8)
    }
    return true
  }

  /** Writes one record's head and rdata. False when it does not fit. */
  record(
    section: Section,
    owner: number,
    type: number,
    ttlSeconds: number,
    rdata: Uint8Array,
    recordClass = CLASS_IN,
  ): boolean {
    if (this.at + 12 + rdata.length > this.#limit) return this.#overflow()
    const { out, at } = this
    const bytes = rdata.length
    this.#pointer(at, owner)
    out[at + 2] = type >> 8
    out[at + 3] = type & 255
    out[at + 4] = 0
    out[at + 5] = recordClass
    this.#set32(at + 6, ttlSeconds)
    out[at + 10] = bytes >> 8
    out[at + 11] = bytes & 255
    this.at = copy(rdata, 0, bytes, out, at + 12)
    this.#count(section, 1)
    return true
  }

  /** Writes a record kept without its owner. */
  ownerless(section: Section, source: Uint8Array, from: number, to: number, owner: number, ttlCap: number): boolean {
    const start = this.at
    if (start + 2 + to - from > this.#limit) return this.#overflow()
    this.at = copy(source, from, to, this.out, start + 2)
    this.#count(section, 1)
    this.#adjust(start, 1, owner, ttlCap)
    return true
  }

  /** Completes the message and answers its length. */
  end(query: Query): number {
    if (this.truncated) {
      this.at = query.questionEnd
      this.#clearCounts()
    }
    if (query.edns) this.#opt(query)
    const { out, counts } = this
    out[2] = 0x80 | (query.flags & 0x79) | (this.authoritative ? 4 : 0) | (this.truncated ? 2 : 0)
    out[3] = this.rcode & 15
    out[4] = 0
    out[5] = query.questionEnd > HEADER_BYTES ? 1 : 0
    for (let section = 0; section < 3; section++) {
      const count = counts[section] ?? 0
      out[6 + 2 * section] = count >> 8
      out[7 + 2 * section] = count & 255
    }
    return this.at
  }

  /** RFC 6891 6.1.3; the client subnet is echoed with our scope, and only when it was sent (RFC 7871 7.2.1). */
  #opt(query: Query): void {
    const { subnet } = query
    const options = this.#optionBytes(query) + (this.extendedError >= 0 ? EXTENDED_ERROR_BYTES : 0)
    const { out, at } = this
    const padding = this.#padding(at + OPT_BYTES + options)
    const dataBytes = options + (padding < 0 ? 0 : OPTION_HEAD_BYTES + padding)
    out[at] = 0
    out[at + 1] = 0
    out[at + 2] = TYPE.OPT
    out[at + 3] = UDP_ANSWER_BYTES >> 8
    out[at + 4] = UDP_ANSWER_BYTES & 255
    out[at + 5] = this.rcode >> 4
    out[at + 6] = 0
    out[at + 7] = (query.dnssecOk ? 0x80 : 0) | (query.compactOk ? 0x40 : 0)
    out[at + 8] = 0
    out[at + 9] = dataBytes >> 8
    out[at + 10] = dataBytes & 255
    this.at = at + OPT_BYTES
    this.#count(SECTION.additional, 1)
    if (dataBytes === 0) return
    if (query.cookieAt > 0) {
      this.#put16(OPTION_COOKIE)
      this.#put16(COOKIE_BYTES)
      this.at = copy(this.cookie, 0, COOKIE_BYTES, this.out, this.at)
    }
    if (subnet.present) {
      this.#put16(OPTION_CLIENT_SUBNET)
      this.#put16(subnet.length)
      const data = this.at
      this.at = copy(this.#query, subnet.at, subnet.at + subnet.length, this.out, data)
      this.out[data + 3] = this.scopeBits
    }
    if (this.extendedError >= 0) {
      this.#put16(OPTION_EXTENDED_ERROR)
      this.#put16(2)
      this.#put16(this.extendedError)
    }
    if (query.identityAsked && this.identity.length > 0) {
      this.#put16(OPTION_NSID)
      this.#put16(this.identity.length)
      this.at = copy(this.identity, 0, this.identity.length, this.out, this.at)
    }
    if (padding < 0) return
    this.#put16(OPTION_PADDING)
    this.#put16(padding)
    this.out.fill(0, this.at, this.at + padding)
    this.at += padding
  }

  /**
   * Zeros that make an answer of so many bytes, and the option's head, a whole number of blocks, or as long as it may
   * be; -1 for an answer that is not padded.
   */
  #padding(bytes: number): number {
    const used = bytes + OPTION_HEAD_BYTES
    return this.#padTo === 0
      ? -1
      : Math.min(Math.ceil(used / PADDING_BLOCK_BYTES) * PADDING_BLOCK_BYTES, this.#padTo) - used
  }

  #optionBytes({ subnet, cookieAt, identityAsked }: Query): number {
    return (
      (subnet.present ? OPTION_HEAD_BYTES + subnet.length : 0) +
      (cookieAt > 0 ? OPTION_HEAD_BYTES + COOKIE_BYTES : 0) +
      (identityAsked && this.identity.length > 0 ? OPTION_HEAD_BYTES + this.identity.length : 0)
    )
  }

  #adjust(start: number, count: number, owner: number, ttlCap: number): void {
    let at = start
    for (let i = 0; i < count; i++) {
      this.#pointer(at, owner)
      if (ttlCap !== OWN_TTL && this.#u32(at + 6) > ttlCap) this.#set32(at + 6, ttlCap)
      at += 12 + this.#u16(at + 10)
    }
  }

  #clearCounts(): void {
    this.counts[0] = this.counts[1] = this.counts[2] = 0
  }

  #overflow(): false {
    this.truncated = true
    return false
  }

  #count(section: Section, by: number): void {
    this.counts[section] = (this.counts[section] ?? 0) + by
  }

  #afterName(at: number): number {
    while (this.#byte(at) > 0) at += this.#byte(at) + 1
    return at + 1
  }

  #pointer(at: number, to: number): void {
    this.out[at] = 0xc0 | (to >> 8)
    this.out[at + 1] = to & 255
  }

  #byte(at: number): number {
    return this.out[at] ?? 0
  }

  #u16(at: number): number {
    return (this.#byte(at) << 8) | this.#byte(at + 1)
  }

  #u32(at: number): number {
    return this.#u16(at) * 65536 + this.#u16(at + 2)
  }

  #set32(at: number, value: number): void {
    this.out[at] = value >>> 24
    this.out[at + 1] = (value >>> 16) & 255
    this.out[at + 2] = (value >>> 8) & 255
    this.out[at + 3] = value & 255
  }

  #put16(value: number): void {
    this.out[this.at++] = value >> 8
    this.out[this.at++] = value & 255
  }
}

/** Short runs byte by byte: a view for `set` would cost more than it saves. */
function copy(source: Uint8Array, from: number, to: number, out: Uint8Array, at: number): number {
  if (to - from > 160) {
    out.set(source.subarray(from, to), at)
    return at + to - from
  }
  const shift = at - from
  let i = from
  for (const fours = to - 3; i < fours; i += 4) {
    out[shift + i] = source[i] ?? 0
    out[shift + i + 1] = source[i + 1] ?? 0
    out[shift + i + 2] = source[i + 2] ?? 0
    out[shift + i + 3] = source[i + 3] ?? 0
  }
  for (; i < to; i++) out[shift + i] = source[i] ?? 0
  return shift + to
}
