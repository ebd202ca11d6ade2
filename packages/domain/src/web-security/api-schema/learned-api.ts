import type { RequestShape } from '@fairway/contract'
import type { ValueType } from './value-types.ts'

/** A sampled request whose answer was a success. */
export type Observation = {
  /** Epoch ms. */ at: number
  method: string
  status: number
  /** Of the visitor, cut to /24 or /48. */ network: string
  shape: Pick<RequestShape, 'segments' | 'kind' | 'size' | 'fields' | 'isWhole'>
}

/** What is known of an API: plain data, so that it is kept as it is. Keys that traffic chooses have `=` before them. */
export type LearnedApi = {
  version: 1
  seen: number
  since: number
  until: number
  /** Endpoints and fields that are remembered. */ things: number
  /** Of each network, how many it has taught on that day (days since 1970). */
  taught: { network: string; day: number; things: number }[]
  root: LearnedNode
}
export type LearnedNode = {
  parts: Record<string, LearnedNode>
  methods: Record<string, LearnedMethod>
  /** So many words have stood here that new ones are values. */ isVaried?: true
}
export type LearnedMethod = {
  seen: number
  first: number
  last: number
  /** Up to three. */ networks: string[]
  kinds: Record<string, number>
  maxBytes: number
  /** Some could not be read whole. */ isCut: boolean
  /** Which request brought the newest field. */ newAt: number
  fields: Record<string, LearnedField>
}
export type LearnedField = {
  /** Requests that had it. */ seen: number
  types: Partial<Record<ValueType, number>>
  maxLength: number
  /** The one it came from; empty when there was another. */ network: string
}

/** Endpoints and fields of a domain, and those of them that one network may teach in a day. */
const MOST_THINGS = 6_000
const MOST_TAUGHT = 400
const MOST_TEACHERS = 200
/** Words beside each other, before new ones are taken for values. */
const MOST_WORDS = 64
const MOST_FIELDS = 120
const MOST_METHODS = 12
/** Networks that an endpoint is known from. */
export const NETWORKS = 3
const DAY_MS = 86_400_000

export function emptyApi(): LearnedApi {
  return { version: 1, seen: 0, since: 0, until: 0, things: 0, taught: [], root: { parts: {}, methods: {} } }
}

/** What was kept, if it can still be read. */
export function readLearned(text: string): LearnedApi | null {
  try {
    const read = JSON.parse(text) as Partial<LearnedApi> | null
    const isReadable = read?.version === 1 && typeof read.root?.parts === 'object' && Array.isArray(read.taught)
    return isReadable ? (read as LearnedApi) : null
  } catch {
    return null
  }
}

/**
 * Takes one request into what is known. However many there are and whoever sends them, what is known stays bounded:
 * one network teaches only so much in a day, and what a single one has taught goes first when there is no more room.
 * False when there was nothing to learn from it.
 */
export function learn(api: LearnedApi, one: Observation): boolean {
  // An answer that is no success says that the request was none of the API's.
  if ((one.status < 200 || one.status > 299) && one.status !== 304) return false
  const { shape, at, network } = one
  const teacher = teacherOf(api, network, Math.floor(at / DAY_MS))
  const mayTeach = (): boolean => {
    if (teacher.things >= MOST_TAUGHT) return false
    if (api.things >= MOST_THINGS) forget(api)
    if (api.things >= MOST_THINGS) return false
    teacher.things += 1
    api.things += 1
    return true
  }
  let node: LearnedNode = api.root
  for (const segment of shape.segments) {
    let next = node.parts[`=${segment}`]
    if (next === undefined && isWord(segment)) {
      if (node.isVaried) next = node.parts['={text}']
      else if (Object.keys(node.parts).length >= MOST_WORDS) next = varied(node)
      if (next === undefined && Object.keys(node.parts).length >= MOST_WORDS) return false
    }
    if (next === undefined) {
      if (!mayTeach()) return false
      next = { parts: {}, methods: {} }
      node.parts[`=${segment}`] = next
    }
    node = next
  }
  let method = node.methods[`=${one.method}`]
  if (method === undefined) {
    if (Object.keys(node.methods).length >= MOST_METHODS || !mayTeach()) return false
    method = { seen: 0, first: at, last: at, networks: [], kinds: {}, maxBytes: 0, isCut: false, newAt: 0, fields: {} }
    node.methods[`=${one.method}`] = method
  }
  method.seen += 1
  method.first = Math.min(method.first, at)
  method.last = Math.max(method.last, at)
  if (method.networks.length < NETWORKS && !method.networks.includes(network)) method.networks.push(network)
  method.kinds[shape.kind] = (method.kinds[shape.kind] ?? 0) + 1
  method.maxBytes = Math.max(method.maxBytes, shape.size)
  if (!shape.isWhole) method.isCut = true
  learnFields(method, shape.fields, network, mayTeach)
  api.seen += 1
  api.since = api.since === 0 ? at : Math.min(api.since, at)
  api.until = Math.max(api.until, at)
  return true
}

function learnFields(
  method: LearnedMethod,
  fields: Observation['shape']['fields'],
  network: string,
  mayTeach: () => boolean,
): void {
  const counted = new Set<string>()
  for (const { where, name, type, length } of fields) {
    const key = `${where} ${name}`
    let field = method.fields[key]
    if (field === undefined) {
      if (Object.keys(method.fields).length >= MOST_FIELDS || !mayTeach()) {
        // Whether others come with it is not known any more.
        method.isCut = true
        continue
      }
      field = { seen: 0, types: {}, maxLength: 0, network }
      method.fields[key] = field
      method.newAt = method.seen
    }
    if (!counted.has(key)) field.seen += 1
    counted.add(key)
    field.types[type] = (field.types[type] ?? 0) + 1
    field.maxLength = Math.max(field.maxLength, length)
    if (field.network !== network) field.network = ''
  }
}

