import type { DnsTransfers } from '@fairway/contract'
import { TSIG_ERROR, TsigSigner, checkTsig, type Signed } from '@fairway/platform/lean'
import type { OpenKey } from '../dnssec/zone-signer.ts'
import type { Segment } from '../segment/segment.ts'
import type { Zones } from '../segment/zones.ts'
import { HEADER_BYTES, RCODE, TYPE } from '../wire/codes.ts'
import type { Query } from '../wire/query.ts'
import { Comparisons } from './comparisons.ts'
import { FormerVersions } from './former-versions.ts'
import { GivenVersions } from './given-versions.ts'
import { transferMessages } from './messages.ts'
import { Notices } from './notices.ts'
import { peersIn, type Peer } from './peers.ts'
import {
  comparedBytes,
  difference,
  serialOf,
  soaRecord,
  zoneRecords,
  type Pause,
  type WireRecord,
} from './zone-records.ts'

/** `noticed` is told of zones that are kept elsewhere and have changed there. */
export type TransfersOptions = {
  zones: Zones
  openKey: OpenKey
  clock: () => number
  noticed: (zoneId: string) => void
}

/**
 * Gives zones to the secondaries of their owners: who asks has to sign with one of their keys (RFC 5936, RFC 1995, RFC
 * 8945).
 */
export class Transfers {
  served = 0
  refused = 0
  readonly notices: Notices
  readonly #options: TransfersOptions
  readonly #peers = new Map<string, Peer>()
  readonly #former = new FormerVersions()
  readonly #given = new GivenVersions()
  readonly #comparisons = new Comparisons()

  constructor(options: TransfersOptions) {
    this.#options = options
    this.notices = new Notices(options)
  }

