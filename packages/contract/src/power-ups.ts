import { z } from 'zod'
import { POWER_UP_STATUSES, REVIEW_STATES } from './lean.ts'
import { CDN_CATEGORIES, CdnCapabilities, CdnCategory, CdnDriverName } from './cdn-management.ts'
import { HostName } from './formats/fqdn.ts'
import { LocalText } from './money.ts'
import { Rate } from './plans.ts'
import { ListQuery, del, feature, get, page, post, put } from './route.ts'
import { Meter, MeterAmounts, UsageType } from './usage.ts'

/**
 * Shelves of the marketplace: the kinds of CDNs, then services. `other` holds add-ons of the operator that belong on
 * none.
 */
export const SERVICE_CATEGORIES = [
  'dns',
  'smart-load-balancing',
  'origin-shield',
  'support-package',
  'stream',
  'other',
] as const
export const PowerUpCategory = z.enum([...CDN_CATEGORIES, ...SERVICE_CATEGORIES])
export type PowerUpCategory = z.infer<typeof PowerUpCategory>

export const PowerUpStatus = z.enum(POWER_UP_STATUSES)
export type PowerUpStatus = z.infer<typeof PowerUpStatus>

/** Something that can be had beside the plan. */
export const PowerUp = z.object({
  id: z.string(),
  /**
   * `vendor`: a CDN at whose vendor nobody has an account here yet. `add-on`: bought by the month, for the whole
   * account.
   */
  kind: z.enum(['cdn', 'vendor', 'add-on']),
  /** How its CDN is called: managed by us, or a custom one, which the organisation brings with its own key too. */
  type: z.enum(['managed', 'custom', 'service']),
  category: PowerUpCategory,
  name: LocalText,
  /** Null: the console's words for its driver. */
  introduction: z.object({ en: z.string(), zhHant: z.string(), zhHans: z.string() }).nullable(),
  referenceUrl: z.string().nullable(),
  /** Picture as a data address. */
  logo: z.string().nullable(),
  driver: z.string().nullable(),
  cname: z.string().nullable(),
  series: z.int().nullable(),
  features: z.object({ websocket: z.boolean(), wildcard: z.boolean(), icpCheck: z.boolean() }).nullable(),
  /** People look at each domain first. */
  review: z.boolean(),
  /** What keeps it from being installed: an account at the vendor, or another plan. */
  needs: z.enum(['key', 'plan']).nullable(),
  /** The plan has what the add-on gives. */
  included: z.boolean(),
  monthlyMinor: z.int().nullable(),
  /** The state that asks most for attention; null when it is not installed. */
  status: PowerUpStatus.nullable(),
  /** Domains that have it. */
  installs: z.int(),
  since: z.iso.datetime().nullable(),
})
export type PowerUp = z.infer<typeof PowerUp>

/** One CDN on one domain, or one add-on. */
export const InstalledPowerUp = z.object({
  id: z.string(),
  powerUpId: z.string(),
  name: LocalText,
  category: PowerUpCategory,
  series: z.int().nullable(),
  status: PowerUpStatus,
  /** Why it is so, in words of whoever said it. */
  detail: z.string().nullable(),
  site: z.object({ id: z.string(), name: z.string() }).nullable(),
  domain: z.object({ id: z.string(), name: z.string() }).nullable(),
  enabled: z.boolean(),
  monthlyMinor: z.int().nullable(),
  statusSince: z.iso.datetime(),
  createdAt: z.iso.datetime(),
})
export type InstalledPowerUp = z.infer<typeof InstalledPowerUp>

const RateLine = z.object({
  meter: Meter,
  /** Within the plan each month; null has no bound. */ included: z.number().nullable(),
  rate: Rate.nullable(),
})
export const PowerUpDetail = PowerUp.extend({
  installed: z.array(InstalledPowerUp),
  capabilities: CdnCapabilities.nullable(),
  allowances: MeterAmounts.nullable(),
  currency: z.string(),
  /** What its use costs with the organisation's plan; null where prices are not shown. */
  rates: z.array(RateLine).nullable(),
})
export type PowerUpDetail = z.infer<typeof PowerUpDetail>

/** What the organisation may use of one thing, and where it comes from. */
export const Package = z.object({
  type: UsageType,
  plan: z.object({ id: z.string(), name: z.string() }),
  /** Null has no bound. */ included: z.number().nullable(),
  addOns: z.array(z.object({ id: z.string(), name: LocalText, amount: z.number() })),
  total: z.number().nullable(),
  rate: Rate.nullable(),
  currency: z.string(),
})

