import { LIMITS, type SchemaContent, type SchemaParameter, type SchemaType } from '@fairway/contract'
import {
  isWord,
  type LearnedApi,
  type LearnedField,
  type LearnedMethod,
  type LearnedNode,
  mergeInto,
  NETWORKS,
  seenIn,
} from './learned-api.ts'
import type { ValueType } from './value-types.ts'

/** An endpoint as traffic has shown it. */
export type LearnedEndpoint = {
  id: string
  method: string
  path: string
  seen: number
  /** Up to three. */ networks: number
  /** Epoch ms. */ first: number
  last: number
  /** Enough requests of enough networks. */ isKnown: boolean
  content: SchemaContent
}

/** Requests from which on an endpoint is known. */
const ENOUGH = 20
/** Words of one kind beside each other that are values for sure; and as few, when most were seen once or twice. */
const CERTAINLY_VALUES = 16
const LIKELY_VALUES = 6
const SELDOM = 4

/** What was learned as endpoints, values of paths put together, by path and method. */
export function learnedEndpoints(api: LearnedApi): LearnedEndpoint[] {
  const found: LearnedEndpoint[] = []
  visit(api.root, [], found)
  return found.toSorted((a, b) => compare(a.path, b.path) || compare(a.method, b.method))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function visit(node: LearnedNode, segments: string[], found: LearnedEndpoint[]): void {
  for (const [key, method] of Object.entries(node.methods)) found.push(endpointOf(key.slice(1), segments, method))
  for (const [segment, child] of childrenOf(node)) visit(child, [...segments, segment], found)
}

/** The parts below, words that are values as one. */
function childrenOf(node: LearnedNode): Map<string, LearnedNode> {
  const children = new Map<string, LearnedNode>()
  const words: Word[] = []
  for (const [key, child] of Object.entries(node.parts)) {
    const segment = key.slice(1)
    if (isWord(segment)) words.push({ segment, node: child, seen: seenIn(child) })
    else children.set(segment, child)
  }
  const values = children.get('{text}')
  const ids = children.get('{id}')
  for (const group of groupsOf(words)) {
    const asText = values !== undefined && isAlike(group.profile, values)
    const asId = ids !== undefined && isAlike(group.profile, ids)
    const mean = group.seen / group.words.length
    const isValues =
      group.words.length >= CERTAINLY_VALUES ||
      (group.words.length >= LIKELY_VALUES && mean < SELDOM) ||
      (asText && mean < SELDOM) ||
      (asId && group.words.length >= 3 && mean < SELDOM)
    if (!isValues) {
      for (const { segment, node: child } of group.words) children.set(segment, child)
      continue
    }
    const into: LearnedNode = { parts: {}, methods: {} }
    mergeInto(into, group.profile)
    const known = children.get('{text}')
    if (known) mergeInto(into, known)
    children.set('{text}', into)
  }
  takeInTyped(children)
  return children
}

/** Where texts stand, numbers and ids that are asked for in the same way are texts of that kind too. */
function takeInTyped(children: Map<string, LearnedNode>): void {
  const texts = children.get('{text}')
  if (!texts) return
  const into: LearnedNode = { parts: {}, methods: {} }
  mergeInto(into, texts)
  for (const [segment, child] of children) {
    if (isWord(segment) || segment === '{text}' || !isAlike(texts, child)) continue
    mergeInto(into, child)
    children.delete(segment)
  }
  children.set('{text}', into)
}

type Word = { segment: string; node: LearnedNode; seen: number }
type Group = { words: Word[]; profile: LearnedNode; seen: number }

/** Words that are asked for in the same way, the most seen first; one that is most of its group stands for itself. */
function groupsOf(words: Word[]): Group[] {
  const groups: Group[] = []
  for (const word of words.toSorted((a, b) => b.seen - a.seen || compare(a.segment, b.segment))) {
    const group = groups.find(({ profile }) => isAlike(profile, word.node))
    if (group) {
      group.words.push(word)
      group.seen += word.seen
      mergeInto(group.profile, word.node)
    } else {
      const profile: LearnedNode = { parts: {}, methods: {} }
      mergeInto(profile, word.node)
      groups.push({ words: [word], profile, seen: word.seen })
    }
  }
  return groups.flatMap((group) => apart(group))
}

/** A word with a third of all requests is a word: no value among many is asked for so often. */
function apart(group: Group): Group[] {
  const [first, ...rest] = group.words
  if (first === undefined || rest.length < LIKELY_VALUES || first.seen < ENOUGH || first.seen * 3 < group.seen)
    return [group]
  const profile: LearnedNode = { parts: {}, methods: {} }
  for (const { node } of rest) mergeInto(profile, node)
  return [
    { words: [first], profile: first.node, seen: first.seen },
    ...apart({ words: rest, profile, seen: group.seen - first.seen }),
  ]
}

/** Whether two parts are asked for in the same way: by the same methods with the same fields, or with the same below. */
function isAlike(a: LearnedNode, b: LearnedNode): boolean {
  const own = [...Object.keys(a.methods), ...Object.keys(a.parts).map((key) => `/${key}`)]
  const other = new Set([...Object.keys(b.methods), ...Object.keys(b.parts).map((key) => `/${key}`)])
  const shared = own.filter((key) => other.has(key)).length
  if (shared * 2 < Math.min(own.length, other.size) || shared === 0) return false
  return Object.entries(a.methods).every(([key, method]) => {
    const beside = b.methods[key]
    return beside === undefined || (hasUsual(method, beside) && hasUsual(beside, method))
  })
}

/** Whether what usually comes with the first has come with the second at all. */
function hasUsual(of: LearnedMethod, beside: LearnedMethod): boolean {
  if (of.seen < 3 || beside.seen < 3) return true
  return Object.entries(of.fields).every(
    ([key, { seen }]) => seen < of.seen * 0.8 || beside.fields[key] !== undefined || key.split('.').length > 1,
  )
}

function endpointOf(method: string, segments: readonly string[], learned: LearnedMethod): LearnedEndpoint {
  const { path, parameters } = namedPath(segments)
  const { seen, networks, first, last } = learned
  return {
    id: endpointId(method, path),
    method,
    path,
    seen,
    networks: networks.length,
    first,
    last,
    isKnown: seen >= ENOUGH && networks.length >= NETWORKS,
    content: contentOf(learned, parameters),
  }
}

/** A UUID of its own making (RFC 9562, version 8), by FNV-1a: the same endpoint has the same name whenever it is learned. */
export function endpointId(method: string, path: string): string {
  const text = `${method} ${shapeOfPath(path)}`
  const digits = [0, 1, 2, 3].map((lane) => {
    let hash = (0x811c9dc5 ^ Math.imul(lane, 0x9e3779b1)) >>> 0
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ (text.charCodeAt(i) + lane), 16_777_619) >>> 0
    return hash.toString(16).padStart(8, '0')
  })
  const all = digits.join('')
  return `${all.slice(0, 8)}-${all.slice(8, 12)}-8${all.slice(13, 16)}-8${all.slice(17, 20)}-${all.slice(20, 32)}`
}

