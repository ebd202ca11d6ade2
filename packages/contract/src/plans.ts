import { z } from 'zod'
import { Maxima } from './maxima.ts'
import { Currency, LocalText } from './money.ts'
import { PLAN_FEATURES } from './plan-features.ts'
import { feature, get, post, put } from './route.ts'
import { Meter, MeterAmounts } from './usage.ts'

const Minor = z.int().min(0).max(100_000_000_00)

/** The price of so many units above the allowance. */
export const Rate = z.object({ units: z.int().min(1).max(1e15), minor: Minor })
export type Rate = z.infer<typeof Rate>

export const PlanPrice = z.object({ monthlyMinor: Minor, rates: z.partialRecord(Meter, Rate) })
export type PlanPrice = z.infer<typeof PlanPrice>

export const PlanCategory = z.enum(['trial', 'standard', 'contract'])
export type PlanCategory = z.infer<typeof PlanCategory>

/** A plan as a customer sees it, in the customer's currency. */
export const Plan = z.object({
  id: z.string(),
  name: z.string(),
  /** `trial`: free, paid from its credit. `standard`: by card. `contract`: from credit that sales grants. */
  category: PlanCategory,
  /** Upgrades go to a higher rank. */
  rank: z.int(),
  ability: z.array(z.enum(PLAN_FEATURES)),
  price: PlanPrice,
  allowances: MeterAmounts,
  /** `stop`: above an allowance nothing new is accepted until the month ends. */
  overUsage: z.enum(['bill', 'stop']),
  siteLimit: z.int(),
  recordLimit: z.int(),
  cdnLimit: z.int(),
  minimumTtlSeconds: z.int(),
  maxima: Maxima,
  trialDays: z.int(),
  trialCreditMinor: z.int(),
  current: z.boolean(),
  /** May be chosen by an upgrade from the present plan. */
  upgrade: z.boolean(),
})
export type Plan = z.infer<typeof Plan>

export const AddOn = z.object({
  id: z.string(),
  category: z.string(),
  name: LocalText,
  description: LocalText,
  ability: z.array(z.string()),
  allowances: MeterAmounts,
  monthlyMinor: z.int(),
  /** Goes with the present plan. */
  compatible: z.boolean(),
  /** The present plan has all of it by itself. */
  included: z.boolean(),
  /** On since; null when it is not. */
  since: z.iso.datetime().nullable(),
})
export type AddOn = z.infer<typeof AddOn>

/** The billing side of a plan; its name, abilities and limits are the operator area's. */
export const PlanPricing = z.object({
  category: PlanCategory,
  rank: z.int().min(0).max(100),
  offered: z.boolean(),
  trialDays: z.int().min(0).max(365),
  trialCredit: z.record(Currency, Minor),
  overUsage: z.enum(['bill', 'stop']),
  allowances: MeterAmounts,
  prices: z.record(Currency, PlanPrice),
})
export type PlanPricing = z.infer<typeof PlanPricing>
const PricedPlan = PlanPricing.extend({ id: z.string(), name: z.string() })

export const AddOnData = z.object({
  category: z
    .string()
    .regex(/^[^A-Z]*$/, { error: 'validation.onlyLowercase', abort: true })
    .regex(/^[a-z][a-z-]{0,30}$/, 'validation.regex'),
  name: LocalText,
  description: LocalText,
  ability: z.array(z.enum(PLAN_FEATURES)),
  allowances: MeterAmounts,
  /** Plans that it goes with; empty is all. */
  planIds: z.array(z.string().max(60)).max(50),
  offered: z.boolean(),
  prices: z.record(Currency, z.object({ monthlyMinor: Minor })),
})
export type AddOnData = z.infer<typeof AddOnData>
const StoredAddOn = AddOnData.extend({ id: z.string() })

