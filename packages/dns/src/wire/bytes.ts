/** A growing byte buffer for what is made once, off the query path. */
export class ByteWriter {
  #bytes = new Uint8Array(32)
  length = 0

  u8(value: number): void {
    this.#reserve(1)
    this.#bytes[this.length++] = value
  }

  u16(value: number): void {
    this.#reserve(2)
    this.#bytes[this.length++] = value >> 8
    this.#bytes[this.length++] = value
  }

  u32(value: number): void {
    this.u16(value >>> 16)
    this.u16(value)
  }

  put(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** What was written, as a copy of its own. */
  done(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.length)
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + count))
    grown.set(this.#bytes)
    this.#bytes = grown
  }
}
