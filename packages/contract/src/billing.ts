import { z } from 'zod'
import { Locale } from './auth.ts'
import { LocalText } from './money.ts'
import { ListQuery, feature, get, page, post, put, del } from './route.ts'
import { Meter, UsageReport } from './usage.ts'

const name = z.string().trim().min(1).max(80)
const line = z.string().trim().max(120)
export const BillingAddress = z.object({
  firstName: name,
  lastName: name,
  company: line.default(''),
  billingCountry: z.string().regex(/^[A-Z]{2}$/, 'validation.country'),
  billingState: line.default(''),
  billingCity: line.min(1),
  billingZip: z.string().trim().max(20).default(''),
  billingAddr1: line.min(1),
  billingAddr2: line.default(''),
  taxId: z.string().trim().max(40).default(''),
})
export type BillingAddress = z.infer<typeof BillingAddress>

/** What people recognise a card by; all that is known of it. */
export const Card = z.object({
  brand: z.string(),
  /** Grouped in fours: `•••• •••• •••• 4242`. */ maskedNumber: z.string(),
  expiryMonth: z.int(),
  expiryYear: z.int(),
  expired: z.boolean(),
})
export type Card = z.infer<typeof Card>

export const BillingCustomer = z.object({
  card: Card.nullable(),
  address: BillingAddress.nullable(),
  currency: z.object({ code: z.string() }),
  customer: z.object({ fully_activated: z.boolean() }),
  plan_id: z.string(),
  status: z.enum(['active', 'payment_failed', 'locked']),
  /** Which provider holds the card. */
  gateway: z.enum(['sandbox', 'stripe']),
})
export type BillingCustomer = z.infer<typeof BillingCustomer>

/** How the provider's own element is opened: card data goes there and nowhere else. */
export const CardSetup = z.discriminatedUnion('gateway', [
  z.object({ gateway: z.literal('sandbox'), intentId: z.string(), elementUrl: z.string() }),
  z.object({
    gateway: z.literal('stripe'),
    intentId: z.string(),
    clientSecret: z.string(),
    publishableKey: z.string(),
  }),
])
export type CardSetup = z.infer<typeof CardSetup>

export const InvoiceStatus = z.enum(['posted', 'unpaid', 'paid'])
export const InvoiceRow = z.object({
  id: z.string(),
  number: z.string(),
  kind: z.enum(['month', 'change']),
  status: InvoiceStatus,
  date: z.iso.datetime(),
  dueAt: z.iso.datetime(),
  currency: z.string(),
  periodFrom: z.iso.datetime(),
  periodUntil: z.iso.datetime(),
  /** With tax, before credit. */ amountMinor: z.int(),
  creditMinor: z.int(),
  dueMinor: z.int(),
  paidAt: z.iso.datetime().nullable(),
  nextAttemptAt: z.iso.datetime().nullable(),
  declineCode: z.string().nullable(),
})
export type InvoiceRow = z.infer<typeof InvoiceRow>

export const InvoiceLine = z.object({
  number: z.int(),
  kind: z.enum(['plan', 'addon', 'unused', 'usage']),
  itemId: z.string(),
  name: LocalText,
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  used: z.number().nullable(),
  included: z.number().nullable(),
  rate: z.object({ units: z.number(), minor: z.int() }).nullable(),
  monthlyMinor: z.int().nullable(),
  amountMinor: z.int(),
  discountMinor: z.int(),
})
export type InvoiceLine = z.infer<typeof InvoiceLine>

export const Invoice = InvoiceRow.extend({
  seller: z.object({ companyName: z.string(), contactEmail: z.string().nullable(), brandColor: z.string() }),
  buyer: z.object({ organizationName: z.string(), address: BillingAddress.nullable() }),
  lines: z.array(InvoiceLine),
  subtotalMinor: z.int(),
  discountMinor: z.int(),
  taxName: z.string().nullable(),
  taxRatePpm: z.int(),
  taxMinor: z.int(),
  totalMinor: z.int(),
})
export type Invoice = z.infer<typeof Invoice>

