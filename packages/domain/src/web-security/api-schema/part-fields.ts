import { isBlank, lowerAscii, trimmed } from '../bytes.ts'
import { fieldName, type Fields, gather, type Gathered, gathered } from './fields.ts'
import { typeOfText } from './value-types.ts'

/** More of other content is not held against a schema, nor looked through for a login. */
export const CONTENT_BYTES = 65_536
/** So much of a form in parts is read; what is longer, nobody says anything of but its size. */
export const PARTS_BYTES = 1_048_576

const MOST_PARTS = 200
const MOST_HEADERS = 8
const LONGEST_HEAD = 4_096
const LONGEST_BOUNDARY = 70
const LONGEST_FILE_NAME = 255

/**
 * What a form in parts holds (RFC 7578): values, and files by their size. Only what every reader understands alike is
 * read: where two could differ, such as two boundaries, a name that is said twice, or a file's name that leads out of its
 * folder, it is `invalid`.
 */
export function partFields(contentType: string, text: string): Fields {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined) return INVALID
  const into = gathered()
  const first = `--${boundary}`
  if (!text.startsWith(first)) return INVALID
  const next = `\r\n${first}`
  let at = first.length
  for (let parts = 0; ; parts++) {
    // `--` behind it is the end of all.
    if (text.startsWith('--', at)) return isBlankEnd(text, at + 2) ? ended(into) : INVALID
    if (!text.startsWith('\r\n', at)) return INVALID
    if (parts >= MOST_PARTS) return { fields: [], problem: 'too-complex' }
    const head = at + 2
    const body = text.indexOf('\r\n\r\n', at)
    // Of a head without a line the blank line is its beginning.
    if (body < head || body - at > LONGEST_HEAD) return INVALID
    const part = partOf(text.slice(head, body))
    const end = text.indexOf(next, body + 2)
    if (part === undefined || end < body + 4) return INVALID
    const content = text.slice(body + 4, end)
    // Who ends lines otherwise, or reads the beginning of a boundary alone, would find another part there.
    if (text.slice(head, end).includes(first)) return INVALID
    if (!part.isFile) gather(into, fieldName(part.name), typeOfText(content), content.length)
    // A field for a file that holds none.
    else gather(into, fieldName(part.name), part.isNamed || content !== '' ? 'file' : 'null', content.length)
    if (into.problem !== '') return ended(into)
    at = end + next.length
  }
}

const INVALID: Fields = { fields: [], problem: 'invalid' }
const ended = ({ fields, problem }: Gathered): Fields => ({ fields, problem })

/** Whether nothing follows but the end of a line. */
function isBlankEnd(text: string, at: number): boolean {
  return at === text.length || (text.startsWith('\r\n', at) && at + 2 === text.length)
}

/** RFC 2046 5.1.1. */
function boundaryOf(contentType: string): string | undefined {
  const found = parametersOf(contentType)
  if (found === undefined) return undefined
  let boundary: string | undefined
  for (const { name, value } of found) {
    if (name !== 'boundary') continue
    if (boundary !== undefined) return undefined
    boundary = value
  }
  if (boundary === undefined || boundary === '' || boundary.length > LONGEST_BOUNDARY) return undefined
  for (let i = 0; i < boundary.length; i++) {
    const code = boundary.charCodeAt(i)
    if (code <= 32 || code >= 127 || code === 34 || code === 92) return undefined
  }
  return boundary
}

type Part = { name: string; isFile: boolean; isNamed: boolean }

function partOf(head: string): Part | undefined {
  const lines = head.split('\r\n')
  if (lines.length > MOST_HEADERS) return undefined
  let disposition: string | undefined
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon <= 0 || hasControls(line)) return undefined
    const name = lowerAscii(line.slice(0, colon))
    // A folded line begins with a blank, and a blank before the colon is read by some and not by others.
    if (name.includes(' ')) return undefined
    if (name === 'content-transfer-encoding' && !isPlain(lowerAscii(trimmed(line.slice(colon + 1))))) return undefined
    if (name !== 'content-disposition') continue
    if (disposition !== undefined) return undefined
    disposition = line.slice(colon + 1)
  }
  return disposition === undefined ? undefined : disposed(disposition)
}

/** RFC 7578 4.7: nothing is encoded. */
const isPlain = (coding: string): boolean => coding === '7bit' || coding === '8bit' || coding === 'binary'

function disposed(text: string): Part | undefined {
  const end = text.indexOf(';')
  if (end < 0 || lowerAscii(trimmed(text.slice(0, end))) !== 'form-data') return undefined
  const found = parametersOf(text)
  if (found === undefined) return undefined
  let name: string | undefined
  let file: string | undefined
  for (const one of found) {
    if (one.name === 'name') {
      if (name !== undefined) return undefined
      name = one.value
    } else if (one.name === 'filename') {
      if (file !== undefined) return undefined
      file = one.value
      // Another way to say the same (RFC 7578 4.2), which some take and some do not.
    } else if (one.name === 'filename*' || one.name === 'name*') return undefined
  }
  if (name === undefined || (file !== undefined && !isFileName(file))) return undefined
  return { name, isFile: file !== undefined, isNamed: file !== undefined && file !== '' }
}

/** One that stays where it is put. */
function isFileName(name: string): boolean {
  return name.length <= LONGEST_FILE_NAME && name !== '.' && name !== '..' && !name.includes('/')
}

/** `;name=value` behind the first word; undefined where it can be read in two ways. */
function parametersOf(text: string): { name: string; value: string }[] | undefined {
  const found: { name: string; value: string }[] = []
  let at = text.indexOf(';')
  while (at >= 0 && at < text.length) {
    at += 1
    while (at < text.length && isBlank(text.charCodeAt(at))) at += 1
    // One at the end stands for nothing.
    if (at === text.length) return found
    const equals = text.indexOf('=', at)
    if (equals < 0) return undefined
    const name = lowerAscii(text.slice(at, equals))
    if (!isToken(name)) return undefined
    at = equals + 1
    let value = ''
    if (text.charCodeAt(at) === 34) {
      const close = text.indexOf('"', at + 1)
      // What is escaped here, browsers write as `%22`.
      if (close < 0 || text.slice(at, close).includes('\\')) return undefined
      value = text.slice(at + 1, close)
      at = close + 1
      while (at < text.length && isBlank(text.charCodeAt(at))) at += 1
      if (at < text.length && text.charCodeAt(at) !== 59) return undefined
    } else {
      const semicolon = text.indexOf(';', at)
      value = trimmed(semicolon < 0 ? text.slice(at) : text.slice(at, semicolon))
      if (value === '' || value.includes('"') || value.includes(' ') || value.includes('\\')) return undefined
      at = semicolon < 0 ? text.length : semicolon
    }
    found.push({ name, value })
  }
  return found
}

function isToken(text: string): boolean {
  if (text === '') return false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const isLetter = (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
    if (!isLetter && code !== 42 && code !== 45 && code !== 95) return false
  }
  return true
}

function hasControls(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if ((code < 32 && code !== 9) || code === 127) return true
  }
  return false
}
