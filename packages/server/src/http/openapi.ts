import { z } from 'zod'
import {
  ERRORS,
  ErrorEnvelope,
  FEATURES,
  type AnyRoute,
  type ErrorCode,
  type Feature,
  needsRoom,
  tierFor,
} from '@fairway/contract'
import { isBoundAtEdge } from './edge-room.ts'

const COMMON_ERRORS = [400, 401, 403, 404, 429, 500] as const
/** Of routes that make something which costs. */
const SPENDING_ERRORS = [7486, 7493, 909994, 909996] as const
/** Of routes that change something. */
const CHANGING_ERRORS = [920903, 920905] as const
/** Of those that edges hold in memory. */
const HELD_ERRORS = [26905] as const

/** The OpenAPI 3.1 document, made from the same declarations that the server and the client use. */
export function openApiDocument(serverUrl: string, title = 'Fairway'): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const feature of Object.values(FEATURES) as unknown as Feature<Record<string, AnyRoute>>[]) {
    for (const [name, route] of Object.entries(feature.routes)) {
      const path = (paths[route.path] ??= {})
      path[route.method.toLowerCase()] = operation(feature.name, name, route)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '2', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schema(ErrorEnvelope, 'output') },
    },
  }
}

function operation(feature: string, name: string, route: AnyRoute): object {
  const input = schema(route.in, 'input') as { properties?: Record<string, object>; required?: string[] }
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => ({
    name: match[1],
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(route.method === 'GET' ? (input.properties ?? {}) : {}).map(([key, value]) => ({
    name: key,
    in: 'query',
    required: input.required?.includes(key) ?? false,
    schema: value,
  }))
  const content = {
    [route.stream === 'events'
      ? 'text/event-stream'
      : route.media === 'text'
        ? 'text/plain'
        : route.media === 'csv'
          ? 'text/csv'
          : route.media === 'ndjson'
            ? 'application/x-ndjson'
            : route.media === 'pdf'
              ? 'application/pdf'
              : 'application/json']: { schema: schema(route.out, 'output') },
  }
  return {
    operationId: `${feature}.${name}`,
    tags: [feature],
    ...(route.summary ? { summary: route.summary } : {}),
    parameters: [...inPath, ...inQuery],
    ...(route.method !== 'GET' && Object.keys(input.properties ?? {}).length
      ? { requestBody: { required: true, content: { 'application/json': { schema: input } } } }
      : {}),
    responses: { 200: { description: 'Done', content }, ...errorResponses(route) },
    ...(route.permission === 'public' ? { security: [] } : {}),
    'x-permission': route.permission,
    ...(isForKeys(route) ? { 'x-api-tier': tierFor(route) } : {}),
    ...(route.planFeature ? { 'x-plan-feature': route.planFeature } : {}),
    'x-error-codes': codesOf(route),
  }
}

/** Whether an API key may call it at all. */
const isForKeys = ({ permission, personal, inSession, method }: AnyRoute): boolean =>
  !['public', 'node', 'operator'].includes(permission) &&
  !personal &&
  !inSession &&
  !(permission === 'signed-in' && method !== 'GET')

function codesOf(route: AnyRoute): ErrorCode[] {
  const codes = [
    ...COMMON_ERRORS,
    ...route.errors,
    ...(route.spends ? SPENDING_ERRORS : []),
    ...(needsRoom(route) ? CHANGING_ERRORS : []),
    ...(route.changes?.some(isBoundAtEdge) ? HELD_ERRORS : []),
  ]
  return [...new Set(codes)].sort((a, b) => a - b)
}

function errorResponses(route: AnyRoute): Record<string, object> {
  const statuses = new Set(codesOf(route).map((code) => ERRORS[code].status))
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return Object.fromEntries(
    [...statuses]
      .sort((a, b) => a - b)
      .map((status) => [String(status), { description: 'Refused; see meta.code', content }]),
  )
}

function schema(type: z.ZodType, io: 'input' | 'output'): object {
  return z.toJSONSchema(type, { io, unrepresentable: 'any', target: 'draft-2020-12' })
}