/** The usage behind a line, and the line worked out again from it. */
export const LineUsage = z.object({
  line: InvoiceLine,
  meter: Meter,
  currency: z.string(),
  rows: z.array(
    z.object({ day: z.iso.date(), site: z.string(), domain: z.string(), cdn: z.string(), used: z.number() }),
  ),
  total: z.number(),
  recomputedMinor: z.int(),
  /** What the nodes' logs say of the same days now; null when they cannot be asked. */
  loggedNow: z.number().nullable(),
})
export type LineUsage = z.infer<typeof LineUsage>

export const Trial = z.object({
  active: z.boolean(),
  /** Over, and why. */ over: z.enum(['days', 'credit']).nullable(),
  endsAt: z.iso.datetime().nullable(),
  daysLeft: z.int(),
  days: z.int(),
  creditMinor: z.int(),
  creditLeftMinor: z.int(),
  currency: z.string(),
})
export type Trial = z.infer<typeof Trial>

export const Credit = z.object({
  currency: z.string(),
  balanceMinor: z.int(),
  grants: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['trial', 'coupon', 'grant', 'unused']),
      amountMinor: z.int(),
      leftMinor: z.int(),
      note: z.string(),
      grantedAt: z.iso.datetime(),
      expiresAt: z.iso.datetime().nullable(),
    }),
  ),
})
export type Credit = z.infer<typeof Credit>

export const CapAction = z.enum(['continue', 'stop'])
export const SpendingCap = z.object({
  /** Of a month, without tax; null is none. */
  capMinor: z.int().min(0).max(100_000_000_00).nullable(),
  /** What becomes of existing traffic at the edge when it is reached. DNS is always answered. */
  action: CapAction,
})
export type SpendingCap = z.infer<typeof SpendingCap>

const EstimateLine = z.object({
  kind: InvoiceLine.shape.kind,
  itemId: z.string(),
  name: LocalText,
  amountMinor: z.int(),
  forecastMinor: z.int(),
})
/** This month as it stands, and as it will end when it goes on like the last days. Without tax. */
export const Estimate = z.object({
  currency: z.string(),
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  lines: z.array(EstimateLine),
  spentMinor: z.int(),
  forecastMinor: z.int(),
  creditMinor: z.int(),
  cap: SpendingCap.extend({
    reachedAt: z.iso.datetime().nullable(),
    /** When the forecast meets the limit; null when not within the month. */ expectedAt: z.iso.datetime().nullable(),
    servingStopped: z.boolean(),
  }),
})
export type Estimate = z.infer<typeof Estimate>

/** What a change of plan, or an add-on, costs now and each month. */
export const ChangeQuote = z.object({
  currency: z.string(),
  lines: z.array(z.object({ kind: InvoiceLine.shape.kind, name: LocalText, amountMinor: z.int() })),
  discountMinor: z.int(),
  taxName: z.string().nullable(),
  taxMinor: z.int(),
  totalMinor: z.int(),
  creditMinor: z.int(),
  dueMinor: z.int(),
  /** Left of the old plan's fee beyond what this costs; becomes credit. */ toCreditMinor: z.int(),
  monthlyMinor: z.int(),
  needsCard: z.boolean(),
})
export type ChangeQuote = z.infer<typeof ChangeQuote>

export const OrganizationQuota = z.object({
  org_locked: z.boolean(),
  credit_card: z.boolean(),
  zone_total: z.int(),
  zone_used: z.int(),
  record_total: z.int(),
  record_used: z.int(),
  cdn_total: z.int(),
  cdn_used: z.int(),
})
export type OrganizationQuota = z.infer<typeof OrganizationQuota>

