import type { Packet } from './jitter.ts'

/** A whole picture: what it begins with (H.264 alone), and its bytes. */
export type Frame = {
  time: number
  isKey: boolean
  /** Of a key frame, where it says so. */ size: { width: number; height: number } | null
  /** AVCDecoderConfigurationRecord; null where it is known or there is none. */ config: Buffer | null
  data: Buffer
}

const MOST_FRAME_BYTES = 8 << 20
/** Parts of a picture, and units in it: small ones take more memory than their bytes. */
const MOST_PIECES = 4_096

/** Makes pictures of packets in order. What has a hole is left out, and all that needs it until the next key frame. */
export class Frames {
  readonly #read: (payload: Buffer) => Piece | null
  readonly #whole: (pieces: readonly Piece[]) => Omit<Frame, 'time'> | null
  #pieces: Piece[] = []
  #bytes = 0
  #time: number | null = null
  #isBroken = true
  #needsKey = true

  constructor(codec: 'vp8' | 'h264') {
    this.#read = codec === 'vp8' ? vp8Piece : h264Piece
    const known = { sps: null, pps: null }
    this.#whole = codec === 'vp8' ? vp8Frame : (pieces) => h264Frame(pieces, known)
  }

  /** Nothing is shown until a key frame comes. */
  get needsKey(): boolean {
    return this.#needsKey
  }
  /** What comes next needs a key frame, as after one that nobody took. */
  breakOff(): void {
    this.#needsKey = true
  }

  take({ time, isLast, payload }: Packet, hasGap: boolean): Frame | null {
    if (hasGap) this.#needsKey = true
    if (this.#time !== time || hasGap) {
      this.#time = time
      this.#pieces = []
      this.#bytes = 0
      // Behind a hole the rest of a picture may come.
      this.#isBroken = hasGap
    }
    const piece = payload.length === 0 ? EMPTY : this.#read(payload)
    if (piece === null) this.#isBroken = true
    else if (piece.bytes.length > 0) {
      if (this.#pieces.length === 0) this.#isBroken = !piece.begins
      this.#pieces.push(piece)
      this.#bytes += piece.bytes.length
    }
    if (this.#bytes > MOST_FRAME_BYTES || this.#pieces.length > MOST_PIECES)
      throw new RangeError('a picture is too large')
    if (!isLast) return null
    const frame = this.#isBroken || this.#pieces.length === 0 ? null : this.#whole(this.#pieces)
    this.#time = null
    this.#pieces = []
    this.#bytes = 0
    if (frame === null) {
      this.#needsKey = true
      return null
    }
    if (this.#needsKey && !frame.isKey) return null
    this.#needsKey = false
    return { ...frame, time }
  }
}

type Piece = { begins: boolean; continues: boolean; bytes: Buffer }
const EMPTY: Piece = { begins: false, continues: false, bytes: Buffer.alloc(0) }

/** Payload of VP8 (RFC 7741, 4.2) behind its descriptor. */
function vp8Piece(payload: Buffer): Piece | null {
  const first = payload.readUInt8(0)
  let at = 1
  if (first & 0x80) {
    const has = payload[at++] ?? 0
    if (has & 0x80) at += (payload[at] ?? 0) & 0x80 ? 2 : 1
    if (has & 0x40) at++
    if (has & 0x30) at++
  }
  if (at >= payload.length) return null
  const begins = (first & 0x10) !== 0 && (first & 0x07) === 0
  return { begins, continues: !begins, bytes: payload.subarray(at) }
}

/** RFC 6386, 9.1: a key frame says its size. */
function vp8Frame(pieces: readonly Piece[]): Omit<Frame, 'time'> | null {
  const data = Buffer.concat(pieces.map(({ bytes }) => bytes))
  const isKey = data.length >= 10 && (data.readUInt8(0) & 1) === 0
  if (isKey && data.readUIntBE(3, 3) !== 0x9d_01_2a) return null
  const size = isKey ? { width: data.readUInt16LE(6) & 0x3f_ff, height: data.readUInt16LE(8) & 0x3f_ff } : null
  return { isKey, size, config: null, data }
}

const FU_A = 28
const STAP_A = 24
const IDR = 5
const SPS = 7
const PPS = 8
const DELIMITER = 9
const MOST_SMALL = 24
/** Of a parameter set, which says its length in two bytes, and is read byte by byte. */
const MOST_SET_BYTES = 4_096

/** Payload of H.264 (RFC 6184, 5.2) as it comes: a unit, several, or a part of one. */
function h264Piece(payload: Buffer): Piece | null {
  const type = payload.readUInt8(0) & 31
  if (type > 0 && type < MOST_SMALL) return { begins: true, continues: false, bytes: payload }
  if (type === STAP_A) return { begins: true, continues: false, bytes: payload }
  if (type !== FU_A || payload.length < 3) return null
  const begins = (payload.readUInt8(1) & 0x80) !== 0
  if (!begins) return { begins, continues: true, bytes: payload.subarray(2) }
  const header = (payload.readUInt8(0) & 0xe0) | (payload.readUInt8(1) & 31)
  return { begins, continues: false, bytes: Buffer.concat([Buffer.from([header]), payload.subarray(2)]) }
}

function h264Frame(
  pieces: readonly Piece[],
  known: { sps: Buffer | null; pps: Buffer | null },
): Omit<Frame, 'time'> | null {
  const units: Buffer[] = []
  let open: Buffer[] = []
  const close = () => {
    if (open.length > 0) units.push(Buffer.concat(open))
    open = []
  }
  for (const { continues, bytes } of pieces) {
    if (continues) {
      if (open.length === 0) return null
      open.push(bytes)
      continue
    }
    close()
    if ((bytes.readUInt8(0) & 31) !== STAP_A) open = [bytes]
    else if (!splitUnits(bytes, units)) return null
  }
  close()
  if (units.length > MOST_PIECES) return null
  const of = (type: number) => units.find((unit) => unit.length > 3 && (unit.readUInt8(0) & 31) === type)
  const isKey = of(IDR) !== undefined
  const [sps, pps] = [of(SPS), of(PPS)]
  if ((sps?.length ?? 0) > MOST_SET_BYTES || (pps?.length ?? 0) > MOST_SET_BYTES) return null
  let config: Buffer | null = null
  if (sps && pps && !(known.sps?.equals(sps) === true && known.pps?.equals(pps) === true)) {
    known.sps = Buffer.from(sps)
    known.pps = Buffer.from(pps)
    config = configOf(known.sps, known.pps)
  }
  if (isKey && known.sps === null) return null
  const shown = units.filter((unit) => unit.length > 0 && (unit.readUInt8(0) & 31) !== DELIMITER)
  const data = Buffer.concat(shown.flatMap((unit) => [lengthOf(unit), unit]))
  return { isKey, size: isKey && known.sps ? sizeIn(known.sps) : null, config, data }
}

/** Adds units that came in one packet, a length before each; false where it says what cannot be. */
function splitUnits(bytes: Buffer, units: Buffer[]): boolean {
  for (let at = 1; at + 2 < bytes.length;) {
    const length = bytes.readUInt16BE(at)
    if (length === 0 || at + 2 + length > bytes.length || units.length >= MOST_PIECES) return false
    units.push(bytes.subarray(at + 2, at + 2 + length))
    at += 2 + length
  }
  return true
}

function lengthOf({ length }: Buffer): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}

/** AVCDecoderConfigurationRecord (ISO 14496-15, 5.3.3.1), lengths of units in four bytes. */
function configOf(sps: Buffer, pps: Buffer): Buffer {
  const two = (of: Buffer) => Buffer.from([of.length >> 8, of.length & 255])
  return Buffer.concat([
    Buffer.from([1, sps[1] ?? 0, sps[2] ?? 0, sps[3] ?? 0, 0xff, 0xe1]),
    two(sps),
    sps,
    Buffer.from([1]),
    two(pps),
    pps,
  ])
}

const WITH_CHROMA = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128])

