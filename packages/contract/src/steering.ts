import { z } from 'zod'
import { Cidr } from './formats/cidr.ts'
import { Location, NetworkKey, PlaceKey } from './geography.ts'

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
  cdnId: z.string(),
  /** Share for *weighted distribution*; 0 is stand-by. Ignored by the other methods. */
  weight: z.int().min(0).max(100).default(1),
})

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
})
export type PolicyCdn = z.infer<typeof PolicyCdn>

export const SteeringSettings = z.object({
  minimumSamples: z.int().min(1).default(20),
  /** A latency winner replaces the previous choice only when better by this much. */
  marginPercent: z.number().min(0).max(100).default(5),
  ttlSeconds: z.int().min(30).max(86400).default(30),
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
  'disabled',
  'filter-place',
  'filter-network',
  'filter-cidr',
  'no-targets',
  'no-serving-target',
  'all-hard-down',
  'below-threshold',
  'no-latency-data',
  'incomplete-latency-data',
  'no-availability-data',
  'zero-weights',
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
  'tie-by-order',
  'not-installed',
  'disabled',
  'not-serving',
  'hard-down',
  'below-threshold',
  'no-availability-data',
  'no-latency-data',
  'slower',
  'less-available',
  'later-in-order',
  'standby',
  'within-margin',
  'not-target',
  'outside-filter',
  'not-compared',
])
export type CandidateReason = z.infer<typeof CandidateReason>

/** A level that was read and not used. Levels at which none of the domain's CDNs was measured are left out. */
export const SkippedLevel = z.object({
  level: z.string(),
  source: z.enum(['rum', 'sum']),
  reason: z.enum(['no-data', 'too-few', 'too-old', 'omitted']),
  samples: z.int(),
})
export type SkippedLevel = z.infer<typeof SkippedLevel>

/** The figure a decision used for one candidate, where it comes from and how good it is. */
export const UsedMeasure = z.object({
  value: z.number(),
  source: z.enum(['rum', 'sum']),
  /** Score key the figure stands at, for example `country:JP` or `region:US-CA|AS7922`. */
  level: z.string(),
  samples: z.int(),
  ageMs: z.number(),
  /** Why finer levels were not used, finest first. */
  skipped: z.array(SkippedLevel),
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
  location: Location,
  steps: z.array(StrategyTrace),
})
export type DecisionTrace = z.infer<typeof DecisionTrace>

/** What `decide()` answers. Shares sum to 100 exactly; empty only when no CDN of the domain is enabled. */
export const Decision = z.object({
  shares: z.array(z.object({ cdnId: z.string(), percent: z.number() })),
  /** For ordered surfaces (HTTP, video), best first, failed CDNs left off. */
  ordered: z.array(z.string()),
  ttlSeconds: z.int(),
  strategyId: z.string().nullable(),
  /** What the answer depended on, for an honest client-subnet scope. */
  dependsOn: z.object({ location: z.boolean(), cidrPrefixLength: z.int().nullable() }),
  trace: DecisionTrace,
})
export type Decision = z.infer<typeof Decision>
