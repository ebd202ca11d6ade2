import { lowerAscii, trimmed } from '../bytes.ts'

/** How the inspection is told to read a body whose type says nothing to it. */
export const READ_AS = 'X-Fairway-Read-As'
export type ReadAs = { as: 'JSON' | 'URLENCODED' | 'XML'; text: string }

/**
 * A body whose type the rules do not read, as what an origin may well read in it: many look at the content and not at
 * its type. Undefined for those that are read anyway, and for what looks like none of them. `cut`: it is only
 * the beginning. In bytes; the same in nginx and in Node.
 */
export function readAs(
  contentType: string,
  body: string,
  cut: boolean,
  isJson: (text: string) => boolean,
): ReadAs | undefined {
  const end = contentType.indexOf(';')
  const type = trimmed(lowerAscii(end < 0 ? contentType : contentType.slice(0, end)))
  if (isRead(type)) return undefined
  if (type === 'application/graphql') return { as: 'URLENCODED', text: `query=${escaped(body)}` }
  const first = firstMark(body)
  if (first === '{' || first === '[') {
    if (cut || isJson(body)) return { as: 'JSON', text: body }
    const list = listOf(body)
    return list !== undefined && isJson(list) ? { as: 'JSON', text: list } : undefined
  }
  // A picture is drawn, not read.
  if (type !== 'image/svg+xml' && first === '<' && isDocument(body)) return { as: 'XML', text: body }
  return looksLikeForm(body) ? { as: 'URLENCODED', text: body } : undefined
}

/** What rules of their own read, by the same words (`instrument.ts`). */
function isRead(type: string): boolean {
  if (type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data' || type === 'text/xml') return true
  const isText = type.startsWith('text/')
  if (!isText && !type.startsWith('application/')) return false
  const kind = type.slice(isText ? 5 : 12)
  const plus = kind.indexOf('+')
  if (plus < 0) return kind === 'json' || kind === 'xml'
  if (plus === 0) return false
  for (let i = 0; i < plus; i++) if (!isName(kind.charCodeAt(i))) return false
  const last = kind.slice(plus + 1)
  return last === 'json' || (last === 'xml' && !isText)
}

const isName = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || code === 95 || code === 46 || code === 45

function firstMark(text: string): string {
  // A mark of UTF-8 says nothing.
  let at = text.charCodeAt(0) === 239 && text.charCodeAt(1) === 187 && text.charCodeAt(2) === 191 ? 3 : 0
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1
  return text.charAt(at)
}

/** Markup of pages is no XML. */
const isDocument = (text: string): boolean => text.slice(0, 200).includes('<?xml') || text.includes('<!ENTITY')

/** Documents of JSON on lines of their own, as one list. */
function listOf(text: string): string | undefined {
  const found: string[] = []
  for (const line of text.split('\n')) {
    const one = trimmed(line)
    if (one !== '') found.push(one)
  }
  return found.length > 1 ? `[${found.join(',')}]` : undefined
}

/** A name, `=`, and no blank or other mark that a form would escape. */
function looksLikeForm(text: string): boolean {
  if (text.indexOf('=') <= 0) return false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code <= 32 || code >= 127) return false
  }
  return true
}

/** Percent-encoded, so that it stands as one value. */
function escaped(text: string): string {
  const parts: string[] = []
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const isPlain = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
    parts.push(isPlain ? text.charAt(i) : `%${DIGITS.charAt(Math.floor(code / 16))}${DIGITS.charAt(code % 16)}`)
  }
  return parts.join('')
}
const DIGITS = '0123456789abcdef'
