import { checkTsig, TSIG_ERROR, TsigSigner, type TsigKey } from '@fairway/platform/lean'
import type { OpenKey } from '../dnssec/zone-signer.ts'
import type { Segment } from '../segment/segment.ts'
import type { Zones } from '../segment/zones.ts'
import { CLASS_IN, HEADER_BYTES, RCODE, TYPE } from '../wire/codes.ts'
import { NameCursor } from '../wire/name-cursor.ts'
import { Peer } from '../wire/peer.ts'

export type NoticesOptions = { zones: Zones; openKey: OpenKey; clock: () => number; noticed: (zoneId: string) => void }

const OPCODE_MASK = 0x78
const OPCODE_NOTIFY = 4 << 3
const RESPONSE = 0x80

/** A look at one byte: whether a message is a notice and no answer to one of ours. */
export const isNotice = (bytes: Uint8Array, length: number): boolean =>
  length >= HEADER_BYTES && ((bytes[2] ?? 0) & (OPCODE_MASK | RESPONSE)) === OPCODE_NOTIFY

/**
 * Hears what primaries of zones that are kept elsewhere say of changes (RFC 1996): they alone, by their addresses, and
 * with the right key where they sign.
 */
export class Notices {
  heard = 0
  refused = 0
  readonly #options: NoticesOptions
  readonly #name = new NameCursor()
  readonly #primary = new Peer()

  constructor(options: NoticesOptions) {
    this.#options = options
  }

  /** Writes the answer to a notice into `out` and answers its length; 0 for one that is malformed. */
  answer(bytes: Uint8Array, length: number, peer: Peer, out: Uint8Array): number {
    const message = Buffer.from(bytes.subarray(0, length))
    const nameEnd = this.#name.read(message, HEADER_BYTES, length)
    if (nameEnd < 0 || nameEnd + 4 > length || message.readUInt16BE(4) !== 1) return 0
    const question = message.subarray(0, nameEnd + 4)
    const zone = this.#zoneOf(peer, message.readUInt16BE(nameEnd), message.readUInt16BE(nameEnd + 2))
    if (!zone) return this.#reply(out, question, RCODE.REFUSED)
    const tsigAt = lastRecordAt(message, nameEnd + 4)
    const signed =
      tsigAt > 0 ? checkTsig(message, length, tsigAt, (name) => this.#keyOf(zone, name), this.#options.clock()) : null
    if (tsigAt > 0 && (!signed || signed.error !== TSIG_ERROR.none)) return this.#reply(out, question, RCODE.NOTAUTH)
    this.heard++
    this.#options.noticed(zone.zoneId)
    const answered = this.#reply(out, question, RCODE.NOERROR)
    if (!signed) return answered
    const whole = new TsigSigner(signed, this.#options.clock).sign(Buffer.from(out.subarray(0, answered)))
    out.set(whole)
    return whole.length
  }

  /** The zone of the question when it is kept elsewhere and the peer is one of its primaries. */
  #zoneOf(peer: Peer, type: number, kind: number): Segment | null {
    const zone = type === TYPE.SOA && kind === CLASS_IN ? this.#options.zones.find(this.#name, TYPE.SOA) : null
    if (!zone?.primary || zone.origin.length !== this.#name.length) return null
    return zone.primary.addresses.some((address) => this.#isPeer(address, peer)) ? zone : null
  }

  #isPeer(address: string, peer: Peer): boolean {
    const { family, bytes } = this.#primary.setText(address)
    return family !== 0 && family === peer.family && Buffer.compare(bytes, peer.bytes) === 0
  }

  #keyOf({ primary }: Segment, name: string): TsigKey | null {
    const key = primary?.key
    return key && key.name === name
      ? { name, algorithm: key.algorithm, secret: Buffer.from(this.#options.openKey(key.sealedSecret), 'base64') }
      : null
  }

  #reply(out: Uint8Array, question: Buffer, rcode: number): number {
    if (rcode !== RCODE.NOERROR) this.refused++
    out.set(question)
    out[2] = RESPONSE | OPCODE_NOTIFY | 0x04
    out[3] = rcode
    out.fill(0, 6, HEADER_BYTES)
    return question.length
  }
}

/**
 * Where the signature of a notice stands: the last record, when it is a TSIG; 0 without one, or when what comes before
 * it makes no sense.
 */
function lastRecordAt(message: Buffer, from: number): number {
  const count = message.readUInt16BE(6) + message.readUInt16BE(8) + message.readUInt16BE(10)
  let at = from
  for (let index = 0; index < count; index++) {
    const start = at
    while (at < message.length && message.readUInt8(at) !== 0 && message.readUInt8(at) < 0xc0)
      at += message.readUInt8(at) + 1
    at += at < message.length && message.readUInt8(at) >= 0xc0 ? 2 : 1
    if (at + 10 > message.length) return 0
    const type = message.readUInt16BE(at)
    at += 10 + message.readUInt16BE(at + 8)
    if (index === count - 1 && type === TYPE.TSIG && message.readUInt16BE(10) > 0) return start
  }
  return 0
}
