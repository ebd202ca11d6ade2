import { z } from 'zod'
import { ApiPath } from './api-protection.ts'
import { LIMITS } from './limits.ts'
import { changed, feature, get, ListQuery, page, post, put } from './route.ts'

const limits = LIMITS.apiSchema

/** What requests are held against their schema for. */
export const ApiSchemaMode = z.enum(['off', 'simulate', 'block'])
export type ApiSchemaMode = z.infer<typeof ApiSchemaMode>

/** `text` takes uuids and dates too; `any` takes everything. In queries and forms all values are written as texts. */
export const SchemaType = z.enum([
  'integer',
  'number',
  'boolean',
  'uuid',
  'date',
  'date-time',
  'text',
  'object',
  'array',
  'file',
  'any',
])
export type SchemaType = z.infer<typeof SchemaType>

export const BodyKindName = z.enum(['none', 'json', 'form', 'multipart', 'text', 'other'])
export type BodyKindName = z.infer<typeof BodyKindName>

export const SchemaParameter = z.object({
  in: z.enum(['path', 'query', 'body']),
  /** Of JSON: `a.b` is a field of a field, `a[]` an element, the empty name the whole. */
  name: z
    .string()
    .max(200)
    .regex(/^[^\p{Cc}]*$/u, 'validation.plainText'),
  type: SchemaType,
  nullable: z.boolean().default(false),
  required: z.boolean().default(false),
  /** Bytes of a text, digits of a number, elements of a list; 0 is any. */
  maxLength: z.int().min(0).max(limits.bytes.max).default(0),
})
export type SchemaParameter = z.infer<typeof SchemaParameter>

/** What may be said of an endpoint by hand. */
export const SchemaContent = z.object({
  /** What its content may be. */ kinds: z.array(BodyKindName).min(1).max(6),
  maxBytes: z.int().min(limits.bytes.min).max(limits.bytes.max),
  /** Parameters that are not named here are let pass. */ open: z.boolean(),
  parameters: z
    .array(SchemaParameter)
    .max(limits.parameters)
    .refine(
      (all) => new Set(all.map((one) => `${one.in} ${one.name}`)).size === all.length,
      'validation.duplicateValue',
    ),
})
export type SchemaContent = z.infer<typeof SchemaContent>

export const SchemaEndpoint = SchemaContent.extend({
  id: z.string(),
  method: z.string(),
  /** `/users/{userId}/orders`. */ path: z.string(),
  /** Changed by hand: what is learned later leaves it alone. */ edited: z.boolean(),
})
export type SchemaEndpoint = z.infer<typeof SchemaEndpoint>

export const ENDPOINT_STATES = ['learning', 'known', 'in-force', 'new', 'gone', 'ignored'] as const
/**
 * `learning`: too few requests, or from too few networks. `known`: enough. With a schema in force those in it are
 * `in-force`, those it does not name `new`, those that were not seen for long `gone`.
 */
export const EndpointState = z.enum(ENDPOINT_STATES)
export type EndpointState = z.infer<typeof EndpointState>

export const ApiEndpoint = z.object({
  id: z.string(),
  method: z.string(),
  path: z.string(),
  state: EndpointState,
  /** Requests that were learned from, not all that came. */ seen: z.int(),
  /** Networks (/24, /48) that they came from; 3 is three or more. */ networks: z.int(),
  /** Null for one that was never seen. */ firstAt: z.iso.datetime().nullable(),
  lastAt: z.iso.datetime().nullable(),
  edited: z.boolean(),
  parameters: z.int(),
})
export type ApiEndpoint = z.infer<typeof ApiEndpoint>

export const ApiSchema = z.object({
  /** Forms of requests are sampled and learned from. */ learning: z.boolean(),
  /** What of the domain is the API. */ paths: z.array(ApiPath).min(1).max(limits.paths),
  mode: ApiSchemaMode,
  /** The schema in force; null for none. */
  inForce: z.object({ endpoints: z.int(), since: z.iso.datetime() }).nullable(),
  /** Null before the first request was learned from. */
  learned: z
    .object({ requests: z.int(), since: z.iso.datetime(), until: z.iso.datetime(), endpoints: z.int() })
    .nullable(),
  /** What was learned could not be read and is learned anew. */ relearned: z.boolean(),
})
export type ApiSchema = z.infer<typeof ApiSchema>

