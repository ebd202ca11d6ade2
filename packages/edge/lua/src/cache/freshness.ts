import { type Directive, parseDirectives } from './directives.ts'

/** What decides how long an answer may be served from the cache (RFC 9111 sections 3 and 4.2.1). */
export type FreshnessInput = {
  status: number
  /** All Cache-Control lines joined with commas; empty when there are none. */
  cacheControl: string
  /** The same of CDN-Cache-Control, which goes before it (RFC 9213). */
  cdnCacheControl: string
  /** Expires as epoch seconds, -1 when it is there but no date; undefined without one. */
  expiresAt?: number
  /** Date as epoch seconds. */
  dateAt?: number
  /** Epoch seconds. */
  now: number
  /** The Age header's text. */
  age?: string
  setsCookie: boolean
  vary: string
  /** The request carried Authorization. */
  authorized: boolean
  /**
   * The request carried content, which an origin may heed although it should not (RFC 9110 9.3.1) and no key tells
   * apart.
   */
  hadContent: boolean
  enabled: boolean
  /** Lifetime by the domain's rules. */
  ttlSeconds: number
  /** Off: the rules' lifetime replaces the origin's. */
  honorOrigin: boolean
}

/** Seconds; all 0 when the answer must not be stored. */
export type Freshness = {
  freshSeconds: number
  /** After that, served once more while a new one is fetched (RFC 5861 section 3). */
  whileRevalidateSeconds: number
  /** After that, served when the origin fails (RFC 5861 section 4, RFC 9111 4.2.4). */
  ifErrorSeconds: number
}

const YEAR_SECONDS = 31_536_000
/** An origin that says nothing about a page it lacks may have it in a moment. */
const MISSING_PAGE_MAX_SECONDS = 10
/** An old page is better than none while the origin is away, unless the origin forbids it. */
const DEFAULT_IF_ERROR_SECONDS = 86_400
const NOT_STORED: Freshness = { freshSeconds: 0, whileRevalidateSeconds: 0, ifErrorSeconds: 0 }

export function freshnessOf(input: FreshnessInput): Freshness {
  if (
    !input.enabled ||
    input.authorized ||
    input.hadContent ||
    input.setsCookie ||
    input.status === 206 ||
    input.vary.includes('*')
  )
    return NOT_STORED
  const targeted = input.cdnCacheControl === '' ? undefined : targetedDirectives(input.cdnCacheControl)
  const directives = targeted ?? parseDirectives(input.cacheControl)
  if (has(directives, 'no-store') || has(directives, 'private')) return NOT_STORED
  const forced = !input.honorOrigin && mayBeStoredSilently(input.status)
  if (!forced && has(directives, 'no-cache')) return NOT_STORED
  const lifetime = forced
    ? silentSeconds(input)
    : (lifetimeSeconds(input, directives, targeted !== undefined) ?? silentSeconds(input))
  const remaining = lifetime - (forced ? 0 : (wholeNumber(firstOf(input.age)) ?? 0))
  if (remaining <= 0) return NOT_STORED
  return { freshSeconds: atMostYear(remaining), ...staleSeconds(directives) }
}

/** The word that the cache in front understands; it knows no other. */
export function cacheWord({ freshSeconds, whileRevalidateSeconds, ifErrorSeconds }: Freshness): string {
  if (freshSeconds <= 0) return 'no-store'
  return `max-age=${freshSeconds}${whileRevalidateSeconds > 0 ? `, stale-while-revalidate=${whileRevalidateSeconds}` : ''}${ifErrorSeconds > 0 ? `, stale-if-error=${ifErrorSeconds}` : ''}`
}

// Websites say the same few words again and again; what follows from them is worked out once.
const words: Record<string, string | undefined> = {}
let wordCount = 0
const WORDS_MAX = 500
const LONGEST = 200

/** The word for an answer. */
export function cacheWordOf(input: FreshnessInput): string {
  const {
    status,
    cacheControl,
    cdnCacheControl,
    expiresAt,
    age,
    setsCookie,
    vary,
    authorized,
    hadContent,
    enabled,
    ttlSeconds,
    honorOrigin,
  } = input
  if (!enabled || authorized || hadContent || setsCookie) return 'no-store'
  if (
    cdnCacheControl !== '' ||
    expiresAt !== undefined ||
    age !== undefined ||
    cacheControl.length > LONGEST ||
    (vary !== '' && vary.includes('*'))
  )
    return cacheWord(freshnessOf(input))
  const said = `${honorOrigin ? 'honor' : 'force'} ${status} ${ttlSeconds} ${cacheControl}`
  const known = words[said]
  if (known !== undefined) return known
  const word = cacheWord(freshnessOf(input))
  if (wordCount < WORDS_MAX) {
    wordCount += 1
    words[said] = word
  }
  return word
}

