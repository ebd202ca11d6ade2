const encoder = new TextEncoder()

/**
 * Bytes of presentation text (RFC 1035 5.1): `\DDD` and `\X` resolved, other characters as UTF-8; null when a backslash
 * stands for nothing.
 */
export function unescapeText(text: string): number[] | null {
  const bytes: number[] = []
  for (let at = 0; at < text.length;) {
    const character = readCharacter(text, at)
    if (character === null) return null
    bytes.push(...character.bytes)
    at = character.next
  }
  return bytes
}

/** The bytes that the character or escape at `at` stands for, and where the text goes on. */
export function readCharacter(text: string, at: number): { bytes: readonly number[]; next: number } | null {
  const code = text.codePointAt(at) ?? 0
  if (code === 92) return readEscape(text, at)
  if (code < 128) return { bytes: [code], next: at + 1 }
  return { bytes: [...encoder.encode(String.fromCodePoint(code))], next: at + (code > 0xffff ? 2 : 1) }
}

function readEscape(text: string, at: number): { bytes: readonly number[]; next: number } | null {
  const digits = /^\d{3}/.exec(text.slice(at + 1, at + 4))?.[0]
  if (digits !== undefined) return Number(digits) > 255 ? null : { bytes: [Number(digits)], next: at + 4 }
  const code = text.codePointAt(at + 1)
  if (code === undefined || (code >= 48 && code <= 57)) return null
  return code === 92 ? { bytes: [92], next: at + 2 } : readCharacter(text, at + 1)
}

/** Presentation form of bytes; `special` characters are escaped as well as what is not printable ASCII. */
export function escapeBytes(bytes: readonly number[], special: string): string {
  let text = ''
  for (const byte of bytes) {
    const character = String.fromCharCode(byte)
    if (byte < 32 || byte > 126) text += `\\${String(byte).padStart(3, '0')}`
    else text += special.includes(character) ? `\\${character}` : character
  }
  return text
}