export const CustomerFeature = z.object({
  customerId: z.string(),
  status: z.enum(['active', 'payment_failed', 'locked']),
  enableChinaDns: z.boolean(),
  enableDynamicRouting: z.boolean(),
  freeGlobalDnsQueries: z.int().nullable(),
  freeChinaDnsQueries: z.int().nullable(),
  freeTraffic: z.int().nullable(),
  freeRequests: z.int().nullable(),
  freeDnsRecord: z.int(),
  freeMcdnIntegration: z.int(),
  maxDnsSite: z.int(),
  maxDnsRecordPerSite: z.int(),
  /** Included without more; nothing where the plan lacks the ability. */
  freeCacheRule: z.int(),
  freeStaticRouting: z.int(),
  freeDynamicRouting: z.int(),
  /** Strategies that follow measurements, and targets that are weighted by them. */
  freeSmartLoadbalancing: z.int(),
  maxCachePerDomain: z.int(),
  maxStaticRoutingPerDomain: z.int(),
  maxDynamicRoutingPerDomain: z.int(),
  maxCustomPage: z.int(),
  /** Nothing where the plan lacks web security. */
  maxFireWallPerDomain: z.int(),
  maxAclPerDomain: z.int(),
  maxAPIProtectionPerDomain: z.int(),
})

export const PaymentFailed = z.object({
  failed: z.boolean(),
  invoice: InvoiceRow.nullable(),
  declineCode: z.string().nullable(),
  nextAttemptAt: z.iso.datetime().nullable(),
  /** Charges fail for good after this one. */ attemptsLeft: z.int(),
  /** Of a locked account: when the edge serves nothing of it any more, until it is paid. */
  servingStopsAt: z.iso.datetime().nullable(),
})
export type PaymentFailed = z.infer<typeof PaymentFailed>

const reads = { permission: 'ViewSubscription', partnerFeature: 'billing', errors: [] } as const
const edits = { permission: 'EditSubscription', partnerFeature: 'billing', changes: [] } as const
const CHARGE_ERRORS = [7402, 7487, 7492, 7493, 7701, 7702, 7703, 7704, 7709, 7710, 7715, 909994] as const

