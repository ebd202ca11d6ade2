import fs from 'node:fs'
import path from 'node:path'
import { ErrorEnvelope, type AnyRoute, type RouteInput, type RouteOutput } from '@fairway/contract'
import { type Config, Problem, secret, trustApiAuthorities } from '@fairway/platform'

/** The API said no; `code` is the catalogue's. */
export class ApiError extends Error {
  readonly code: number
  readonly status: number
  constructor(code: number, status: number, message: string) {
    super(message)
    this.code = code
    this.status = status
  }
}

type Callable = Pick<AnyRoute, 'method' | 'path' | 'in' | 'out' | 'permission'>
/** Calls a route of the contract and answers its parsed output. @throws ApiError, or Problem when nobody answers. */
export type Api = <R extends Callable>(route: R, input: RouteInput<R>) => Promise<RouteOutput<R>>

/** A client of the installation at `url` with a bearer token; without one, of its public routes. */
export function apiClient(url: string, token?: string): Api {
  return async (route, input) => {
    const rest: Record<string, unknown> = { ...input }
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(rest[name])
      delete rest[name]
      return encodeURIComponent(value)
    })
    const isGet = route.method === 'GET'
    const response = await fetch(new URL(isGet ? path + query(rest) : path, url), {
      method: route.method,
      // A public route needs no token, and one of an installation without users would be refused.
      headers: {
        ...(token && route.permission !== 'public' ? { authorization: `Bearer ${token}` } : {}),
        ...(isGet ? {} : { 'content-type': 'application/json' }),
      },
      ...(isGet ? {} : { body: JSON.stringify(rest) }),
    }).catch((error: unknown) => {
      throw new Problem(`Fairway does not answer at ${url}. Is it running? Start it with ./fairway demo.`, {
        cause: error,
      })
    })
    const text = await response.text()
    if (!response.ok) throw refusal(response.status, text, route)
    // Parsed by this very route's schema, which the compiler cannot see through the generic.
    return route.out.parse(JSON.parse(text || '{}')) as never
  }
}

/**
 * As the installation's own operator, by the token in its home: for commands on this machine. @throws Problem when
 * there is no installation in the home.
 */
export function operatorApi(config: Config): Api {
  if (!fs.existsSync(path.join(config.home, 'secrets', 'cli-token')))
    throw new Problem(
      `There is no installation in ${config.home} yet. Start one with ./fairway demo, or set FAIRWAY_HOME to where it is.`,
    )
  trustApiAuthorities(config)
  return apiClient(config.apiUrl, secret(config, 'cli-token'))
}

function refusal(status: number, text: string, route: Callable): ApiError {
  const parsed = ErrorEnvelope.safeParse(safeJson(text))
  if (!parsed.success)
    return new ApiError(status, status, `${route.method} ${route.path}: ${status} ${text.slice(0, 200)}`)
  const { code, message, fields } = parsed.data.meta
  return new ApiError(
    code,
    status,
    `${route.method} ${route.path}: ${code} ${message}${fields ? ` ${JSON.stringify(fields)}` : ''}`,
  )
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

function query(values: Record<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(values))
    if (value !== undefined && value !== null) search.set(key, String(value))
  return search.size ? `?${search}` : ''
}
