import crypto from 'node:crypto'
import { nameText, plainName, readName } from './wire-message.ts'

/** Algorithms by their names (RFC 8945 6); those of MD5 and SHA-1 are left out. */
const HASHES: Readonly<Record<string, string>> = {
  'hmac-sha256': 'sha256',
  'hmac-sha384': 'sha384',
  'hmac-sha512': 'sha512',
}
const TYPE_TSIG = 250
const CLASS_ANY = 255
const FUDGE_SECONDS = 300
const HEADER_BYTES = 12

export const TSIG_ERROR = { none: 0, badSignature: 16, badKey: 17, badTime: 18 } as const
export type TsigError = (typeof TSIG_ERROR)[keyof typeof TSIG_ERROR]

/** `name` in lower case, without the last dot. Without an algorithm it is HMAC-SHA256. */
export type TsigKey = { name: string; secret: Buffer; algorithm?: string }
/** What of a TSIG record its answer needs. */
export type Tsig = {
  keyName: Buffer
  algorithm: Buffer
  timeSigned: number
  fudgeSeconds: number
  mac: Buffer
  originalId: number
}
/** A TSIG record of an answer. */
type Told = Tsig & { error: number; other: Buffer }
/** A signed query: who signed it, or what is wrong. */
export type Signed = { tsig: Tsig; key: TsigKey | null; error: TsigError }

/**
 * Checks the signature of a query whose TSIG record starts at `tsigAt` (RFC 8945 5.2); null when the record is
 * malformed.
 */
