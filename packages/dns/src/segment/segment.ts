import os from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { ZonePrimary } from '@fairway/contract'
import { siteOfZone } from '@fairway/domain/lean'
import type { OnlineSigner } from '../dnssec/online-signer.ts'
import { nameToText, nameToWire } from '../wire/name.ts'
import { NameCursor } from '../wire/name-cursor.ts'
import { PresentationError } from '../wire/presentation.ts'
import {
  BODY_AT,
  CHECKSUM_BYTES,
  ENTRY,
  ENTRY_WORDS,
  FORMAT_VERSION,
  HEADER,
  KIND,
  KIND_MASK,
  LONG_ENTRY_WORDS,
  FLAG,
  MAGIC,
  NODE_WORDS,
  OVERLAY,
  OVERLAY_ALIGNED,
  OVERLAY_BODY_AT,
  OVERLAY_MAGIC,
  STEERED,
  TAG_MASK,
  aligned,
  tagOf,
  type OverlayMeta,
  type SegmentMeta,
} from './format.ts'
import type { SteeredEntry } from './steered-entry.ts'

/** A file that is no whole segment; whoever meets it keeps what it had. */
export class SegmentError extends Error {}

/** Checked in well under a millisecond. */
const PART_BYTES = 1 << 20
const NO_NODES = new Int32Array(0)

/** A whole segment that was checked already, so that it need not be for each overlay. */
export type CheckedWhole = Pick<Segment, 'wholeBuiltAt' | 'wholeChecksum'>

/**
 * A zone at one version, read where it lies; with an overlay, as the overlay has it. Offsets of nodes and entries are
 * bytes; 0 is "none".
 */
export class Segment {
  readonly bytes: Uint8Array
  readonly words: Int32Array
  readonly zoneId: string
  /** What its questions are counted for. */
  readonly siteId: string
  readonly organizationId: string | null
  /** Its name was shown to be its organisation's. */
  readonly proven: boolean
  readonly sourceHash: string
  readonly version: number
  /** Null where a former version of Fairway has made it. */
  readonly step: number | null
  readonly builtAt: number
  /** When the oldest of it was made, and so its signatures. */
  readonly madeAt: number
  /** When the file under the overlay was written, and its checksum. */
  readonly wholeBuiltAt: number
  readonly wholeChecksum: number
  /** Bytes of that alone. */
  readonly wholeBytes: number
  readonly hasOverlay: boolean
  readonly origin: Uint8Array
  readonly originText: string
  readonly apexAt: number
  /** Tells zones apart where answers are counted: offsets are alike in many of them. */
  readonly rateKey: number
  readonly negativeAt: number
  readonly negativeBytes: number
  /** Lifetime of negative answers (RFC 2308 5). */
  readonly negativeTtlSeconds: number
  readonly steered: readonly SteeredEntry[]
  readonly aliasTargets: readonly string[]
  readonly keys: SegmentMeta['keys']
  /** Where the zone is fetched from; null when it is kept here. */
  readonly primary: ZonePrimary | null
  /** Secondaries may be given it: nothing in it is decided for who asks, or all of that has another form. */
  readonly transferable: boolean
  /** It is fetched and too old to be answered. */
  readonly expired: boolean
  /** Signs what cannot be signed beforehand; set where a signed zone is put into service. */
  signer: OnlineSigner | null = null
  readonly #tableWord: number
  readonly #mask: number
  /** Table of the overlay; 0 for none. */
  readonly #overTableWord: number
  readonly #overMask: number
  readonly #overlayAt: number
  readonly #originBytes: number

  /**
   * Reads a segment, checking the whole file first; of a large one a part at a time, for queries wait meanwhile.
   * @throws SegmentError when it is damaged, cut short or of another format.
   */
  static async open(file: Uint8Array): Promise<Segment> {
    const { bytes, words } = checkedForm(file)
    const end = bytes.length - CHECKSUM_BYTES
    let checksum = 0
    for (let at = 0; at < end; at += PART_BYTES) {
      if (at > 0) await nextTurn()
      checksum = crc32(bytes.subarray(at, Math.min(end, at + PART_BYTES)), checksum)
    }
    return Segment.#checked(bytes, words, checksum)
  }