const CouponFields = {
  code: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z0-9-]{3,32}$/, 'validation.regex'),
  appliesTo: z.enum(['all', 'fees']).default('all'),
  /** For how many months from its redemption; null is for good. */
  months: z.int().min(1).max(120).nullable().default(null),
  mostRedemptions: z.int().min(1).nullable().default(null),
  expiresAt: z.iso.datetime().nullable().default(null),
}
const Amount = { amountMinor: Minor.min(1), currency: Currency }
/** `credit` is granted once, `amount` comes off every invoice, `percent` off what it applies to. */
export const CouponInput = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('percent'), percent: z.int().min(1).max(100), ...CouponFields }),
  z.object({ kind: z.literal('amount'), ...Amount, ...CouponFields }),
  z.object({ kind: z.literal('credit'), ...Amount, ...CouponFields }),
])
export const Coupon = z.object({
  code: z.string(),
  kind: z.enum(['percent', 'amount', 'credit']),
  percent: z.int().nullable(),
  amountMinor: z.int().nullable(),
  currency: z.string().nullable(),
  appliesTo: z.enum(['all', 'fees']),
  months: z.int().nullable(),
  mostRedemptions: z.int().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  active: z.boolean(),
  redemptions: z.int(),
})

export const TaxRate = z.object({
  country: z.string().regex(/^[A-Z]{2}$/, 'validation.regex'),
  name: z.string().trim().min(1).max(40),
  /** Millionths: 5 % is 50000. */ ratePpm: z.int().min(0).max(1_000_000),
})

const operator = { permission: 'operator', scope: 'installation' } as const

export const plans = feature('plans', {
  list: get('/billing/v2/plans/', {
    out: z.object({ currency: z.string(), data: z.array(Plan) }),
    permission: 'signed-in',
    partnerFeature: 'price',
    errors: [],
  }),
  offers: get('/billing/v2/plans/offers/', {
    out: z.object({ currency: z.string(), data: z.array(Plan) }),
    permission: 'public',
    errors: [],
    summary: 'Plans and prices for anybody; not there under a partner that hides prices.',
  }),
  addOns: get('/billing/v2/addons/', {
    in: z.object({ category: z.string().max(40).optional() }),
    out: z.object({ currency: z.string(), categories: z.array(z.string()), data: z.array(AddOn) }),
    permission: 'signed-in',
    partnerFeature: 'powerUps',
    errors: [],
  }),

  pricing: get('/operator/v2/pricing/', { ...operator, errors: [], out: z.object({ data: z.array(PricedPlan) }) }),
  setPricing: put('/operator/v2/pricing/{plan}/', {
    ...operator,
    errors: [7499],
    in: PlanPricing,
    out: PricedPlan,
    audit: 'plan.pricing',
    changes: [],
  }),
  storedAddOns: get('/operator/v2/addons/', { ...operator, errors: [], out: z.object({ data: z.array(StoredAddOn) }) }),
  setAddOn: put('/operator/v2/addons/{addon}/', {
    ...operator,
    errors: [],
    in: AddOnData,
    out: StoredAddOn,
    audit: 'addon.update',
    changes: [],
    summary: 'Makes an add-on or changes it; invoices that are posted keep what they say.',
  }),
  coupons: get('/operator/v2/coupons/', { ...operator, errors: [], out: z.object({ data: z.array(Coupon) }) }),
  createCoupon: post('/operator/v2/coupons/', {
    ...operator,
    errors: [7491],
    in: CouponInput,
    out: Coupon,
    audit: 'coupon.create',
    changes: [],
  }),
  endCoupon: post('/operator/v2/coupons/{code}/end/', {
    ...operator,
    errors: [7499],
    out: Coupon,
    audit: 'coupon.end',
    changes: [],
  }),
  taxRates: get('/operator/v2/tax-rates/', { ...operator, errors: [], out: z.object({ data: z.array(TaxRate) }) }),
  setTaxRates: put('/operator/v2/tax-rates/', {
    ...operator,
    errors: [],
    in: z.object({ data: z.array(TaxRate).max(300) }),
    out: z.object({ data: z.array(TaxRate) }),
    audit: 'tax.update',
    changes: [],
  }),
  grantCredit: post('/operator/v2/organizations/{organization}/credit/', {
    ...operator,
    errors: [7499],
    in: z.object({
      amountMinor: Minor.min(1),
      note: z.string().trim().max(200).default(''),
      expiresAt: z.iso.datetime().nullable().default(null),
    }),
    out: z.object({ balanceMinor: z.int(), currency: z.string() }),
    audit: 'credit.grant',
    changes: [],
  }),
})
