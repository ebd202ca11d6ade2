import { type Ask, firstOf, textsOf } from '../ask.ts'
import type { CompiledApiSchema, CompiledEndpoint, CompiledSecurity } from '../compiled.ts'
import { pathOf, pathsOf } from '../target.ts'
import { decide, note, step, type Verdict, type World } from '../verdict.ts'
import type { Field, Fields } from './fields.ts'
import {
  type BodyKind,
  type Content,
  contentFields,
  isFile,
  isWithin,
  kindOf,
  MOST_SEGMENTS,
  queryFields,
  segmentsOf,
} from './shape.ts'
import { typeOfSegment } from './value-types.ts'

const PART = 'api-protection'
/** What events name that are about no endpoint. */
const SCHEMA = 'schema'

/** What does not fit, and where it stands. */
export type Misfit = { reason: string; field: string; name: string }

/** Whether a request looks as the API's schema says. */
export function bySchema({ schema }: CompiledSecurity, ask: Ask, world: World, verdict: Verdict): void {
  if (schema.mode === 'off') return
  const target = firstOf(ask('target', ''))
  const path = pathOf(target)
  const said = firstOf(ask('method', ''))
  const method = said === 'HEAD' ? 'GET' : said
  // What asks whether it may ask (CORS) reaches nothing.
  let isWithinAny = false
  for (const one of pathsOf(target)) if (isWithin(schema.paths, one)) isWithinAny = true
  if (method === 'OPTIONS' || !isWithinAny) return step(world, PART, SCHEMA, '', 'not-matched', '', '')
  const found = endpointAt(schema, segmentsOf(path), method, false)
  const { endpoint } = found
  if (endpoint === undefined) {
    if (method === 'GET' && isFile(path)) return step(world, PART, SCHEMA, '', 'not-matched', '', '')
    const reason = found.otherMethod ? 'unknown-method' : 'unknown-endpoint'
    return misfits(
      schema,
      SCHEMA,
      '',
      { reason, field: found.otherMethod ? 'method' : 'path', name: '' },
      world,
      verdict,
    )
  }
  const misfit = misfitOf(endpoint, target, ask, world)
  if (misfit === undefined) step(world, PART, endpoint.id, endpoint.name, 'matched', 'pass', 'fits-schema')
  else misfits(schema, endpoint.id, endpoint.name, misfit, world, verdict)
}

function misfits(
  schema: CompiledApiSchema,
  id: string,
  name: string,
  { reason, field, name: fieldName }: Misfit,
  world: World,
  verdict: Verdict,
): void {
  const blocks = schema.mode === 'block'
  const told = fieldName === '' ? name : `${name} (${fieldName})`
  step(world, PART, id, told, 'matched', blocks ? 'block' : 'simulate', reason)
  if (!blocks && verdict.action !== 'pass') return
  verdict.about = { field, name: fieldName }
  if (blocks) decide(verdict, PART, id, 'block', reason, 403)
  else note(verdict, PART, id, 'simulate', reason)
}

/** Ways through the tree that are tried at most: words and values may both fit a part of a path. */
const MOST_STEPS = 400

type Search = {
  schema: CompiledApiSchema
  parts: string[]
  method: string
  /** Values in the path are told by their types alone. */ isShape: boolean
  steps: number
  otherMethod: boolean
}

export function endpointAt(
  schema: CompiledApiSchema,
  parts: string[],
  method: string,
  isShape: boolean,
): { endpoint: CompiledEndpoint | undefined; otherMethod: boolean } {
  if (parts.length > MOST_SEGMENTS) return { endpoint: undefined, otherMethod: false }
  const search: Search = { schema, parts, method, isShape, steps: 0, otherMethod: false }
  const at = walk(search, 0, 0)
  return { endpoint: at < 0 ? undefined : schema.endpoints[at], otherMethod: search.otherMethod }
}

/** Number of the endpoint; -1 for none. Words go before values. */
function walk(search: Search, at: number, depth: number): number {
  const node = search.schema.nodes[at]
  search.steps += 1
  if (node === undefined || search.steps > MOST_STEPS) return -1
  const part = search.parts[depth]
  if (part === undefined) {
    const end = node.ends[`=${search.method}`]
    if (end !== undefined) return end
    if (node.ends['=*'] !== undefined) search.otherMethod = true
    return -1
  }
  const next = node.words[`=${part}`]
  const found = next === undefined ? -1 : walk(search, next, depth + 1)
  if (found >= 0 || node.types.length === 0) return found
  const type: string = search.isShape ? part.slice(1, part.length - 1) : typeOfSegment(part)
  for (const one of node.types) {
    if (one.type !== 'text' && one.type !== type) continue
    const end = walk(search, one.node, depth + 1)
    if (end >= 0) return end
  }
  return -1
}

