import { isBlank, lowerAscii, trimmed } from '../bytes.ts'
import { decoded } from '../target.ts'
import { escaped } from './escaped.ts'
import { fromBase64, readingsOf, settled } from './layers.ts'
import type { ReadAs } from './read-as.ts'

/** What the rules are shown beside a request as it came. */
export type Revealed = {
  /** More parameters for its query; empty for nearly all requests. */ query: string
  /** There was more than anybody looks through. */ tooMany: boolean
  /** A form's part that says twice what it is. */ twofold: boolean
}
export type NamedValue = { name: string; value: string }
export type BodyKind = '' | 'form' | 'json' | 'parts'

const MOST_VALUES = 400
const MOST_BYTES = 40_000
/** Long ones are shown while there is room: articles and code are long, and none of them is a reason to refuse. */
const LONG_PAIR = 3_000
const ROOM_FOR_LONG = 20_000
const LONGEST_VALUE = 8_192
const LONGEST_JOINED = 2_048

/** Places that are no parameters, by the beginning of the name that their values come under; see `placeOf`. */
const PATH = 'fairway.path'
const COOKIE = 'fairway.cookie.'
const HEADER = 'fairway.header.'

type Into = { pairs: string[]; bytes: number; known: Record<string, boolean | undefined>; tooMany: boolean }

/**
 * What an origin may read in a request that the rules would not: values within other writings, those of a name that is
 * said several times as one, parts of the path, headers that hold what no such header does, names of files. In bytes;
 * the same in nginx and in Node.
 */
export function revealed(
  target: string,
  headers: readonly NamedValue[],
  body: string,
  kind: BodyKind,
  contentType: string,
): Revealed {
  const into: Into = { pairs: [], bytes: 0, known: {}, tooMany: false }
  const hash = target.indexOf('#')
  const whole = hash < 0 ? target : target.slice(0, hash)
  const mark = whole.indexOf('?')
  ofPath(into, mark < 0 ? whole : whole.slice(0, mark))
  const query = mark < 0 ? '' : whole.slice(mark + 1)
  ofPairs(into, query, kind === 'form' ? body : '')
  for (const { name, value } of headers) ofHeader(into, lowerAscii(name), value)
  if (kind === 'json') ofJson(into, body)
  const twofold = kind === 'parts' && ofParts(into, body, contentType)
  return { query: into.pairs.join('&'), tooMany: into.tooMany, twofold }
}

/** How the rules read a body: what it was said to be read as, or what its type says. */
export function kindOfBody(contentType: string, read: ReadAs | undefined): BodyKind {
  if (read !== undefined) return KINDS[read.as]
  const end = contentType.indexOf(';')
  const type = trimmed(lowerAscii(end < 0 ? contentType : contentType.slice(0, end)))
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type.startsWith('multipart/')) return 'parts'
  return type.endsWith('/json') || type.endsWith('+json') ? 'json' : ''
}
const KINDS: Record<ReadAs['as'], BodyKind> = { JSON: 'json', URLENCODED: 'form', XML: '', MULTIPART: 'parts' }

/** The target with more parameters behind its own. */
export function withQuery(target: string, query: string): string {
  if (query === '') return target
  const hash = target.indexOf('#')
  const whole = hash < 0 ? target : target.slice(0, hash)
  return `${whole}${whole.includes('?') ? '&' : '?'}${query}`
}

/** The place that a finding is about, where it was found in what was revealed. */
export function revealedPlace(variable: string): string {
  const colon = variable.indexOf(':')
  if (colon < 0 || !variable.startsWith('fairway.', colon + 1)) return variable
  const name = variable.slice(colon + 1)
  if (name === PATH) return 'REQUEST_FILENAME'
  if (name.startsWith(COOKIE)) return `REQUEST_COOKIES:${name.slice(COOKIE.length)}`
  return name.startsWith(HEADER) ? `REQUEST_HEADERS:${name.slice(HEADER.length)}` : variable
}

function show(into: Into, name: string, value: string): void {
  const key = `${name}=${value}`
  if (value === '' || into.known[key] === true || into.tooMany) return
  into.known[key] = true
  const pair = `${escaped(name)}=${escaped(withoutFar(value))}`
  if (pair.length > LONG_PAIR && into.bytes + pair.length > ROOM_FOR_LONG) return
  into.bytes += pair.length
  if (into.pairs.length >= MOST_VALUES || into.bytes > MOST_BYTES) into.tooMany = true
  else into.pairs.push(pair)
}

