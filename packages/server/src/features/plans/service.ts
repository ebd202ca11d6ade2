import { type AddOn, type Plan, plans } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { partnerOfHost } from '../../http/partner-of.ts'
import { slice } from '../../http/register.ts'
import { type AccountRow, accountOf } from '../billing/account-store.ts'
import { type AddOnRow, installedAddOns, isIncluded } from '../billing/addon-store.ts'
import type { CouponRow } from '../billing/coupon-store.ts'
import { creditOf, grantCredit } from '../billing/credit-store.ts'
import { narrowed } from './maxima.ts'
import {
  type PlanData,
  allAddOns,
  allCoupons,
  allPlans,
  allTaxRates,
  couponOf,
  endCoupon,
  insertCoupon,
  replaceTaxRates,
  saveAddOn,
  savePricing,
} from './store.ts'

const DEFAULT_CURRENCY = 'USD'

export const plansSlice = slice(plans, {
  async list({ tx, actor }) {
    const account = await accountOf(tx, actor.organizationId)
    return {
      currency: account.currency,
      data: (await allPlans(tx))
        .filter((plan) => plan.offered || plan.id === account.plan_id)
        .flatMap((plan) => presentPlan(plan, account)),
    }
  },

  async offers({ tx, reply }) {
    if ((await partnerOfHost(tx, reply.request)).hide_feature.includes('price')) throw new Failure(404)
    const visitor: Viewer = { currency: DEFAULT_CURRENCY, plan_id: null, rank: 0 }
    return {
      currency: visitor.currency,
      data: (await allPlans(tx)).filter((plan) => plan.offered).flatMap((plan) => presentPlan(plan, visitor)),
    }
  },

  async addOns({ tx, actor }, { category }) {
    const account = await accountOf(tx, actor.organizationId)
    const all = await addOnsFor(tx, account)
    return {
      currency: account.currency,
      categories: [...new Set(all.map((addOn) => addOn.category))].sort(),
      data: all.filter((addOn) => category === undefined || addOn.category === category),
    }
  },

  async pricing({ tx }) {
    return { data: (await allPlans(tx)).map(presentPricing) }
  },

  async setPricing({ tx, change }, { plan, ...pricing }) {
    const before = (await allPlans(tx)).find((one) => one.id === plan)
    const row = await savePricing(tx, plan, pricing)
    if (!row || !before) throw new Failure(7499)
    change.record({
      entity: 'plan',
      id: plan,
      label: row.name,
      before: presentPricing(before),
      after: presentPricing(row),
    })
    return presentPricing(row)
  },

  async storedAddOns({ tx }) {
    return { data: (await allAddOns(tx)).map(presentStored) }
  },

  async setAddOn({ tx, change }, { addon, ...data }) {
    if (!/^[a-z][a-z0-9-]{1,40}$/.test(addon))
      throw new Failure(400, { fields: [{ path: 'addon', message: 'validation.regex' }] })
    const before = (await allAddOns(tx)).find((one) => one.id === addon)
    const row = await saveAddOn(tx, addon, data)
    if (!row) throw new Error('an add-on that was saved has no row')
    change.record({
      entity: 'addon',
      id: addon,
      label: row.name.en,
      before: before ? presentStored(before) : null,
      after: presentStored(row),
    })
    return presentStored(row)
  },

  async coupons({ tx }) {
    return { data: (await allCoupons(tx)).map(presentCoupon) }
  },

  async createCoupon({ tx, change }, input) {
    if (await couponOf(tx, input.code)) throw new Failure(7491)
    const row = await insertCoupon(tx, input)
    if (!row) throw new Error('a coupon that was inserted has no row')
    change.record({ entity: 'coupon', id: row.code, label: row.code, before: null, after: presentCoupon(row) })
    return presentCoupon(row)
  },

  async endCoupon({ tx, change }, { code }) {
    const row = await endCoupon(tx, code.toUpperCase())
    if (!row) throw new Failure(7499)
    change.record({
      entity: 'coupon',
      id: row.code,
      label: row.code,
      before: { active: true },
      after: { active: false },
    })
    return presentCoupon(row)
  },

  async taxRates({ tx }) {
    return {
      data: (await allTaxRates(tx)).map(({ country, name, rate_ppm }) => ({ country, name, ratePpm: rate_ppm })),
    }
  },

  async setTaxRates({ tx, change }, { data }) {
    const before = await allTaxRates(tx)
    await replaceTaxRates(tx, data)
    change.record({ entity: 'tax', id: 'rates', label: 'Tax rates', before: { rates: before }, after: { rates: data } })
    return { data }
  },

  async grantCredit({ tx, actor, change, now }, { organization, amountMinor, note, expiresAt }) {
    const account = await accountOf(tx, organization).catch(() => null)
    if (!account) throw new Failure(7499)
    await grantCredit(tx, {
      organizationId: organization,
      kind: 'grant',
      amountMinor,
      currency: account.currency,
      note,
      by: actor.label,
      at: now,
      expiresAt: expiresAt ? new Date(expiresAt) : null,
    })
    change.concerns = organization
    change.record({
      entity: 'credit',
      id: organization,
      label: account.organization_name,
      before: null,
      after: { amountMinor, currency: account.currency, note },
    })
    return { balanceMinor: await creditOf(tx, organization, account.currency, now), currency: account.currency }
  },
})

