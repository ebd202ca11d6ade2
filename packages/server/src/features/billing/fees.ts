import { type Span, monthOf, shareDown, totalAllowances, usageLines } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { AccountRow } from './account-store.ts'
import { installedAddOns } from './addon-store.ts'
import { type StoredLine, feeLines } from './invoice-store.ts'
import { unusedName } from './line-names.ts'
import { addOnAllowances } from './month-run.ts'
import type { NewLine } from './post-invoice.ts'
import { usageOf } from './usage-store.ts'

/** What is billed ahead: a plan or an add-on. */
export type Fee = { kind: 'plan' | 'addon'; itemId: string }
/** A fee that was billed, and what is left of it, net of discounts. */
export type LeftFee = { line: StoredLine; leftMinor: number }

/**
 * What is left, from now on, of the fees of a plan or an add-on that is on: of what was really paid, discount and all.
 * What was paid for it before it ended and began again was given back then.
 */
export async function leftFees(tx: Tx, account: AccountRow, of: Fee, now: Date): Promise<LeftFee[]> {
  const month = monthOf(now.getTime())
  const since = await runsSince(tx, account.organization_id, of)
  const lines = await feeLines(tx, account.organization_id, now, new Date(month.until))
  const given = lines.filter((line) => line.kind === 'unused' && line.item_id === of.itemId)
  return lines
    .filter((line) => line.kind === of.kind && line.item_id === of.itemId && line.from_at <= now)
    .filter((line) => line.from_at.getTime() >= since)
    .flatMap((line): LeftFee[] => {
      // Given back already, by an earlier change in the same month.
      if (given.some((one) => one.from_at >= line.from_at)) return []
      const whole = line.until_at.getTime() - line.from_at.getTime()
      const left = line.until_at.getTime() - now.getTime()
      const leftMinor = whole <= 0 ? 0 : shareDown(line.amount_minor - line.discount_minor, left, whole)
      return leftMinor <= 0 ? [] : [{ line, leftMinor }]
    })
}

/** The same as lines of an invoice for what follows. */
export async function unusedFees(tx: Tx, account: AccountRow, of: Fee, now: Date): Promise<NewLine[]> {
  return (await leftFees(tx, account, of, now)).map(({ line, leftMinor }) => ({
    kind: 'unused',
    itemId: of.itemId,
    name: unusedName(line.name),
    span: { from: now.getTime(), until: line.until_at.getTime() },
    amountMinor: -leftMinor,
  }))
}

/** No fee of what is on now is from before this, in epoch ms; the latest time when it is not on. */
async function runsSince(tx: Tx, organizationId: string, { kind, itemId }: Fee): Promise<number> {
  if (kind === 'addon')
    return (await installedAddOns(tx, organizationId)).find(({ id }) => id === itemId)?.started_at.getTime() ?? Infinity
  // A plan's first fee is from moments before its period: what counts is that another plan was on before.
  const [before] = await tx.query<{ started_at: Date }>(
    'SELECT started_at FROM plan_period WHERE organization_id = $1 ORDER BY id DESC OFFSET 1 LIMIT 1',
    [organizationId],
  )
  return before?.started_at.getTime() ?? 0
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

/** What the usage of a month costs until now, beyond what is included. */
export async function usageCost(tx: Tx, account: AccountRow, month: Span): Promise<number> {
  if (!account.billed) return 0
  const used = await usageOf(tx, account.organization_id, month)
  return usageLines(used, await allowancesOf(tx, account, month), account.prices[account.currency]?.rates ?? {}).reduce(
    (total, line) => total + line.amountMinor,
    0,
  )
}