/** Letters beyond ASCII, many together, as one: they are nobody's command, and would take all the room. */
function withoutFar(text: string): string {
  const parts: string[] = []
  let kept = 0
  let at = 0
  while (at < text.length) {
    if (text.charCodeAt(at) < 128) {
      at += 1
      continue
    }
    parts.push(text.slice(kept, at), 'x')
    while (at < text.length && text.charCodeAt(at) >= 128) at += 1
    kept = at
  }
  if (kept === 0) return text
  parts.push(text.slice(kept))
  return parts.join('')
}

/** The readings of a value under its name. */
function showReadings(into: Into, name: string, value: string): void {
  if (value.length > LONGEST_VALUE) return
  for (const one of readingsOf(value)) if (!isPlain(one)) show(into, name, one)
}

/** Nothing that a rule could be about. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const isLetter = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
    if (!isLetter && code < 128 && !' ,.:@_-+'.includes(text.charAt(i))) return false
  }
  return !text.includes('..') && !text.includes('--')
}

function hasAny(text: string, marks: string): boolean {
  for (let i = 0; i < text.length; i++) if (marks.includes(text.charAt(i))) return true
  return false
}

const MARKS = '\'"<>;|&$`(){}\\* '

/** Many websites have values in their paths. */
function ofPath(into: Into, path: string): void {
  const scheme = path.charCodeAt(0) === 47 ? -1 : path.indexOf('://')
  const slash = scheme < 0 ? 0 : path.indexOf('/', scheme + 3)
  const own = slash < 0 ? '' : path.slice(slash)
  if (!own.includes('%') && !hasAny(own, MARKS)) return
  for (const part of own.split('/'))
    for (const one of part.split(';')) {
      const text = settled(one)
      if (hasAny(text, MARKS)) show(into, PATH, text)
    }
  // A comment takes the place of a blank, and has slashes.
  const all = settled(own)
  const comment = all.indexOf('/*')
  if (comment >= 0 && all.includes('*/', comment + 2)) show(into, PATH, all.slice(1))
}

type Said = { name: string; values: string[] }

/** Parameters of the query and of a form; some origins join what comes under one name. */
function ofPairs(into: Into, query: string, form: string): void {
  const all: Said[] = []
  const byName: Record<string, Said | undefined> = {}
  for (const text of [query, form]) {
    if (text === '') continue
    for (const pair of text.split('&')) {
      const equals = pair.indexOf('=')
      const name = decoded(equals < 0 ? pair : pair.slice(0, equals), true)
      const value = equals < 0 ? '' : decoded(pair.slice(equals + 1), true)
      // JSON that is said to be a form is a name without a value.
      showReadings(into, '', name)
      showReadings(into, name, value)
      const key = `=${name}`
      const known = byName[key]
      if (known !== undefined) known.values.push(value)
      else {
        const said: Said = { name, values: [value] }
        byName[key] = said
        all.push(said)
      }
    }
  }
  for (const { name, values } of all) {
    if (values.length < 2) continue
    const joined = values.join(',')
    if (joined.length <= LONGEST_JOINED && hasAny(joined, '\'"<>;|$`(){}\\*')) show(into, name, joined)
  }
}

/** What frames a message, what other parts look at, and signatures. */
const QUIET = ['host', 'content-length', 'transfer-encoding', 'connection', 'if', 'lock-token', 'digest', 'dpop']
const QUIET_BEGINNINGS = ['sec-', 'signature', 'x-fairway-', 'trace', 'baggage']
/** Written with marks of their own (RFC 9110 5.6). */
const STRUCTURED = [
  'forwarded',
  'cache-control',
  'prefer',
  'link',
  'via',
  'from',
  'range',
  'te',
  'expect',
  'user-agent',
]
const STRUCTURED_BEGINNINGS = ['authorization', 'proxy-', 'accept', 'if-', 'content-', 'referer', 'origin', 'want-']

function ofHeader(into: Into, name: string, value: string): void {
  if (name === 'cookie') return ofCookies(into, value)
  if (name === 'authorization' || name === 'proxy-authorization') ofCredentials(into, name, value)
  if (isAmong(name, QUIET, QUIET_BEGINNINGS)) return
  const isStructured = isAmong(name, STRUCTURED, STRUCTURED_BEGINNINGS)
  const text = settled(value)
  if (hasAny(text, isStructured ? "'<>$`{}|\\" : '\'"<>$`{}|\\;()&') || text.includes('../'))
    show(into, HEADER + name, text)
  else showReadings(into, HEADER + name, value)
}

function isAmong(name: string, names: readonly string[], beginnings: readonly string[]): boolean {
  for (const one of names) if (name === one) return true
  for (const one of beginnings) if (name.startsWith(one)) return true
  return false
}

function ofCookies(into: Into, line: string): void {
  for (const part of line.split(';')) {
    const equals = part.indexOf('=')
    const name = trimmed(equals < 0 ? '' : part.slice(0, equals))
    showReadings(into, COOKIE + name, trimmed(part.slice(equals + 1)))
    showReadings(into, COOKIE, name)
  }
}

