/** Numbers, `true`, `false` and `null` are spelled with these, and with nothing an attack could use. */
const BETWEEN = ' \t\r\n,:{}[]0123456789+-.eEtrufalsn'
/** What rules cannot be set off by, a word at a time: letters, digits and the marks of names, mail, dates and URLs. */
const PLAIN = ' ,.:/@_-+'
/** Texts of plain letters are looked at together, in pieces of about so many bytes. */
const PIECE_BYTES = 1_024
/** Deeper JSON goes as it came, and is refused for that. */
const DEPTH = 128

/**
 * JSON with more values than are inspected, as another with fewer in which the same is to be found: numbers are left
 * out, texts that come again too, and those of plain letters stand together. Each text with any other mark stays by
 * itself, letter by letter. Undefined when there are no more values than `most`, or when it is no JSON as far as it
 * goes: then it is inspected as it came. In bytes; the same in nginx and in Node.
 */
export function denseJson(text: string, most: number): string | undefined {
  if (text.length < most * 2) return undefined
  const alone: string[] = []
  const plain: string[] = []
  const known: Record<string, boolean> = {}
  let values = 1
  let depth = 0
  let at = 0
  while (at < text.length) {
    const mark = text.charAt(at)
    at += 1
    if (mark !== '"') {
      if (!BETWEEN.includes(mark)) return undefined
      if (mark === ',') values += 1
      else if (mark === '{' || mark === '[') depth += 1
      else if (mark === '}' || mark === ']') depth -= 1
      if (depth > DEPTH) return undefined
      continue
    }
    const from = at
    let isPlain = true
    while (at < text.length) {
      const code = text.charCodeAt(at)
      if (code === 34) break
      if (code === 92) {
        if (!isFarLetter(text, at)) isPlain = false
        at += 1
      } else if (code < 32) return undefined
      else if (!isPlainByte(code, text, at)) isPlain = false
      at += 1
    }
    // What the limit has cut is closed where it ends: an escape that is not whole would make it unreadable.
    let end = at < text.length ? at : text.length
    if (at >= text.length) end = wholeEnd(text, from)
    at += 1
    const literal = text.slice(from, end)
    if (known[`=${literal}`] === true) continue
    known[`=${literal}`] = true
    if (isPlain) plain.push(literal)
    else alone.push(literal)
  }
  if (values <= most) return undefined
  const parts: string[] = []
  for (const literal of alone) parts.push(`"${literal}"`)
  let piece: string[] = []
  let bytes = 0
  for (const literal of plain) {
    piece.push(literal)
    bytes += literal.length + 1
    if (bytes < PIECE_BYTES) continue
    parts.push(`"${piece.join(' ')}"`)
    piece = []
    bytes = 0
  }
  if (bytes > 0) parts.push(`"${piece.join(' ')}"`)
  return `[${parts.join(',')}]`
}

/** Two dots, or two slashes without a scheme before, are ways to other places. */
function isPlainByte(code: number, text: string, at: number): boolean {
  if (code >= 128) return true
  if ((code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)) return true
  const mark = text.charAt(at)
  if (!PLAIN.includes(mark)) return false
  const before = at === 0 ? '' : text.charAt(at - 1)
  if (mark === '.' || mark === '-') return before !== mark
  return !(mark === '/' && before === '/' && text.charAt(at - 2) !== ':')
}

/** `\u4e2d` and the like: letters beyond Latin, without the full-width forms that some read as ASCII. */
function isFarLetter(text: string, at: number): boolean {
  if (text.charAt(at + 1) !== 'u') return false
  const high = text.slice(at + 2, at + 4).toLowerCase()
  return high.length === 2 && high >= '30' && high < 'd8'
}

/** Where a text that was cut off may end: before an escape of which only a part is there. */
function wholeEnd(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    if (text.charCodeAt(at) !== 92) at += 1
    else {
      const length = text.charAt(at + 1) === 'u' ? 6 : 2
      if (at + length > text.length) return at
      at += length
    }
  }
  return at
}