/** How values in a path are called makes no other endpoint. */
const shapeOfPath = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}')

const PATH_TYPES: Record<string, SchemaType> = { '{integer}': 'integer', '{uuid}': 'uuid', '{date}': 'date' }

/** Values are called by the word before them: `/users/{userId}`. */
function namedPath(segments: readonly string[]): { path: string; parameters: SchemaParameter[] } {
  const parameters: SchemaParameter[] = []
  const parts = segments.map((segment, index) => {
    if (isWord(segment)) return segment
    const type = PATH_TYPES[segment] ?? 'text'
    const before = segments[index - 1] ?? ''
    const base = (isWord(before) ? before : '').replaceAll(/[^A-Za-z0-9]/g, '')
    const one = base.endsWith('ies') ? `${base.slice(0, -3)}y` : base.replace(/s$/, '')
    const ending =
      type === 'text' ? (one === '' ? 'name' : 'Name') : type === 'date' ? 'Date' : one === '' ? 'id' : 'Id'
    let name = `${one}${ending}`
    for (let n = 2; parameters.some((known) => known.name === name); n++) name = `${one}${ending}${n}`
    parameters.push({ in: 'path', name, type, nullable: false, required: true, maxLength: 0 })
    return `{${name}}`
  })
  return { path: `/${parts.join('/')}`, parameters }
}

/** Requests that all had a parameter, before it is said that it must be there. */
const REQUIRED_AFTER = 300
/** Requests without a new parameter, before others are unknown ones. */
const SETTLED_AFTER = 50

function contentOf(learned: LearnedMethod, inPath: SchemaParameter[]): SchemaContent {
  const { seen, kinds, maxBytes, isCut, newAt, fields, networks } = learned
  // What a single network has sent is nobody else's yet.
  const isOne = networks.length < 2
  const shared = Object.entries(fields).filter(([, { network }]) => isOne || network === '')
  const parameters = shared
    .map(([key, field]) => parameterOf(key, field, seen))
    .toSorted((a, b) => compare(b.in, a.in) || compare(a.name, b.name))
  return {
    kinds: (['none', 'json', 'form', 'multipart', 'text', 'other'] as const).filter((kind) => (kinds[kind] ?? 0) > 0),
    maxBytes: Math.min(roomFor(maxBytes, 1024), LIMITS.apiSchema.bytes.max),
    open: isCut || seen < SETTLED_AFTER || newAt * 2 > seen,
    parameters: [...inPath, ...parameters].slice(0, LIMITS.apiSchema.parameters),
  }
}

function parameterOf(key: string, { seen, types, maxLength }: LearnedField, requests: number): SchemaParameter {
  const blank = key.indexOf(' ')
  const where = key.startsWith('query') ? 'query' : 'body'
  const found = (Object.keys(types) as ValueType[]).filter((type) => type !== 'null')
  return {
    in: where,
    name: key.slice(blank + 1),
    type: joined(found, where),
    nullable: (types.null ?? 0) > 0,
    required: requests >= REQUIRED_AFTER && seen === requests,
    maxLength: roomFor(maxLength, 64),
  }
}

/** The narrowest type that takes them all. */
function joined(types: ValueType[], where: 'query' | 'body'): SchemaType {
  const [first] = types
  if (first === undefined) return 'any'
  if (types.length === 1) return first === 'null' ? 'any' : first
  if (types.every((type) => type === 'integer' || type === 'number')) return 'number'
  const isText = types.every((type) => type === 'text' || type === 'uuid' || type === 'date' || type === 'date-time')
  const isScalar = types.every((type) => type !== 'object' && type !== 'array')
  return isText || (where === 'query' && isScalar) ? 'text' : 'any'
}

/** Four times what was seen, in powers of two. */
function roomFor(seen: number, least: number): number {
  let room = least
  while (room < seen * 4) room *= 2
  return room
}
