import { type Directive, find, has, parseDirectives } from './directives.ts'
import { targetedDirectives } from './targeted-directives.ts'

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
  /** Last-Modified as epoch seconds; undefined when it is none, or when nothing is estimated from it. */
  modifiedAt?: number
  /** It has an ETag or a Last-Modified: what is stored of it can be asked for again. */
  hasValidator: boolean
  /** Epoch seconds. */
  now: number
  /** The Age header's text. */
  age?: string
  setsCookie: boolean
  vary: string
  /** The request carried Authorization. */
  authorized: boolean
  /** The request carried a cookie. */
  hasCookie: boolean
  /**
   * The request carried content, which an origin may heed although it should not (RFC 9110 9.3.1) and no key tells
   * apart.
   */
  hadContent: boolean
  enabled: boolean
  /**
   * The lifetime below is about this answer whatever it is: its owner has named the path, or wants everything kept.
   * Else it is only about content that is the same for everybody.
   */
  everything: boolean
  /** By its path and its type the same for everybody. */
  isStatic: boolean
  /** Lifetime by the domain's rules; 0 to estimate one. */
  ttlSeconds: number
  /** Off: the rules' lifetime replaces the origin's. */
  honorOrigin: boolean
}

/** Seconds; the first two are 0 when the answer is not served without asking. */
export type Freshness = {
  freshSeconds: number
  /** After that, served once more while a new one is fetched (RFC 5861 section 3). */
  whileRevalidateSeconds: number
  /** After that, served when the origin fails (RFC 5861 section 4, RFC 9111 4.2.4). */
  ifErrorSeconds: number
  /** Why it is asked for again; empty while it is fresh. */
  why: '' | Why
  /** It is stored all the same, and each use of it confirmed by the origin. */
  confirmed: boolean
}
/** Why an answer is not kept, or not used without asking. */
export type Why =
  | 'authorization'
  | 'caching-off'
  | 'cookie'
  | 'expired'
  | 'no-cache'
  | 'no-store'
  | 'not-static'
  | 'partial'
  | 'private'
  | 'request-content'
  | 'set-cookie'
  | 'silent'
  | 'status'
  | 'vary'

const YEAR_SECONDS = 31_536_000
const DAY_SECONDS = 86_400
/** An origin that says nothing about a page it lacks may have it in a moment. */
const MISSING_PAGE_MAX_SECONDS = 10
/** An old page is better than none while the origin is away, unless the origin forbids it. */
const DEFAULT_IF_ERROR_SECONDS = 86_400

export function freshnessOf(input: FreshnessInput): Freshness {
  const refused = refusedFor(input)
  if (refused !== undefined) return notFresh(refused)
  const targeted = input.cdnCacheControl === '' ? undefined : targetedDirectives(input.cdnCacheControl)
  const directives = targeted ?? parseDirectives(input.cacheControl)
  const forbidden = forbiddenBy(directives, input)
  if (forbidden !== undefined) return notFresh(forbidden)
  // Of a page that is somebody's, or may be, the owner's lifetime is told only where the owner has said so.
  const isRuled = (input.everything || (input.isStatic && !input.hasCookie)) && !input.authorized
  const isForced = isRuled && !input.honorOrigin && input.ttlSeconds > 0 && mayBeStoredSilently(input.status)
  if (!isForced && has(directives, 'no-cache')) return notFresh('no-cache', input.hasValidator)
  const said = isForced ? undefined : lifetimeSeconds(input, directives, targeted !== undefined)
  const lifetime = said ?? unsaidSeconds(input, directives, isRuled)
  const remaining = lifetime - (isForced ? 0 : ageSeconds(input.age))
  if (remaining > 0)
    return { freshSeconds: atMostYear(remaining), ...staleSeconds(directives), why: '', confirmed: false }
  if (said !== undefined || lifetime > 0) return notFresh('expired', input.hasValidator)
  const why = whyUnkept(input)
  const { ifErrorSeconds } = staleSeconds(directives)
  // A confirmation brings no time of change along, and is the same for whoever has asked for it.
  const isKept =
    input.status === 304
      ? ifErrorSeconds > 0 && (why === 'not-static' || why === 'cookie')
      : why === 'not-static' && input.modifiedAt !== undefined
  // The origin has not asked that each use be confirmed: while it is away, the old page is better than none.
  return isKept ? { ...notFresh(why, true), ifErrorSeconds } : notFresh(why)
}

function notFresh(why: Why, confirmed = false): Freshness {
  return { freshSeconds: 0, whileRevalidateSeconds: 0, ifErrorSeconds: 0, why, confirmed }
}

/** What no word of the origin changes. */
function refusedFor({ enabled, hadContent, setsCookie, status, vary }: FreshnessInput): Why | undefined {
  if (!enabled) return 'caching-off'
  if (hadContent) return 'request-content'
  if (setsCookie) return 'set-cookie'
  // Of a part, or of there being none, the next visitor wants to know nothing.
  if (status === 206 || status === 416) return 'partial'
  return vary.includes('*') ? 'vary' : undefined
}

function forbiddenBy(directives: readonly Directive[], { status, authorized }: FreshnessInput): Why | undefined {
  // RFC 9111 5.2.2.3: whoever knows what the status asks of a cache does not obey the no-store beside it.
  if (has(directives, 'must-understand')) {
    if (!isUnderstood(status)) return 'status'
  } else if (has(directives, 'no-store')) return 'no-store'
  if (has(directives, 'private')) return 'private'
  // RFC 9111 3.5.
  return authorized && !has(directives, 'public') && !has(directives, 'must-revalidate') && !has(directives, 's-maxage')
    ? 'authorization'
    : undefined
}

