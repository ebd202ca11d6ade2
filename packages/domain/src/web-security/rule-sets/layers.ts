import { hexDigit } from '../bytes.ts'
import { decoded } from '../target.ts'

/** Layers of one kind of writing within the other that are undone. */
const MOST_PASSES = 4
/** Longer base64 is a file, and what stands in files is nobody's command. */
const LONGEST_BASE64 = 2_048
/** Shorter words may well be base64 by chance. */
const SHORTEST_BASE64 = 12

/**
 * The other readings of a value: escapes within escapes, `\u0027` and `%u0027`, octal ones, UTF-8 that is longer than
 * needed, full-width letters, base64. What the rules undo by themselves is left out. In bytes; the same in nginx and
 * in Node.
 */
export function readingsOf(value: string): string[] {
  const found: string[] = []
  const plain = settled(value)
  if (plain !== value && plain !== decoded(value, false)) found.push(plain)
  let inner = fromBase64(plain)
  for (let layer = 0; layer < 2 && inner !== undefined; layer++) {
    const text = settled(inner)
    found.push(text)
    inner = fromBase64(text)
  }
  return found
}

/** With all that is written otherwise undone. */
export function settled(text: string): string {
  let now = text
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = undoneOnce(now)
    if (next === now) return now
    now = next
  }
  return now
}

function undoneOnce(text: string): string {
  if (!mayBeOtherwise(text)) return text
  const parts: string[] = []
  let kept = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    const [byte, length] =
      code === 37 ? percent(text, at) : code === 92 ? escape(text, at) : code >= 192 ? folded(text, at, code) : NONE
    if (length === 0) {
      at += 1
      continue
    }
    if (at > kept) parts.push(text.slice(kept, at))
    parts.push(utf8Of(byte))
    at += length
    kept = at
  }
  if (kept === 0) return text
  parts.push(text.slice(kept))
  return parts.join('')
}

const mayBeOtherwise = (text: string): boolean => {
  if (text.includes('%') || text.includes('\\')) return true
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 192 || code === 193 || code === 224 || code === 239) return true
  }
  return false
}

/** What stands there, and how many bytes say it; none where nothing else is meant. */
type Meant = readonly [number, number]
const NONE: Meant = [0, 0]
/** Bytes that are not of one letter are kept apart from letters by this. */
const BYTE = -1_000

/** `%27`, `%u0027` (IIS). */
function percent(text: string, at: number): Meant {
  const mark = text.charAt(at + 1)
  if (mark === 'u' || mark === 'U') return digits(text, at, 2, 4)
  const byte = hexOf(text, at + 1, 2)
  return byte < 0 ? NONE : [BYTE - byte, 3]
}

/** `\u0027`, `\u{27}`, `\x27`, `\047`. */
function escape(text: string, at: number): Meant {
  const mark = text.charAt(at + 1)
  if (mark === 'u') {
    if (text.charAt(at + 2) !== '{') return digits(text, at, 2, 4)
    const end = text.indexOf('}', at + 3)
    if (end < 0 || end - at > 9) return NONE
    const value = hexOf(text, at + 3, end - at - 3)
    return value < 0 ? NONE : [value, end - at + 1]
  }
  if (mark === 'x') return digits(text, at, 2, 2)
  let value = 0
  for (let i = 1; i <= 3; i++) {
    const digit = (at + i < text.length ? text.charCodeAt(at + i) : 0) - 48
    if (digit < 0 || digit > 7) return NONE
    value = value * 8 + digit
  }
  return value > 127 ? NONE : [value, 4]
}

function digits(text: string, at: number, skip: number, count: number): Meant {
  const value = hexOf(text, at + skip, count)
  return value < 0 ? NONE : [halfWidth(value), skip + count]
}

function hexOf(text: string, from: number, count: number): number {
  if (count < 1 || from + count > text.length) return -1
  let value = 0
  for (let i = from; i < from + count; i++) {
    const digit = hexDigit(text.charCodeAt(i))
    if (digit < 0) return -1
    value = value * 16 + digit
  }
  return value
}

/** ASCII in more bytes than it needs (RFC 3629 3), and full-width forms of it. */
function folded(text: string, at: number, code: number): Meant {
  if (at + 1 >= text.length) return NONE
  const second = text.charCodeAt(at + 1) - 128
  if (second < 0 || second > 63) return NONE
  if (code === 192 || code === 193) return [(code - 192) * 64 + second, 2]
  if ((code !== 224 && code !== 239) || at + 2 >= text.length) return NONE
  const third = text.charCodeAt(at + 2) - 128
  if (third < 0 || third > 63) return NONE
  const letter = (code - 224) * 4096 + second * 64 + third
  if (code === 224) return letter < 128 ? [letter, 3] : NONE
  const half = halfWidth(letter)
  return half === letter ? NONE : [half, 3]
}

/** U+FF01 to U+FF5E, which some databases and frameworks take for ASCII. */
const halfWidth = (letter: number): number => (letter > 0xff00 && letter < 0xff5f ? letter - 0xfee0 : letter)

function utf8Of(letter: number): string {
  if (letter <= BYTE) return String.fromCharCode(BYTE - letter)
  if (letter < 128) return String.fromCharCode(letter)
  const low = String.fromCharCode(128 + (letter % 64))
  const rest = Math.floor(letter / 64)
  if (letter < 2048) return String.fromCharCode(192 + rest) + low
  const middle = String.fromCharCode(128 + (rest % 64)) + low
  const more = Math.floor(rest / 64)
  if (letter < 65_536) return String.fromCharCode(224 + more) + middle
  if (letter >= 1_114_112) return '?'
  return String.fromCharCode(240 + Math.floor(more / 64)) + String.fromCharCode(128 + (more % 64)) + middle
}

/** Undefined for what is none, and for what holds no text. A blank is the plus of a query. */
export function fromBase64(text: string): string | undefined {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 61) end -= 1
  if (end < SHORTEST_BASE64 || end > LONGEST_BASE64 || end % 4 === 1 || text.length - end > 2) return undefined
  const parts: string[] = []
  let bits = 0
  let held = 0
  for (let i = 0; i < end; i++) {
    const value = sextet(text.charCodeAt(i))
    if (value < 0) return undefined
    bits = bits * 64 + value
    held += 6
    if (held < 8) continue
    held -= 8
    const scale = 2 ** held
    const byte = Math.floor(bits / scale)
    bits %= scale
    if (byte === 127 || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)) return undefined
    parts.push(String.fromCharCode(byte))
  }
  const found = parts.join('')
  // Documents are sent so (SAML, pictures), and are no markup of a page.
  return isUtf8(found) && !(found.startsWith('<') && found.includes(' xmlns')) ? found : undefined
}

function sextet(code: number): number {
  if (code >= 65 && code <= 90) return code - 65
  if (code >= 97 && code <= 122) return code - 71
  if (code >= 48 && code <= 57) return code + 4
  if (code === 43 || code === 45 || code === 32) return 62
  return code === 47 || code === 95 ? 63 : -1
}

function isUtf8(text: string): boolean {
  let awaited = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (awaited > 0) {
      if (code < 128 || code > 191) return false
      awaited -= 1
    } else if (code >= 128) {
      if (code < 194 || code > 244) return false
      awaited = code < 224 ? 1 : code < 240 ? 2 : 3
    }
  }
  return awaited === 0
}
