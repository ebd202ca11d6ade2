import { z } from 'zod'
import { LIMITS } from '../limits.ts'

/** How much a network (`AS7922`, or a network of mainland China) weighs in a figure. */
export const NetworkWeight = z.object({ network: z.string(), samples: z.int().min(0), heard: z.int().min(0) })
export type NetworkWeight = z.infer<typeof NetworkWeight>

/** `subnets`: the /24s or /48s that it was heard from. */
export const ShortMeasure = z.object({
  samples: z.int().min(0),
  subnets: z.int().min(0),
  availability: z.number().min(0).max(100),
})
export type ShortMeasure = z.infer<typeof ShortMeasure>

/** One source's figures for one CDN at one place, over the window. */
export const Measure = z.object({
  samples: z.int().min(0),
  /** Percent 0–100, unrounded. */
  availability: z.number().min(0).max(100),
  /** Smoothed median round-trip time in ms; null when no sample succeeded. */
  latencyMs: z.number().positive().nullable(),
  /** Newest sample, epoch ms. */
  newestAt: z.number(),
  /** Samples before influence was bounded; `samples` is what counts. Absent when all do. */
  heard: z.int().min(0).optional(),
  /** The networks that weigh most: samples that count and samples that were heard. */
  networks: z.array(NetworkWeight).max(3).optional(),
  /** The same over the last seconds only, where the short window holds anything; decides when it falls fast. */
  short: ShortMeasure.optional(),
  /** 95 % interval of the median round trip, smoothed as it is; absent without latency. */
  latencyInterval: z.tuple([z.number().positive(), z.number().positive()]).optional(),
  /** Median of what came a second, Mbit/s; absent where it is not measured. */
  throughputMbps: z.number().positive().optional(),
  /** Measurements that it is the median of, for it is measured more rarely; absent: all samples. */
  throughputSamples: z.int().min(0).optional(),
})
export type Measure = z.infer<typeof Measure>

/** What one outside feed says of a CDN at a place. */
export const FeedSaid = z.object({
  feed: z.string().max(64),
  name: z.string().max(60),
  /** As many as count, after the feed's weight. */
  samples: z.number().min(0),
  /** Of a figure that visitors measured, the share that it may have. */
  share: z.number().min(0).max(1),
  availability: z.number().min(0).max(100).nullable(),
  latencyMs: z.number().positive().nullable(),
  newestAt: z.number(),
  /** Switched off: decisions leave it out, and it can be tried what they would be with it. */
  off: z.literal(true).optional(),
})
export type FeedSaid = z.infer<typeof FeedSaid>

/** How a CDN comes back after a hard failure: this percentage of its visitors is let in. Times are epoch ms. */
export const Returning = z.object({ since: z.number(), percent: z.number().min(0).max(100), stepAt: z.number() })
export type Returning = z.infer<typeof Returning>

export const CdnScores = z.object({
  /** Probes see it dead (2 of 3 nodes or checks); stays until they see it alive again. */
  hardDown: z.boolean(),
  hardDownSince: z.number().nullable(),
  /** Set from the end of a hard failure until all visitors are let in again. */
  returning: Returning.optional(),
  /**
   * Keyed by score key: a place key, or `<place key>|<network>`. `nel` and `edge` stand at keys with a network
   * only: `nel` has no latency, and of `edge` it is the round trip and nothing else that counts.
   */
  places: z.record(
    z.string(),
    z.object({
      rum: Measure.optional(),
      sum: Measure.optional(),
      nel: Measure.optional(),
      edge: Measure.optional(),
      feed: z.array(FeedSaid).max(LIMITS.outsideFeeds.perOrganization).optional(),
    }),
  ),
})
export type CdnScores = z.infer<typeof CdnScores>

/**
 * Beacons of a place say that a CDN is dead while the probes and all other visitors see it alive: they count for that
 * place only. `place` is a score key (`country:GB|AS2856`).
 */
export const Disagreement = z.object({
  cdnId: z.string(),
  place: z.string(),
  /** Samples heard from there, of so many /24s or /48s, and what they say; percent. */
  heard: z.int().min(0),
  subnets: z.int().min(0),
  availability: z.number().min(0).max(100),
  /** What the others say, percent. */
  others: z.number().min(0).max(100),
  /** Epoch ms. */
  since: z.number(),
  seenAt: z.number(),
})
export type Disagreement = z.infer<typeof Disagreement>

/**
 * `jumped`: most of it has changed at once and was not said again yet. `contradicts`: it says other than visitors, or
 * probes, do. These and `stopped` leave it out.
 */
export const OutsideState = z.enum(['off', 'silent', 'stopped', 'contradicts', 'jumped', 'feeding'])
export type OutsideState = z.infer<typeof OutsideState>

/** An outside feed that is left out, and by what. */
export const LeftOutFeed = z.object({
  feed: z.string().max(64),
  name: z.string().max(60),
  state: OutsideState.extract(['stopped', 'contradicts', 'jumped']),
  /** Epoch ms. */
  since: z.number(),
  /** Of what contradicts, or jumped, the clearest. */
  cdnId: z.string().nullable(),
  place: z.string().nullable(),
})
export type LeftOutFeed = z.infer<typeof LeftOutFeed>

/** Measurements of one organisation's CDNs; the only measured input of a decision. */
export const ScoresSnapshot = z.object({
  organizationId: z.string(),
  serial: z.int(),
  builtAt: z.number(),
  /** Measures whose newest sample is older than this are too old. */
  lifetimeSeconds: z.number().positive(),
  cdns: z.record(z.string(), CdnScores),
  disagreements: z.array(Disagreement).max(100).optional(),
  leftOut: z.array(LeftOutFeed).max(LIMITS.outsideFeeds.perOrganization).optional(),
})
export type ScoresSnapshot = z.infer<typeof ScoresSnapshot>
