import type { ApiEndpoint, EndpointState, SchemaEndpoint, SecurityPolicy } from '@fairway/contract'
import type { CompiledApiSchema, SchemaNode } from '../compiled.ts'
import type { LearnedEndpoint } from './learned-endpoints.ts'

/** Of a domain that has said nothing of it. */
export const NO_SCHEMA: SecurityPolicy['schema'] = { learning: false, paths: ['/*'], mode: 'off', endpoints: [] }

/** The narrowest first, so that a number is taken for a number where texts may stand too. */
const NARROWEST = ['integer', 'uuid', 'date', 'text']

/** A schema as the edge reads it. */
export function compileSchema({ learning, paths, mode, endpoints }: SecurityPolicy['schema']): CompiledApiSchema {
  const nodes: SchemaNode[] = [{ words: {}, types: [], ends: {} }]
  const add = (): number => nodes.push({ words: {}, types: [], ends: {} }) - 1
  const inForce = mode === 'off' ? [] : endpoints
  for (const [number, { method, path, parameters }] of inForce.entries()) {
    let at = 0
    for (const part of path.split('/').filter((one) => one !== '')) {
      const node = nodes[at]
      if (!node) continue
      if (!part.startsWith('{')) {
        at = node.words[`=${part}`] ??= add()
        continue
      }
      const declared = parameters.find((one) => one.in === 'path' && `{${one.name}}` === part)?.type ?? 'text'
      const type = NARROWEST.includes(declared) ? declared : 'text'
      const known = node.types.find((one) => one.type === type)
      at = known?.node ?? add()
      if (!known) node.types.push({ type, node: at })
    }
    const node = nodes[at]
    if (node) node.ends = { ...node.ends, [`=${method}`]: number, '=*': number }
  }
  for (const { types } of nodes) types.sort((a, b) => NARROWEST.indexOf(a.type) - NARROWEST.indexOf(b.type))
  return {
    // Without an endpoint everything would be unknown.
    mode: inForce.length === 0 ? 'off' : mode,
    learns: learning,
    paths: paths.map((path) => ({ path: path.replace(/\*$/, ''), isPrefix: path.endsWith('*') })),
    nodes,
    endpoints: inForce.map(({ id, method, path, kinds, maxBytes, open, parameters }) => ({
      id,
      name: `${method} ${path}`,
      kinds: Object.fromEntries(kinds.map((kind) => [`=${kind}`, true])),
      maxBytes,
      isOpen: open,
      readsParts: readsParts(kinds, parameters),
      required: parameters.flatMap(({ in: where, name, required }) =>
        required && where !== 'path' ? [{ where, name }] : [],
      ),
      fields: Object.fromEntries(
        parameters
          .filter(({ in: where }) => where !== 'path')
          .map(({ in: where, name, type, nullable, maxLength }) => [`${where} ${name}`, { type, nullable, maxLength }]),
      ),
    })),
  }
}

/** Whether fields of forms in parts are among those that it names. */
function readsParts(kinds: readonly string[], parameters: SchemaEndpoint['parameters']): boolean {
  const body = parameters.filter(({ in: where }) => where === 'body')
  const others = kinds.some((kind) => kind === 'json' || kind === 'form')
  return kinds.includes('multipart') && body.some(({ type }) => type === 'file' || !others)
}

/** What is known becomes the schema: what was changed by hand stays, and nothing that is in force goes. */
export function frozen(
  inForce: readonly SchemaEndpoint[],
  learned: readonly LearnedEndpoint[],
  ignored: readonly string[],
): SchemaEndpoint[] {
  const byId = new Map(inForce.map((one) => [one.id, one]))
  for (const one of learned) {
    if (!one.isKnown || ignored.includes(one.id) || byId.get(one.id)?.edited) continue
    byId.set(one.id, schemaEndpoint(one))
  }
  return sorted([...byId.values()])
}

export function schemaEndpoint({ id, method, path, content }: LearnedEndpoint): SchemaEndpoint {
  return { id, method, path, edited: false, ...content }
}

export function sorted<E extends { path: string; method: string }>(endpoints: readonly E[]): E[] {
  return endpoints.toSorted((a, b) => (a.path === b.path ? (a.method < b.method ? -1 : 1) : a.path < b.path ? -1 : 1))
}

/** Unseen for so long an endpoint is told to be gone. */
const GONE_MS = 14 * 86_400_000

/** All endpoints that are known of, with their states. */
export function endpointRows(
  inForce: readonly SchemaEndpoint[],
  learned: readonly LearnedEndpoint[],
  ignored: readonly string[],
  now: number,
): ApiEndpoint[] {
  const seen = new Map(learned.map((one) => [one.id, one]))
  const held = new Map(inForce.map((one) => [one.id, one]))
  const rows = [...new Set([...seen.keys(), ...held.keys()])].flatMap((id): ApiEndpoint[] => {
    const [one, own] = [seen.get(id), held.get(id)]
    const named = own ?? one
    if (!named) return []
    return [
      {
        id,
        method: named.method,
        path: named.path,
        state: stateOf(one, own !== undefined, ignored.includes(id), inForce.length > 0, now),
        seen: one?.seen ?? 0,
        networks: one?.networks ?? 0,
        firstAt: one ? new Date(one.first).toISOString() : null,
        lastAt: one ? new Date(one.last).toISOString() : null,
        edited: own?.edited ?? false,
        parameters: (own ?? one?.content)?.parameters.length ?? 0,
      },
    ]
  })
  return sorted(rows)
}

function stateOf(
  one: LearnedEndpoint | undefined,
  isHeld: boolean,
  isIgnored: boolean,
  hasSchema: boolean,
  now: number,
): EndpointState {
  if (isIgnored) return 'ignored'
  if (!one || one.last < now - GONE_MS) return 'gone'
  if (isHeld) return 'in-force'
  if (!one.isKnown) return 'learning'
  return hasSchema ? 'new' : 'known'
}
