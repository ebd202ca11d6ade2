/**
 * SipHash-2-4 in halves of 32 bits, since wider numbers are slow here (Aumasson and Bernstein, 2012). One per thread;
 * not re-entrant.
 */
export class SipHash {
  readonly #key: Uint32Array
  /** v0…v3, each low half first. */
  readonly #v = new Uint32Array(8)

  /** @param key 16 bytes */
  constructor(key: Uint8Array) {
    const view = new DataView(key.buffer, key.byteOffset, 16)
    this.#key = Uint32Array.from([0, 4, 8, 12], (at) => view.getUint32(at, true))
  }

  /** Writes the eight bytes of the hash of `bytes[0…length]` to `out` at `at`. */
  write(bytes: Uint8Array, length: number, out: Uint8Array, at: number): void {
    const v = this.#v
    const [k0 = 0, k1 = 0, k2 = 0, k3 = 0] = this.#key
    v.set([
      k0 ^ 0x70736575,
      k1 ^ 0x736f6d65,
      k2 ^ 0x6e646f6d,
      k3 ^ 0x646f7261,
      k0 ^ 0x6e657261,
      k1 ^ 0x6c796765,
      k2 ^ 0x79746573,
      k3 ^ 0x74656462,
    ])
    const whole = length - (length % 8)
    for (let i = 0; i < whole; i += 8) this.#absorb(word(bytes, i, i + 4), word(bytes, i + 4, i + 8))
    this.#absorb(word(bytes, whole, Math.min(length, whole + 4)), word(bytes, whole + 4, length) | (length << 24))
    v[4] = (v[4] ?? 0) ^ 0xff
    for (let round = 0; round < 4; round++) this.#round()
    put(out, at, (v[0] ?? 0) ^ (v[2] ?? 0) ^ (v[4] ?? 0) ^ (v[6] ?? 0))
    put(out, at + 4, (v[1] ?? 0) ^ (v[3] ?? 0) ^ (v[5] ?? 0) ^ (v[7] ?? 0))
  }

  #absorb(low: number, high: number): void {
    const v = this.#v
    v[6] = (v[6] ?? 0) ^ low
    v[7] = (v[7] ?? 0) ^ high
    this.#round()
    this.#round()
    v[0] = (v[0] ?? 0) ^ low
    v[1] = (v[1] ?? 0) ^ high
  }

  #round(): void {
    this.#add(0, 2)
    this.#rotate(2, 13)
    this.#xor(2, 0)
    this.#swap(0)
    this.#add(4, 6)
    this.#rotate(6, 16)
    this.#xor(6, 4)
    this.#add(0, 6)
    this.#rotate(6, 21)
    this.#xor(6, 0)
    this.#add(4, 2)
    this.#rotate(2, 17)
    this.#xor(2, 4)
    this.#swap(4)
  }

  #add(a: number, b: number): void {
    const v = this.#v
    const low = (v[a] ?? 0) + (v[b] ?? 0)
    v[a] = low
    v[a + 1] = (v[a + 1] ?? 0) + (v[b + 1] ?? 0) + (low > 0xffffffff ? 1 : 0)
  }

  #xor(a: number, b: number): void {
    const v = this.#v
    v[a] = (v[a] ?? 0) ^ (v[b] ?? 0)
    v[a + 1] = (v[a + 1] ?? 0) ^ (v[b + 1] ?? 0)
  }

  #rotate(a: number, by: number): void {
    const v = this.#v
    const low = v[a] ?? 0
    const high = v[a + 1] ?? 0
    v[a] = (low << by) | (high >>> (32 - by))
    v[a + 1] = (high << by) | (low >>> (32 - by))
  }

  /** Rotation by 32 bits. */
  #swap(a: number): void {
    const v = this.#v
    const low = v[a] ?? 0
    v[a] = v[a + 1] ?? 0
    v[a + 1] = low
  }
}

function word(bytes: Uint8Array, from: number, to: number): number {
  let value = 0
  for (let at = to - 1; at >= from; at--) value = (value << 8) | (bytes[at] ?? 0)
  return value
}

function put(out: Uint8Array, at: number, value: number): void {
  for (let i = 0; i < 4; i++) out[at + i] = value >>> (8 * i)
}
