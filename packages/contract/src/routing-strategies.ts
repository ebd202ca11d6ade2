import { z } from 'zod'
import { Cidr, IpAddress } from './formats/cidr.ts'
import { ListQuery, changed, del, feature, get, page, post, put } from './route.ts'
import { StrategyRule, StrategyTarget, SteeringMethod, VisitorFilter } from './steering.ts'
import { WhyAnswer, WhyManyAnswer } from './nodes.ts'

export const RoutingStrategy = StrategyRule.extend({
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
})
export type StrategyInput = z.infer<typeof StrategyInput>

/**
 * The node that answers DNS is asked, so this is what a visitor would get; `by` says who was asked when none was
 * reachable.
 */
export const Explanation = WhyAnswer.extend({ by: z.enum(['dns-node', 'api']) })
export type Explanation = z.infer<typeof Explanation>

/** The same for many visitors at once, without the reasons. */
export const ManyExplained = WhyManyAnswer.extend({ by: Explanation.shape.by })
export type ManyExplained = z.infer<typeof ManyExplained>

/** One row of what the current measurements decide for a place. */
export const Warning = z.object({ strategyId: z.string(), kind: z.enum(['unreachable']), becauseOf: z.string() })

const errors = [810001, 810002, 810003, 810007, 810011, 810012] as const

export const routingStrategies = feature('routing-strategies', {
  list: get('/decisive/v2/sites/{site}/domains/{domain}/strategies/', {
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
