import { hidesAscii, inUtf8, UNKNOWN_CHARSET } from './charsets.ts'
import { denseJson } from './dense-json.ts'
import type { Finding } from './findings.ts'
import { TOO_MANY_ARGUMENTS } from './judge.ts'
import { type ReadAs, readAs } from './read-as.ts'
import { kindOfBody, type NamedValue, revealed, withQuery } from './revealed.ts'
import { hasHostileEntities, HOSTILE_ENTITIES, isXml } from './xml-entities.ts'

/** A request as it came, its codings undone. In bytes; names of headers however they are written. */
export type Sent = {
  target: string
  headers: readonly NamedValue[]
  contentType: string
  /** What `X-UP-Devcap-Post-Charset` says, which ASP.NET obeys. */ charset: string[]
  body: string
  /** It is only the beginning. */ cut: boolean
}

/** The same as the rule set is shown it. */
export type Shown = {
  target: string
  body: string
  /** How the body is to be read; empty where its type says so. */ as: '' | ReadAs['as']
  /** In place of the type that was sent; empty to leave it. */ contentType: string
  /** What is found without asking, by the numbers of the rules. */ found: string[]
}

/** A part of a form that cannot be read: numbered as ModSecurity's own files number it. */
const BROKEN_PARTS = '200003'
/** Beyond so many values the rules do not look through: `LIMITS.crs.arguments`. */
const MOST_VALUES = 1_000

export function shown(sent: Sent, isJson: (text: string) => boolean): Shown {
  const { target, headers, contentType, cut } = sent
  const found: string[] = []
  if (hidesAscii(contentType, sent.charset, target, sent.body)) found.push(UNKNOWN_CHARSET)
  const text = inUtf8(contentType, sent.body)
  const read = text === '' ? undefined : readAs(contentType, text, cut, isJson)
  const kind = text === '' ? '' : kindOfBody(contentType, read)
  const plain = read === undefined ? text : read.text
  const more = revealed(target, headers, plain, kind, contentType)
  if (more.tooMany) found.push(TOO_MANY_ARGUMENTS)
  if (more.twofold) found.push(BROKEN_PARTS)
  const isDocument = read === undefined ? isXml(contentType) : read.as === 'XML'
  // The rules read what is in elements, not what the document declares.
  if (text !== '' && isDocument && hasHostileEntities(sent.body)) found.push(HOSTILE_ENTITIES)
  const isList = kind === 'json' && (read !== undefined || isKnownJson(contentType))
  const dense = isList ? denseJson(plain, MOST_VALUES) : undefined
  // What is no JSON as a whole is found out as it came.
  const body = dense !== undefined && (cut || isJson(plain)) ? dense : plain
  const as = read === undefined ? '' : read.as
  return {
    target: withQuery(target, more.query),
    body,
    as,
    contentType: as === 'MULTIPART' ? asForm(contentType) : '',
    found,
  }
}

/** What the rules read as JSON, and nothing else. */
function isKnownJson(contentType: string): boolean {
  const said = contentType.toLowerCase()
  return said.startsWith('application/') || said.startsWith('text/')
}

/** Another kind of parts as a form of parts, with its boundary. */
function asForm(contentType: string): string {
  const end = contentType.indexOf(';')
  return `multipart/form-data${end < 0 ? '' : contentType.slice(end)}`
}

/** What is said of a request by one of our own numbers. */
export const ownFinding = (ruleId: string): Finding => ({
  ruleId,
  score: 5,
  variable: ruleId === UNKNOWN_CHARSET ? 'REQUEST_HEADERS:Content-Type' : 'REQUEST_BODY',
  matched: '',
})