  /**
   * Who may take the zones of an organisation from now on; null nobody. @throws Error when a secret cannot be opened
   * here
   */
  set(organizationId: string, transfers: DnsTransfers | null): void {
    const peers = peersIn(organizationId, transfers, this.#options.openKey)
    for (const [name, peer] of this.#peers) if (peer.organizationId === organizationId) this.#peers.delete(name)
    for (const peer of peers) this.#peers.set(peer.name, peer)
  }

  /** A zone is served at another version: the one before stays for those who have it. */
  swapped(former: Segment | undefined, present: Segment | undefined): void {
    if (!present) return this.#former.forget(former?.zoneId)
    if (former && [...this.#peers.values()].some((peer) => peer.organizationId === former.organizationId))
      this.#former.keep(former, present)
  }

  /**
   * Signs the answer in `out[0…answered]`, or replaces it by what is wrong with the signature of the query. Answers the
   * new length.
   */
  finish(bytes: Uint8Array, length: number, query: Query, out: Uint8Array, answered: number): number {
    const signed = this.#check(bytes, length, query)
    const message =
      signed && signed.error === TSIG_ERROR.none
        ? Buffer.from(out.subarray(0, answered))
        : bare(bytes, query, signed ? RCODE.NOTAUTH : RCODE.FORMERR)
    const whole = signed ? new TsigSigner(signed, this.#options.clock).sign(message) : message
    out.set(whole)
    return whole.length
  }

  /**
   * The messages of a transfer over TCP to the client's address; one with the refusal when it is not granted. The query
   * must have been parsed by `query`. Null where others should have their turn before it goes on.
   */
  *answer(bytes: Buffer, query: Query, address: string): Generator<Buffer | Pause> {
    const signed = query.tsigAt > 0 ? this.#check(bytes, bytes.length, query) : null
    const signer = signed ? new TsigSigner(signed, this.#options.clock) : null
    const send = (message: Buffer): Buffer => signer?.sign(message) ?? message
    const zone = this.#options.zones.find(query.name, TYPE.SOA)
    const isApex = zone !== null && zone.origin.length === query.name.length
    const peer = signed?.key && signed.error === TSIG_ERROR.none ? this.#peers.get(signed.key.name) : undefined
    if (!zone || !isApex || !peer || peer.organizationId !== zone.organizationId) {
      this.refused++
      const wrong = signed !== null && signed.error !== TSIG_ERROR.none
      return yield send(bare(bytes, query, wrong || (isApex === false && peer) ? RCODE.NOTAUTH : RCODE.REFUSED))
    }
    // Without their other form, names that are decided for who asks would answer something else there.
    if (zone.expired || !zone.transferable) return yield send(bare(bytes, query, RCODE.SERVFAIL))
    this.served++
    const to = { key: peer.name, secondary: `${peer.name} ${address}` }
    const serial = query.type === TYPE.IXFR ? clientSerial(bytes, query.questionEnd) : null
    const records = serial === null ? whole(zone) : this.#incremental(zone, serial, to)
    for (const message of transferMessages(bytes, query.questionEnd, records))
      yield message === null ? null : send(message)
    // Who has the serial already was given nothing.
    if (zone.keys.length > 0 && serial !== serialOf(zone)) this.#given.note(to.secondary, zone)
  }

  /**
   * What has changed since the client's version, all at once; nothing but the SOA when that is ours, everything when it
   * is not known any more (RFC 1995 4), or a secondary has it with signatures of another node.
   */
  *#incremental(
    zone: Segment,
    serial: number,
    { key, secondary }: { key: string; secondary: string },
  ): Generator<WireRecord | Pause> {
    const soa = soaRecord(zone)
    if (serial === serialOf(zone)) return yield soa
    const former = this.#former.find(zone.zoneId, serial)
    if (!former) return yield* whole(zone)
    const isSigned = former.keys.length + zone.keys.length > 0
    const bytes = comparedBytes(former, zone) + comparedBytes(zone, former)
    if ((isSigned && !this.#given.has(secondary, former)) || !this.#comparisons.begin(key, bytes))
      return yield* whole(zone)
    try {
      const { removed, added } = yield* difference(former, zone)
      yield soa
      yield soaRecord(former)
      yield* removed
      yield soa
      yield* added
      yield soa
    } finally {
      this.#comparisons.end(key, bytes)
    }
  }

  #check(bytes: Uint8Array, length: number, query: Query): Signed | null {
    return checkTsig(bytes, length, query.tsigAt, (name) => this.#peers.get(name) ?? null, this.#options.clock())
  }
}

function* whole(zone: Segment): Generator<WireRecord> {
  const soa = soaRecord(zone)
  yield soa
  yield* zoneRecords(zone)
  yield soa
}

/** The question with nothing but a response code. */
function bare(bytes: Uint8Array, query: Query, rcode: number): Buffer {
  const message = Buffer.from(bytes.subarray(0, query.questionEnd))
  message[2] = 0x80 | (query.flags & 0x79)
  message[3] = rcode & 15
  message.writeUInt16BE(query.questionEnd > HEADER_BYTES ? 1 : 0, 4)
  message.fill(0, 6, HEADER_BYTES)
  return message
}

/** Serial of the SOA in the authority section of an incremental question; null when there is none. */
function clientSerial(bytes: Buffer, questionEnd: number): number | null {
  if (bytes.readUInt16BE(8) !== 1) return null
  const owner = skipName(bytes, questionEnd)
  if (owner < 0 || owner + 10 > bytes.length || bytes.readUInt16BE(owner) !== TYPE.SOA) return null
  const serialAt = owner + 10 + bytes.readUInt16BE(owner + 8) - 20
  return serialAt >= owner + 10 && serialAt + 4 <= bytes.length ? bytes.readUInt32BE(serialAt) : null
}

function skipName(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at += bytes.readUInt8(at) + 1) {
    if (bytes.readUInt8(at) >= 0xc0) return at + 2
    if (bytes.readUInt8(at) === 0) return at + 1
  }
  return -1
}