function whyUnkept({ status, everything, isStatic, hasCookie, authorized }: FreshnessInput): Why {
  if (authorized) return 'authorization'
  if (!mayBeStoredSilently(status)) return 'status'
  if (everything) return 'silent'
  return hasCookie ? 'cookie' : isStatic ? 'silent' : 'not-static'
}

/**
 * The word that the cache in front understands; it knows no other. Behind `no-store` stands why, for the log and
 * Cache-Status; `no-cache` is stored, and confirmed whenever it is used.
 */
export function cacheWord({ freshSeconds, whileRevalidateSeconds, ifErrorSeconds, why, confirmed }: Freshness): string {
  const ifError = ifErrorSeconds > 0 ? `, stale-if-error=${ifErrorSeconds}` : ''
  if (freshSeconds <= 0) return confirmed ? `no-cache${ifError}, why=${why}` : `no-store, why=${why}`
  return `max-age=${freshSeconds}${whileRevalidateSeconds > 0 ? `, stale-while-revalidate=${whileRevalidateSeconds}` : ''}${ifError}`
}

// Websites say the same few words again and again; what follows from them is worked out once.
const words: Record<string, string | undefined> = {}
let wordCount = 0
const WORDS_MAX = 500
const LONGEST = 200

/** The word for an answer. */
export function cacheWordOf(input: FreshnessInput): string {
  const { cacheControl, cdnCacheControl, expiresAt, age, modifiedAt, vary } = input
  if (
    cdnCacheControl !== '' ||
    expiresAt !== undefined ||
    modifiedAt !== undefined ||
    age !== undefined ||
    cacheControl.length > LONGEST ||
    (vary !== '' && vary.includes('*'))
  )
    return cacheWord(freshnessOf(input))
  const said = `${flagsOf(input)} ${input.status} ${input.ttlSeconds} ${cacheControl}`
  const known = words[said]
  if (known !== undefined) return known
  const word = cacheWord(freshnessOf(input))
  if (wordCount < WORDS_MAX) {
    wordCount += 1
    words[said] = word
  }
  return word
}

function flagsOf(input: FreshnessInput): number {
  return (
    (input.honorOrigin ? 1 : 0) +
    (input.everything ? 2 : 0) +
    (input.isStatic ? 4 : 0) +
    (input.hasCookie ? 8 : 0) +
    (input.authorized ? 16 : 0) +
    (input.hasValidator ? 32 : 0) +
    (input.enabled ? 64 : 0) +
    (input.hadContent ? 128 : 0) +
    (input.setsCookie ? 256 : 0)
  )
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

/** What is assumed where the origin says nothing: the owner's lifetime where it is meant for this, else an estimate. */
function unsaidSeconds(input: FreshnessInput, directives: readonly Directive[], isRuled: boolean): number {
  const ruled = isRuled ? ruledSeconds(input) : 0
  return ruled > 0 ? ruled : estimatedSeconds(input, directives)
}

function ruledSeconds({ status, ttlSeconds }: FreshnessInput): number {
  if (status === 404 || status === 410)
    return ttlSeconds < MISSING_PAGE_MAX_SECONDS ? ttlSeconds : MISSING_PAGE_MAX_SECONDS
  return mayBeStoredSilently(status) && !isEstimatedOnly(status) ? ttlSeconds : 0
}

/**
 * A tenth of the time since it was changed (RFC 9111 4.2.2), at most a day and never longer than the owner's lifetime;
 * none for what was made for somebody, nor for pages where the owner's lifetime is about static content.
 */
function estimatedSeconds(input: FreshnessInput, directives: readonly Directive[]): number {
  const { status, modifiedAt, dateAt, now, ttlSeconds, hasCookie, everything, isStatic } = input
  if (modifiedAt === undefined || hasCookie) return 0
  if (!has(directives, 'public')) {
    if (!mayBeStoredSilently(status)) return 0
    if (ttlSeconds > 0 && !everything && !isStatic) return 0
  }
  const most = ttlSeconds > 0 && ttlSeconds < DAY_SECONDS ? ttlSeconds : DAY_SECONDS
  const tenth = Math.floor(((dateAt ?? now) - modifiedAt) / 10)
  return tenth < most ? tenth : most
}

/** Statuses that may be stored without a word from the origin (RFC 9110 15.1). A 304 is about a stored 200. */
function mayBeStoredSilently(status: number): boolean {
  return (
    status === 200 ||
    status === 203 ||
    status === 300 ||
    status === 301 ||
    status === 308 ||
    status === 304 ||
    status === 404 ||
    status === 410 ||
    isEstimatedOnly(status)
  )
}

/** Those that rarely are the same for long: no lifetime of the owner's is meant for them. */
function isEstimatedOnly(status: number): boolean {
  return status === 204 || status === 405 || status === 414 || status === 501
}

/** Statuses whose rules for caches are kept here (RFC 9110 15). */
function isUnderstood(status: number): boolean {
  return (
    mayBeStoredSilently(status) ||
    (status >= 200 && status <= 205) ||
    status === 302 ||
    status === 303 ||
    status === 307
  )
}

function atMostYear(seconds: number): number {
  return seconds > YEAR_SECONDS ? YEAR_SECONDS : seconds
}

/** What Age says; of several values the first counts, and what is no number is as if it were not there (RFC 9111 5.1). */
export function ageSeconds(text: string | undefined): number {
  return text === undefined ? 0 : (wholeNumber(text.split(',')[0]?.trim()) ?? 0)
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
