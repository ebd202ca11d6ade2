/** SHA-256 (FIPS 180-4) over bytes, one character each, the same in nginx as in Node. */

/** Eight words of 32 bits: what the digest has become after whole blocks. */
export type Sha256State = number[]

export const sha256Start = (): Sha256State => [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]

const K = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]

/**
 * The state after a text. `before` is the state it goes on from, after so many bytes; the text ends the message.
 */
export function sha256After(before: Sha256State, bytesBefore: number, text: string): Sha256State {
  const bits = (bytesBefore + text.length) * 8
  let state = before
  const blocks = Math.floor((text.length + 8) / 64) + 1
  for (let block = 0; block < blocks; block++) {
    const words: number[] = []
    for (let i = 0; i < 16; i++) {
      const at = block * 64 + i * 4
      words.push(
        (byteOf(text, at) << 24) | (byteOf(text, at + 1) << 16) | (byteOf(text, at + 2) << 8) | byteOf(text, at + 3),
      )
    }
    if (block === blocks - 1) words[15] = bits | 0
    state = sha256Block(state, words)
  }
  return state
}

/** The text's byte, then a one bit, then zeros; lengths of 2^32 bits and more never come here. */
function byteOf(text: string, at: number): number {
  if (at < text.length) return text.charCodeAt(at)
  return at === text.length ? 128 : 0
}

/** One block of sixteen words. */
export function sha256Block(state: Sha256State, words: number[]): Sha256State {
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15] ?? 0
    const late = words[i - 2] ?? 0
    const s0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)
    const s1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10)
    words[i] = ((words[i - 16] ?? 0) + s0 + (words[i - 7] ?? 0) + s1) | 0
  }
  let a = state[0] ?? 0
  let b = state[1] ?? 0
  let c = state[2] ?? 0
  let d = state[3] ?? 0
  let e = state[4] ?? 0
  let f = state[5] ?? 0
  let g = state[6] ?? 0
  let h = state[7] ?? 0
  for (let i = 0; i < 64; i++) {
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    const one = h + s1 + ((e & f) ^ (~e & g)) + (K[i] ?? 0) + (words[i] ?? 0)
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
    const two = s0 + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  const of = (at: number, word: number): number => ((state[at] ?? 0) + word) | 0
  return [of(0, a), of(1, b), of(2, c), of(3, d), of(4, e), of(5, f), of(6, g), of(7, h)]
}

function rotated(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

/** The words as bytes. */
export function bytesOfWords(words: Sha256State): string {
  const parts: string[] = []
  for (const word of words)
    parts.push(String.fromCharCode((word >>> 24) & 255, (word >>> 16) & 255, (word >>> 8) & 255, word & 255))
  return parts.join('')
}
