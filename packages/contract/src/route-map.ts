import { z } from 'zod'
import { IpAddress } from './formats/cidr.ts'
import { EpochSeconds } from './formats/epoch-seconds.ts'
import { changed, feature, get, put } from './route.ts'
import { CandidateReason, Share } from './steering.ts'

/**
 * Why a place is sent elsewhere than before. `change`: a version of the site; `measurement`: what became of the CDN that
 * it had, with its figures then; `first`: nothing was kept before.
 */
export const RouteCause = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('first') }),
  z.object({ kind: z.literal('change'), version: z.int() }),
  z.object({
    kind: z.literal('measurement'),
    cdnId: z.string(),
    reason: CandidateReason.nullable(),
    /** Percent, ms. */
    availability: z.number().nullable(),
    latencyMs: z.number().nullable(),
  }),
])
export type RouteCause = z.infer<typeof RouteCause>

export const RouteRow = z.object({
  /** Score key: `country:JP`, `region:US-CA`, `country:JP|AS2497`. */
  place: z.string(),
  shares: z.array(Share),
  /** Null when no strategy decided. */
  strategyId: z.string().nullable(),
  strategy: z.string().nullable(),
  /** Since when it is so; what measurements move within five minutes is one change. */
  since: z.iso.datetime(),
  cause: RouteCause,
  /** Where it was sent at the time asked for, when it was sent elsewhere; empty when nothing was kept of it then. */
  before: z.array(Share).nullable(),
})
export type RouteRow = z.infer<typeof RouteRow>

export const RouteMap = z.object({
  /** When a row last changed; null before there are any. */
  changedAt: z.iso.datetime().nullable(),
  rows: z.array(RouteRow),
  /** For an address: the rows that it is in, finest first. */
  matches: z.array(z.string()),
})
export type RouteMap = z.infer<typeof RouteMap>

export const routeMap = feature('route-map', {
  report: get('/decisive/v2/sites/{site}/domains/{domain}/routing-report/', {
    fromReplica: true,
    in: z.object({
      /** Epoch seconds: rows tell what they were then, when that was something else. */
      since: EpochSeconds.optional(),
      address: IpAddress.optional(),
    }),
    out: RouteMap,
    permission: 'ViewPerformancePolicy',
    errors: [],
    summary:
      'Where each country, region and network is sent now, since when and why; and what it was at a time before.',
  }),
  /** `network,cdn` lines; replaces the overrides that were uploaded before. */
  putOverrides: put('/decisive/v2/sites/{site}/domains/{domain}/route-overrides/', {
    in: z.object({ csv: z.string().max(200_000) }),
    out: changed(z.object({ networks: z.int(), strategies: z.array(z.string()) })),
    permission: 'EditPerformancePolicy',
    apiTier: 3,
    errors: [810001, 810002, 810007, 810011],
    audit: 'strategy.overrides',
    changes: ['dns-zone'],
  }),
})
