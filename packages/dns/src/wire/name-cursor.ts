import { lowerByte } from './name.ts'

/** Start value of every name hash: the hash of the root. */
const ROOT_HASH = 0x2545f491

const MAX_LABELS = 127
const NAME_BYTES = 255

/** One step of the name hash: bytes of a label left to right, labels right to left, so that all suffixes of a name are hashed in one pass. */
function hashByte(hash: number, byte: number): number {
  const mixed = Math.imul(hash ^ byte, 0x01000193)
  return mixed ^ (mixed >>> 15)
}

/** Hash of `*.<name>` from the hash of `<name>`. */
export function wildcardHash(hash: number): number {
  return hashByte(hashByte(hash, 1), 42)
}

/** A name taken apart for lookups: lower case, where each label starts, the hash of each suffix. Reused from query to query. */
export class NameCursor {
  readonly lower = new Uint8Array(NAME_BYTES)
  readonly starts = new Uint8Array(MAX_LABELS + 1)
  readonly hashes = new Int32Array(MAX_LABELS + 1)
  /** Labels without the root; `starts[labels]` is where the root label stands. */
  labels = 0
  /** Bytes, the root label included. */
  length = 0

  /** Reads the uncompressed name at `at` of `from`, which ends at `end`. Answers where it ends, or -1 when it is none (RFC 1035 3.1). */
  read(from: Uint8Array, at: number, end: number): number {
    const lower = this.lower
    let labels = 0
    let offset = 0
    for (;;) {
      if (at + offset >= end) return -1
      const length = from[at + offset] ?? 0
      this.starts[labels] = offset
      lower[offset] = length
      if (length === 0) break
      if (length > 63 || offset + length + 1 >= NAME_BYTES || at + offset + length >= end) return -1
      for (let i = offset + 1; i <= offset + length; i++) lower[i] = lowerByte(from[at + i] ?? 0)
      offset += length + 1
      labels++
    }
    this.labels = labels
    this.length = offset + 1
    this.#hashSuffixes()
    return at + this.length
  }

  #hashSuffixes(): void {
    const { lower, starts, hashes, labels } = this
    let hash = ROOT_HASH
    hashes[labels] = hash
    for (let label = labels - 1; label >= 0; label--) {
      const start = starts[label] ?? 0
      const end = start + (lower[start] ?? 0)
      for (let i = start; i <= end; i++) hash = hashByte(hash, lower[i] ?? 0)
      hashes[label] = hash
    }
  }
}
