import { hexDigit } from '../bytes.ts'
import { ANY_NAME, fieldName, type Fields, gather, type Gathered, gathered } from './fields.ts'
import { typeOfJsonText } from './value-types.ts'

const MOST_DEPTH = 16

type Reader = {
  text: string
  at: number
  into: Gathered
  /** Whose values are wanted. */ wanted?: string
  found: string[]
}

/**
 * What JSON (RFC 8259) holds: `a.b` is a field of a field, `a[]` an element of a list, the empty name the whole. Lists
 * and objects are fields themselves. Names count as they are meant, however they are escaped.
 */
export function jsonFields(text: string): Fields {
  const reader: Reader = { text, at: 0, into: gathered(), found: [] }
  readValue(reader, '', 0)
  skipBlanks(reader)
  if (reader.at < text.length) fail(reader)
  return { fields: reader.into.fields, problem: reader.into.problem }
}

/**
 * Every text and number that JSON gives to a field, `a.b`: of a name that is said twice, readers differ in which of them
 * counts. As far as it can be read.
 */
export function jsonTexts(text: string, name: string): string[] {
  const parts: string[] = []
  for (const part of name.split('.')) parts.push(fieldName(part))
  const reader: Reader = { text, at: 0, into: gathered(), wanted: parts.join('.'), found: [] }
  readValue(reader, '', 0)
  return reader.found
}

function fail({ into }: Reader): void {
  if (into.problem === '') into.problem = 'invalid'
}

function skipBlanks(reader: Reader): void {
  const { text } = reader
  while (reader.at < text.length) {
    const code = text.charCodeAt(reader.at)
    if (code !== 32 && code !== 9 && code !== 10 && code !== 13) return
    reader.at += 1
  }
}

/** The code of the next byte that is no blank; -1 at the end. */
function next(reader: Reader): number {
  skipBlanks(reader)
  return reader.at < reader.text.length ? reader.text.charCodeAt(reader.at) : -1
}

function readValue(reader: Reader, name: string, depth: number): void {
  if (depth > MOST_DEPTH) {
    if (reader.into.problem === '') reader.into.problem = 'too-complex'
    return
  }
  const code = next(reader)
  if (code === 123) readObject(reader, name, depth)
  else if (code === 91) readList(reader, name, depth)
  else if (code === 34) readText(reader, name)
  else if (code === 45 || (code >= 48 && code <= 57)) readNumber(reader, name)
  else if (word(reader, 'true') || word(reader, 'false')) gather(reader.into, name, 'boolean', 0)
  else if (word(reader, 'null')) gather(reader.into, name, 'null', 0)
  else fail(reader)
}

function word(reader: Reader, wanted: string): boolean {
  if (reader.text.slice(reader.at, reader.at + wanted.length) !== wanted) return false
  reader.at += wanted.length
  return true
}

function readObject(reader: Reader, name: string, depth: number): void {
  gather(reader.into, name, 'object', 0)
  reader.at += 1
  if (next(reader) === 125) {
    reader.at += 1
    return
  }
  while (reader.into.problem === '') {
    if (next(reader) !== 34) return fail(reader)
    const key = readString(reader)
    if (next(reader) !== 58) return fail(reader)
    reader.at += 1
    const own = key.escaped ? fieldName(unescaped(key.text)) : fieldName(key.text)
    readValue(reader, name === '' ? own : `${name}.${own}`, depth + 1)
    const code = next(reader)
    reader.at += 1
    if (code === 125) return
    if (code !== 44) return fail(reader)
  }
}

function readList(reader: Reader, name: string, depth: number): void {
  reader.at += 1
  let elements = 0
  if (next(reader) === 93) reader.at += 1
  else {
    while (reader.into.problem === '') {
      readValue(reader, `${name}[]`, depth + 1)
      elements += 1
      const code = next(reader)
      reader.at += 1
      if (code === 93) break
      if (code !== 44) return fail(reader)
    }
  }
  gather(reader.into, name, 'array', elements)
}

function readText(reader: Reader, name: string): void {
  const { text, escaped } = readString(reader)
  if (name === reader.wanted) reader.found.push(escaped ? unescaped(text) : text)
  gather(reader.into, name, escaped ? 'text' : typeOfJsonText(text), text.length)
}

/** What stands between the quotation marks, as it is written. */
function readString(reader: Reader): { text: string; escaped: boolean } {
  const { text } = reader
  const from = reader.at + 1
  let at = from
  let escaped = false
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 34) {
      reader.at = at + 1
      return { text: text.slice(from, at), escaped }
    }
    if (code < 32) break
    if (code === 92) {
      escaped = true
      at += 1
    }
    at += 1
  }
  fail(reader)
  reader.at = text.length
  return { text: '', escaped: false }
}

function readNumber(reader: Reader, name: string): void {
  const { text } = reader
  const from = reader.at
  let whole = true
  let digits = 0
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) digits += 1
    else if (code === 46 || code === 101 || code === 69) whole = false
    else if (code !== 45 && code !== 43) break
    at += 1
  }
  reader.at = at
  const last = text.charCodeAt(at - 1)
  if (digits === 0 || last < 48 || last > 57) return fail(reader)
  if (name === reader.wanted) reader.found.push(text.slice(from, at))
  gather(reader.into, name, whole ? 'integer' : 'number', at - from)
}

const ESCAPES: Record<string, string | undefined> = {
  '="': '"',
  '=\\': '\\',
  '=/': '/',
  '=b': '\b',
  '=f': '\f',
  '=n': '\n',
  '=r': '\r',
  '=t': '\t',
}

/** A name without its escapes, in bytes. One that is escaped as nothing can be read is no name. */
function unescaped(written: string): string {
  const parts: string[] = []
  let i = 0
  while (i < written.length) {
    if (written.charCodeAt(i) !== 92) {
      parts.push(written.charAt(i))
      i += 1
      continue
    }
    if (written.charCodeAt(i + 1) !== 117) {
      const one = ESCAPES[`=${written.charAt(i + 1)}`]
      if (one === undefined) return ANY_NAME
      parts.push(one)
      i += 2
      continue
    }
    let code = 0
    for (let k = 2; k < 6; k++) {
      const digit = i + k < written.length ? hexDigit(written.charCodeAt(i + k)) : -1
      if (digit < 0) return ANY_NAME
      code = code * 16 + digit
    }
    // Halves of a pair are names that nobody gives by hand.
    if (code >= 0xd800 && code <= 0xdfff) return ANY_NAME
    parts.push(bytesOf(code))
    i += 6
  }
  return parts.join('')
}

function bytesOf(code: number): string {
  if (code < 128) return String.fromCharCode(code)
  const low = 128 + (code % 64)
  const rest = Math.floor(code / 64)
  if (code < 2048) return String.fromCharCode(192 + rest, low)
  return String.fromCharCode(224 + Math.floor(rest / 64), 128 + (rest % 64), low)
}
