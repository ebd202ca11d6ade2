import { z } from 'zod'
import { feature, get } from './route.ts'
import { Disagreement } from './snapshots/scores.ts'
import { FeedName, Share } from './steering.ts'

const Instant = z.iso.datetime()

/** What one feed says of one CDN over the last minutes; a figure that nobody measured is null. */
export const FeedCdn = z.object({
  cdnId: z.string(),
  samples: z.int().min(0),
  /** Percent. */
  availability: z.number().nullable(),
  /** Median: the first byte of beacons and probes, the round trip of the edge's connections. */
  latencyMs: z.number().nullable(),
  newestAt: Instant.nullable(),
  /** Who said it: nodes that probe, /24s and /48s of visitors. */
  senders: z.int().min(0),
})
export type FeedCdn = z.infer<typeof FeedCdn>

/** `feeding`: it says something now; `silent`: it did not within the window; `off`: it was never set up. */
export const FeedState = z.enum(['feeding', 'silent', 'off'])
export type FeedState = z.infer<typeof FeedState>

export const DataFeed = z.object({
  feed: FeedName,
  state: FeedState,
  /** Decisions read it unless it is switched off; a feed that they never read is shown to be compared with. */
  decides: z.boolean(),
  /** The domain's decisions leave it out; what it says is shown all the same. */
  switchedOff: z.boolean(),
  samples: z.int().min(0),
  newestAt: Instant.nullable(),
  /** Of all places, the percentage that is decided by its figures; of DNS answers of a day likewise, where there are any. */
  placesPercent: z.number().min(0).max(100),
  answersPercent: z.number().min(0).max(100).nullable(),
  cdns: z.array(FeedCdn),
})
export type DataFeed = z.infer<typeof DataFeed>

/** Two feeds that do not say the same of a CDN: points of availability, the second less the first. */
export const FeedDifference = z.object({
  cdnId: z.string(),
  between: z.tuple([FeedName, FeedName]),
  points: z.number(),
})
export type FeedDifference = z.infer<typeof FeedDifference>

/** Whether browsers are asked to report failed requests, and which CDNs of the domain do ask. */
export const ErrorReporting = z.object({
  on: z.boolean(),
  /** Browsers report over HTTPS only: the collector has an address of its own there. */
  secure: z.boolean(),
  cdns: z.array(z.object({ cdnId: z.string(), asks: z.boolean() })),
})
export type ErrorReporting = z.infer<typeof ErrorReporting>

export const DataFeeds = z.object({
  windowSeconds: z.int(),
  /** Countries, and regions and networks that were measured. */
  places: z.int(),
  /** Of those, how many nothing measured decides. */
  unmeasured: z.int(),
  feeds: z.array(DataFeed),
  errorReporting: ErrorReporting,
  differences: z.array(FeedDifference),
  /** Places that contradict everybody else, and so are heard for themselves only. */
  disagreements: z.array(Disagreement),
})
export type DataFeeds = z.infer<typeof DataFeeds>

export const FeedMoves = z.object({
  /** What was tried: a feed that is off is switched on. */
  wanted: z.enum(['on', 'off']),
  places: z.int(),
  moved: z.int(),
  /** Percentage of the DNS answers of a day that go to countries which would move; null without answers. */
  answersPercent: z.number().min(0).max(100).nullable(),
  /** Countries first; 500 at most. */
  moves: z.array(
    z.object({
      place: z.string(),
      before: z.array(Share),
      after: z.array(Share),
      strategyId: z.string().nullable(),
      strategy: z.string().nullable(),
    }),
  ),
})
export type FeedMoves = z.infer<typeof FeedMoves>

export const dataFeeds = feature('data-feeds', {
  list: get('/decisive/v2/sites/{site}/domains/{domain}/data-feeds/', {
    fromReplica: true,
    out: DataFeeds,
    permission: 'ViewPerformancePolicy',
    errors: [503],
    summary: 'What feeds the decisions of a domain: samples, age, agreement and weight of each source.',
  }),
  without: get('/decisive/v2/sites/{site}/domains/{domain}/data-feeds/moves/', {
    fromReplica: true,
    /** `outside`: one outside feed, when it is not all of them. */
    in: z.object({ feed: FeedName, outside: z.uuid().optional() }),
    out: FeedMoves,
    permission: 'ViewPerformancePolicy',
    errors: [503],
    summary: 'Who would be sent elsewhere if one feed were switched off now, or one that is off on again.',
  }),
})