  /** The same without ever letting go, for a server that has nothing to answer from yet. */
  static openNow(file: Uint8Array): Segment {
    const { bytes, words } = checkedForm(file)
    return Segment.#checked(bytes, words, crc32(bytes.subarray(0, -CHECKSUM_BYTES)))
  }

  static #checked(bytes: Uint8Array, words: Int32Array, checksum: number): Segment {
    if (words.at(-1) !== (checksum | 0)) throw new SegmentError('the file is damaged: its checksum does not fit')
    return new Segment(bytes, words, 0)
  }

  /**
   * A whole with the overlay that stands behind it, at `overlayAt`. Of the whole only the head is looked at where
   * `known` was the same. @throws SegmentError
   */
  static async openOver(
    bytes: Uint8Array,
    wholeBytes: number,
    overlayAt: number,
    known: CheckedWhole | undefined,
  ): Promise<Segment> {
    const whole = bytes.subarray(0, wholeBytes)
    const { words } = checkedForm(whole)
    const builtAt = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(4 * HEADER.builtAt, true)
    if (known?.wholeBuiltAt !== builtAt || known.wholeChecksum !== words.at(-1)) await Segment.open(whole)
    return Segment.#over(bytes, wholeBytes, overlayAt)
  }

  /** The same without ever letting go. */
  static openOverNow(bytes: Uint8Array, wholeBytes: number, overlayAt: number): Segment {
    Segment.openNow(bytes.subarray(0, wholeBytes))
    return Segment.#over(bytes, wholeBytes, overlayAt)
  }

  static #over(bytes: Uint8Array, wholeBytes: number, overlayAt: number): Segment {
    const words = checkedOverlay(bytes, wholeBytes, overlayAt)
    return new Segment(bytes, words, overlayAt)
  }

  private constructor(bytes: Uint8Array, words: Int32Array, overlayAt: number) {
    const first = overlayAt >> 2
    const head = (name: keyof typeof HEADER) => words[first + HEADER[name]] ?? 0
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    const double = (name: 'builtAt' | 'version') => view.getFloat64(overlayAt + 4 * HEADER[name], true)
    this.bytes = bytes
    this.words = words
    this.hasOverlay = overlayAt > 0
    this.#overlayAt = overlayAt
    this.version = double('version')
    this.builtAt = double('builtAt')
    this.wholeBuiltAt = view.getFloat64(4 * HEADER.builtAt, true)
    this.wholeBytes = words[HEADER.fileBytes] ?? 0
    this.wholeChecksum = words[(this.wholeBytes >> 2) - 1] ?? 0
    this.apexAt = head('apexAt')
    this.negativeAt = head('negativeAt')
    this.negativeBytes = head('negativeBytes')
    this.negativeTtlSeconds = new DataView(bytes.buffer, bytes.byteOffset).getUint32(this.negativeAt + 4)
    this.#tableWord = (words[HEADER.tableAt] ?? 0) >> 2
    this.#mask = words[HEADER.tableMask] ?? 0
    this.#overTableWord = overlayAt > 0 ? head('tableAt') >> 2 : 0
    this.#overMask = head('tableMask')
    const meta = this.meta()
    this.zoneId = meta.zoneId
    this.rateKey = Math.imul(crc32(meta.zoneId), 0xc2b2ae35)
    this.siteId = siteOfZone(meta.zoneId)
    this.organizationId = meta.organizationId
    this.proven = meta.proven ?? false
    this.sourceHash = meta.sourceHash
    this.step = meta.step ?? null
    this.madeAt = meta.madeAt ?? this.wholeBuiltAt
    this.steered = steeredOf(meta)
    this.aliasTargets = meta.aliasTargets
    this.keys = meta.keys
    this.primary = meta.primary ?? null
    this.transferable = meta.transferable ?? meta.steered.length + meta.aliasTargets.length === 0
    this.expired = this.primary?.expired ?? false
    this.origin = bytes.subarray(head('originAt'), head('originAt') + head('originBytes'))
    this.originText = nameToText(this.origin)
    this.#originBytes = this.origin.length
  }

  /** What it says besides names, read anew. */
  meta(): SegmentMeta {
    const { bytes, words } = this
    const metaOf = <Meta>(headAt: number): Meta => {
      const at = words[(headAt >> 2) + HEADER.metaAt] ?? 0
      return readMeta<Meta>(bytes.subarray(at, at + (words[(headAt >> 2) + HEADER.metaBytes] ?? 0)))
    }
    return { ...metaOf<SegmentMeta>(0), ...(this.hasOverlay ? metaOf<OverlayMeta>(this.#overlayAt) : {}) }
  }

  /** Node with this hash and lower-case name (`length` bytes at `at` of `name`), which ends in the origin. */
  find(hash: number, name: Uint8Array, at: number, length: number): number {
    if (this.#overTableWord !== 0) {
      const over = this.#findIn(this.#overTableWord, this.#overMask, hash, name, at, length)
      if (over !== 0) return (this.flags(over) & FLAG.gone) === 0 ? over : 0
    }
    return this.#findIn(this.#tableWord, this.#mask, hash, name, at, length)
  }

  #findIn(table: number, mask: number, hash: number, name: Uint8Array, at: number, length: number): number {
    const { words, bytes } = this
    const tag = tagOf(hash)
    const own = length - this.#originBytes
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = words[table + slot] ?? 0
      if (entry === 0) return 0
      if ((entry & TAG_MASK) !== tag) continue
      const word = entry >> 2
      if (words[word] !== hash || ((words[word + 1] ?? 0) & 255) !== own) continue
      const stored = 4 * (word + NODE_WORDS)
      let i = 0
      while (i < own && bytes[stored + i] === name[at + i]) i++
      if (i === own) return 4 * word
    }
  }

  /** Node `*.<name>`; `hash` is that of the wildcard, `name` what stands below the asterisk and ends in the origin. */
  findWildcard(hash: number, name: Uint8Array, at: number, length: number): number {
    if (this.#overTableWord !== 0) {
      const over = this.#findWildcardIn(this.#overTableWord, this.#overMask, hash, name, at, length)
      if (over !== 0) return (this.flags(over) & FLAG.gone) === 0 ? over : 0
    }
    return this.#findWildcardIn(this.#tableWord, this.#mask, hash, name, at, length)
  }

  #findWildcardIn(table: number, mask: number, hash: number, name: Uint8Array, at: number, length: number): number {
    const { words, bytes } = this
    const tag = tagOf(hash)
    const own = length - this.#originBytes
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = words[table + slot] ?? 0
      if (entry === 0) return 0
      if ((entry & TAG_MASK) !== tag) continue
      const word = entry >> 2
      if (words[word] !== hash || ((words[word + 1] ?? 0) & 255) !== own + 2) continue
      const stored = 4 * (word + NODE_WORDS)
      if (bytes[stored] !== 1 || bytes[stored + 1] !== 42) continue
      let i = 0
      while (i < own && bytes[stored + 2 + i] === name[at + i]) i++
      if (i === own) return 4 * word
    }
  }

  flags(node: number): number {
    return ((this.words[(node >> 2) + 1] ?? 0) >> 8) & 255
  }

  /** Place of a steered node's name in `steered`; -1 for any other. */
  steeredIndex(node: number): number {
    return (this.flags(node) & STEERED) === 0 ? -1 : (this.words[this.#nameEnd(node) >> 2] ?? -1)
  }

  isEmpty(node: number): boolean {
    return (this.words[(node >> 2) + 1] ?? 0) >>> 16 === 0 && this.steeredIndex(node) < 0
  }

  nodeName(node: number): Uint8Array {
    const at = node + 4 * NODE_WORDS
    const own = (this.words[(node >> 2) + 1] ?? 0) & 255
    const name = new Uint8Array(own + this.#originBytes)
    name.set(this.bytes.subarray(at, at + own))
    name.set(this.origin, own)
    return name
  }

  /** Types that a node answers, for denials; a weighted set counts as one. */
  types(node: number): number[] {
    const found = new Set<number>()
    for (const entry of this.entries(node)) {
      const type = this.typeOf(entry)
      if ((type & KIND_MASK) === KIND.plain) found.add(type & 0xffff)
    }
    return [...found]
  }

  /** All entries of a node, of every kind. */
  *entries(node: number): Generator<number> {
    let at = this.#entriesAt(node)
    for (let left = (this.words[(node >> 2) + 1] ?? 0) >>> 16; left > 0; left--) {
      yield at
      at = aligned(this.allEnd(at))
    }
  }

  /** All nodes, those below cuts included. */
  *nodes(): Generator<number> {
    const replaced = new Set(this.replaced())
    for (const node of this.#nodesOf(BODY_AT, 4 * this.#tableWord)) if (!replaced.has(node)) yield node
    yield* this.overlayNodes()
  }

  /** Nodes of the whole that are not there any more, or stand in the overlay. */
  replaced(): Int32Array {
    if (!this.hasOverlay) return NO_NODES
    const own = this.#overlayAt >> 2
    const replacedAt = (this.words[own + OVERLAY.replacedAt] ?? 0) >> 2
    return this.words.subarray(replacedAt, replacedAt + (this.words[own + OVERLAY.replaced] ?? 0))
  }

  /** Nodes that stand in the overlay. */
  *overlayNodes(): Generator<number> {
    if (!this.hasOverlay) return
    for (const node of this.#nodesOf(this.#overlayAt + OVERLAY_BODY_AT, 4 * this.#overTableWord))
      if ((this.flags(node) & FLAG.gone) === 0) yield node
  }

  /** Where a node ends. */
  nodeEnd(node: number): number {
    let end = this.#entriesAt(node)
    for (const entry of this.entries(node)) end = aligned(this.allEnd(entry))
    return end
  }

  *#nodesOf(from: number, to: number): Generator<number> {
    for (let at = from; at < to; at = this.nodeEnd(at)) yield at
  }

  /** Entry of a type at a node; of another kind with `KIND` and `VARIANT` added. */
  entry(node: number, type: number): number {
    const { words } = this
    let at = this.#entriesAt(node)
    for (let left = (words[(node >> 2) + 1] ?? 0) >>> 16; left > 0; left--) {
      if (words[(at >> 2) + ENTRY.type] === type) return at
      at = aligned(this.allEnd(at))
    }
    return 0
  }

  /** Type of an entry, with its `KIND` and `VARIANT`. */
  typeOf(entry: number): number {
    return this.words[(entry >> 2) + ENTRY.type] ?? 0
  }

  /** Where an entry's records start: first its answers, then what must go along with them, then what may. */
  recordsAt(entry: number): number {
    return entry + 4 * (this.#isLong(entry) ? LONG_ENTRY_WORDS : ENTRY_WORDS)
  }

  answers(entry: number): number {
    return (this.words[(entry >> 2) + ENTRY.counts] ?? 0) & 0xffff
  }

  answersEnd(entry: number): number {
    return this.recordsAt(entry) + (this.words[(entry >> 2) + ENTRY.answerBytes] ?? 0)
  }

  mandatory(entry: number): number {
    return ((this.words[(entry >> 2) + ENTRY.counts] ?? 0) >>> 16) & 0x7fff
  }

  mandatoryEnd(entry: number): number {
    return this.#isLong(entry)
      ? this.recordsAt(entry) + (this.words[(entry >> 2) + ENTRY.mandatoryBytes] ?? 0)
      : this.answersEnd(entry)
  }

  optional(entry: number): number {
    return this.#isLong(entry) ? (this.words[(entry >> 2) + ENTRY.optional] ?? 0) : 0
  }

  allEnd(entry: number): number {
    return this.#isLong(entry)
      ? this.recordsAt(entry) + (this.words[(entry >> 2) + ENTRY.allBytes] ?? 0)
      : this.answersEnd(entry)
  }

  #isLong(entry: number): boolean {
    return (this.words[(entry >> 2) + ENTRY.counts] ?? 0) < 0
  }

  #nameEnd(node: number): number {
    return aligned(node + 4 * NODE_WORDS + ((this.words[(node >> 2) + 1] ?? 0) & 255))
  }

  #entriesAt(node: number): number {
    return this.#nameEnd(node) + ((this.flags(node) & STEERED) === 0 ? 0 : 4)
  }
}

function checkedForm(file: Uint8Array): { bytes: Uint8Array<ArrayBuffer>; words: Int32Array } {
  if (os.endianness() !== 'LE') throw new SegmentError('segments are little-endian and this machine is not')
  if (file.length < BODY_AT + CHECKSUM_BYTES || file.length % 4 !== 0) throw new SegmentError('the file is cut short')
  const { buffer, byteOffset, byteLength } = file
  const bytes =
    buffer instanceof ArrayBuffer && byteOffset % 4 === 0
      ? new Uint8Array(buffer, byteOffset, byteLength)
      : Uint8Array.from(file)
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
  if (words[HEADER.magic] !== MAGIC) throw new SegmentError('the file is no segment')
  if (words[HEADER.format] !== FORMAT_VERSION)
    throw new SegmentError(`the segment has format ${words[HEADER.format]}, this server reads ${FORMAT_VERSION}`)
  if (words[HEADER.fileBytes] !== bytes.length) throw new SegmentError('the file does not have its length')
  return { bytes, words }
}

/** Where an overlay stands behind a whole of so many bytes. */
export const overlayBehind = (wholeBytes: number): number => Math.ceil(wholeBytes / OVERLAY_ALIGNED) * OVERLAY_ALIGNED

/** The words of both, where the overlay is whole and made for this very segment. @throws SegmentError */
function checkedOverlay(bytes: Uint8Array, wholeBytes: number, overlayAt: number): Int32Array {
  const size = bytes.length - overlayAt
  if (size < OVERLAY_BODY_AT + CHECKSUM_BYTES || size % 4 !== 0 || overlayAt !== overlayBehind(wholeBytes))
    throw new SegmentError('the overlay is cut short')
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
  const first = overlayAt >> 2
  const word = (at: number) => words[first + at] ?? 0
  if (word(HEADER.magic) !== OVERLAY_MAGIC) throw new SegmentError('the file is no overlay')
  if (word(HEADER.format) !== FORMAT_VERSION)
    throw new SegmentError(`the overlay has format ${word(HEADER.format)}, this server reads ${FORMAT_VERSION}`)
  if (word(HEADER.fileBytes) !== size) throw new SegmentError('the overlay does not have its length')
  if (words.at(-1) !== (crc32(bytes.subarray(overlayAt, -CHECKSUM_BYTES)) | 0))
    throw new SegmentError('the overlay is damaged: its checksum does not fit')
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const isOfWhole =
    word(OVERLAY.wholeChecksum) === words[(wholeBytes >> 2) - 1] &&
    view.getFloat64(overlayAt + 4 * OVERLAY.wholeBuiltAt, true) === view.getFloat64(4 * HEADER.builtAt, true)
  if (!isOfWhole) throw new SegmentError('the overlay is of another segment')
  return words
}

const decoder = new TextDecoder()

/**
 * The meta part was written by a compiler from a parsed document and is covered by the checksum, so it has its type.
 */
function readMeta<Meta>(bytes: Uint8Array): Meta {
  return JSON.parse(decoder.decode(bytes)) as Meta
}

function steeredOf(meta: SegmentMeta): SteeredEntry[] {
  const policies = new Map(
    meta.policies.map((policy) => [policy.id, { policy, cnames: policy.cdns.map((cdn) => cnameOf(cdn.cname)) }]),
  )
  return meta.steered.map(({ name, domainId, policyId }, index) => {
    const found = policies.get(policyId)
    if (!found) throw new SegmentError(`policy ${policyId} of ${name} is missing`)
    return { index, name, domainId, ...found, decider: null }
  })
}

function cnameOf(text: string): NameCursor | null {
  try {
    return NameCursor.of(nameToWire(text))
  } catch (error) {
    if (error instanceof PresentationError) return null
    throw error
  }
}
