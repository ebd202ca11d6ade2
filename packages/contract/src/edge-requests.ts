import { z } from 'zod'
import { BodyKindName } from './api-schema.ts'
import { Cmcd } from './player-events.ts'
import { CACHE_STATUSES, SECURITY_ACTIONS, SECURITY_PARTS } from './lean.ts'

export const CacheStatus = z.enum(CACHE_STATUSES)
export type CacheStatus = z.infer<typeof CacheStatus>
/** Answered from the cache, the origin being asked for nothing or for a confirmation at most. */
export const CACHE_HITS: readonly CacheStatus[] = ['HIT', 'STALE', 'UPDATING', 'REVALIDATED']

/** A request as rules may look at it again later. Where secrets stood, a control character and a word do. */
export const RecordedRequest = z.object({
  address: z.string().max(45),
  scheme: z.string().max(10),
  /** Path and query. */ target: z.string().max(2100),
  protocol: z.string().max(10),
  tlsVersion: z.string().max(10),
  /** -1 where it was not told beforehand. */ bodySize: z.number(),
  headers: z.array(z.object({ name: z.string().max(200), value: z.string().max(500) })).max(200),
  /** The hardest challenge that the visitor had solved. */ cleared: z.int(),
  /** What became of it. */
  action: z.enum(SECURITY_ACTIONS),
  part: z.enum([...SECURITY_PARTS, '']),
  ruleId: z.string().max(64),
  /** How many requests it stands for. */ weight: z.int().min(1),
})
export type RecordedRequest = z.infer<typeof RecordedRequest>

const ShapeType = z.enum([
  'integer',
  'number',
  'boolean',
  'uuid',
  'date',
  'date-time',
  'text',
  'null',
  'object',
  'array',
  'file',
])

/** The form of a request that a schema is learned from: names and types, no value. */
export const RequestShape = z.object({
  segments: z.array(z.string().max(70)).max(16),
  kind: BodyKindName,
  size: z.int().min(0),
  fields: z
    .array(
      z.object({
        where: z.enum(['query', 'body']),
        name: z.string().max(210),
        type: ShapeType,
        length: z.int().min(0),
      }),
    )
    .max(400),
  /** All of it was read. */ isWhole: z.boolean(),
  /** How many requests it stands for. */ weight: z.int().min(1),
})
export type RequestShape = z.infer<typeof RequestShape>

/** One request that the edge answered for a domain. */
export const EdgeRequest = z.object({
  /** End of the answer, epoch ms. */
  at: z.number(),
  /** What pages of the edge print as their request; empty when a node of an older release wrote it. */
  id: z.string().max(64).default(''),
  /** Set when a simulated CDN answered; null is the edge under its own name. */
  cdnId: z.string().nullable(),
  organizationId: z.string(),
  siteId: z.string(),
  domainId: z.string(),
  host: z.string().max(253),
  method: z.string().max(32),
  /** Without the query. */
  path: z.string().max(512),
  status: z.int().min(0).max(999),
  /** Sent to the visitor, headers included. */
  bytes: z.int().min(0),
  ms: z.number().min(0),
  /** The kernel's smoothed round trip to the visitor; null behind a proxy, or when a node of an older release wrote it. */
  rttMs: z.number().positive().nullable().default(null),
  cacheStatus: CacheStatus,
  /** Why it did not come from the cache; empty when it did, or when a node of an older release wrote it. */
  why: z
    .string()
    .regex(/^[a-z-]{0,32}$/)
    .default(''),
  /** What web security made of it; null when nothing did, or when a node of an older release wrote it. */
  threat: z
    .object({
      part: z.enum(SECURITY_PARTS),
      action: z.enum(SECURITY_ACTIONS),
      /** Of the rule or entry; a word for a part as a whole. */ ruleId: z.string().max(64),
      reason: z.string().max(64),
      /** Of the visitor, whole: an owner has to know whom to let in or keep out. Kept as long as threats are. */
      address: z.string().max(45),
      /** With the values of secret parameters taken out. */ query: z.string().max(1000),
      agent: z.string().max(300),
      /** What the rule found: field, its name where it has one, the bytes that fitted; null when it looks at none. */
      matched: z.object({ field: z.string().max(64), name: z.string().max(100), text: z.string().max(200) }).nullable(),
      /** How many the log's one line stands for: in a flood not each is written. */
      weight: z.int().min(1),
    })
    .nullable()
    .default(null),
  /** The whole request, of some that are drawn; null of all others. */
  recorded: RecordedRequest.nullable().default(null),
  /** Its form, of some that are drawn where a schema is learned. */
  shape: RequestShape.nullable().default(null),
  /** What a player said of itself with it; null when it said nothing that is understood, or no video was asked for. */
  cmcd: Cmcd.nullable().default(null),
  /** How many requests this one stands for: those that the edge stops in a flood are not each written. */
  weight: z.int().min(1).default(1),
  /** Network of the visitor, cut to /24 or /48 before it was written anywhere: `203.0.113.0` or `2001:db8:1::`. */
  client: z.string().max(45),
})
export type EdgeRequest = z.infer<typeof EdgeRequest>

/** Body of the collector's `POST /edge-requests/`, authorised by the node token. `node` is `<machine>/edge`. */
export const EdgeRequests = z.object({ node: z.string().min(1).max(130), requests: z.array(EdgeRequest).max(1000) })
export type EdgeRequests = z.infer<typeof EdgeRequests>