/** RFC 7617: the name of a user goes into a query as any other value. */
function ofCredentials(into: Into, name: string, value: string): void {
  const text = trimmed(value)
  if (lowerAscii(text.slice(0, 5)) !== 'basic' || !isBlank(text.charCodeAt(5))) return
  const said = fromBase64(trimmed(text.slice(6)))
  if (said === undefined) return
  const colon = said.indexOf(':')
  const user = colon < 0 ? said : said.slice(0, colon)
  if (!isPlain(user)) show(into, HEADER + name, user)
}

/** Texts of JSON that hold another writing; rules see what JSON itself escapes. */
function ofJson(into: Into, text: string): void {
  let name = ''
  let at = text.indexOf('"')
  while (at >= 0 && !into.tooMany) {
    let end = at + 1
    let isEscaped = false
    while (end < text.length && text.charCodeAt(end) !== 34) {
      if (text.charCodeAt(end) === 92) {
        isEscaped = true
        end += 1
      }
      end += 1
    }
    const literal = text.slice(at + 1, end)
    const value = isEscaped ? unquoted(literal) : literal
    let next = end + 1
    while (next < text.length && text.charCodeAt(next) <= 32) next += 1
    const isName = text.charAt(next) === ':'
    if (isName) name = value
    showReadings(into, isName ? '' : name, value)
    at = text.indexOf('"', end + 1)
  }
}

/** RFC 8259 7. */
function unquoted(literal: string): string {
  const parts: string[] = []
  let kept = 0
  for (let at = literal.indexOf('\\'); at >= 0; at = literal.indexOf('\\', kept)) {
    parts.push(literal.slice(kept, at))
    const mark = literal.charAt(at + 1)
    if (mark === 'u') {
      parts.push(settled(literal.slice(at, at + 6)))
      kept = at + 6
    } else {
      parts.push(SHORT[mark] ?? mark)
      kept = at + 2
    }
    if (kept >= literal.length) return parts.join('')
  }
  parts.push(literal.slice(kept))
  return parts.join('')
}
const SHORT: Record<string, string | undefined> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Values and files' names of a form in parts, as leniently as any reader; true where a part says twice what it is. */
function ofParts(into: Into, body: string, contentType: string): boolean {
  const boundary = lastBoundary(contentType)
  if (boundary === '') return false
  let twofold = false
  for (const part of body.split(`--${boundary}`)) {
    let end = part.indexOf('\r\n\r\n')
    let begins = end + 4
    if (end < 0) {
      end = part.indexOf('\n\n')
      begins = end + 2
    }
    if (end < 0) continue
    const head = part.slice(0, end)
    const small = lowerAscii(head)
    const first = small.indexOf('content-disposition')
    if (first < 0) continue
    if (small.includes('content-disposition', first + 19)) twofold = true
    const name = said(head, small, 'name')
    const file = said(head, small, 'filename')
    const wide = said(head, small, 'filename*')
    for (const one of [file, wide]) {
      const text = settled(one)
      if (!isPlain(text)) show(into, name, text)
    }
    showReadings(into, '', name)
    if (file === '' && wide === '') showReadings(into, name, withoutEnd(part.slice(begins)))
  }
  return twofold
}

const withoutEnd = (text: string): string =>
  text.endsWith('\r\n') ? text.slice(0, text.length - 2) : text.endsWith('\n') ? text.slice(0, text.length - 1) : text

function lastBoundary(contentType: string): string {
  const small = lowerAscii(contentType)
  let from = -1
  for (let at = small.indexOf('boundary='); at >= 0; at = small.indexOf('boundary=', at + 9)) from = at + 9
  if (from < 0) return ''
  return valueAt(contentType, from)
}

/** What a part's head gives to a parameter; a name that ends with another one is not it. */
function said(head: string, small: string, name: string): string {
  const wanted = `${name}=`
  for (let at = small.indexOf(wanted); at >= 0; at = small.indexOf(wanted, at + 1)) {
    const before = at === 0 ? 32 : small.charCodeAt(at - 1)
    if (before === 59 || before <= 32) return valueAt(head, at + wanted.length)
  }
  return ''
}

function valueAt(text: string, from: number): string {
  const quote = text.charAt(from)
  if (quote === '"' || quote === "'") {
    let end = from + 1
    while (end < text.length && text.charAt(end) !== quote) end += text.charAt(end) === '\\' ? 2 : 1
    return text.slice(from + 1, end)
  }
  let end = from
  while (end < text.length && text.charAt(end) !== ';' && text.charCodeAt(end) > 32) end += 1
  return text.slice(from, end)
}
