import { z } from 'zod'
import { Cidr } from './formats/cidr.ts'
import { Location, NetworkKey, PlaceKey } from './geography.ts'
import { NetworkWeight } from './snapshots/scores.ts'

/** The six methods of a routing strategy. */
export const SteeringMethod = z.enum([
  'always-use',
  'static-route',
  'best-latency',
  'best-availability',
  'weighted-distribution',
  'regional-latency',
])
export type SteeringMethod = z.infer<typeof SteeringMethod>

/** Whom a strategy or a VSR rule is for. Kinds are *and*, the values of one kind are *or*; empty matches everyone. */
export const VisitorFilter = z.object({
  places: z.array(PlaceKey).max(500).default([]),
  networks: z.array(NetworkKey).max(500).default([]),
  cidrs: z.array(Cidr).max(1000).default([]),
})
export type VisitorFilter = z.infer<typeof VisitorFilter>

export const StrategyTarget = z.object({
  /** A CDN of the domain, or `*` for every one that is not named beside it. */
  cdnId: z.string(),
  /** Share for *weighted distribution*; 0 is stand-by. Ignored by the other methods. */
  weight: z.int().min(0).max(100).default(1),
})

/**
 * What a strategy that matches answers when none of its targets qualifies: *pass* reads on; the others choose among the
 * serving targets that are not down.
 */
export const Otherwise = z.enum(['pass', 'first-target', 'most-available', 'even-split'])
export type Otherwise = z.infer<typeof Otherwise>

export const StrategyRule = z.object({
  id: z.string(),
  name: z.string(),
  /** Read smallest first. */
  priority: z.int(),
  enabled: z.boolean(),
  method: SteeringMethod,
  filter: VisitorFilter,
  /** Ordered: a tie goes to the first. */
  targets: z.array(StrategyTarget),
  /** Percent, inclusive, unrounded; null is unset. */
  availabilityThreshold: z.number().min(0).max(100).nullable(),
  omitRum: z.boolean(),
  omitSum: z.boolean(),
  /** Passes the strategy unless every target has latency data. */
  requireAllData: z.boolean(),
  /** For this percentage of its visitors, drawn by lot of /24 or /48; null or absent is all of them. */
  visitorPercent: z.number().gt(0).max(100).nullable().optional(),
  /** Mbit/s that a target must reach where throughput is measured; null is unset. */
  minimumMbps: z.number().positive().nullable().optional(),
  /** Of targets within the margin of the least latency, the one with the most throughput wins. */
  preferThroughput: z.boolean().optional(),
  /** Seconds that its answers may be kept; null is the domain's. */
  ttlSeconds: z.int().min(30).max(86400).nullable().optional(),
  /** When nothing is known of its targets that the method or a threshold asks for. */
  whenNoData: Otherwise.optional(),
  /** When those that are known are below the threshold or the minimum throughput. */
  whenBelow: Otherwise.optional(),
})
export type StrategyRule = z.infer<typeof StrategyRule>

/** Visitor synthetic region: visitors matching `filter` are treated as if they stood at the mimicked address. */
export const VsrRuleEntry = z.object({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  filter: VisitorFilter,
  /** Only for this CDN's data and filter; null is for all. */
  cdnId: z.string().nullable(),
  mimickedAddress: z.string(),
  mimickedLocation: Location,
})
export type VsrRuleEntry = z.infer<typeof VsrRuleEntry>

/**
 * Who measured: beacons of visitors, probes of our nodes, browsers that report failed requests (Network Error
 * Logging), connections that our edge has with visitors, and outside feeds that post what they measured.
 */
export const MeasureSource = z.enum(['rum', 'sum', 'nel', 'edge', 'feed'])
export type MeasureSource = z.infer<typeof MeasureSource>

/** A CDN as attached to a domain. */
export const PolicyCdn = z.object({
  cdnId: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  /** False while it is installing, deleting or failed: it cannot answer for the domain. */
  serving: z.boolean(),
  /** The name DNS answers with. */
  cname: z.string(),
  /** Ranking only: latency × factor + add. */
  latencyFactor: z.number().positive().default(1),
  latencyAddMs: z.number().default(0),
  /**
   * Sources that are switched off for the domain, as far as they speak of this CDN. Without `sum` nobody sees a hard
   * failure either.
   */
  ignores: z.array(MeasureSource).max(MeasureSource.options.length).optional(),
})
export type PolicyCdn = z.infer<typeof PolicyCdn>