function misfitOf(endpoint: CompiledEndpoint, target: string, ask: Ask, world: World): Misfit | undefined {
  const query = queryFields(target)
  const inQuery = misfitIn(endpoint, 'query', query, true)
  if (inQuery !== undefined) return inQuery
  const content = world.content()
  if (content.size > endpoint.maxBytes) return { reason: 'too-large', field: 'body-size', name: '' }
  const said = textsOf(ask('header', 'content-type'))
  const kind = kindOf(said[0] ?? '', content.size)
  // Which of two counts would be for the origin to say.
  if (said.length > 1 || endpoint.kinds[`=${kind}`] !== true)
    return { reason: 'wrong-content-type', field: 'header', name: 'content-type' }
  // Nobody has kept it, so nobody can say that it does not fit.
  if (content.state === 'unknown') return missing(endpoint, query.fields, undefined)
  const body = bodyFields(endpoint, kind, said[0] ?? '', content)
  return (
    misfitIn(endpoint, 'body', body, kind !== 'json') ??
    // Of what could not be read, nobody can say what is missing.
    missing(endpoint, query.fields, body.problem === '' && !isUnread(kind, content) ? body.fields : undefined)
  )
}

function bodyFields(endpoint: CompiledEndpoint, kind: BodyKind, contentType: string, content: Content): Fields {
  const isParts = kind === 'multipart'
  // A schema that was frozen before forms in parts were read knows none of their fields.
  if (isParts && !endpoint.readsParts) return { fields: [], problem: '' }
  // What could not be opened fits only where other parameters are let pass.
  if (content.state === 'unread' && (isParts || kind === 'json' || kind === 'form'))
    return { fields: [], problem: 'too-complex' }
  // More than is read may come where files are so large; their size was judged before.
  if (isUnread(kind, content)) return { fields: [], problem: '' }
  if (content.state === 'cut' && (kind === 'json' || kind === 'form')) return { fields: [], problem: 'too-complex' }
  return contentFields(kind, contentType, content.text)
}

const isUnread = (kind: BodyKind, { state }: Content): boolean => kind === 'multipart' && state === 'cut'

export function misfitIn(
  endpoint: CompiledEndpoint,
  where: 'query' | 'body',
  { fields, problem }: Fields,
  isWritten: boolean,
): Misfit | undefined {
  const field = where === 'query' ? 'query-parameter' : 'body'
  // Where not all could be read when it was learned, it need not be now.
  if (problem !== '' && !endpoint.isOpen)
    return { reason: problem === 'invalid' ? 'invalid-body' : 'too-complex', field, name: '' }
  for (const one of fields) {
    const known = endpoint.fields[`${where} ${one.name}`]
    if (known === undefined) {
      if (!endpoint.isOpen) return { reason: 'unknown-parameter', field, name: one.name }
    } else if (!accepts(known.type, known.nullable || isWritten, one, isWritten))
      return { reason: 'wrong-type', field, name: one.name }
    else if (known.maxLength > 0 && one.length > known.maxLength) return { reason: 'too-long', field, name: one.name }
  }
  return undefined
}

/** `isWritten`: all values are texts, as in queries and forms; then a text may look like anything. */
function accepts(wanted: string, nullable: boolean, { type }: Field, isWritten: boolean): boolean {
  if (type === 'null') return nullable || wanted === 'any'
  if (wanted === type || wanted === 'any') return true
  if (type === 'file') return false
  if (wanted === 'number') return type === 'integer'
  if (wanted !== 'text') return false
  return isWritten || type === 'uuid' || type === 'date' || type === 'date-time'
}

export function missing(endpoint: CompiledEndpoint, query: Field[], body: Field[] | undefined): Misfit | undefined {
  for (const { where, name } of endpoint.required) {
    const fields = where === 'query' ? query : body
    if (fields === undefined) continue
    let isThere = false
    for (const one of fields) if (one.name === name) isThere = true
    if (!isThere) return { reason: 'missing-parameter', field: where === 'query' ? 'query-parameter' : 'body', name }
  }
  return undefined
}

/** Tells what was not looked at, and why. */
export function passSchemaOver({ schema }: CompiledSecurity, world: World, reason: string): void {
  if (schema.mode !== 'off') step(world, PART, SCHEMA, '', 'passed-over', '', reason)
}
