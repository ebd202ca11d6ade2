import crypto from 'node:crypto'
import { ByteWriter } from '../wire/bytes.ts'
import { TYPE } from '../wire/codes.ts'
import { lowerName, nameToText, nameToWire } from '../wire/name.ts'

/** Algorithms by their names (RFC 8945 6); those of MD5 and SHA-1 are left out. */
const HASHES: Readonly<Record<string, string>> = { 'hmac-sha256': 'sha256', 'hmac-sha384': 'sha384', 'hmac-sha512': 'sha512' }
const CLASS_ANY = 255
const FUDGE_SECONDS = 300
const HEADER_BYTES = 12

export const TSIG_ERROR = { none: 0, badSignature: 16, badKey: 17, badTime: 18 } as const
export type TsigError = (typeof TSIG_ERROR)[keyof typeof TSIG_ERROR]

export type TsigKey = { name: string; secret: Buffer }
/** What of a TSIG record its answer needs. */
export type Tsig = { keyName: Uint8Array; algorithm: Uint8Array; timeSigned: number; fudgeSeconds: number; mac: Buffer; originalId: number }
/** A signed query: who signed it, or what is wrong. */
export type Signed = { tsig: Tsig; key: TsigKey | null; error: TsigError }

/** Checks the signature of a query whose TSIG record starts at `tsigAt` (RFC 8945 5.2); null when the record is malformed. */
export function checkTsig(bytes: Uint8Array, length: number, tsigAt: number, keyOf: (name: string) => TsigKey | null, nowMs: number): Signed | null {
  const tsig = readTsig(bytes, length, tsigAt)
  if (!tsig) return null
  const key = keyOf(nameToText(tsig.keyName))
  const hash = HASHES[nameToText(tsig.algorithm)]
  if (!key || hash === undefined) return { tsig, key: null, error: TSIG_ERROR.badKey }
  const message = Buffer.from(bytes.subarray(0, tsigAt))
  message.writeUInt16BE(tsig.originalId, 0)
  message.writeUInt16BE(message.readUInt16BE(10) - 1, 10)
  const expected = crypto.createHmac(hash, key.secret).update(message).update(variables(tsig, TSIG_ERROR.none, Buffer.alloc(0))).digest()
  if (tsig.mac.length !== expected.length || !crypto.timingSafeEqual(tsig.mac, expected)) return { tsig, key: null, error: TSIG_ERROR.badSignature }
  const late = Math.abs(Math.floor(nowMs / 1000) - tsig.timeSigned) > tsig.fudgeSeconds
  return { tsig, key, error: late ? TSIG_ERROR.badTime : TSIG_ERROR.none }
}

/** Signs the messages of one answer, each on top of the one before (RFC 8945 5.3). */
export class TsigSigner {
  readonly #signed: Signed
  readonly #nowMs: () => number
  #before: Buffer
  #isFirst = true

  constructor(signed: Signed, nowMs: () => number) {
    this.#signed = signed
    this.#nowMs = nowMs
    this.#before = signed.tsig.mac
  }