/** Levels of data, finest first. */
export const DataLevel = z.enum([
  'city|network',
  'city',
  'region|network',
  'region',
  'country|network',
  'country',
  'continent',
  'world',
])
export type DataLevel = z.infer<typeof DataLevel>

export const SteeringSettings = z.object({
  minimumSamples: z.int().min(1).default(20),
  /** A latency winner replaces the previous choice only when better by this much. */
  marginPercent: z.number().min(0).max(100).default(5),
  ttlSeconds: z.int().min(30).max(86400).default(30),
  /** Seconds that an answer may be kept which no strategy decided; absent is `ttlSeconds`. */
  fallbackTtlSeconds: z.int().min(30).max(86400).nullable().optional(),
  /** Probes fetch our object from some of the domain's CDNs and a page from others: their latencies do not compare. */
  untimedProbes: z.literal(true).optional(),
  /** A latency winner replaces the previous choice only when the intervals of the two do not overlap. */
  significance: z.boolean().optional(),
  /** Levels of data that are read; absent or null is all of them. */
  levels: z.array(DataLevel).min(1).nullable().optional(),
  /** Measures whose newest sample is older are too old, where that is less than the window; null is the window. */
  maxAgeSeconds: z.int().min(30).max(3600).nullable().optional(),
})
export type SteeringSettings = z.infer<typeof SteeringSettings>

/**
 * Everything of one domain that a decision depends on, besides measurements and the visitor. `id` is a hash of the
 * rest, so equal policies are decided once.
 */
export const SteeringPolicy = z.object({
  id: z.string(),
  organizationId: z.string(),
  cdns: z.array(PolicyCdn),
  strategies: z.array(StrategyRule),
  vsrRules: z.array(VsrRuleEntry),
  settings: SteeringSettings,
})
export type SteeringPolicy = z.infer<typeof SteeringPolicy>

/** Why a strategy decided or did not; each has a text in the catalogs under `why.step.<name>`. */
export const StepReason = z.enum([
  'decided',
  'decided-without-data',
  'decided-though-below',
  'disabled',
  'filter-place',
  'filter-network',
  'filter-cidr',
  'outside-share',
  'no-targets',
  'no-serving-target',
  'all-hard-down',
  'below-threshold',
  'below-throughput',
  'no-latency-data',
  'incomplete-latency-data',
  'no-availability-data',
  'fallback-most-available',
  'fallback-even-split',
  'fallback-none-serving',
  'fallback-none-enabled',
  'not-reached',
])
export type StepReason = z.infer<typeof StepReason>

/**
 * Why a candidate won or lost; texts under `why.candidate.<name>`. `tie-by-order` won a tie by being named first,
 * `later-in-order` lost it;
 * `outside-filter`: a VSR rule puts the visitor, for this CDN alone, outside the strategy's filter; `not-compared`: the
 * strategy was passed because another lacks data.
 */
export const CandidateReason = z.enum([
  'chosen',
  'chosen-share',
  'chosen-standby',
  'kept-by-margin',
  'kept-by-significance',
  'kept-as-alike',
  'chosen-by-throughput',
  'tie-by-order',
  'not-installed',
  'disabled',
  'not-serving',
  'hard-down',
  'returning',
  'below-threshold',
  'below-throughput',
  'no-availability-data',
  'no-latency-data',
  'slower',
  'less-available',
  'less-throughput',
  'later-in-order',
  'standby',
  'within-margin',
  'overlapping',
  'alike',
  'not-target',
  'outside-filter',
  'not-compared',
])
export type CandidateReason = z.infer<typeof CandidateReason>

/** A level that was read and not used. Levels at which none of the domain's CDNs was measured are left out. */
export const SkippedLevel = z.object({
  level: z.string(),
  source: MeasureSource,
  reason: z.enum(['no-data', 'too-few', 'too-old', 'omitted', 'not-comparable']),
  samples: z.int(),
})
export type SkippedLevel = z.infer<typeof SkippedLevel>

/**
 * Where measurements come from: beacons that visitors send of our test object, the same of objects of the customer's
 * own, probes of our nodes, failed requests that browsers report, the round trips of the connections that our edge has
 * with visitors, and what outside feeds post.
 */
