import type { ZoneFileFault } from '@fairway/contract'

/**
 * A word or a quoted string as written, escapes untouched. `glued`: nothing but a quote stands between it and the token
 * before.
 */
export type Token = { text: string; quoted: boolean; glued: boolean; line: number; column: number }

/**
 * What belongs together: a line, or several held together by parentheses. `indented`: it begins with a blank, so that
 * it has the owner of the entry before.
 */
export type Entry = {
  tokens: Token[]
  indented: boolean
  line: number
  /** The last comment behind a token of it, as it stands. */
  comment: string | null
}

export type Report = (fault: ZoneFileFault, at: { line: number; column: number }, text: string) => void

const TAB = 9,
  LINE_FEED = 10,
  RETURN = 13,
  BLANK = 32,
  QUOTE = 34,
  OPEN = 40,
  CLOSE = 41,
  SEMICOLON = 59,
  BACKSLASH = 92

const endsLine = (code: number): boolean => code === LINE_FEED || code === RETURN
const isBlank = (code: number): boolean => code === BLANK || code === TAB
const isSpecial = (code: number): boolean => code === QUOTE || code === OPEN || code === CLOSE || code === SEMICOLON

/**
 * Splits a master file into its entries (RFC 1035 5.1): comments stand aside, parentheses resolved. What is malformed is
 * reported and left out, up to the end of its line.
 * Time is proportional to the length of the text.
 */
export function* readEntries(text: string, report: Report): Generator<Entry> {
  const lexer = new Lexer(text, report)
  for (let entry = lexer.next(); entry !== null; entry = lexer.next()) if (entry.tokens.length > 0) yield entry
}

class Lexer {
  readonly #text: string
  readonly #report: Report
  #at: number
  #line = 1
  #lineStart: number

  constructor(text: string, report: Report) {
    this.#text = text
    this.#report = report
    // Editors on some systems begin a text with a byte order mark.
    this.#at = this.#lineStart = text.startsWith('\ufeff') ? 1 : 0
  }

  /** The next entry, without tokens when it was empty or malformed; null at the end. */
  next(): Entry | null {
    if (this.#at >= this.#text.length) return null
    const entry: Entry = { tokens: [], indented: isBlank(this.#code()), line: this.#line, comment: null }
    let depth = 0
    let opened = this.#place()
    for (;;) {
      const code = this.#code()
      if (Number.isNaN(code)) {
        if (depth === 0) return entry
        this.#report('unclosedParenthesis', opened, '(')
        return { ...entry, tokens: [] }
      }
      if (endsLine(code)) {
        this.#endLine()
        if (depth === 0) return entry
      } else if (isBlank(code)) this.#at++
      else if (code === SEMICOLON) {
        const start = this.#at + 1
        this.#skipLine()
        if (entry.tokens.length > 0) entry.comment = this.#text.slice(start, this.#at).replace(/\r$/, '')
      } else if (code === OPEN) {
        if (depth++ === 0) opened = this.#place()
        this.#at++
      } else if (code === CLOSE && depth > 0) {
        depth--
        this.#at++
      } else if (!this.#token(entry, code)) {
        this.#skipLine()
        return { ...entry, tokens: [] }
      }
    }
  }

  /** Takes a word or a quoted string; false when there is none, which has been reported then. */
  #token(entry: Entry, code: number): boolean {
    const place = this.#place()
    const before = this.#text.charCodeAt(this.#at - 1)
    const glued =
      entry.tokens.length > 0 &&
      entry.tokens.at(-1)?.line === place.line &&
      !isBlank(before) &&
      before !== OPEN &&
      before !== CLOSE
    const quoted = code === QUOTE
    const start = quoted ? this.#at + 1 : this.#at
    const end = this.#endOfToken(start, quoted)
    if (typeof end === 'string') {
      this.#report(end, place, this.#text.slice(this.#at, this.#at + 40).split(/[\r\n]/, 1)[0] ?? '')
      return false
    }
    entry.tokens.push({ text: this.#text.slice(start, end), quoted, glued, ...place })
    this.#at = quoted ? end + 1 : end
    return true
  }

  #endOfToken(start: number, quoted: boolean): number | ZoneFileFault {
    for (let at = start; ; at++) {
      const code = this.#text.charCodeAt(at)
      const isEnd = Number.isNaN(code) || endsLine(code)
      if (quoted ? code === QUOTE : isEnd || isBlank(code) || isSpecial(code))
        return at === start && code === CLOSE ? 'extraParenthesis' : at
      if (isEnd) return 'unclosedQuote'
      if ((code < BLANK && code !== TAB) || code === 127) return 'controlCharacter'
      if (code !== BACKSLASH) continue
      const escaped = this.#text.charCodeAt(++at)
      if (Number.isNaN(escaped) || endsLine(escaped)) return 'badEscape'
    }
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at)
  }

  #place(): { line: number; column: number } {
    return { line: this.#line, column: this.#at - this.#lineStart + 1 }
  }

  /** A return alone does not end a comment; BIND has it so. */
  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end
  }

  #endLine(): void {
    this.#at += this.#code() === RETURN && this.#text.charCodeAt(this.#at + 1) === LINE_FEED ? 2 : 1
    this.#line++
    this.#lineStart = this.#at
  }
}
