import { z } from 'zod'
import { TRAFFIC_DIMENSIONS } from './lean.ts'
import { ChartMark } from './analytics-dem.ts'
import { CacheStatus } from './edge-requests.ts'
import { EpochSeconds } from './formats/epoch-seconds.ts'
import { feature, get } from './route.ts'

/**
 * What traffic is told apart by. `status` is the class of the status, `2` to `5`. The CDN without an id is the edge
 * under its own name.
 */
export type TrafficDimension = (typeof TRAFFIC_DIMENSIONS)[number]

/** What traffic is narrowed to. Without a site it is that of all sites; a domain comes with its site. */
export const TrafficFilter = z.object({
  site: z.uuid().optional(),
  domain: z.uuid().optional(),
  /** Empty is the edge under its own name. */
  cdn: z.string().max(64).optional(),
  status: z.enum(['1', '2', '3', '4', '5']).optional(),
  cache: CacheStatus.optional(),
  /** Empty is unknown. */
  country: z
    .string()
    .regex(/^([A-Z]{2})?$/)
    .optional(),
})
export type TrafficFilter = z.infer<typeof TrafficFilter>

const Query = TrafficFilter.extend({
  seconds: z.coerce
    .number()
    .int()
    .min(60)
    .max(31 * 86_400)
    .default(86_400),
  /** Epoch seconds; the window ends here. Default now. */
  until: EpochSeconds.optional(),
})

const COUNTS = {
  requests: z.int(),
  /** Sent to visitors, headers included. */ bytes: z.int(),
  /** Answered from a cache: hits, stale, updating, revalidated. */ hits: z.int(),
  hitBytes: z.int(),
  /** Of which it is known whether they came from a cache: all but those of vendors that do not tell. */ cacheTold:
    z.int(),
  cacheToldBytes: z.int(),
  /** Answered with 4xx. */ clientErrors: z.int(),
  /** Answered with 5xx, or not at all. */ serverErrors: z.int(),
  /** Of which that is known. */ statusTold: z.int(),
  /** At most so much may fit the filter, too, but its CDN does not tell. In no other count. */ leftOut: z.int(),
  leftOutBytes: z.int(),
}
export const TrafficCounts = z.object(COUNTS)
export type TrafficCounts = z.infer<typeof TrafficCounts>
export const TrafficPoint = z.object({ /** Epoch ms. */ at: z.number(), ...COUNTS })
export type TrafficPoint = z.infer<typeof TrafficPoint>

/**
 * How far what a vendor tells of a CDN has been read, for the domain that is furthest behind. Figures later than that
 * are missing, not nothing.
 */
export const VendorReading = z.object({
  cdnId: z.string(),
  readUntil: z.iso.datetime(),
  /** Why the last attempt failed. */ problem: z.string().nullable(),
})
export type VendorReading = z.infer<typeof VendorReading>

export const TrafficReport = z.object({
  intervalSeconds: z.int(),
  points: z.array(TrafficPoint),
  totals: TrafficCounts,
  /** The window of the same length that ends where this one begins. */
  before: z.object({ points: z.array(TrafficPoint), totals: TrafficCounts }),
  marks: z.array(ChartMark),
  /** CDNs of the scope whose traffic only their vendors know. */
  vendors: z.array(VendorReading),
})
export type TrafficReport = z.infer<typeof TrafficReport>

const Share = z.object({
  /** Of a vendor's status also `ok`: below 400, of its cache also `uncached`: it tells no more. */ value: z.string(),
  requests: z.int(),
  bytes: z.int(),
  hits: z.int(),
  cacheTold: z.int(),
})
export const TrafficBreakdown = z.object({
  intervalSeconds: z.int(),
  totals: z.object({ requests: z.int(), bytes: z.int(), hits: z.int(), cacheTold: z.int() }),
  /** The six values with most requests, then one line `other` when there are more. */
  series: z.array(
    z.object({
      value: z.string(),
      other: z.boolean(),
      points: z.array(z.object({ at: z.number(), requests: z.int(), bytes: z.int() })),
    }),
  ),
  /** Most requests first, at most 100. */
  shares: z.array(Share),
  distinct: z.int(),
  /** What vendors do not tell in this dimension; in the totals, in no share. */
  untold: z
    .object({
      requests: z.int(),
      bytes: z.int(),
      points: z.array(z.object({ at: z.number(), requests: z.int(), bytes: z.int() })),
    })
    .nullable(),
})
export type TrafficBreakdown = z.infer<typeof TrafficBreakdown>

/** The most requested paths; an empty one is all that were too rare to be kept by name. */
export const TrafficPaths = z.object({
  data: z.array(z.object({ path: z.string(), requests: z.int(), bytes: z.int(), hits: z.int() })),
})
export type TrafficPaths = z.infer<typeof TrafficPaths>

/** One request as the edge logged it. */
export const LoggedRequest = z.object({
  id: z.string(),
  at: z.number(),
  siteId: z.string(),
  domainId: z.string(),
  cdnId: z.string(),
  node: z.string(),
  host: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  bytes: z.int(),
  ms: z.number(),
  cacheStatus: CacheStatus,
  /** Why it did not come from the cache: a word of the catalogue `analytics-multi-cdn`, `why`; empty when it did. */
  why: z.string(),
  client: z.string(),
  country: z.string(),
})
export type LoggedRequest = z.infer<typeof LoggedRequest>

export const analyticsMultiCdn = feature('analytics-multi-cdn', {
  report: get('/analytics/v2/multi-cdn/', {
    fromReplica: true,
    in: Query,
    out: TrafficReport,
    permission: 'ViewSite',
    errors: [503],
    summary: 'Requests and bytes that the edge and its CDNs served over time, beside those of the window before.',
  }),
  breakdown: get('/analytics/v2/multi-cdn/breakdown/', {
    fromReplica: true,
    in: Query.extend({ by: z.enum(TRAFFIC_DIMENSIONS).default('cdn') }),
    out: TrafficBreakdown,
    permission: 'ViewSite',
    errors: [503],
    summary: 'The same, told apart by one dimension.',
  }),
  paths: get('/analytics/v2/multi-cdn/paths/', {
    fromReplica: true,
    in: Query.pick({ site: true, domain: true, seconds: true, until: true }).extend({
      limit: z.coerce.number().int().min(1).max(500).default(20),
    }),
    out: TrafficPaths,
    permission: 'ViewSite',
    errors: [503],
    summary: 'The most requested paths. Of each domain the 200 most requested of every minute are counted by name.',
  }),
  /** Newest first. */
  requests: get('/analytics/v2/multi-cdn/requests/', {
    fromReplica: true,
    in: TrafficFilter.extend({
      /** Epoch seconds; `until` is excluded. */
      from: EpochSeconds,
      until: EpochSeconds,
      path: z.string().max(512).optional(),
      /** Its id. */ request: z.string().max(64).optional(),
      limit: z.coerce.number().int().min(1).max(500).default(50),
    }),
    out: z.object({
      data: z.array(LoggedRequest),
      /** All that fit, of which `data` are the newest. */ total: z.int(),
    }),
    permission: 'ViewSite',
    errors: [503],
    summary:
      'Single requests behind the figures: every one that was logged, for 30 days. Addresses are cut to /24 or /48.',
  }),
})