  /** The message with its TSIG record. An answer to a wrong signature carries the error and no signature of ours. */
  sign(message: Buffer): Buffer {
    const { tsig, key, error } = this.#signed
    const now = Math.floor(this.#nowMs() / 1000)
    // Who is wrong about the time is told ours, and its own is signed (RFC 8945 5.2.3).
    const mine: Tsig = { ...tsig, timeSigned: error === TSIG_ERROR.badTime ? tsig.timeSigned : now, fudgeSeconds: FUDGE_SECONDS }
    const other = error === TSIG_ERROR.badTime ? time48(now) : Buffer.alloc(0)
    const mac = key ? this.#mac(message, mine, key, error, other) : Buffer.alloc(0)
    this.#before = mac
    this.#isFirst = false
    const whole = Buffer.concat([message, record(mine, mac, error, other)])
    whole.writeUInt16BE(whole.readUInt16BE(10) + 1, 10)
    return whole
  }

  #mac(message: Buffer, tsig: Tsig, key: TsigKey, error: TsigError, other: Buffer): Buffer {
    const hmac = crypto.createHmac(HASHES[nameToText(tsig.algorithm)] ?? 'sha256', key.secret)
    hmac.update(number16(this.#before.length)).update(this.#before).update(message)
    return hmac.update(this.#isFirst ? variables(tsig, error, other) : Buffer.concat([time48(tsig.timeSigned), number16(tsig.fudgeSeconds)])).digest()
  }
}

/** Signs a message of our own that answers nothing, such as a NOTIFY. */
export function signRequest(message: Buffer, key: TsigKey, nowMs: number): Buffer {
  const tsig: Tsig = { keyName: lowerName(nameToWire(key.name)), algorithm: nameToWire('hmac-sha256'), timeSigned: Math.floor(nowMs / 1000), fudgeSeconds: FUDGE_SECONDS, mac: Buffer.alloc(0), originalId: message.readUInt16BE(0) }
  const mac = crypto.createHmac('sha256', key.secret).update(message).update(variables(tsig, TSIG_ERROR.none, Buffer.alloc(0))).digest()
  const whole = Buffer.concat([message, record(tsig, mac, TSIG_ERROR.none, Buffer.alloc(0))])
  whole.writeUInt16BE(whole.readUInt16BE(10) + 1, 10)
  return whole
}

/** Every length is checked against the message: the bytes are anybody's. */
function readTsig(bytes: Uint8Array, length: number, at: number): Tsig | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, length)
  const keyName = readName(buffer, at)
  if (!keyName || at < HEADER_BYTES) return null
  const head = at + keyName.length
  // Class and lifetime are not in the record that is signed but as they must be (RFC 8945 4.2).
  if (head + 10 > length || buffer.readUInt16BE(head + 2) !== CLASS_ANY || buffer.readUInt32BE(head + 4) !== 0) return null
  const algorithmAt = head + 10
  const algorithm = readName(buffer, algorithmAt)
  if (!algorithm) return null
  const fixed = algorithmAt + algorithm.length
  if (fixed + 10 > length) return null
  const macLength = buffer.readUInt16BE(fixed + 8)
  const after = fixed + 10 + macLength
  // A query has neither an error nor other data.
  if (after + 6 !== length || buffer.readUInt32BE(after + 2) !== 0) return null
  return { keyName, algorithm, timeSigned: buffer.readUIntBE(fixed, 6), fudgeSeconds: buffer.readUInt16BE(fixed + 6), mac: Buffer.from(buffer.subarray(fixed + 10, fixed + 10 + macLength)), originalId: buffer.readUInt16BE(after) }
}

/** An uncompressed name in lower case. */
function readName(buffer: Buffer, start: number): Uint8Array | null {
  let at = start
  while (at < buffer.length && buffer.readUInt8(at) !== 0) {
    if (buffer.readUInt8(at) > 63 || at - start > 254) return null
    at += buffer.readUInt8(at) + 1
  }
  return at < buffer.length ? lowerName(buffer.subarray(start, at + 1)) : null
}

function variables({ keyName, algorithm, timeSigned, fudgeSeconds }: Tsig, error: TsigError, other: Buffer): Buffer {
  const out = new ByteWriter()
  out.put(keyName)
  out.u16(CLASS_ANY)
  out.u32(0)
  out.put(algorithm)
  out.put(time48(timeSigned))
  out.u16(fudgeSeconds)
  out.u16(error)
  out.u16(other.length)
  out.put(other)
  return Buffer.from(out.done())
}

function record({ keyName, algorithm, timeSigned, fudgeSeconds, originalId }: Tsig, mac: Buffer, error: TsigError, other: Buffer): Buffer {
  const out = new ByteWriter()
  out.put(keyName)
  out.u16(TYPE.TSIG)
  out.u16(CLASS_ANY)
  out.u32(0)
  out.u16(algorithm.length + 16 + mac.length + other.length)
  out.put(algorithm)
  out.put(time48(timeSigned))
  out.u16(fudgeSeconds)
  out.u16(mac.length)
  out.put(mac)
  out.u16(originalId)
  out.u16(error)
  out.u16(other.length)
  out.put(other)
  return Buffer.from(out.done())
}

function time48(seconds: number): Buffer {
  const bytes = Buffer.alloc(6)
  bytes.writeUIntBE(seconds, 0, 6)
  return bytes
}

function number16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