export const ApiSchemaSettings = ApiSchema.pick({ learning: true, paths: true, mode: true })
export type ApiSchemaSettings = z.infer<typeof ApiSchemaSettings>

export const ApiSchemaEffect = z.object({
  /** Sampled requests of the last day within the schema's paths, each as often as it stands for. */ requests: z.int(),
  /** Those that do not fit. */ misfits: z.int(),
  /** Null without any sample. */ from: z.iso.datetime().nullable(),
  reasons: z.array(z.object({ reason: z.string(), requests: z.int() })),
  /** Most first, at most 20. */
  examples: z.array(
    z.object({ method: z.string(), path: z.string(), reason: z.string(), name: z.string(), requests: z.int() }),
  ),
})
export type ApiSchemaEffect = z.infer<typeof ApiSchemaEffect>

const AT = '/wafmgmt/v2/sites/{site}/domains/{domain}/api-schema'
const seen = { permission: 'ViewSite' } as const
const common = { permission: 'EditSite', planFeature: 'waf.enable', changes: ['edge-security'] } as const

/** The requests of an API as they look, learned from traffic, and held against it. */
export const apiSchema = feature('api-schema', {
  get: get(`${AT}/`, { ...seen, out: ApiSchema, errors: [] }),
  update: put(`${AT}/`, {
    ...common,
    in: ApiSchemaSettings.partial(),
    out: changed(ApiSchemaSettings),
    errors: [26920],
    audit: 'apiSchema.update',
  }),
  endpoints: get(`${AT}/endpoints/`, {
    fromReplica: true,
    ...seen,
    in: ListQuery.extend({
      ordering: z.string().max(64).default('path'),
      state: EndpointState.optional(),
      method: z.string().max(20).optional(),
    }),
    out: page(ApiEndpoint),
    errors: [],
  }),
  endpoint: get(`${AT}/endpoints/{id}/`, {
    ...seen,
    out: ApiEndpoint.extend({
      /** As it was learned so far; null where only the schema in force knows it. */ learned: SchemaContent.nullable(),
      /** As requests are held against; null where the schema in force does not name it. */
      inForce: SchemaContent.nullable(),
    }),
    errors: [],
  }),
  accept: post(`${AT}/endpoints/{id}/accept/`, {
    ...common,
    out: changed(SchemaEndpoint),
    errors: [26921],
    audit: 'apiSchema.accept',
    summary: 'Takes an endpoint into the schema in force as it was learned so far.',
  }),
  ignore: post(`${AT}/endpoints/{id}/ignore/`, {
    ...common,
    in: z.object({ ignored: z.boolean() }),
    out: changed(z.object({ id: z.string(), ignored: z.boolean() })),
    errors: [],
    audit: 'apiSchema.ignore',
    summary: 'Leaves an endpoint out of the schema, or takes that back.',
  }),
  edit: put(`${AT}/endpoints/{id}/`, {
    ...common,
    in: SchemaContent,
    out: changed(SchemaEndpoint),
    errors: [26921],
    audit: 'apiSchema.edit',
  }),
  freeze: post(`${AT}/freeze/`, {
    ...common,
    out: changed(z.object({ endpoints: z.int() })),
    errors: [26920, 26921],
    audit: 'apiSchema.freeze',
    summary: 'Makes what is known the schema in force. What was changed by hand stays as it is.',
  }),
  effect: get(`${AT}/effect/`, {
    fromReplica: true,
    ...seen,
    out: ApiSchemaEffect,
    errors: [503, 26920],
    summary: 'What the schema in force would have stopped of the requests that were sampled in the last day.',
  }),
  openApi: get(`${AT}/openapi/`, {
    ...seen,
    in: z.object({ of: z.enum(['in-force', 'learned']).default('in-force') }),
    out: z.record(z.string(), z.unknown()),
    errors: [26920],
    summary: 'The schema as an OpenAPI 3.1 document.',
  }),
})