const Introduction = z.string().trim().min(1).max(1000)
/** A CDN that the operator offers to organisations beside those that all have. */
export const CdnOfferInput = z.object({
  name: z.string().trim().min(1).max(60),
  driver: z.enum(['fairway-edge', 'simulated', 'custom']),
  /** Which of the simulated CDNs. */ slug: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'validation.regex')
    .nullable()
    .default(null),
  /** The name that a custom one is reached by. */
  cname: HostName.nullable().default(null),
  category: CdnCategory,
  introduction: z.object({ en: Introduction, zhHant: Introduction, zhHans: Introduction }).nullable().default(null),
  referenceUrl: z
    .url({ protocol: /^https?$/, error: 'validation.url' })
    .max(500)
    .nullable()
    .default(null),
  /** People look at each domain first; always so in `REVIEWED_CATEGORIES`. */
  review: z.boolean().default(false),
  planIds: z.array(z.string().max(60)).max(50).default([]),
  offered: z.boolean().default(true),
})
export type CdnOfferInput = z.infer<typeof CdnOfferInput>
export const CdnOffer = CdnOfferInput.extend({
  id: z.string(),
  slug: z.string(),
  installs: z.int(),
  createdAt: z.iso.datetime(),
})
export type CdnOffer = z.infer<typeof CdnOffer>

export const CdnReview = z.object({
  /** Of the CDN on the domain. */
  id: z.string(),
  state: z.enum(REVIEW_STATES),
  cdn: z.string(),
  driver: CdnDriverName,
  category: CdnCategory,
  domain: z.string(),
  origin: z.string(),
  organizationId: z.string(),
  organizationName: z.string(),
  icpNumber: z.string().nullable(),
  requestedBy: z.string(),
  requestedAt: z.iso.datetime(),
  decidedBy: z.string().nullable(),
  decidedAt: z.iso.datetime().nullable(),
  reason: z.string().nullable(),
})
export type CdnReview = z.infer<typeof CdnReview>

const reads = { permission: 'ViewSite', partnerFeature: 'powerUps', errors: [] } as const
const operator = { permission: 'operator', scope: 'installation' } as const

export const powerUps = feature('power-ups', {
  catalogue: get('/billing/v2/power-ups/', {
    fromReplica: true,
    ...reads,
    in: z.object({ category: PowerUpCategory.optional(), search: z.string().max(200).optional() }),
    out: z.object({
      currency: z.string(),
      categories: z.array(z.object({ category: PowerUpCategory, count: z.int() })),
      data: z.array(PowerUp),
    }),
    summary: 'Everything that can be had beside the plan, with what keeps it from being installed.',
  }),
  get: get('/billing/v2/power-ups/{powerUp}/', { ...reads, out: PowerUpDetail }),
  installed: get('/billing/v2/installed/', {
    ...reads,
    in: ListQuery.extend({ kind: z.enum(['cdn', 'add-on']).default('cdn'), status: PowerUpStatus.optional() }),
    out: page(InstalledPowerUp),
  }),
  packageOf: get('/billing/v2/package/{type}/', {
    permission: 'ViewSubscription',
    partnerFeature: 'billing',
    errors: [7499],
    out: Package,
    summary: 'What plan and add-ons include of one thing, such as `cdnTraffic`.',
  }),

  offers: get('/operator/v2/cdn-offers/', { ...operator, errors: [], out: z.object({ data: z.array(CdnOffer) }) }),
  setOffer: put('/operator/v2/cdn-offers/{offer}/', {
    ...operator,
    errors: [7409, 7491],
    in: CdnOfferInput,
    out: CdnOffer,
    audit: 'cdnOffer.update',
    changes: [],
    summary: 'Makes an offer or changes it; how it is reached stays while organisations have it.',
  }),
  removeOffer: del('/operator/v2/cdn-offers/{offer}/', {
    ...operator,
    errors: [7409],
    out: z.object({}),
    audit: 'cdnOffer.remove',
    changes: [],
  }),
  reviews: get('/operator/v2/cdn-reviews/', {
    ...operator,
    errors: [],
    in: ListQuery.extend({
      ordering: ListQuery.shape.ordering.default('-requested_at'),
      state: CdnReview.shape.state.optional(),
    }),
    out: page(CdnReview),
  }),
  decide: post('/operator/v2/cdn-reviews/{review}/', {
    ...operator,
    errors: [7409],
    in: z.object({ decision: z.enum(['approve', 'refuse']), reason: z.string().trim().max(500).default('') }),
    out: CdnReview,
    audit: 'cdnReview.decide',
    changes: [],
    summary: 'Lets a domain be served by a CDN that people review, or says why not.',
  }),
})