/** Whether an object that was stored so many seconds ago under this word may be served although it is stale. */
export function mayBeStale(word: string, storedSecondsAgo: number): boolean {
  let fresh = 0
  let after = 0
  for (const { name, value } of parseDirectives(word)) {
    const seconds = wholeNumber(value) ?? 0
    if (name === 'max-age') fresh = seconds
    else if (seconds > after) after = seconds
  }
  return after > 0 && storedSecondsAgo <= fresh + after
}

/**
 * How long it may be served after it has become stale: never when the origin wants every use confirmed; s-maxage says
 * that too (RFC 9111 5.2.2.10).
 */
function staleSeconds(directives: readonly Directive[]): { whileRevalidateSeconds: number; ifErrorSeconds: number } {
  if (has(directives, 'must-revalidate') || has(directives, 'proxy-revalidate') || has(directives, 's-maxage'))
    return { whileRevalidateSeconds: 0, ifErrorSeconds: 0 }
  const whileRevalidate = find(directives, 'stale-while-revalidate')
  const ifError = find(directives, 'stale-if-error')
  return {
    whileRevalidateSeconds: whileRevalidate === undefined ? 0 : atMostYear(wholeNumber(whileRevalidate.value) ?? 0),
    ifErrorSeconds: ifError === undefined ? DEFAULT_IF_ERROR_SECONDS : atMostYear(wholeNumber(ifError.value) ?? 0),
  }
}

/**
 * What the origin says; undefined when it says nothing. A value that cannot be read counts as stale (RFC 9111 4.2.1).
 */
function lifetimeSeconds(
  input: FreshnessInput,
  directives: readonly Directive[],
  targeted: boolean,
): number | undefined {
  for (const name of ['s-maxage', 'max-age']) {
    const directive = find(directives, name)
    if (directive !== undefined) return wholeNumber(directive.value) ?? 0
  }
  // With a targeted field, Cache-Control and Expires are not looked at (RFC 9213 section 2.2).
  if (targeted || input.expiresAt === undefined) return undefined
  return input.expiresAt < 0 ? 0 : input.expiresAt - (input.dateAt ?? input.now)
}

/** Statuses that may be stored without a word from the origin (RFC 9110 15.1), with the domain's own lifetime. */
function silentSeconds({ status, ttlSeconds }: FreshnessInput): number {
  if (status === 404 || status === 410)
    return ttlSeconds < MISSING_PAGE_MAX_SECONDS ? ttlSeconds : MISSING_PAGE_MAX_SECONDS
  return mayBeStoredSilently(status) ? ttlSeconds : 0
}

function mayBeStoredSilently(status: number): boolean {
  return (
    status === 200 ||
    status === 203 ||
    status === 300 ||
    status === 301 ||
    status === 308 ||
    status === 304 ||
    status === 404 ||
    status === 410
  )
}

/**
 * CDN-Cache-Control is a structured dictionary (RFC 8941): one that does not parse is as if it were not there, and the
 * last of a name counts.
 */
function targetedDirectives(text: string): Directive[] | undefined {
  const found: Directive[] = []
  for (const item of text.split(',')) {
    const member = item.trim()
    const at = member.indexOf('=')
    const name = at < 0 ? member : member.slice(0, at)
    const value = at < 0 ? '' : withoutParameters(member.slice(at + 1))
    if (!isKey(withoutParameters(name)) || (at >= 0 && value === '')) return undefined
    const key = withoutParameters(name)
    const known = find(found, key)
    if (known === undefined) found.push({ name: key, value })
    else known.value = value
  }
  return found
}

/** Keys of a structured dictionary are lower case (RFC 8941 3.1.2). */
function isKey(text: string): boolean {
  if (text === '') return false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const letter = (code >= 97 && code <= 122) || code === 42
    const other = (code >= 48 && code <= 57) || code === 45 || code === 46 || code === 95
    if (!letter && !(other && i > 0)) return false
  }
  return true
}

function withoutParameters(text: string): string {
  const at = text.indexOf(';')
  return (at < 0 ? text : text.slice(0, at)).trim()
}

function find(directives: readonly Directive[], name: string): Directive | undefined {
  for (const directive of directives) if (directive.name === name) return directive
  return undefined
}

function has(directives: readonly Directive[], name: string): boolean {
  return find(directives, name) !== undefined
}

function atMostYear(seconds: number): number {
  return seconds > YEAR_SECONDS ? YEAR_SECONDS : seconds
}

/** Of several values the first counts (RFC 9111 5.1). */
function firstOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : text.split(',')[0]?.trim()
}

/** Decimal digits only; undefined for anything else. Large values stay large, they are cut later. */
function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  let value = 0
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (!(digit >= 0 && digit <= 9)) return undefined
    value = value > YEAR_SECONDS * 100 ? value : value * 10 + digit
  }
  return value
}
