import type { Discount } from '@fairway/domain'
import type { Tx } from '@fairway/platform'

export type CouponRow = {
  code: string
  kind: 'percent' | 'amount' | 'credit'
  percent: number | null
  amount_minor: number | null
  currency: string | null
  applies_to: 'all' | 'fees'
  months: number | null
  most_redemptions: number | null
  expires_at: Date | null
  active: boolean
  redemptions: number
}

/** With the system's rights: a customer sees no coupon that is not redeemed. */
export async function couponByCode(tx: Tx, code: string): Promise<CouponRow | undefined> {
  return (
    await tx.query<CouponRow>(
      'SELECT c.*, (SELECT count(*)::int FROM coupon_redemption r WHERE r.code = c.code) AS redemptions FROM coupon c WHERE c.code = $1 FOR UPDATE OF c',
      [code],
    )
  )[0]
}

export async function redeem(
  tx: Tx,
  organizationId: string,
  code: string,
  at: Date,
  endsAt: Date | null,
): Promise<boolean> {
  return (
    (
      await tx.query(
        'INSERT INTO coupon_redemption (organization_id, code, redeemed_at, ends_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING code',
        [organizationId, code, at, endsAt],
      )
    ).length > 0
  )
}

export type RedeemedRow = Pick<CouponRow, 'code' | 'kind' | 'percent' | 'amount_minor' | 'currency' | 'applies_to'> & {
  redeemed_at: Date
  ends_at: Date | null
}

export const redeemedCoupons = (tx: Tx, organizationId: string): Promise<RedeemedRow[]> =>
  tx.query<RedeemedRow>(
    'SELECT c.code, c.kind, c.percent, c.amount_minor, c.currency, c.applies_to, r.redeemed_at, r.ends_at FROM coupon_redemption r JOIN coupon c ON c.code = r.code WHERE r.organization_id = $1 ORDER BY r.redeemed_at DESC',
    [organizationId],
  )

/** What the coupons that run at that time take off, in the order they were redeemed. */
export async function discountsOf(tx: Tx, organizationId: string, currency: string, at: Date): Promise<Discount[]> {
  const rows = (await redeemedCoupons(tx, organizationId))
    .filter((row) => row.kind !== 'credit' && (row.ends_at === null || row.ends_at > at))
    .reverse()
  return rows.flatMap((row): Discount[] => {
    if (row.percent !== null) return [{ kind: 'percent', percent: row.percent, appliesTo: row.applies_to }]
    return row.amount_minor !== null && row.currency === currency
      ? [{ kind: 'amount', amountMinor: row.amount_minor, appliesTo: row.applies_to }]
      : []
  })
}
