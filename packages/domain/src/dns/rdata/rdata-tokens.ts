import type { ZoneFileFault } from '@fairway/contract'
import type { Token } from './entries.ts'
import { unescapeText } from './escapes.ts'
import { nameBytes, readName, type Labels } from './name-text.ts'

const STRING_BYTES = 255

/**
 * Takes the fields of one rdata in order. After the first fault every method answers something empty: look at `fault`
 * at the end.
 */
export class RdataTokens {
  fault: { fault: ZoneFileFault; token: Token | null } | null = null
  readonly #tokens: readonly Token[]
  readonly #origin: Labels
  #at = 0

  constructor(tokens: readonly Token[], origin: Labels) {
    this.#tokens = tokens
    this.#origin = origin
  }

  hasMore(): boolean {
    return this.fault === null && this.#at < this.#tokens.length
  }

  /** Whether the next token follows without a blank, as in `alpn="h2"`. */
  isGlued(): boolean {
    return this.hasMore() && this.#tokens[this.#at]?.glued === true
  }

  /** Nothing may be left. */
  end(): void {
    if (this.hasMore()) this.fail('extraText', this.#tokens[this.#at])
  }

  /** The first fault stands; without a token it is that of the token taken last. */
  fail(fault: ZoneFileFault, token: Token | undefined = this.#tokens[this.#at - 1]): void {
    this.fault ??= { fault, token: token ?? null }
  }

  /** A word that is not in quotes, escapes untouched. */
  word(): string {
    const token = this.#next()
    if (token?.quoted === true) this.fail('unexpectedQuote')
    return token?.text ?? ''
  }

  /** The string in quotes that must follow, escapes untouched. */
  quoted(): string {
    const token = this.#next()
    if (token?.quoted === false) this.fail('extraText')
    return token?.text ?? ''
  }

  number(most: number): number {
    const text = this.word()
    if (this.fault === null && (!/^\d{1,20}$/.test(text) || Number(text) > most)) this.fail('badNumber')
    return this.fault === null ? Number(text) : 0
  }

  name(): number[] {
    const text = this.word()
    if (this.fault !== null) return []
    const read = readName(text, this.#origin)
    if ('fault' in read) this.fail(read.fault)
    return 'fault' in read ? [] : nameBytes(read.labels)
  }

  /** A character-string without its length, in quotes or not, of at most `most` bytes. */
  string(most = STRING_BYTES): number[] {
    const token = this.#next()
    const bytes = token === undefined ? [] : unescapeText(token.text)
    if (bytes === null) this.fail('badEscape')
    else if (bytes.length > most) this.fail('longString')
    return bytes === null || this.fault !== null ? [] : bytes
  }

  /** All words that are left, put together. */
  rest(): string {
    const words: string[] = []
    do words.push(this.word())
    while (this.hasMore())
    return words.join('')
  }

  #next(): Token | undefined {
    if (this.fault !== null) return undefined
    const token = this.#tokens[this.#at]
    if (token === undefined) this.fail('missingField')
    else this.#at++
    return token
  }
}
