import type { Estimate } from '@fairway/contract'
import { type Span, expectedAt, forecastUsage, monthOf, usageLines } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { AccountRow } from './account-store.ts'
import { creditOf } from './credit-store.ts'
import { allowancesOf } from './fees.ts'
import { feeLines } from './invoice-store.ts'
import { METER_NAMES } from './line-names.ts'
import { usageByDay, usageOf } from './usage-store.ts'

/** This month as it stands and as it will end; without tax and coupons of usage that is not billed yet. */
export async function estimateOf(tx: Tx, account: AccountRow, now: Date): Promise<Estimate> {
  const month = monthOf(now.getTime())
  const fees = (await feeLines(tx, account.organization_id, new Date(month.from), new Date(month.until))).map(
    (line) => {
      const amountMinor = line.amount_minor - line.discount_minor
      return { kind: line.kind, itemId: line.item_id, name: line.name, amountMinor, forecastMinor: amountMinor }
    },
  )
  const lines = [...fees, ...(await usageEstimate(tx, account, month, now))]
  const total = (of: 'amountMinor' | 'forecastMinor') => lines.reduce((sum, line) => sum + line[of], 0)
  const [spentMinor, forecastMinor] = [total('amountMinor'), total('forecastMinor')]
  const meets = expectedAt(spentMinor, forecastMinor, account.cap_minor, month, now.getTime())
  return {
    currency: account.currency,
    from: new Date(month.from).toISOString(),
    until: new Date(month.until).toISOString(),
    lines,
    spentMinor,
    forecastMinor,
    creditMinor: await creditOf(tx, account.organization_id, account.currency, now),
    cap: {
      capMinor: account.cap_minor,
      action: account.cap_action,
      reachedAt: account.cap_reached_at?.toISOString() ?? null,
      servingStopped: account.serving_stopped_at !== null,
      expectedAt: meets === null ? null : new Date(meets).toISOString(),
    },
  }
}

async function usageEstimate(tx: Tx, account: AccountRow, month: Span, now: Date): Promise<Estimate['lines']> {
  if (!account.billed) return []
  const rates = account.prices[account.currency]?.rates ?? {}
  const allowances = await allowancesOf(tx, account, month)
  const ahead = usageLines(
    forecastUsage(await usageByDay(tx, account.organization_id, month), month, now.getTime()),
    allowances,
    rates,
  )
  return usageLines(await usageOf(tx, account.organization_id, month), allowances, rates).map(
    ({ meter, amountMinor }) => ({
      kind: 'usage',
      itemId: meter,
      name: METER_NAMES[meter],
      amountMinor,
      forecastMinor: ahead.find((line) => line.meter === meter)?.amountMinor ?? amountMinor,
    }),
  )
}
