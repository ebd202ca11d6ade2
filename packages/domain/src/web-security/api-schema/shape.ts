import { lowerAscii } from '../bytes.ts'
import type { PathTest } from '../compiled.ts'
import { STATIC_EXTENSIONS } from '../static-extensions.ts'
import { extensionOf, isAt, pathOf } from '../target.ts'
import { type Fields, pairFields } from './fields.ts'
import { jsonFields } from './json-fields.ts'
import { partFields } from './part-fields.ts'
import { typeOfSegment, type ValueType } from './value-types.ts'

/** What a request carries besides its head. */
export type Content = {
  text: string
  /** Of all of it, in bytes. */ size: number
  /** `cut`: there is more than the text. `unread`: its coding could not be undone. `unknown`: it was not kept. */
  state: 'whole' | 'cut' | 'unread' | 'unknown'
}
export const NO_CONTENT: Content = { text: '', size: 0, state: 'whole' }

export const BODY_KINDS = ['none', 'json', 'form', 'multipart', 'text', 'other'] as const
export type BodyKind = (typeof BODY_KINDS)[number]

export type ShapeField = { where: 'query' | 'body'; name: string; type: ValueType; length: number }

/** A request by its form: what a schema is learned from. No value of it is in here. */
export type Shape = {
  method: string
  /** Words of the path; `{integer}`, `{uuid}`, `{date}`, `{id}` and `{text}` where values stand. */ segments: string[]
  kind: BodyKind
  size: number
  fields: ShapeField[]
  /** All of it was read. */ isWhole: boolean
}

/** More parts of a path are looked at by nobody. */
export const MOST_SEGMENTS = 16
const LONGEST_WORD = 64

/** Parts of a path without the slashes; one at its end says nothing. */
export function segmentsOf(path: string): string[] {
  const found: string[] = []
  for (const part of path.split('/')) if (part !== '') found.push(part)
  return found
}

/** A part of a path as it is learned: a word, or what stands for values. */
export function learnedSegment(text: string): string {
  const type = typeOfSegment(text)
  if (type !== '') return `{${type}}`
  if (text.length > LONGEST_WORD) return '{text}'
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // Blanks, `@`, braces and bytes beyond ASCII are in titles and addresses of mail, not in words of an API.
    if (code <= 32 || code === 64 || code === 123 || code === 125 || code >= 127) return '{text}'
  }
  return text
}

export function kindOf(contentType: string, size: number): BodyKind {
  if (size === 0) return 'none'
  const end = contentType.indexOf(';')
  const type = lowerAscii(end < 0 ? contentType : contentType.slice(0, end))
  const said = withoutBlanks(type)
  if (said.endsWith('/json') || said.endsWith('+json')) return 'json'
  if (said === 'application/x-www-form-urlencoded') return 'form'
  if (said === 'multipart/form-data') return 'multipart'
  return said.startsWith('text/') ? 'text' : 'other'
}

function withoutBlanks(text: string): string {
  let to = text.length
  while (to > 0 && text.charCodeAt(to - 1) <= 32) to -= 1
  let from = 0
  while (from < to && text.charCodeAt(from) <= 32) from += 1
  return text.slice(from, to)
}

export function queryFields(target: string): Fields {
  const mark = target.indexOf('?')
  return pairFields(mark < 0 ? '' : target.slice(mark + 1))
}

/** Of what kinds that have fields. */
export function contentFields(kind: BodyKind, contentType: string, text: string): Fields {
  if (kind === 'json') return jsonFields(text)
  if (kind === 'multipart') return partFields(contentType, text)
  return kind === 'form' ? pairFields(text) : { fields: [], problem: '' }
}

/** Whether one of the paths that a schema is about is this one. */
export function isWithin(paths: PathTest[], path: string): boolean {
  for (const test of paths) if (isAt(test, path)) return true
  return false
}

/** Files of a website are no endpoints, unless the schema names them. */
export function isFile(path: string): boolean {
  const extension = extensionOf(path)
  if (extension === undefined) return false
  return FILES[`=${extension}`] === true
}

const FILES: Record<string, boolean | undefined> = {}
for (const kind of ['style', 'script', 'image', 'font', 'media', 'file'] as const)
  for (const extension of STATIC_EXTENSIONS[kind].split(' ')) FILES[`=${extension}`] = true

/** The form of a request; undefined where nothing is to be learned from it. */
export function shapeOf(method: string, target: string, contentType: string, content: Content): Shape | undefined {
  const path = pathOf(target)
  const parts = segmentsOf(path)
  if (parts.length > MOST_SEGMENTS || method === 'OPTIONS' || method.length > 20) return undefined
  if ((method === 'GET' || method === 'HEAD') && isFile(path)) return undefined
  const segments: string[] = []
  for (const part of parts) segments.push(learnedSegment(part))
  const kind = kindOf(contentType, content.size)
  const query = queryFields(target)
  const isRead = content.state === 'whole'
  const body: Fields = isRead ? contentFields(kind, contentType, content.text) : { fields: [], problem: '' }
  const fields: ShapeField[] = []
  for (const { name, type, length } of query.fields) fields.push({ where: 'query', name, type, length })
  for (const { name, type, length } of body.fields) fields.push({ where: 'body', name, type, length })
  return {
    method: method === 'HEAD' ? 'GET' : method,
    segments,
    kind,
    size: content.size,
    fields,
    isWhole: query.problem === '' && body.problem === '' && isRead,
  }
}