export function checkTsig(
  bytes: Uint8Array,
  length: number,
  tsigAt: number,
  keyOf: (name: string) => TsigKey | null,
  nowMs: number,
): Signed | null {
  const tsig = readTsig(bytes, length, tsigAt)
  // A query has neither an error nor other data.
  if (!tsig || tsig.error !== 0 || tsig.other.length > 0) return null
  const key = keyOf(nameText(tsig.keyName))
  const hash = HASHES[nameText(tsig.algorithm)]
  // A key is for its own algorithm (RFC 8945 5.2.1).
  const isItsOwn = key !== null && nameText(tsig.algorithm) === (key.algorithm ?? 'hmac-sha256')
  if (!isItsOwn || hash === undefined) return { tsig, key: null, error: TSIG_ERROR.badKey }
  const expected = crypto
    .createHmac(hash, key.secret)
    .update(unsigned(bytes, tsigAt, tsig))
    .update(variables(tsig, TSIG_ERROR.none, Buffer.alloc(0)))
    .digest()
  if (!equal(tsig.mac, expected)) return { tsig, key: null, error: TSIG_ERROR.badSignature }
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
    const mine: Tsig = {
      ...tsig,
      timeSigned: error === TSIG_ERROR.badTime ? tsig.timeSigned : now,
      fudgeSeconds: FUDGE_SECONDS,
    }
    const other = error === TSIG_ERROR.badTime ? time48(now) : Buffer.alloc(0)
    const mac = key ? this.#mac(message, mine, key, error, other) : Buffer.alloc(0)
    this.#before = mac
    this.#isFirst = false
    const whole = Buffer.concat([message, record(mine, mac, error, other)])
    whole.writeUInt16BE(whole.readUInt16BE(10) + 1, 10)
    return whole
  }

  #mac(message: Buffer, tsig: Tsig, key: TsigKey, error: TsigError, other: Buffer): Buffer {
    const hmac = hmacOf(key, nameText(tsig.algorithm))
    hmac.update(number16(this.#before.length)).update(this.#before).update(message)
    return hmac.update(this.#isFirst ? variables(tsig, error, other) : timers(tsig)).digest()
  }
}

/** Signs a message of our own that answers nothing, such as a NOTIFY or a question. */
export function signRequest(message: Buffer, key: TsigKey, nowMs: number): Buffer {
  return signedRequest(message, key, nowMs).message
}

function signedRequest(message: Buffer, key: TsigKey, nowMs: number): { message: Buffer; mac: Buffer } {
  const algorithm = key.algorithm ?? 'hmac-sha256'
  const tsig: Tsig = {
    keyName: plainName(key.name),
    algorithm: plainName(algorithm),
    timeSigned: Math.floor(nowMs / 1000),
    fudgeSeconds: FUDGE_SECONDS,
    mac: Buffer.alloc(0),
    originalId: message.readUInt16BE(0),
  }
  const mac = hmacOf(key, algorithm)
    .update(message)
    .update(variables(tsig, TSIG_ERROR.none, Buffer.alloc(0)))
    .digest()
  const whole = Buffer.concat([message, record(tsig, mac, TSIG_ERROR.none, Buffer.alloc(0))])
  whole.writeUInt16BE(whole.readUInt16BE(10) + 1, 10)
  return { message: whole, mac }
}

/** At most so many messages of a transfer come without a signature in between (RFC 8945 5.3.1). */
const UNSIGNED_MOST = 99

/** Signs a question and checks the messages of its answer, which are signed each on top of the one before. */
export class TsigExchange {
  /** The signed question. */
  readonly question: Buffer
  readonly #key: TsigKey
  readonly #nowMs: () => number
  #before: Buffer
  #waiting: Buffer[] = []
  #isFirst = true

  constructor(question: Buffer, key: TsigKey, nowMs: () => number) {
    const { message, mac } = signedRequest(question, key, nowMs())
    this.question = message
    this.#before = mac
    this.#key = key
    this.#nowMs = nowMs
  }

  /**
   * Whether a message may be believed as far as is known; `tsigAt` is 0 for one without a signature. What is unsigned
   * is vouched for by the next signed one: see `isVouched`.
   */
  accepts(message: Buffer, tsigAt: number): boolean {
    if (tsigAt === 0) return !this.#isFirst && this.#waiting.push(message) <= UNSIGNED_MOST
    const tsig = readTsig(message, message.length, tsigAt)
    if (
      !tsig ||
      tsig.error !== TSIG_ERROR.none ||
      nameText(tsig.keyName) !== this.#key.name ||
      Math.abs(Math.floor(this.#nowMs() / 1000) - tsig.timeSigned) > tsig.fudgeSeconds
    )
      return false
    const hmac = hmacOf(this.#key, this.#key.algorithm ?? 'hmac-sha256')
      .update(number16(this.#before.length))
      .update(this.#before)
    for (const waiting of this.#waiting) hmac.update(waiting)
    const expected = hmac
      .update(unsigned(message, tsigAt, tsig))
      .update(this.#isFirst ? variables(tsig, TSIG_ERROR.none, tsig.other) : timers(tsig))
      .digest()
    this.#before = tsig.mac
    this.#waiting = []
    this.#isFirst = false
    return equal(tsig.mac, expected)
  }

  /** Everything that was accepted was signed. */
  get isVouched(): boolean {
    return !this.#isFirst && this.#waiting.length === 0
  }
}

/** The error that the TSIG record of an answer tells (RFC 8945 5.2); null when there is none that can be read. */
export const tsigErrorOf = (message: Buffer, tsigAt: number): number | null =>
  readTsig(message, message.length, tsigAt)?.error ?? null

/** The message as it was when it was signed. */
function unsigned(bytes: Uint8Array, tsigAt: number, { originalId }: Tsig): Buffer {
  const message = Buffer.from(bytes.subarray(0, tsigAt))
  message.writeUInt16BE(originalId, 0)
  message.writeUInt16BE(message.readUInt16BE(10) - 1, 10)
  return message
}

const hmacOf = (key: TsigKey, algorithm: string): crypto.Hmac =>
  crypto.createHmac(HASHES[algorithm] ?? 'sha256', key.secret)
const equal = (a: Buffer, b: Buffer): boolean => a.length === b.length && crypto.timingSafeEqual(a, b)
const timers = (tsig: Tsig): Buffer => Buffer.concat([time48(tsig.timeSigned), number16(tsig.fudgeSeconds)])

/** Every length is checked against the message: the bytes are anybody's. */
function readTsig(bytes: Uint8Array, length: number, at: number): Told | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, length)
  if (at < HEADER_BYTES) return null
  const key = readName(buffer, at)
  if (!key) return null
  const head = key.next
  // Class and lifetime are not in the record that is signed but as they must be (RFC 8945 4.2).
  if (head + 10 > length || buffer.readUInt16BE(head + 2) !== CLASS_ANY || buffer.readUInt32BE(head + 4) !== 0)
    return null
  const algorithm = readName(buffer, head + 10)
  if (!algorithm) return null
  const fixed = algorithm.next
  if (fixed + 10 > length) return null
  const after = fixed + 10 + buffer.readUInt16BE(fixed + 8)
  if (after + 6 > length || after + 6 + buffer.readUInt16BE(after + 4) !== length) return null
  return {
    keyName: key.wire,
    algorithm: algorithm.wire,
    timeSigned: buffer.readUIntBE(fixed, 6),
    fudgeSeconds: buffer.readUInt16BE(fixed + 6),
    mac: Buffer.from(buffer.subarray(fixed + 10, after)),
    originalId: buffer.readUInt16BE(after),
    error: buffer.readUInt16BE(after + 2),
    other: Buffer.from(buffer.subarray(after + 6)),
  }
}

function variables({ keyName, algorithm, timeSigned, fudgeSeconds }: Tsig, error: number, other: Buffer): Buffer {
  return Buffer.concat([
    keyName,
    number16(CLASS_ANY),
    Buffer.alloc(4),
    algorithm,
    time48(timeSigned),
    number16(fudgeSeconds),
    number16(error),
    number16(other.length),
    other,
  ])
}

function record(
  { keyName, algorithm, timeSigned, fudgeSeconds, originalId }: Tsig,
  mac: Buffer,
  error: TsigError,
  other: Buffer,
): Buffer {
  return Buffer.concat([
    keyName,
    number16(TYPE_TSIG),
    number16(CLASS_ANY),
    Buffer.alloc(4),
    number16(algorithm.length + 16 + mac.length + other.length),
    algorithm,
    time48(timeSigned),
    number16(fudgeSeconds),
    number16(mac.length),
    mac,
    number16(originalId),
    number16(error),
    number16(other.length),
    other,
  ])
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
