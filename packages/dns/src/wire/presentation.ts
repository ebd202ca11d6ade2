/** One item of presentation text (RFC 1035 5.1): its bytes with escapes resolved. */
export type Token = { bytes: Uint8Array; quoted: boolean }

/** Text that is not valid presentation form; the message says where and why. */
export class PresentationError extends Error {}

/**
 * Splits rdata text at blanks; quotes hold blanks together, `\X` and `\DDD` stand for one byte. Non-ASCII characters
 * become their UTF-8 bytes.
 */
export function tokens(text: string): Token[] {
  const found: Token[] = []
  let at = 0
  while (at < text.length) {
    if (isBlank(text.charCodeAt(at))) {
      at++
      continue
    }
    const quoted = text[at] === '"'
    const item = readItem(text, quoted ? at + 1 : at, quoted)
    found.push({ bytes: Uint8Array.from(item.bytes), quoted })
    at = item.next
  }
  return found
}

/** The byte that the escape at `at` (its backslash) stands for, and where the text goes on. */
export function readEscape(text: string, at: number): { byte: number; next: number } {
  const digits = /^\d{3}/.exec(text.slice(at + 1, at + 4))?.[0]
  if (digits) {
    const byte = Number(digits)
    if (byte > 255) throw new PresentationError(`\\${digits} is no byte`)
    return { byte, next: at + 4 }
  }
  const code = text.codePointAt(at + 1)
  if (code === undefined || code > 126 || code < 32 || (code >= 48 && code <= 57))
    throw new PresentationError('a backslash must be followed by a character or three digits')
  return { byte: code, next: at + 2 }
}

function readItem(text: string, from: number, quoted: boolean): { bytes: number[]; next: number } {
  const bytes: number[] = []
  let at = from
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0
    if (code === 92) {
      const escape = readEscape(text, at)
      bytes.push(escape.byte)
      at = escape.next
    } else if (quoted && code === 34) {
      return { bytes, next: at + 1 }
    } else if (!quoted && isBlank(code)) {
      return { bytes, next: at }
    } else {
      bytes.push(...utf8(code))
      at += code > 0xffff ? 2 : 1
    }
  }
  if (quoted) throw new PresentationError('a quoted string does not end')
  return { bytes, next: at }
}

const encoder = new TextEncoder()

function utf8(code: number): Iterable<number> {
  return code < 128 ? [code] : encoder.encode(String.fromCodePoint(code))
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13
}
