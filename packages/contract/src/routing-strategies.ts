import { z } from 'zod'
import { Cidr, IpAddress } from './formats/cidr.ts'
import { ListQuery, changed, del, feature, get, page, post, put } from './route.ts'
import {
  DataLevel,
  DecidingFeed,
  Otherwise,
  StrategyRule,
  StrategyTarget,
  SteeringMethod,
  VisitorFilter,
} from './steering.ts'
import { Counterfactual } from './counterfactuals.ts'
import { MovedVisitors } from './moved-visitors.ts'
import { EntityChange } from './versions.ts'
import { WhyAnswer, WhyManyAnswer } from './why.ts'

export const RoutingStrategy = StrategyRule.extend({
  visitorPercent: z.number().nullable().default(null),
  minimumMbps: z.number().nullable().default(null),
  preferThroughput: z.boolean().default(false),
  ttlSeconds: z.number().nullable().default(null),
  whenNoData: Otherwise.default('pass'),
  whenBelow: Otherwise.default('pass'),
  domainId: z.string(),
  createdAt: z.iso.datetime(),
  modifiedAt: z.iso.datetime(),
})
export type RoutingStrategy = z.infer<typeof RoutingStrategy>

export const StrategyInput = z.object({
  name: z.string().trim().min(1, 'validation.required').max(80),
  enabled: z.boolean().default(true),
  method: SteeringMethod,
  filter: VisitorFilter.default({ places: [], networks: [], cidrs: [] }),
  targets: z.array(StrategyTarget).min(1, 'validation.required').max(20),
  availabilityThreshold: z.number().min(0).max(100).nullable().default(90),
  omitRum: z.boolean().default(false),
  omitSum: z.boolean().default(false),
  requireAllData: z.boolean().default(false),
  /** For a share of its visitors only (a canary), in percent; null is for all. */
  visitorPercent: z.number().min(0.1).max(100).nullable().default(null),
  /** Mbit/s that a target must reach where throughput is measured. */
  minimumMbps: z.number().min(0.1).max(100_000).nullable().default(null),
  /** Of targets within the margin of the least latency, the one with the most throughput wins. */
  preferThroughput: z.boolean().default(false),
  /** Seconds that its answers may be kept; null is the domain's TTL. */
  ttlSeconds: z.int().min(30).max(86_400).nullable().default(null),
  whenNoData: Otherwise.default('pass'),
  whenBelow: Otherwise.default('pass'),
})
export type StrategyInput = z.infer<typeof StrategyInput>

/**
 * The node that answers DNS is asked, so this is what a visitor would get; `by` says who was asked when none was
 * reachable.
 */
export const Explanation = WhyAnswer.extend({
  by: z.enum(['dns-node', 'api']),
  /** Version of the site whose strategies decided; null for a draft. */
  version: z.int().nullable(),
  /** Threshold of each strategy that was read, in percent; null is unset. */
  thresholds: z.record(z.string(), z.number().nullable()),
  /** CDNs of the domain that probes see dead: since when, and which probes saw it with which error. */
  outages: z.array(z.object({ cdnId: z.string(), since: z.iso.datetime(), seen: z.string() })),
  /** What would have to be otherwise for another CDN to be chosen. */
  otherwise: z.array(Counterfactual),
})
export type Explanation = z.infer<typeof Explanation>

/** The same for many visitors at once, without the reasons. */
export const ManyExplained = WhyManyAnswer.extend({ by: Explanation.shape.by })
export type ManyExplained = z.infer<typeof ManyExplained>

/**
 * `unreachable`: never read, the other always decides first. `overlaps`: some of its visitors are the other's as well,
 * which is read first and decides whenever it can.
 */
export const Warning = z.object({
  strategyId: z.string(),
  kind: z.enum(['unreachable', 'overlaps']),
  becauseOf: z.string(),
})
export type Warning = z.infer<typeof Warning>

const errors = [810001, 810002, 810003, 810005, 810007, 810011, 810012] as const

