import { z } from 'zod'
import { CACHE_STATUSES } from './lean.ts'

export const CacheStatus = z.enum(CACHE_STATUSES)
export type CacheStatus = z.infer<typeof CacheStatus>
/** Answered from the cache, the origin being asked for nothing or for a confirmation at most. */
export const CACHE_HITS: readonly CacheStatus[] = ['HIT', 'STALE', 'UPDATING', 'REVALIDATED']

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
  cacheStatus: CacheStatus,
  /** Why it did not come from the cache; empty when it did, or when a node of an older release wrote it. */
  why: z
    .string()
    .regex(/^[a-z-]{0,32}$/)
    .default(''),
  /** Network of the visitor, cut to /24 or /48 before it was written anywhere: `203.0.113.0` or `2001:db8:1::`. */
  client: z.string().max(45),
})
export type EdgeRequest = z.infer<typeof EdgeRequest>

/** Body of the collector's `POST /edge-requests/`, authorised by the node token. `node` is `<machine>/edge`. */
export const EdgeRequests = z.object({ node: z.string().min(1).max(130), requests: z.array(EdgeRequest).max(1000) })
export type EdgeRequests = z.infer<typeof EdgeRequests>
