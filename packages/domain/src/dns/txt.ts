const MOST_BYTES = 255

/**
 * The character-strings of a TXT record as bytes, none longer than 255 (RFC 1035 3.3.14); null when the value is
 * malformed.
 * A value in quotes is read as presentation form, `"one" "two"` with `\"`, `\\` and `\DDD` (RFC 1035 5.1); any other is
 * the text itself.
 * Line breaks and other control characters are refused: they come from a bad paste, and `\DDD` can still write them.
 */
export function txtStrings(value: string): number[][] | null {
  if (/\p{Cc}/u.test(value) || !value.isWellFormed()) return null
  const strings = value.startsWith('"') ? readQuoted(value) : [[...new TextEncoder().encode(value)]]
  return strings === null ? null : strings.flatMap(cut)
}

/** Presentation form of character-strings: each in quotes, parted by a space. */
export const quoteTxt = (strings: readonly (readonly number[])[]): string =>
  strings.map((bytes) => `"${bytes.map(escapeByte).join('')}"`).join(' ')

function escapeByte(byte: number): string {
  if (byte === 34 || byte === 92) return `\\${String.fromCharCode(byte)}`
  return byte < 32 || byte > 126 ? `\\${String(byte).padStart(3, '0')}` : String.fromCharCode(byte)
}

function cut(bytes: number[]): number[][] {
  if (bytes.length <= MOST_BYTES) return [bytes]
  return Array.from({ length: Math.ceil(bytes.length / MOST_BYTES) }, (_, index) =>
    bytes.slice(index * MOST_BYTES, (index + 1) * MOST_BYTES),
  )
}

function readQuoted(value: string): number[][] | null {
  const strings: number[][] = []
  const quoted = /"((?:[^"\\]|\\.)*)"(?: +|$)/suy
  while (quoted.lastIndex < value.length) {
    const bytes = readEscapes(quoted.exec(value)?.[1])
    if (bytes === null) return null
    strings.push(bytes)
  }
  return strings
}

/** Bytes of one quoted string; null for none, or for an escape beyond 255. */
function readEscapes(text: string | undefined): number[] | null {
  if (text === undefined) return null
  const bytes: number[] = []
  for (const [piece] of text.matchAll(/\\\d{3}|\\.|[^\\]+/gsu)) {
    if (/^\\\d{3}$/.test(piece)) {
      const byte = Number(piece.slice(1))
      if (byte > 255) return null
      bytes.push(byte)
    } else bytes.push(...new TextEncoder().encode(piece.startsWith('\\') ? piece.slice(1) : piece))
  }
  return bytes
}