/** How a domain's decisions read measurements and how long answers are kept. */
export const SteeringSetting = z.object({
  /** Of the domain's DNS record; null is the usual 30 s. */
  ttlSeconds: z.int().min(30).max(86_400).nullable(),
  /** For an answer that no strategy decided; null is the same. */
  fallbackTtlSeconds: z.int().min(30).max(86_400).nullable(),
  /** Null reads all levels. */
  levels: z.array(DataLevel).min(1).nullable(),
  /** Figures whose newest sample is older are left out; null is the installation's window. */
  maxAgeSeconds: z.int().min(30).max(3600).nullable(),
  minimumSamples: z.int().min(1).max(10_000),
  marginPercent: z.number().min(0).max(50),
  significance: z.boolean(),
  /** Data feeds that decisions leave out; without probes no hard failure is seen either. */
  feedsOff: z.array(DecidingFeed).max(DecidingFeed.options.length),
})
export type SteeringSetting = z.infer<typeof SteeringSetting>

const DomainIds = z.array(z.uuid()).min(1, 'validation.required').max(200)

/** What other domains are given of this one's steering. */
const CloneInput = z.object({
  domainIds: DomainIds,
  strategies: z.boolean().default(true),
  vsrRules: z.boolean().default(false),
  setting: z.boolean().default(false),
})

/** What the strategies, or the setting, of each chosen domain are to have; what is left out stays. */
const BulkInput = z.object({
  domainIds: DomainIds,
  strategy: z
    .object({
      enabled: z.boolean(),
      availabilityThreshold: z.number().min(0).max(100).nullable(),
      minimumMbps: z.number().min(0.1).max(100_000).nullable(),
      ttlSeconds: z.int().min(30).max(86_400).nullable(),
      omitRum: z.boolean(),
      omitSum: z.boolean(),
      whenNoData: Otherwise,
      whenBelow: Otherwise,
    })
    .partial()
    .optional(),
  setting: SteeringSetting.partial().optional(),
})

/** What one of many domains would become, tried by the rules that will judge it. */
export const SteeringEffect = z.object({
  domainId: z.string(),
  name: z.string(),
  /** Why it would be refused; null when it would not. */
  code: z.int().nullable(),
  fields: z.array(z.object({ path: z.string(), message: z.string() })),
  changes: z.array(EntityChange),
  /** Whom it would move; null where that cannot be told, for want of the event store or because it is refused. */
  visitors: MovedVisitors.nullable(),
})
export type SteeringEffect = z.infer<typeof SteeringEffect>

/** The domains of a change in the order given, and those of them that were not as wanted already. */
const ManyChanged = changed(z.object({ domainIds: z.array(z.string()), changedIds: z.array(z.string()) }))

/** A strategy in a list that replaces another list: one with the id of a strategy that is there changes it. */
export const ListedStrategy = StrategyInput.extend({ id: z.string().max(64).optional() })
export type ListedStrategy = z.infer<typeof ListedStrategy>

