import { PresentationError, readEscape } from './presentation.ts'

const LABEL_BYTES = 63
const NAME_BYTES = 255
const DOT = 46

/**
 * Wire form of a name in presentation form; always taken as absolute, with or without the last dot.
 * @throws PresentationError for an empty or too long label, a too long name or a bad escape.
 */
export function nameToWire(text: string): Uint8Array<ArrayBuffer> {
  if (text === '.') return new Uint8Array(1)
  const plainly = plainToWire(text)
  if (plainly) return plainly
  const bytes: number[] = []
  let label: number[] = []
  const endLabel = () => {
    if (label.length === 0) throw new PresentationError(`${JSON.stringify(text)} has an empty label`)
    if (label.length > LABEL_BYTES)
      throw new PresentationError(`${JSON.stringify(text)} has a label of more than ${LABEL_BYTES} bytes`)
    bytes.push(label.length, ...label)
    label = []
  }
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code === 46) endLabel()
    else if (code === 92) label.push(readEscape(text, at).byte)
    else if (code > 32 && code < 127) label.push(code)
    else throw new PresentationError(`${JSON.stringify(text)} has a character that a name cannot have unescaped`)
    at = code === 92 ? readEscape(text, at).next : at + 1
  }
  if (label.length > 0 || bytes.length === 0) endLabel()
  bytes.push(0)
  if (bytes.length > NAME_BYTES) throw new PresentationError(`${JSON.stringify(text)} is longer than a name may be`)
  return Uint8Array.from(bytes)
}

const scratch = new Uint8Array(NAME_BYTES)

/** The common case, of which a large zone has a million: nothing escaped, nothing too long; null when there is more to it. */
function plainToWire(text: string): Uint8Array<ArrayBuffer> | null {
  // The last label ends with or without a dot.
  const end = text.endsWith('.') ? text.length - 1 : text.length
  if (end === 0 || end + 2 > NAME_BYTES) return null
  let label = 0
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === DOT) {
      if (!isLabelLength(at - label)) return null
      scratch[label] = at - label
      label = at + 1
    } else if (code > 32 && code < 127 && code !== 92) scratch[at + 1] = code
    else return null
  }
  if (!isLabelLength(end - label)) return null
  scratch[label] = end - label
  scratch[end + 1] = 0
  return scratch.slice(0, end + 2)
}

const isLabelLength = (length: number): boolean => length > 0 && length <= LABEL_BYTES

/** The same name with ASCII letters in lower case, the form in which names are compared (RFC 4343). */
export function lowerName(wire: Uint8Array): Uint8Array<ArrayBuffer> {
  const lower = Uint8Array.from(wire)
  for (let at = 0; at < lower.length; at++) lower[at] = lowerByte(lower[at] ?? 0)
  return lower
}

/** Length bytes are at most 63 and so never letters: lowering a whole name byte by byte is safe. */
export function lowerByte(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte + 32 : byte
}

/**
 * Presentation form without the last dot (`.` for the root) of the name at `at`, which must be whole and uncompressed.
 */
export function nameToText(wire: Uint8Array, at = 0): string {
  return plainText(wire, at) ?? escapedText(wire, at)
}

const plain = Buffer.alloc(NAME_BYTES)

/**
 * The common case: letters, digits, hyphens and the like, which stand for themselves; null when there is more to it.
 */
function plainText(wire: Uint8Array, at: number): string | null {
  let length = 0
  for (let left = wire[at] ?? 0; left > 0 && length + left < NAME_BYTES; left = wire[at] ?? 0) {
    for (at++; left > 0; left--, at++) {
      const byte = wire[at] ?? 0
      if (!isPlain(byte)) return null
      plain[length++] = byte
    }
    plain[length++] = DOT
  }
  return length === 0 ? '.' : plain.toString('latin1', 0, length - 1)
}

const isPlain = (byte: number): boolean =>
  (byte >= 97 && byte <= 122) ||
  (byte >= 45 && byte <= 57 && byte !== DOT && byte !== 47) ||
  byte === 95 ||
  byte === 42 ||
  (byte >= 65 && byte <= 90)

function escapedText(wire: Uint8Array, at: number): string {
  const labels: string[] = []
  for (let length = wire[at] ?? 0; length > 0; at += length + 1, length = wire[at] ?? 0) {
    labels.push(Array.from(wire.subarray(at + 1, at + 1 + length), escaped).join(''))
  }
  return labels.join('.') || '.'
}

/** Where each label of a whole, uncompressed name starts, the root label included. */
export function labelStarts(wire: Uint8Array): number[] {
  const starts: number[] = []
  for (let at = 0; ; at += (wire[at] ?? 0) + 1) {
    starts.push(at)
    if (!wire[at]) return starts
  }
}

/** Whether `name` is `zone` or below it; both in lower case. */
export function isWithin(name: Uint8Array, zone: Uint8Array): boolean {
  const from = name.length - zone.length
  let at = 0
  while (at < from && name[at]) at += (name[at] ?? 0) + 1
  return at === from && Buffer.compare(name.subarray(from), zone) === 0
}

function escaped(byte: number): string {
  if (byte <= 32 || byte >= 127) return `\\${String(byte).padStart(3, '0')}`
  return '.\\"();@$'.includes(String.fromCharCode(byte)) ? `\\${String.fromCharCode(byte)}` : String.fromCharCode(byte)
}
