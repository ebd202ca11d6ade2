import { aligned } from './format.ts'

/** The file of a segment while it is written: every item starts at a multiple of four. */
export class Arena {
  #view: DataView<ArrayBuffer>
  #bytes: Uint8Array<ArrayBuffer>
  length: number

  constructor(length: number) {
    this.#bytes = new Uint8Array(Math.max(4096, length))
    this.#view = new DataView(this.#bytes.buffer)
    this.length = length
  }

  /** Appends a word and answers where it stands. */
  word(value: number): number {
    const at = this.#reserve(4)
    this.#view.setInt32(at, value, true)
    return at
  }

  /** Appends words that are set afterwards, zeros until then, and answers where they stand. */
  words(count: number): number {
    return this.#reserve(4 * count)
  }

  /** Appends bytes, padded with zeros, and answers where they stand. */
  put(bytes: Uint8Array): number {
    const at = this.#reserve(aligned(bytes.length))
    this.#bytes.set(bytes, at)
    return at
  }

  wordAt(at: number): number {
    return this.#view.getInt32(at, true)
  }

  setWord(at: number, value: number): void {
    this.#view.setInt32(at, value, true)
  }

  setDouble(at: number, value: number): void {
    this.#view.setFloat64(at, value, true)
  }

  /** What was written so far; valid until the next item. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }

  done(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.length)
  }

  #reserve(count: number): number {
    const at = this.length
    if (at + count > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, at + count))
      grown.set(this.#bytes)
      this.#bytes = grown
      this.#view = new DataView(grown.buffer)
    }
    this.length = at + count
    return at
  }
}
