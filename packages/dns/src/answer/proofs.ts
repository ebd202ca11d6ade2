import { nextName, nsecRdata } from '../dnssec/denial.ts'
import { KIND } from '../segment/format.ts'
import type { Segment } from '../segment/segment.ts'
import { TYPE } from '../wire/codes.ts'
import type { Query } from '../wire/query.ts'
import { SECTION, type Response, type Section } from '../wire/response.ts'

/** A name of the answer: its bytes in lower case, and where it stands in the message. */
export type Owner = { lower: Uint8Array; at: number }

/** Puts signatures and denials into the answers of signed zones, for those who ask for them (RFC 4035 3.1). */
export class Proofs {
  /** The answer is for a stream, whose clients are who they say: they are signed for without limit. */
  unlimited = false
  readonly #query: Query
  readonly #response: Response

  constructor(query: Query, response: Response) {
    this.#query = query
    this.#response = response
  }

  /** Whether answers of the zone are to be signed. */
  wanted(zone: Segment): boolean {
    return this.#query.dnssecOk && zone.signer !== null
  }

  /** The signatures made beforehand of the entry of `type` (with its variant). */
  kept(zone: Segment, node: number, type: number, section: Section, ownerAt: number, ttlCap: number): void {
    const entry = zone.entry(node, type | KIND.signature)
    if (entry === 0) return
    this.#response.records(
      section,
      zone.bytes,
      zone.recordsAt(entry),
      zone.answersEnd(entry),
      zone.answers(entry),
      ownerAt,
      ttlCap,
    )
  }

  /**
   * A signature for what stands in no segment as it is answered. `ttlSeconds` is the longest lifetime of the set,
   * `leftSeconds` that of this answer.
   */
  made(
    zone: Segment,
    section: Section,
    owner: Owner,
    type: number,
    rdata: readonly Uint8Array[],
    ttlSeconds: number,
    leftSeconds: number,
  ): void {
    const signature = zone.signer?.sign({ owner: owner.lower, type, ttlSeconds, rdata }, this.unlimited)
    // Over UDP who finds the budget spent comes again over TCP.
    if (!signature) this.#response.truncated = true
    else this.#response.record(section, owner.at, TYPE.RRSIG, leftSeconds, signature)
  }

  /**
   * The proof that a name has none but these types, or with `NXNAME` that it does not exist: one record made for the
   * name (RFC 9824).
   */
  denial(zone: Segment, owner: Owner, types: readonly number[]): void {
    const rdata = nsecRdata(nextName(owner.lower), types)
    this.#response.record(SECTION.authority, owner.at, TYPE.NSEC, zone.negativeTtlSeconds, rdata)
    this.made(zone, SECTION.authority, owner, TYPE.NSEC, [rdata], zone.negativeTtlSeconds, zone.negativeTtlSeconds)
  }

  /**
   * The NSEC of a name as the answer to a question for it, signed like any other; to one for RRSIG the signatures of
   * that set alone, for all of them are more than anybody needs (RFC 8482 7).
   */
  asked(zone: Segment, owner: Owner, types: readonly number[]): void {
    const ttlSeconds = zone.negativeTtlSeconds
    const rdata = nsecRdata(nextName(owner.lower), types)
    const isNsec = this.#query.type === TYPE.NSEC
    if (isNsec && !this.#response.record(SECTION.answer, owner.at, TYPE.NSEC, ttlSeconds, rdata)) return
    if (!isNsec || this.wanted(zone)) this.made(zone, SECTION.answer, owner, TYPE.NSEC, [rdata], ttlSeconds, ttlSeconds)
  }
}

/** Rdata of whole records with two bytes of owner each, and the lifetime of the first. */
export function rdataIn(source: Uint8Array, from: number, to: number): { rdata: Uint8Array[]; ttlSeconds: number } {
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength)
  const rdata: Uint8Array[] = []
  for (let at = from; at < to; at += 12 + view.getUint16(at + 10))
    rdata.push(source.subarray(at + 12, at + 12 + view.getUint16(at + 10)))
  return { rdata, ttlSeconds: from < to ? view.getUint32(from + 6) : 0 }
}
