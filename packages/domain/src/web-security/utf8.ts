/** A text as the bytes of its UTF-8, one character each. Lone surrogates become the replacement character. */
export function utf8(text: string): string {
  let bytes = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code < 128) bytes += character
    else if (code < 2048) bytes += String.fromCharCode(192 + (code >> 6), 128 + (code & 63))
    else if (code >= 0xd800 && code <= 0xdfff) bytes += '\u00ef\u00bf\u00bd'
    else if (code < 65536) bytes += String.fromCharCode(224 + (code >> 12), 128 + ((code >> 6) & 63), 128 + (code & 63))
    else
      bytes += String.fromCharCode(
        240 + (code >> 18),
        128 + ((code >> 12) & 63),
        128 + ((code >> 6) & 63),
        128 + (code & 63),
      )
  }
  return bytes
}

/** The same for every text of plain data, keys of objects included: what nginx reads from JSON. */
export function inBytes<T>(data: T): T
export function inBytes(data: unknown): unknown {
  if (typeof data === 'string') return utf8(data)
  if (Array.isArray(data)) return data.map((one: unknown) => inBytes(one))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([key, value]: [string, unknown]) => [utf8(key), inBytes(value)]))
}
