import type { SchemaEndpoint, SchemaParameter } from '@fairway/contract'

type Schema = Record<string, unknown>

/** Endpoints as an OpenAPI 3.1 document. */
export function openApiOf(
  host: string,
  endpoints: readonly SchemaEndpoint[],
  version: string,
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const verb = endpoint.method.toLowerCase()
    // Other methods have no place in it.
    if (!VERBS.has(verb)) continue
    paths[endpoint.path] = { ...paths[endpoint.path], [verb]: operationOf(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: host, version, description: 'Learned from traffic.' },
    servers: [{ url: `https://${host}` }],
    paths,
  }
}

const VERBS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

function operationOf({ id, parameters, kinds, open }: SchemaEndpoint): Record<string, unknown> {
  const body = parameters.filter((one) => one.in === 'body')
  const content = Object.fromEntries(
    kinds.flatMap((kind): [string, { schema: Schema }][] => {
      if (kind === 'none') return []
      if (kind === 'json') return [['application/json', { schema: treeOf(body, open) }]]
      if (kind === 'form')
        return [['application/x-www-form-urlencoded', { schema: objectOf(body.filter(isPlain), open) }]]
      if (kind === 'multipart')
        return [['multipart/form-data', { schema: objectOf(body.filter(isPlain), open || body.length === 0) }]]
      return kind === 'text'
        ? [['text/plain', { schema: { type: 'string' } }]]
        : [['application/octet-stream', { schema: {} }]]
    }),
  )
  const inHead = parameters.filter((one) => one.in !== 'body')
  return {
    operationId: `op_${id}`,
    ...(inHead.length > 0
      ? {
          parameters: inHead.map((one) => ({
            name: one.name,
            in: one.in,
            required: one.in === 'path' || one.required,
            schema: schemaOf(one),
          })),
        }
      : {}),
    ...(Object.keys(content).length > 0 ? { requestBody: { required: !kinds.includes('none'), content } } : {}),
    responses: { '2XX': { description: 'Success' } },
  }
}

const isPlain = ({ name }: SchemaParameter): boolean => name !== ''

function schemaOf({ type, nullable, maxLength }: SchemaParameter): Schema {
  if (type === 'any') return {}
  const base = BASES[type] ?? {}
  const bounds: Schema =
    maxLength === 0 ? {} : type === 'text' ? { maxLength } : type === 'array' ? { maxItems: maxLength } : {}
  return {
    ...base,
    ...(nullable && typeof base['type'] === 'string' ? { type: [base['type'], 'null'] } : {}),
    ...bounds,
  }
}

const BASES: Record<string, Schema> = {
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  uuid: { type: 'string', format: 'uuid' },
  date: { type: 'string', format: 'date' },
  'date-time': { type: 'string', format: 'date-time' },
  text: { type: 'string' },
  object: { type: 'object' },
  array: { type: 'array' },
  // OpenAPI 3.1: bytes that are no text.
  file: { contentMediaType: 'application/octet-stream' },
}

function objectOf(parameters: readonly SchemaParameter[], open: boolean): Schema {
  const required = parameters.filter((one) => one.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((one) => [one.name, schemaOf(one)])),
    ...(required.length > 0 ? { required } : {}),
    ...(open ? {} : { additionalProperties: false }),
  }
}

/** Fields under those that hold them: `a.b` is a property of `a`, `a[]` what the list `a` is made of. */
function treeOf(parameters: readonly SchemaParameter[], open: boolean): Schema {
  const root: SchemaParameter = parameters.find(({ name }) => name === '') ?? {
    in: 'body',
    name: '',
    type: 'any',
    nullable: false,
    required: false,
    maxLength: 0,
  }
  return subtree(root, parameters, open)
}

function subtree(parent: SchemaParameter, all: readonly SchemaParameter[], open: boolean): Schema {
  const own = schemaOf(parent)
  const element = all.find(({ name }) => name === `${parent.name}[]`)
  const properties = all.flatMap((one) => {
    const key = keyIn(parent.name, one.name)
    return key === null || isDeeper(parent.name, one.name, all) ? [] : [{ key, one }]
  })
  const named = properties.filter(({ key }) => key !== '{key}')
  const anyName = properties.find(({ key }) => key === '{key}')
  // A whole that is sometimes one and sometimes the other says both.
  const holds = parent.type === 'object' || parent.type === 'any'
  const required = named.filter(({ one }) => one.required).map(({ key }) => key)
  return {
    ...own,
    ...(element && (parent.type === 'array' || parent.type === 'any') ? { items: subtree(element, all, open) } : {}),
    ...(holds && named.length > 0
      ? { properties: Object.fromEntries(named.map(({ key, one }) => [key, subtree(one, all, open)])) }
      : {}),
    ...(holds && required.length > 0 ? { required } : {}),
    ...(parent.type === 'object' && (anyName ?? (!open && named.length > 0))
      ? { additionalProperties: anyName ? subtree(anyName.one, all, open) : false }
      : {}),
  }
}

/** What a field is called in the one that holds it; null when it is in another. */
function keyIn(parent: string, name: string): string | null {
  if (name === '' || name === parent) return null
  const rest = parent === '' ? name : name.startsWith(`${parent}.`) ? name.slice(parent.length + 1) : null
  return rest === null || rest === '' || (parent === '' && rest.startsWith('[')) ? null : rest
}

/** It lies in something that lies here. */
function isDeeper(parent: string, name: string, all: readonly SchemaParameter[]): boolean {
  return all.some(
    (one) =>
      one.name.length > parent.length &&
      one.name.length < name.length &&
      keyIn(parent, one.name) !== null &&
      (name.startsWith(`${one.name}.`) || name.startsWith(`${one.name}[]`)),
  )
}
