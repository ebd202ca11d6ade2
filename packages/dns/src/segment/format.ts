import type { SteeringPolicy, ZoneKey, ZonePrimary } from '@fairway/contract'

/**
 * A segment is one zone at one version as one immutable file, read where it lies. Numbers are 32-bit words in
 * little-endian order, offsets count bytes from the file's start.
 *
 * Header words: see `HEADER`. The last word is the CRC-32 of everything before it: it tells a damaged file, which is
 * all that is asked of it, at a tenth of what a hash costs.
 * Whoever may write into the home is believed.
 * Node: hash of the whole name · length | flags << 8 | entries << 16 · lower-case wire name without the origin, of that
 * length, padded · index of a steered name · entries.
 * Entry: type · answers | mandatory additionals << 16 · bytes of the answers · records, padded. With additionals the
 * upper bit of the second word is set,
 * and before the records stand: bytes with mandatory additionals · bytes with all · number of optional ones. A plain A
 * record of a short name fits into one line of a processor's cache.
 * Table: one word for each slot, a node's offset and, in the two bits that an offset leaves free, the first two of the
 * name's hash (`tagOf`), so that few nodes of other names are looked at.
 * The type of an entry is a word: see `KIND`. Nodes follow one another from `BODY_AT` on; those below a cut are there
 * for transfers only and not in the table.
 * Records are on the wire as they stand here but for the owner: `C0 0C` is "the name in question", `C0 00 | n` in
 * additionals is "n bytes into these records".
 */
export const MAGIC = 0x31475746
export const FORMAT_VERSION = 5

export const HEADER = {
  magic: 0,
  format: 1,
  fileBytes: 2,
  tableAt: 3,
  tableMask: 4,
  apexAt: 5,
  negativeAt: 6,
  negativeBytes: 7,
  metaAt: 8,
  metaBytes: 9,
  builtAt: 10,
  version: 12,
  originAt: 14,
  originBytes: 15,
} as const
export const BODY_AT = 64
export const CHECKSUM_BYTES = 4

/**
 * An overlay is what has changed of a large zone since a segment of it was made whole, in a file of its own that is read
 * right behind the whole, at the next multiple of `OVERLAY_ALIGNED`: its offsets count from the start of the whole.
 * A name that stands in its table counts for the one of the whole; `FLAG.gone` is a name that is there no more.
 * Header as that of a segment, which leaves nothing out but the meta, and then `OVERLAY`: which whole it belongs to, and
 * the offsets of the nodes in it that do not count any more.
 */
export const OVERLAY_MAGIC = 0x4f475746
export const OVERLAY = { replacedAt: 16, replaced: 17, wholeChecksum: 18, wholeBuiltAt: 20 } as const
export const OVERLAY_BODY_AT = 96
/** Whatever the size of the machine's pages. */
export const OVERLAY_ALIGNED = 65_536

export const FLAG = {
  /** A delegation: everything but DS is a referral. */
  cut: 1,
  /** Steered, answered with the chosen CDN's CNAME. */
  steeredCname: 2,
  /** Steered, answered with the chosen CDN's addresses: the apex, and names that have other data beside. */
  steeredFlat: 4,
  /** Answers the addresses of another name (ALIAS). */
  alias: 8,
  /** Has a set of which every answer has one record. */
  weighted: 16,
  /** Below a cut: at most glue. */
  occluded: 32,
  /** In an overlay: the whole has the name, the zone has not. */
  gone: 64,
} as const

/** Either way of it; such a node has the index of its steered name. */
export const STEERED = FLAG.steeredCname | FLAG.steeredFlat

/**
 * What an entry is, beside the type in its lower 16 bits. Queries have 16 bits for a type, so they never find one of
 * these.
 * `plain` is what is answered; of a weighted set there is one plain entry for each record, numbered from 1 by `VARIANT`
 * upwards.
 */
export const KIND = {
  plain: 0,
  /** RRSIGs of the plain entry of the same type and variant. */
  signature: 0x10000,
  /** Wire name that an ALIAS points to. */
  alias: 0x20000,
  /** Of a weighted set: its weights summed up, one word for each variant. */
  weights: 0x30000,
  /**
   * For zone transfers only: what cannot be given as it is answered, and the chain of denials; with their signatures.
   */
  transfer: 0x40000,
  transferSignature: 0x50000,
} as const
export const KIND_MASK = 0xf0000
export const VARIANT = 0x100000

export const NODE_WORDS = 2
export const ENTRY_WORDS = 3
export const LONG_ENTRY_WORDS = 6
/** From `mandatoryBytes` on there with additionals alone; then `counts` is negative. */
export const ENTRY = { type: 0, counts: 1, answerBytes: 2, mandatoryBytes: 3, allBytes: 4, optional: 5 } as const
export const LONG_ENTRY = 1 << 31

/** What a segment carries besides names: enough to steer after a start without the API. */
export type SegmentMeta = {
  zoneId: string
  organizationId: string | null
  /** Its name was shown to be its organisation's; left out by former versions. */
  proven?: boolean | undefined
  /** Hash of the published document; tells whether a publication is already on disk. */
  sourceHash: string
  /** That of the document; left out by former versions. */
  step?: number | undefined
  /** When the oldest of it was made, where that was not with the file. */
  madeAt?: number | undefined
  steered: { name: string; domainId: string; policyId: string }[]
  policies: SteeringPolicy[]
  /** Names that aliases point to. */
  aliasTargets: string[]
  /** Keys that sign, sealed for the nodes; none for a zone that is not signed. */
  keys: Pick<ZoneKey, 'tag' | 'sealedPrivateKey' | 'signs'>[]
  /** Whether secondaries may be given it; left out by former versions. */
  transferable?: boolean | undefined
  /** Where it is fetched from; left out for a zone that is kept here. */
  primary?: ZonePrimary | undefined
}

/** What an overlay says of its own; all else is as the whole has it. */
export type OverlayMeta = Pick<SegmentMeta, 'sourceHash'>

export const TAG_MASK = 3

/** What the table says of a name's hash beside the offset of its node. */
export function tagOf(hash: number): number {
  return hash >>> 30
}

export function aligned(offset: number): number {
  return (offset + 3) & ~3
}
