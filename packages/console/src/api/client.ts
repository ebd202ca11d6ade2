import type { AnyRoute, RouteInput, RouteOutput } from '@fairway/contract'
import { z } from 'zod'
import { ApiError, readApiError } from './api-error.ts'

/** What every declared route looks like to the client. */
export type CallableRoute = Pick<AnyRoute, 'method' | 'path' | 'permission'> & { in: z.ZodType; out: z.ZodType }

type Call = { url: string; init: RequestInit }

/**
 * Calls a route of the contract: path parameters fill the path, the rest is the query of a GET and the JSON body of
 * anything else.
 * Answers the parsed output. Throws `ApiError`; code 500 also when the answer is not what the contract says.
 */
export async function api<R extends CallableRoute>(
  route: R,
  input: RouteInput<R>,
  signal?: AbortSignal,
): Promise<RouteOutput<R>> {
  const { url, init } = buildCall(route, input)
  const response = await fetch(url, { ...init, signal: signal ?? null }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw new ApiError(0, 0, null, [], cause)
  })
  if (!response.ok) throw await readApiError(response)
  const body: unknown = response.status === 204 ? {} : await response.json().catch(() => null)
  const parsed = await parseInSlices(route.out, body)
  if (!parsed.success) throw new ApiError(500, response.status, response.headers.get('x-request-id'), [], parsed.error)
  return asOutput<R>(parsed.data)
}

/** Rows of a list that are parsed without a look at the clock. */
const SLICE = 100
/** So long nothing else may be kept waiting. */
const SLICE_MS = 6

/**
 * What `schema.safeParse` answers. The rows of a long list are parsed some at a time, so that the page goes on
 * answering to people meanwhile.
 */
async function parseInSlices(schema: z.ZodType, body: unknown): Promise<z.ZodSafeParseResult<unknown>> {
  const rowSchema =
    schema instanceof z.ZodObject && schema.shape['data'] instanceof z.ZodArray ? schema.shape['data'].element : null
  if (rowSchema === null || !hasRows(body) || body.data.length <= SLICE) return schema.safeParse(body)
  const around = schema.safeParse({ ...body, data: [] })
  if (!around.success) return around
  const rows: unknown[] = []
  const some = z.array(rowSchema)
  let since = performance.now()
  for (let from = 0; from < body.data.length; from += SLICE) {
    const parsed = some.safeParse(body.data.slice(from, from + SLICE))
    if (!parsed.success) return parsed
    rows.push(...parsed.data)
    if (performance.now() - since < SLICE_MS) continue
    await nextTask()
    since = performance.now()
  }
  return { success: true, data: { ...Object(around.data), data: rows } }
}

/** After the events and frames that wait. Timers would be held back in a tab that is not looked at. */
function nextTask(): Promise<void> {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      done()
    })
    port1.start()
    port2.postMessage(null)
  })
}

function hasRows(body: unknown): body is { data: unknown[] } {
  return typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data)
}

/** The request of a call, apart from sending it. Exported for its tests. */
export function buildCall<R extends CallableRoute>(route: R, input: RouteInput<R>): Call {
  const rest: Record<string, unknown> = { ...input }
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`path parameter ${name} is missing for ${route.path}`)
    return encodeURIComponent(value)
  })
  // The header cannot be set by a foreign page without a preflight, which the API refuses: this is the CSRF guard of
  // the session cookie.
  const headers: Record<string, string> = { accept: 'application/json', 'x-fairway-client': 'console' }
  const init: RequestInit = { method: route.method, credentials: 'same-origin', headers }
  if (route.method === 'GET') return { url: path + queryString(rest), init }
  headers['content-type'] = 'application/json'
  return { url: path, init: { ...init, body: JSON.stringify(rest) } }
}

function queryString(values: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(values))
    if (value !== undefined && value !== null && value !== '') query.set(key, String(value))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** Holds because the data was just parsed by this very route's `out`; the compiler cannot see through the generic. */
function asOutput<R>(data: unknown): RouteOutput<R> {
  return data as RouteOutput<R>
}