export const billing = feature('billing', {
  me: get('/billing/v2/customers/me/', { ...reads, out: BillingCustomer }),
  credit: get('/billing/v2/credit/', { ...reads, out: Credit }),
  trialInfo: get('/billing/v2/trial_info/', { ...reads, out: Trial }),
  quota: get('/billing/v2/quota/', { ...reads, out: OrganizationQuota }),
  usage: get('/billing/v2/usage/', {
    fromReplica: true,
    ...reads,
    in: z.object({ month: z.enum(['current', 'previous']).default('current') }),
    out: UsageReport,
  }),
  customerFeature: get('/billing-go/v2/customer_feature/', { ...reads, out: CustomerFeature }),
  estimates: get('/billing/v2/estimates/', { fromReplica: true, ...reads, out: Estimate }),
  setCap: put('/billing/v2/cap/', { ...edits, errors: [], in: SpendingCap, out: SpendingCap, audit: 'billing.cap' }),

  intentToken: post('/billing/v2/intent_token/', {
    ...edits,
    personal: true,
    errors: [],
    out: CardSetup,
    audit: null,
    summary: "Opens the payment provider's own card element; the number never comes here.",
  }),
  setPayment: put('/billing/v2/payment/', {
    ...edits,
    personal: true,
    errors: [7409, 7487, 7701, 7702, 7703, 7704, 7709, 7710, 7715, 29005],
    in: z.object({ intentId: z.string().min(1).max(200), address: BillingAddress }),
    out: BillingCustomer,
    audit: 'billing.card',
    summary: 'Takes the card that the provider has confirmed as the one that is charged, with its billing address.',
  }),
  setAddress: put('/billing/v2/address/', {
    ...edits,
    errors: [],
    in: BillingAddress,
    out: BillingCustomer,
    audit: 'billing.address',
  }),
  removeCard: del('/billing/v2/payment/', {
    ...edits,
    personal: true,
    errors: [7402, 7404],
    /** It is known that what renews each month can then not be charged. */
    in: z.object({ confirmed: z.boolean().default(false) }),
    out: BillingCustomer,
    audit: 'billing.removeCard',
  }),
  paymentFailed: get('/billing/v2/payment/failed/', { ...reads, out: PaymentFailed }),
  retryPayment: post('/billing/v2/payment/retry/', {
    ...edits,
    errors: [...CHARGE_ERRORS, 7499],
    out: PaymentFailed,
    audit: 'billing.retry',
  }),

  upgradeInfo: get('/billing/v2/upgrade_info/', {
    ...reads,
    errors: [7499, 29003, 29006],
    in: z.object({ planId: z.string().max(60) }),
    out: ChangeQuote,
  }),
  subscribe: post('/billing/v2/subscribe/', {
    ...edits,
    errors: [...CHARGE_ERRORS, 7499, 7705, 29001],
    in: z.object({ planId: z.string().max(60) }),
    out: z.object({ planId: z.string(), invoiceId: z.string().nullable() }),
    audit: 'billing.subscribe',
    summary: 'Chooses the first plan.',
  }),
  upgradePlan: post('/billing-go/v2/upgrade_plan/', {
    ...edits,
    errors: [...CHARGE_ERRORS, 7499, 7705, 29006],
    in: z.object({ planId: z.string().max(60) }),
    out: z.object({ planId: z.string(), invoiceId: z.string().nullable() }),
    audit: 'billing.upgrade',
    summary: 'Changes to a higher plan and charges the rest of the month at once.',
  }),
  addOnInfo: get('/billing/v2/addons/{addon}/quote/', { ...reads, errors: [29002], out: ChangeQuote }),
  addAddOn: post('/billing-go/v2/addons/', {
    ...edits,
    errors: [...CHARGE_ERRORS, 7486, 7705, 29002, 29003, 29004, 29005, 29007],
    in: z.object({ addonId: z.string().max(60) }),
    out: z.object({ invoiceId: z.string().nullable() }),
    audit: 'billing.addAddOn',
  }),
  removeAddOn: del('/billing-go/v2/addons/{addon}/', {
    ...edits,
    errors: [27027, 27906, 29002],
    out: z.object({ creditMinor: z.int() }),
    audit: 'billing.removeAddOn',
    summary: 'Ends an add-on; what is left of its fee becomes credit.',
  }),
  redeemCoupon: post('/billing/v2/coupons/', {
    ...edits,
    errors: [429, 7498, 7499],
    in: z.object({ code: z.string().trim().min(3).max(32) }),
    out: z.object({ code: z.string() }),
    audit: 'billing.coupon',
  }),
  coupons: get('/billing/v2/coupons/', {
    ...reads,
    out: z.object({
      data: z.array(
        z.object({
          code: z.string(),
          kind: z.enum(['percent', 'amount', 'credit']),
          percent: z.int().nullable(),
          amountMinor: z.int().nullable(),
          currency: z.string().nullable(),
          redeemedAt: z.iso.datetime(),
          endsAt: z.iso.datetime().nullable(),
        }),
      ),
    }),
  }),

  linkMarketplace: post('/billing/v2/marketplace/', {
    ...edits,
    personal: true,
    errors: [503, 2455, 2456, 2700],
    in: z.object({ token: z.string().trim().min(1).max(4000) }),
    out: z.object({ customerId: z.string() }),
    audit: 'billing.linkMarketplace',
    summary: 'Links the purchase at a cloud marketplace, whose token the buyer brings, with the organisation.',
  }),

  invoices: get('/billing/v2/invoices/', {
    fromReplica: true,
    ...reads,
    in: ListQuery.extend({ status: InvoiceStatus.optional() }),
    out: page(InvoiceRow),
  }),
  invoice: get('/billing-go/v2/invoices/{id}/', { fromReplica: true, ...reads, out: Invoice }),
  lineUsage: get('/billing/v2/invoices/{id}/lines/{number}/usage/', {
    fromReplica: true,
    ...reads,
    errors: [7499],
    out: LineUsage,
  }),
  pdf: get('/billing/v2/invoices/{id}/pdf/', {
    fromReplica: true,
    ...reads,
    errors: [503],
    in: z.object({ locale: Locale.default('en') }),
    out: z.instanceof(Uint8Array),
    media: 'pdf',
  }),
})
