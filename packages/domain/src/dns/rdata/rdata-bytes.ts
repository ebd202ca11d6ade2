/**
 * Takes the fields of one rdata on the wire in order. `malformed` once something does not fit; the methods answer
 * something empty then.
 */
export class RdataBytes {
  malformed = false
  readonly #bytes: readonly number[]
  #at = 0

  constructor(bytes: readonly number[]) {
    this.#bytes = bytes
  }

  hasMore(): boolean {
    return !this.malformed && this.#at < this.#bytes.length
  }

  take(count: number): readonly number[] {
    if (this.#at + count > this.#bytes.length) this.malformed = true
    if (this.malformed) return []
    this.#at += count
    return this.#bytes.slice(this.#at - count, this.#at)
  }

  /** An unsigned number of `count` bytes. */
  number(count: number): number {
    return this.take(count).reduce((sum, byte) => sum * 256 + byte, 0)
  }

  /** A name, uncompressed as it must be outside of a message (RFC 3597 4). */
  labels(): (readonly number[])[] {
    const labels: (readonly number[])[] = []
    let length = 1
    for (let size = this.number(1); size > 0 && !this.malformed; size = this.number(1)) {
      length += size + 1
      if (size > 63 || length > 255) this.malformed = true
      labels.push(this.take(size).map((byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte)))
    }
    return labels
  }

  string(): readonly number[] {
    return this.take(this.number(1))
  }

  rest(): readonly number[] {
    return this.take(this.#bytes.length - this.#at)
  }
}
