import { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { PublicationKind } from './publication-kind.ts'
import type { Permission } from './permissions.ts'
import type { PartnerFeature } from './partner-features.ts'
import type { PlanFeature } from './plan-features.ts'

/** What an API key may do: 1 reads, 2 writes, 3 deletes, 4 purges and handles certificates; each includes the lower. */
export type ApiTier = 1 | 2 | 3 | 4

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Names inside braces of a path: `/a/{site}/b/{id}/` gives `'site' | 'id'`. */
export type PathParams<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | PathParams<R> : never

type Common<Out> = {
  out: Out
  /** Codes this route answers besides those any route may (400, 401, 403, 404, 429, 500). */
  errors: readonly ErrorCode[]
  /** Who may call it. */
  permission: Permission
  /** Ability that the organisation's plan must have. */
  planFeature?: PlanFeature
  /** Closed, also over the API, to customers of a partner that hides it. */
  partnerFeature?: PartnerFeature
  /**
   * Reaches beyond the caller's organisation: `installation` for the operator, `partner` also for the people of a
   * partner, who reach that partner's organisations.
   */
  scope?: 'installation' | 'partner'
  /** The user's own alone: closed to who looks on as the user (login-as). */
  personal?: true
  /**
   * Hands out a key, or names whom the organisation's data goes to or its zone comes from: closed to who looks on, as it
   * would outlive the look. Unlike what is `personal`, open to API keys.
   */
  lasting?: true
  /** Only for somebody who has signed in: closed to API keys. What is `personal` is that as well. */
  inSession?: true
  /** The tier that an API key needs, where its method does not say it: see `tierFor`. */
  apiTier?: ApiTier
  /** One sentence for the API document. */
  summary?: string
  /** `events` answers server-sent events of `out`; `none` answers 204. */
  stream?: 'events'
  /**
   * Makes something that costs, now or later: refused while the account is locked, its trial over, its quota used up or
   * its spending limit reached. A function says it of the input: what does not spend, like switching off, asks for no
   * ability of the plan either.
   */
  spends?: true | ((input: Record<string, unknown>) => boolean)
  /** Frees room on the disk: goes through while other changes are refused because it is full. */
  makesRoom?: true
  /**
   * Only reads, shows nothing that decides rights, and may be asked twice: a replica of the database may answer it, as of
   * when the call came.
   */
  fromReplica?: true
  /** `text`, `pdf`: the answer is the file itself. `csv`, `ndjson`: likewise, sent while it is read. */
  media?: 'text' | 'pdf' | 'csv' | 'ndjson'
}

/** What a mutating route must say as well; leaving one out does not compile. */
type Mutation = {
  /**
   * Name of the audit entry, or null for what changes nothing a person would ask about (sign-in is audited by hand).
   */
  audit: string | null
  /** Which published documents the change rebuilds; empty when it touches none. */
  changes: readonly PublicationKind[]
  fromReplica?: never
  /** The verb asks the world first, and holds the site's row only after that: by `holdSite`. */
  holdsLate?: true
}

type Spec = Common<z.ZodType> & { in?: z.ZodType }
type InOf<S> = S extends { in: infer In extends z.ZodType } ? In : typeof Empty

/** A declared route, with everything it was declared with kept as types. */
export type Route<M extends Method, P extends string, S extends Spec> = Omit<S, 'in'> & {
  method: M
  path: P
  in: InOf<S>
}

/** A route with its types erased: what the server, the client and the API document walk over. */
export type AnyRoute = Common<z.ZodType> & {
  method: Method
  path: string
  in: z.ZodType
  audit?: string | null
  changes?: readonly PublicationKind[]
  holdsLate?: true
}

/** An empty object schema is typed as a record of nothing, which no path parameter would fit into. */
type FieldsOf<T> = string extends keyof T ? unknown : T

type InputOf<R> = R extends { path: infer P extends string; in: infer In extends z.ZodType }
  ? FieldsOf<z.input<In>> & Record<PathParams<P>, string>
  : never
type ParsedOf<R> = R extends { path: infer P extends string; in: infer In extends z.ZodType }
  ? FieldsOf<z.output<In>> & Record<PathParams<P>, string>
  : never
type OutputOf<R> = R extends { out: infer Out extends z.ZodType } ? z.output<Out> : never

/** What a caller sends: path parameters, query and body in one object. */
export type RouteInput<R> = InputOf<R>
/** What a verb receives, parsed. */
export type RouteParsed<R> = ParsedOf<R>
export type RouteOutput<R> = OutputOf<R>

const Empty = z.object({})

export function get<P extends string, const S extends Spec>(path: P, spec: S): Route<'GET', P, S> {
  return declare('GET', path, spec)
}

const mutating =
  <M extends 'POST' | 'PUT' | 'PATCH' | 'DELETE'>(method: M) =>
  <P extends string, const S extends Spec & Mutation>(path: P, spec: S): Route<M, P, S> =>
    declare(method, path, spec)

function declare<M extends Method, P extends string, S extends Spec>(method: M, path: P, spec: S): Route<M, P, S> {
  // `in` is filled when it was left out, which the conditional type InOf says but cannot follow.
  return { ...spec, method, path, in: (spec.in ?? Empty) as InOf<S> }
}

export const post = mutating('POST')
export const put = mutating('PUT')
export const patch = mutating('PATCH')
export const del = mutating('DELETE')

export type Feature<R extends Record<string, unknown>> = { name: string; routes: R }

/**
 * Whether a full disk refuses it: what is accepted has to get to where it is served, for which there has to be room.
 * What nobody would ask about, such as signing in, and what nodes tell goes on.
 */
export const needsRoom = ({ method, permission, audit, makesRoom }: AnyRoute): boolean =>
  method !== 'GET' && permission !== 'node' && audit !== null && makesRoom !== true

/** Whether this call makes something that costs. */
export const isSpending = ({ spends }: AnyRoute, input: Record<string, unknown>): boolean =>
  typeof spends === 'function' ? spends(input) : spends === true

/** The tier an API key needs for a route. What is asked by POST with a permission to view, and writes nothing, reads. */
export function tierFor({
  apiTier,
  method,
  permission,
  audit,
}: Pick<AnyRoute, 'apiTier' | 'method' | 'permission' | 'audit'>): ApiTier {
  if (apiTier !== undefined) return apiTier
  if (method === 'DELETE') return 3
  return method === 'GET' || (method === 'POST' && permission.startsWith('View') && audit === null) ? 1 : 2
}

/** Gathers the routes of one feature under its one name. */
export function feature<R extends Record<string, unknown>>(name: string, routes: R): Feature<R> {
  return { name, routes }
}

/** A list's answer: one page of rows with the total. */
export function page<T extends z.ZodType>(row: T) {
  return z.object({ data: z.array(row), meta: z.object({ total: z.int(), page: z.int(), pageSize: z.int() }) })
}

/** Query of every list: `page_size=-1` is all; `ordering` is a column, `-` in front for descending. */
export const ListQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(-1).max(1000).default(50),
  ordering: z.string().max(64).default('-created_at'),
  search: z.string().max(200).optional(),
})

/** A change's receipt: which version of the site holds it. */
export const Change = z.object({ version: z.int().nullable() })

/** Answer of a mutating route: the row, and the version that holds the change. */
export function changed<T extends z.ZodType>(row: T) {
  return z.object({ data: row, meta: Change })
}

/** Error answer of every route. */
export const ErrorEnvelope = z.object({
  meta: z.object({
    code: z.int(),
    message: z.string(),
    requestId: z.string(),
    /** Why the payment provider declined a card; its text is `errorMessage.<decline_code>`. */
    decline_code: z.string().optional(),
    /** Where the input is wrong: path of the field and the key of the message. */
    fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    /** Figures that the text of the code names, such as `minutes`. */
    params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  }),
})
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>
