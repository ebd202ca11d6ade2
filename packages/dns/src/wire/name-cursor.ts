import { labelStarts, lowerByte } from './name.ts'

/** Start value of every name hash: the hash of the root. */
const ROOT_HASH = 0x2545f491

const MAX_LABELS = 127
const NAME_BYTES = 255

/**
 * One step of the name hash (FNV-1a): bytes of a label left to right, labels right to left, so that all suffixes of a
 * name are hashed in one pass.
 */
function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193)
}

/** Ends a label: what the upper bits know goes down to those that choose a slot. */
function hashLabel(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
}

/** Hash of `*.<name>` from the hash of `<name>`. */
export function wildcardHash(hash: number): number {
  return hashLabel(hashByte(hashByte(hash, 1), 42))
}

/**
 * A name taken apart for lookups: lower case, where each label starts, the hash of each suffix. Reused from query to
 * query.
 */
export class NameCursor {
  readonly lower: Uint8Array
  readonly starts: Uint8Array
  readonly hashes: Int32Array
  /** Labels without the root; `starts[labels]` is where the root label stands. */
  labels = 0
  /** Bytes, the root label included. */
  length = 0

  constructor(bytes = NAME_BYTES, labels = MAX_LABELS) {
    this.lower = new Uint8Array(bytes)
    this.starts = new Uint8Array(labels + 1)
    this.hashes = new Int32Array(labels + 1)
  }

  /** A whole name taken apart for good, with no more memory than it needs: `lower` is its wire form. */
  static of(wire: Uint8Array): NameCursor {
    const cursor = new NameCursor(wire.length, labelStarts(wire).length - 1)
    cursor.read(wire, 0, wire.length)
    return cursor
  }

  /**
   * Reads the uncompressed name at `at` of `from`, which ends at `end`. Answers where it ends, or -1 when it is none
   * (RFC 1035 3.1).
   */
  read(from: Uint8Array, at: number, end: number): number {
    const { starts } = this
    let labels = 0
    let offset = 0
    for (;;) {
      if (at + offset >= end) return -1
      const length = from[at + offset] ?? 0
      starts[labels] = offset
      if (length === 0) break
      if (length > 63 || offset + length + 1 >= NAME_BYTES || at + offset + length >= end) return -1
      offset += length + 1
      labels++
    }
    this.labels = labels
    this.length = offset + 1
    this.#keep(from, at)
    return at + offset + 1
  }

  /** Lower case and the hashes of all suffixes in one go, from the last label to the first. */
  #keep(from: Uint8Array, at: number): void {
    const { lower, starts, hashes, labels, length } = this
    let hash = ROOT_HASH
    let end = length - 1
    lower[end] = 0
    hashes[labels] = hash
    for (let label = labels - 1; label >= 0; label--) {
      const start = starts[label] ?? 0
      for (let i = start; i < end; i++) {
        const byte = lowerByte(from[at + i] ?? 0)
        lower[i] = byte
        hash = hashByte(hash, byte)
      }
      hash = hashLabel(hash)
      hashes[label] = hash
      end = start
    }
  }
}