/** What the organisation may buy beside its plan, and what it has. */
export async function addOnsFor(tx: Tx, account: AccountRow): Promise<AddOn[]> {
  const since = new Map((await installedAddOns(tx, account.organization_id)).map((one) => [one.id, one.started_at]))
  return (await allAddOns(tx))
    .filter((addOn) => (addOn.offered && addOn.prices[account.currency]) || since.has(addOn.id))
    .map((addOn) => presentAddOn(addOn, account, since.get(addOn.id) ?? null))
}

type Viewer = Pick<AccountRow, 'currency' | 'rank'> & { plan_id: string | null }

function presentPlan(plan: PlanData, account: Viewer): Plan[] {
  const price = plan.prices[account.currency]
  if (!price) return []
  const current = plan.id === account.plan_id
  return [
    {
      id: plan.id,
      name: plan.name,
      category: plan.category,
      rank: plan.rank,
      ability: plan.ability,
      price,
      allowances: plan.allowances,
      overUsage: plan.over_usage,
      siteLimit: plan.site_limit,
      recordLimit: plan.record_limit,
      cdnLimit: plan.cdn_limit,
      minimumTtlSeconds: plan.minimum_ttl_seconds,
      maxima: narrowed(plan.maxima),
      trialDays: plan.trial_days,
      trialCreditMinor: plan.trial_credit[account.currency] ?? 0,
      current,
      upgrade: plan.offered && plan.rank > account.rank,
    },
  ]
}

const presentAddOn = (addOn: AddOnRow, account: AccountRow, since: Date | null): AddOn => ({
  id: addOn.id,
  category: addOn.category,
  name: addOn.name,
  description: addOn.description,
  ability: addOn.ability,
  allowances: addOn.allowances,
  monthlyMinor: addOn.prices[account.currency]?.monthlyMinor ?? 0,
  compatible: addOn.plan_ids.length === 0 || addOn.plan_ids.includes(account.plan_id),
  included: isIncluded(addOn, account),
  since: since?.toISOString() ?? null,
})

const presentPricing = (plan: PlanData) => ({
  id: plan.id,
  name: plan.name,
  category: plan.category,
  rank: plan.rank,
  offered: plan.offered,
  trialDays: plan.trial_days,
  trialCredit: plan.trial_credit,
  overUsage: plan.over_usage,
  allowances: plan.allowances,
  prices: plan.prices,
})

const presentStored = (addOn: AddOnRow) => ({
  id: addOn.id,
  category: addOn.category,
  name: addOn.name,
  description: addOn.description,
  ability: addOn.ability as Plan['ability'],
  allowances: addOn.allowances,
  planIds: addOn.plan_ids,
  offered: addOn.offered,
  prices: addOn.prices,
})

const presentCoupon = (row: CouponRow) => ({
  code: row.code,
  kind: row.kind,
  percent: row.percent,
  amountMinor: row.amount_minor,
  currency: row.currency,
  appliesTo: row.applies_to,
  months: row.months,
  mostRedemptions: row.most_redemptions,
  expiresAt: row.expires_at?.toISOString() ?? null,
  active: row.active,
  redemptions: row.redemptions,
})