export const routingStrategies = feature('routing-strategies', {
  list: get('/decisive/v2/sites/{site}/domains/{domain}/strategies/', {
    fromReplica: true,
    in: ListQuery.extend({ ordering: z.string().max(64).default('priority') }),
    out: page(RoutingStrategy).extend({ warnings: z.array(Warning) }),
    permission: 'ViewPerformancePolicy',
    errors: [],
  }),
  get: get('/decisive/v2/sites/{site}/domains/{domain}/strategies/{id}/', {
    out: RoutingStrategy,
    permission: 'ViewPerformancePolicy',
    errors: [],
  }),
  create: post('/decisive/v2/sites/{site}/domains/{domain}/strategies/', {
    in: StrategyInput,
    out: changed(RoutingStrategy),
    permission: 'EditPerformancePolicy',
    errors,
    audit: 'strategy.create',
    changes: ['dns-zone'],
  }),
  update: put('/decisive/v2/sites/{site}/domains/{domain}/strategies/{id}/', {
    in: StrategyInput,
    out: changed(RoutingStrategy),
    permission: 'EditPerformancePolicy',
    errors,
    audit: 'strategy.update',
    changes: ['dns-zone'],
  }),
  enable: post('/decisive/v2/sites/{site}/domains/{domain}/strategies/{id}/enable/', {
    in: z.object({ enabled: z.boolean() }),
    out: changed(RoutingStrategy),
    permission: 'EditPerformancePolicy',
    errors,
    audit: 'strategy.enable',
    changes: ['dns-zone'],
  }),
  remove: del('/decisive/v2/sites/{site}/domains/{domain}/strategies/{id}/', {
    out: changed(z.object({ id: z.string() })),
    permission: 'EditPerformancePolicy',
    errors: [],
    audit: 'strategy.remove',
    changes: ['dns-zone'],
  }),
  reorder: put('/decisive/v2/sites/{site}/domains/{domain}/priority/', {
    in: z.object({ ids: z.array(z.string()).min(1) }),
    out: changed(z.object({ ids: z.array(z.string()) })),
    permission: 'EditPerformancePolicy',
    errors: [409, 810009],
    audit: 'strategy.reorder',
    changes: ['dns-zone'],
  }),
  /** The whole list at once, in its order: what is not in it goes. */
  replace: put('/decisive/v2/sites/{site}/domains/{domain}/strategies/', {
    in: z.object({ strategies: z.array(ListedStrategy).max(50) }),
    out: changed(z.object({ strategies: z.array(RoutingStrategy) })),
    permission: 'EditPerformancePolicy',
    apiTier: 3,
    errors,
    audit: 'strategy.replace',
    changes: ['dns-zone'],
  }),
  /** Gives other domains of the site what this one has; theirs goes. One version holds it all. */
  cloneAndReplace: post('/decisive/v2/sites/{site}/domains/{domain}/clone-and-replace/', {
    in: CloneInput,
    out: ManyChanged,
    permission: 'EditPerformancePolicy',
    apiTier: 3,
    errors: [...errors, 810004, 810008],
    audit: 'strategy.clone',
    changes: ['dns-zone'],
  }),
  /** What that would make of each domain, and whom it would move; nothing is kept. */
  cloneEffect: post('/decisive/v2/sites/{site}/domains/{domain}/clone-and-replace/effect/', {
    in: CloneInput,
    out: z.object({ data: z.array(SteeringEffect) }),
    permission: 'EditPerformancePolicy',
    errors: [810004],
    audit: null,
    changes: [],
  }),
  /** Changes all strategies, or the setting, of many domains of a site alike; what is left out stays. */
  bulkUpdate: post('/decisive/v2/sites/{site}/strategies/bulk-update/', {
    in: BulkInput,
    out: ManyChanged,
    permission: 'EditPerformancePolicy',
    errors,
    audit: 'strategy.bulk',
    changes: ['dns-zone'],
  }),
  /** What that would make of each domain, and whom it would move; nothing is kept. */
  bulkEffect: post('/decisive/v2/sites/{site}/strategies/bulk-update/effect/', {
    in: BulkInput,
    out: z.object({ data: z.array(SteeringEffect) }),
    permission: 'EditPerformancePolicy',
    errors: [],
    audit: null,
    changes: [],
  }),
  setting: get('/decisive/v2/sites/{site}/domains/{domain}/setting/', {
    out: SteeringSetting,
    permission: 'ViewPerformancePolicy',
    errors: [],
  }),
  putSetting: put('/decisive/v2/sites/{site}/domains/{domain}/setting/', {
    in: SteeringSetting.partial(),
    out: changed(SteeringSetting),
    permission: 'EditPerformancePolicy',
    errors: [810005],
    audit: 'strategy.setting',
    changes: ['dns-zone'],
  }),
  /** What a visitor at `client` would be answered now; with `draft`, if that list of strategies were live. */
  simulate: post('/decisive/v2/sites/{site}/domains/{domain}/simulate/', {
    in: z.object({
      client: IpAddress,
      prefixLength: z.int().min(0).max(128).optional(),
      draft: z
        .array(StrategyInput.extend({ id: z.string() }))
        .max(50)
        .optional(),
    }),
    out: Explanation,
    permission: 'ViewPerformancePolicy',
    errors: [503],
    audit: null,
    changes: [],
  }),
  /** What visitors at these addresses or networks would be answered now. */
  simulateMany: post('/decisive/v2/sites/{site}/domains/{domain}/simulate-many/', {
    in: z.object({ clients: z.array(Cidr).min(1).max(1000) }),
    out: ManyExplained,
    permission: 'ViewPerformancePolicy',
    errors: [503],
    audit: null,
    changes: [],
  }),
  /** By host name, for `fairway why`. */
  why: get('/decisive/v2/why/', {
    in: z.object({ name: z.string().max(253), client: IpAddress }),
    out: Explanation,
    permission: 'ViewPerformancePolicy',
    errors: [503],
  }),
})