export const isWord = (segment: string): boolean => !segment.startsWith('{')

function teacherOf(api: LearnedApi, network: string, day: number): LearnedApi['taught'][number] {
  const known = api.taught.find((one) => one.network === network)
  if (known) {
    if (known.day !== day) Object.assign(known, { day, things: 0 })
    return known
  }
  const teacher = { network, day, things: 0 }
  if (api.taught.length >= MOST_TEACHERS) {
    // Who has taught least is forgotten: those that have taught much today are to stay known for it.
    let least = 0
    for (const [index, { day: of, things }] of api.taught.entries()) {
      const now = api.taught[least]
      if (now !== undefined && (of < now.day || (of === now.day && things < now.things))) least = index
    }
    api.taught.splice(least, 1)
  }
  api.taught.push(teacher)
  return teacher
}

/** Words that were asked for less are rare ones. */
const RARE = 20

/**
 * Makes room among words. Rare ones of several networks are values: they become one part, which is answered. Those of
 * few networks are somebody's play, and are forgotten; then the answer is undefined.
 */
function varied(node: LearnedNode): LearnedNode | undefined {
  const rare = Object.entries(node.parts).filter(([key, child]) => isWord(key.slice(1)) && seenIn(child) < RARE)
  const networks = new Set(rare.flatMap(([, child]) => [...networksIn(child)]))
  for (const [key] of rare) delete node.parts[key]
  if (networks.size < NETWORKS) return undefined
  const into = node.parts['={text}'] ?? { parts: {}, methods: {} }
  for (const [, child] of rare) mergeInto(into, child)
  node.parts['={text}'] = into
  node.isVaried = true
  return into
}

function networksIn(node: LearnedNode): Set<string> {
  const found = new Set<string>()
  for (const { networks } of Object.values(node.methods)) for (const one of networks) found.add(one)
  for (const child of Object.values(node.parts)) for (const one of networksIn(child)) found.add(one)
  return found
}

/** Requests of a part and all below it. */
export function seenIn(node: LearnedNode): number {
  let seen = 0
  for (const method of Object.values(node.methods)) seen += method.seen
  for (const child of Object.values(node.parts)) seen += seenIn(child)
  return seen
}

export function mergeInto(into: LearnedNode, from: LearnedNode): void {
  for (const [key, child] of Object.entries(from.parts)) {
    const own = into.parts[key]
    if (own) mergeInto(own, child)
    else into.parts[key] = structuredClone(child)
  }
  for (const [key, method] of Object.entries(from.methods)) {
    const own = into.methods[key]
    if (own) mergeMethod(own, method)
    else into.methods[key] = structuredClone(method)
  }
}

function mergeMethod(into: LearnedMethod, from: LearnedMethod): void {
  // A field that only one of them has is as new as the requests before it are many.
  const isNew = Object.keys(from.fields).some((key) => into.fields[key] === undefined)
  into.newAt = isNew ? Math.max(into.newAt, from.newAt) : into.newAt
  into.seen += from.seen
  into.first = Math.min(into.first, from.first)
  into.last = Math.max(into.last, from.last)
  for (const network of from.networks)
    if (into.networks.length < NETWORKS && !into.networks.includes(network)) into.networks.push(network)
  for (const [kind, seen] of Object.entries(from.kinds)) into.kinds[kind] = (into.kinds[kind] ?? 0) + seen
  into.maxBytes = Math.max(into.maxBytes, from.maxBytes)
  into.isCut ||= from.isCut
  for (const [key, field] of Object.entries(from.fields)) {
    const own = into.fields[key]
    if (!own) {
      into.fields[key] = structuredClone(field)
      continue
    }
    own.seen += field.seen
    for (const [type, seen] of Object.entries(field.types) as [ValueType, number][])
      own.types[type] = (own.types[type] ?? 0) + seen
    own.maxLength = Math.max(own.maxLength, field.maxLength)
    if (own.network !== field.network) own.network = ''
  }
}

/** Makes room: what came from one network alone goes, the longest unseen first. */
function forget(api: LearnedApi): void {
  const found: { node: LearnedNode; key: string; last: number }[] = []
  const visit = (node: LearnedNode): void => {
    for (const [key, { networks, last }] of Object.entries(node.methods))
      if (networks.length < 2) found.push({ node, key, last })
    for (const child of Object.values(node.parts)) visit(child)
  }
  visit(api.root)
  found.sort((a, b) => a.last - b.last || (a.key < b.key ? -1 : 1))
  for (const { node, key } of found.slice(0, Math.max(50, Math.ceil(found.length / 4)))) delete node.methods[key]
  prune(api.root)
  api.things = thingsIn(api.root)
}

function prune(node: LearnedNode): boolean {
  for (const [key, child] of Object.entries(node.parts)) if (prune(child)) delete node.parts[key]
  return Object.keys(node.parts).length === 0 && Object.keys(node.methods).length === 0
}

function thingsIn(node: LearnedNode): number {
  let things = 0
  for (const { fields } of Object.values(node.methods)) things += 1 + Object.keys(fields).length
  for (const child of Object.values(node.parts)) things += 1 + thingsIn(child)
  return things
}
