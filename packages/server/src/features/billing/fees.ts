import { type Span, monthOf, usageLines, totalAllowances } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { AccountRow } from './account-store.ts'
import { feeLines } from './invoice-store.ts'
import { unusedName } from './line-names.ts'
import { addOnAllowances } from './month-run.ts'
import type { NewLine } from './post-invoice.ts'
import { usageOf } from './usage-store.ts'

/**
 * What is left, from now on, of fees that were billed ahead for a plan or an add-on: taken back at what was really
 * paid, discount and all.
 */
export async function unusedFees(
  tx: Tx,
  account: AccountRow,
  of: { kind: 'plan' | 'addon'; itemId: string },
  now: Date,
): Promise<NewLine[]> {
  const month = monthOf(now.getTime())
  const lines = await feeLines(tx, account.organization_id, now, new Date(month.until))
  const given = lines.filter((line) => line.kind === 'unused' && line.item_id === of.itemId)
  return lines
    .filter((line) => line.kind === of.kind && line.item_id === of.itemId && line.from_at <= now)
    .flatMap((line): NewLine[] => {
      // Given back already, by an earlier change in the same month.
      if (given.some((one) => one.from_at >= line.from_at)) return []
      const whole = line.until_at.getTime() - line.from_at.getTime()
      const left = line.until_at.getTime() - now.getTime()
      const amount =
        whole <= 0 ? 0 : Number((BigInt(line.amount_minor - line.discount_minor) * BigInt(left)) / BigInt(whole))
      return amount <= 0
        ? []
        : [
            {
              kind: 'unused',
              itemId: of.itemId,
              name: unusedName(line.name),
              span: { from: now.getTime(), until: line.until_at.getTime() },
              amountMinor: -amount,
            },
          ]
    })
}

/** Fees that fall on a month, net of discounts, and what its usage costs until now. */
export async function spentOf(
  tx: Tx,
  account: AccountRow,
  month: Span,
): Promise<{ feesMinor: number; usageMinor: number }> {
  const fees = await feeLines(tx, account.organization_id, new Date(month.from), new Date(month.until))
  return {
    feesMinor: fees.reduce((total, line) => total + line.amount_minor - line.discount_minor, 0),
    usageMinor: await usageCost(tx, account, month),
  }
}

export async function allowancesOf(tx: Tx, account: AccountRow, month: Span): Promise<AccountRow['allowances']> {
  return totalAllowances([account.allowances, ...(await addOnAllowances(tx, account.organization_id, month))])
}

async function usageCost(tx: Tx, account: AccountRow, month: Span): Promise<number> {
  if (!account.billed) return 0
  const used = await usageOf(tx, account.organization_id, month)
  return usageLines(used, await allowancesOf(tx, account, month), account.prices[account.currency]?.rates ?? {}).reduce(
    (total, line) => total + line.amountMinor,
    0,
  )
}
