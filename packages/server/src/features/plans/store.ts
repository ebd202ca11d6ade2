import type { z } from 'zod'
import type { AddOnData, CouponInput, Maxima, MeterAmounts, PlanFeature, PlanPricing } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { AddOnRow } from '../billing/addon-store.ts'
import type { CouponRow } from '../billing/coupon-store.ts'

export type PlanData = {
  id: string
  name: string
  category: PlanPricing['category']
  rank: number
  offered: boolean
  ability: PlanFeature[]
  allowances: MeterAmounts
  over_usage: 'bill' | 'stop'
  prices: PlanPricing['prices']
  site_limit: number
  record_limit: number
  cdn_limit: number
  minimum_ttl_seconds: number
  maxima: Partial<Maxima>
  trial_days: number
  trial_credit: Record<string, number>
}

export const allPlans = (tx: Tx): Promise<PlanData[]> => tx.query<PlanData>('SELECT * FROM plan ORDER BY rank, id')

export async function savePricing(tx: Tx, id: string, pricing: PlanPricing): Promise<PlanData | undefined> {
  const rows = await tx.query<PlanData>(
    'UPDATE plan SET category = $2, rank = $3, offered = $4, trial_days = $5, trial_credit = $6, over_usage = $7, allowances = $8, prices = $9 WHERE id = $1 RETURNING *',
    [
      id,
      pricing.category,
      pricing.rank,
      pricing.offered,
      pricing.trialDays,
      JSON.stringify(pricing.trialCredit),
      pricing.overUsage,
      JSON.stringify(pricing.allowances),
      JSON.stringify(pricing.prices),
    ],
  )
  return rows[0]
}

export const allAddOns = (tx: Tx): Promise<AddOnRow[]> =>
  tx.query<AddOnRow>('SELECT * FROM addon ORDER BY category, id')

export async function saveAddOn(tx: Tx, id: string, data: AddOnData): Promise<AddOnRow | undefined> {
  const rows = await tx.query<AddOnRow>(
    `INSERT INTO addon (id, category, name, description, ability, allowances, plan_ids, offered, prices) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (id) DO UPDATE SET category = $2, name = $3, description = $4, ability = $5, allowances = $6, plan_ids = $7, offered = $8, prices = $9 RETURNING *`,
    [
      id,
      data.category,
      JSON.stringify(data.name),
      JSON.stringify(data.description),
      data.ability,
      JSON.stringify(data.allowances),
      data.planIds,
      data.offered,
      JSON.stringify(data.prices),
    ],
  )
  return rows[0]
}

const COUPON =
  'SELECT c.*, (SELECT count(*)::int FROM coupon_redemption r WHERE r.code = c.code) AS redemptions FROM coupon c'

export const allCoupons = (tx: Tx): Promise<CouponRow[]> => tx.query<CouponRow>(`${COUPON} ORDER BY c.created_at DESC`)

export async function insertCoupon(tx: Tx, input: z.output<typeof CouponInput>): Promise<CouponRow | undefined> {
  const percent = input.kind === 'percent' ? input.percent : null
  const amount = input.kind === 'percent' ? { amountMinor: null, currency: null } : input
  await tx.query(
    'INSERT INTO coupon (code, kind, percent, amount_minor, currency, applies_to, months, most_redemptions, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING',
    [
      input.code,
      input.kind,
      percent,
      amount.amountMinor,
      amount.currency,
      input.appliesTo,
      input.months,
      input.mostRedemptions,
      input.expiresAt,
    ],
  )
  return couponOf(tx, input.code)
}

export async function couponOf(tx: Tx, code: string): Promise<CouponRow | undefined> {
  return (await tx.query<CouponRow>(`${COUPON} WHERE c.code = $1`, [code]))[0]
}

export async function endCoupon(tx: Tx, code: string): Promise<CouponRow | undefined> {
  await tx.query('UPDATE coupon SET active = false WHERE code = $1', [code])
  return couponOf(tx, code)
}

export const allTaxRates = (tx: Tx): Promise<{ country: string; name: string; rate_ppm: number }[]> =>
  tx.query('SELECT * FROM tax_rate ORDER BY country')

export async function replaceTaxRates(
  tx: Tx,
  rates: readonly { country: string; name: string; ratePpm: number }[],
): Promise<void> {
  await tx.query('DELETE FROM tax_rate')
  for (const { country, name, ratePpm } of rates)
    await tx.query(
      'INSERT INTO tax_rate (country, name, rate_ppm) VALUES ($1, $2, $3) ON CONFLICT (country) DO UPDATE SET name = $2, rate_ppm = $3',
      [country, name, ratePpm],
    )
}