export const FeedName = z.enum([
  'pulse',
  'private-data',
  'probes',
  'network-errors',
  'edge-connections',
  'outside-feeds',
])
export type FeedName = z.infer<typeof FeedName>

/** Feeds that decisions read unless they are switched off: today all of them. */
export const DecidingFeed = FeedName.extract([
  'pulse',
  'private-data',
  'probes',
  'network-errors',
  'edge-connections',
  'outside-feeds',
])
export type DecidingFeed = z.infer<typeof DecidingFeed>

/** The figure a decision used for one candidate, where it comes from and how good it is. */
export const UsedMeasure = z.object({
  value: z.number(),
  source: MeasureSource,
  /** Score key the figure stands at, for example `country:JP` or `region:US-CA|AS7922`. */
  level: z.string(),
  samples: z.int(),
  ageMs: z.number(),
  /** Why finer levels were not used, finest first. */
  skipped: z.array(SkippedLevel),
  /** The short window decided: availability has fallen fast. */
  fellFast: z.literal(true).optional(),
  /** Samples before influence was bounded, when not all count. */
  heard: z.int().optional(),
  /** The networks that weigh most in it. */
  networks: z.array(NetworkWeight).optional(),
  /** What outside feeds have in it: as so many samples they moved it towards this value. */
  feed: z.object({ names: z.array(z.string()), level: z.string(), samples: z.number(), value: z.number() }).optional(),
})
export type UsedMeasure = z.infer<typeof UsedMeasure>

export const CandidateTrace = z.object({
  cdnId: z.string(),
  reason: CandidateReason,
  chosen: z.boolean(),
  percent: z.number(),
  availability: UsedMeasure.nullable(),
  latency: UsedMeasure.nullable(),
  /** Latency after the CDN's factor and increment; what was compared. */
  rankedLatencyMs: z.number().nullable(),
  hardDown: z.boolean(),
  vsrRuleId: z.string().nullable(),
  /** It comes back after a hard failure: this percentage of its visitors is let in, since (epoch ms). */
  returning: z.object({ percent: z.number(), since: z.number() }).optional(),
  /** Throughput that was compared, where it is measured and asked for; Mbit/s. */
  throughputMbps: z.number().optional(),
  /** Where that comes from: its own finest level with enough measurements of it. */
  throughputFrom: z.object({ source: MeasureSource, level: z.string(), samples: z.int() }).optional(),
  /** When measurements were read and no level gave a figure: why, finest first. */
  skipped: z.array(SkippedLevel).optional(),
})
export type CandidateTrace = z.infer<typeof CandidateTrace>

export const StrategyTrace = z.object({
  /** Null for the last resort when no strategy decides. */
  strategyId: z.string().nullable(),
  name: z.string(),
  method: SteeringMethod.nullable(),
  reason: StepReason,
  candidates: z.array(CandidateTrace),
  /** Candidates were compared by data of different levels. */
  mixedLevels: z.boolean(),
})
export type StrategyTrace = z.infer<typeof StrategyTrace>

export const DecisionTrace = z.object({
  policyId: z.string(),
  scoresSerial: z.int(),
  scoresStale: z.boolean(),
  /** The CDN that the like of this visitor got before, as far as the decision knew it. */
  previous: z.string().nullable().optional(),
  location: Location,
  steps: z.array(StrategyTrace),
})
export type DecisionTrace = z.infer<typeof DecisionTrace>

/** The part of its visitors that a CDN gets. */
export const Share = z.object({ cdnId: z.string(), percent: z.number() })
export type Share = z.infer<typeof Share>

/** What `decide()` answers. Shares sum to 100 exactly; empty only when no CDN of the domain is enabled. */
export const Decision = z.object({
  shares: z.array(Share),
  /** For ordered surfaces (HTTP, video), best first, failed CDNs left off. */
  ordered: z.array(z.string()),
  ttlSeconds: z.int(),
  strategyId: z.string().nullable(),
  /** What the answer depended on, for an honest client-subnet scope. */
  dependsOn: z.object({ location: z.boolean(), cidrPrefixLength: z.int().nullable() }),
  trace: DecisionTrace,
})
export type Decision = z.infer<typeof Decision>