/** The size that a sequence parameter set says (ITU-T H.264, 7.3.2.1.1); null where it says none that can be. */
export function sizeIn(sps: Buffer): { width: number; height: number } | null {
  const bits = new Bits(unescaped(sps.subarray(1)))
  const profile = bits.read(8)
  bits.read(16)
  bits.golomb()
  let chroma = 1
  if (WITH_CHROMA.has(profile)) {
    chroma = bits.golomb()
    if (chroma === 3) bits.read(1)
    bits.golomb()
    bits.golomb()
    bits.read(1)
    // Scaling lists are of no encoder that sends live.
    if (bits.read(1) === 1) return null
  }
  bits.golomb()
  const order = bits.golomb()
  if (order === 0) bits.golomb()
  else if (order === 1) {
    bits.read(1)
    bits.golomb()
    bits.golomb()
    const cycle = Math.min(255, bits.golomb())
    for (let at = 0; at < cycle; at++) bits.golomb()
  }
  bits.golomb()
  bits.read(1)
  const [across, down] = [bits.golomb() + 1, bits.golomb() + 1]
  const isProgressive = bits.read(1) === 1
  if (!isProgressive) bits.read(1)
  bits.read(1)
  const crop = bits.read(1) === 1 ? [bits.golomb(), bits.golomb(), bits.golomb(), bits.golomb()] : [0, 0, 0, 0]
  const [left = 0, right = 0, top = 0, bottom = 0] = crop
  const fields = isProgressive ? 1 : 2
  const [unitX, unitY] = [chroma === 1 || chroma === 2 ? 2 : 1, (chroma === 1 ? 2 : 1) * fields]
  const [width, height] = [across * 16 - unitX * (left + right), down * 16 * fields - unitY * (top + bottom)]
  return width >= 2 && height >= 2 && width <= 4096 && height <= 4096 ? { width, height } : null
}

/** Without the bytes that keep start codes out (7.4.1.1). */
function unescaped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((byte, at) => !(byte === 3 && at > 1 && bytes[at - 1] === 0 && bytes[at - 2] === 0)))
}

class Bits {
  #at = 0
  readonly #bytes: Buffer
  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }
  read(count: number): number {
    let value = 0
    for (let left = count; left > 0; left--, this.#at++)
      value = value * 2 + (((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1)
    return value
  }
  /** Exp-Golomb, 9.1. */
  golomb(): number {
    let zeros = 0
    while (zeros < 31 && this.read(1) === 0) zeros++
    return 2 ** zeros - 1 + this.read(zeros)
  }
}
