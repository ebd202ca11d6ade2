import { lowerAscii, trimmed } from '../bytes.ts'
import { escaped } from './escaped.ts'

/** How the inspection is told to read a body whose type says nothing to it. */
export const READ_AS = 'X-Fairway-Read-As'
export type ReadAs = { as: 'JSON' | 'URLENCODED' | 'XML' | 'MULTIPART'; text: string }

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
  // Some take any kind of parts for a form.
  if (type.startsWith('multipart/'))
    return lowerAscii(body).includes('form-data') ? { as: 'MULTIPART', text: body } : undefined
  const begins = beginning(body)
  const first = body.charAt(begins)
  if (first === '{' || first === '[') {
    const text = begins === 0 ? body : body.slice(begins)
    if (cut || isJson(text)) return { as: 'JSON', text }
    const list = listOf(text)
    if (list !== undefined && isJson(list)) return { as: 'JSON', text: list }
    // Lenient readers take more for JSON than there is.
    return hasNames(text) ? { as: 'URLENCODED', text: `=${escaped(text)}` } : undefined
  }
  // A picture is drawn, not read.
  if (type !== 'image/svg+xml' && first === '<' && isDocument(body)) return { as: 'XML', text: body }
  if (looksLikeForm(body)) return { as: 'URLENCODED', text: body }
  const lines = type === 'text/plain' ? formOfLines(body) : undefined
  return lines === undefined ? undefined : { as: 'URLENCODED', text: lines }
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

/** Where a text begins for whoever leaves out marks of UTF-8, comments, and what keeps JSON from being run. */
function beginning(text: string): number {
  let at = text.charCodeAt(0) === 239 && text.charCodeAt(1) === 187 && text.charCodeAt(2) === 191 ? 3 : 0
  for (;;) {
    while (at < text.length && text.charCodeAt(at) <= 32) at += 1
    let next = -1
    if (text.startsWith('/*', at)) next = after(text, '*/', at + 2)
    else if (text.startsWith('//', at)) next = after(text, '\n', at + 2)
    else if (text.startsWith(")]}'", at)) next = text.charAt(at + 4) === ',' ? at + 5 : at + 4
    else for (const one of GUARDS) if (text.startsWith(one, at)) next = at + one.length
    if (next < 0) return at
    at = next
  }
}
const GUARDS = ['while(1);', 'for(;;);']

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}

/** A quoted name and a colon. */
function hasNames(text: string): boolean {
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    let before = at - 1
    while (before > 0 && text.charCodeAt(before) <= 32) before -= 1
    const mark = before < 0 ? '' : text.charAt(before)
    if (mark === '"' || mark === "'") return true
  }
  return false
}

/** A form as browsers write it in lines (`enctype="text/plain"`). */
function formOfLines(text: string): string | undefined {
  const found: string[] = []
  for (const raw of text.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, raw.length - 1) : raw
    if (line === '') continue
    const equals = line.indexOf('=')
    if (equals < 1 || equals > 64) return undefined
    for (let i = 0; i < equals; i++) {
      const code = line.charCodeAt(i)
      if (!isName(code) && !(code >= 65 && code <= 90) && code !== 91 && code !== 93) return undefined
    }
    found.push(`${line.slice(0, equals)}=${escaped(line.slice(equals + 1))}`)
  }
  return found.length === 0 ? undefined : found.join('&')
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
