import { type Span, monthOf, shareOfAllowances, totalAllowances, usageLines } from '@fairway/domain'
import type { Config, Database, Log, Tx } from '@fairway/platform'
import { type AccountRow, accountOf, accountsToBill, planRow, updateAccount } from './account-store.ts'
import { installedAddOns } from './addon-store.ts'
import { METER_NAMES, planName } from './line-names.ts'
import { type NewLine, postInvoice, quoteOf } from './post-invoice.ts'
import { tellPosted } from './tell-customer.ts'
import { usageOf, usageRows } from './usage-store.ts'

/** Logs of the last minutes of a month are still on their way when it ends. */
const SETTLING_MS = 15 * 60_000

/** The end of the last month whose logs are all here by now. */
export const billableUntil = (now: Date): Date => new Date(monthOf(now.getTime() - SETTLING_MS).from)

/**
 * Posts what the months that have ended cost, for everyone who is billed: their usage, and the fees of the month that
 * has begun. May be run at any time and any number of times.
 */
export async function runMonth(config: Config, database: Database, log: Log, now: Date): Promise<number> {
  const until = billableUntil(now)
  let posted = 0
  for (const organizationId of await database.system((tx) => accountsToBill(tx, until))) {
    try {
      posted += await database.system(async (tx) =>
        billMonths(tx, config, await accountOf(tx, organizationId, { lock: true }), now, until),
      )
    } catch (error) {
      // One account that cannot be billed keeps nobody else from it; the next run tries it again.
      log.error({ event: 'billing.month-not-posted', organization: organizationId, err: error })
    }
  }
  return posted
}

/**
 * The account's months before `until` that have no invoice yet. Expects its lock. `account` follows: whoever goes on with
 * it sets nothing back.
 */
export async function billMonths(
  tx: Tx,
  config: Config,
  account: AccountRow,
  now: Date,
  until = new Date(monthOf(now.getTime()).from),
): Promise<number> {
  if (!account.billed || !account.billed_until) return 0
  let posted = 0
  for (
    let month = monthOf(account.billed_until.getTime());
    month.until <= until.getTime();
    month = monthOf(month.until)
  ) {
    if (await billMonth(tx, config, account, month, now)) posted++
    account.billed_until = new Date(month.until)
    await updateAccount(tx, account.organization_id, { billed_until: account.billed_until })
  }
  return posted
}

async function billMonth(tx: Tx, config: Config, account: AccountRow, month: Span, now: Date): Promise<boolean> {
  const next = monthOf(month.until)
  // Whoever is closed, or suspended and not served any more, pays for nothing ahead.
  const fees =
    account.closed || (account.suspended && account.serving_stopped_at !== null)
      ? []
      : await feesAhead(tx, account, next)
  const lines = [...fees, ...(await usageOfMonth(tx, account, month))]
  if (!lines.length) return false
  // A trial is never asked for more than its credit, unless a card was there in the month.
  const free =
    account.category === 'trial' &&
    !account.payment_method_ref &&
    (account.card_removed_at === null || account.card_removed_at.getTime() < month.from)
  const quote = await quoteOf(tx, account, lines, now, ({ subtotalMinor, discountMinor, creditMinor, dueMinor }) =>
    free && dueMinor > 0
      ? [{ kind: 'amount', amountMinor: Math.max(0, subtotalMinor - discountMinor - creditMinor), appliesTo: 'all' }]
      : [],
  )
  const invoice = await postInvoice(tx, account, quote, { kind: 'month', period: month, now, paid: false })
  await tellPosted(tx, config, account, { number: invoice.number, dueMinor: quote.dueMinor, dueAt: invoice.dueAt })
  return true
}

/** Fees of a month, billed at its beginning. */
async function feesAhead(tx: Tx, account: AccountRow, month: Span): Promise<NewLine[]> {
  const fee = account.prices[account.currency]?.monthlyMinor ?? 0
  const plan: NewLine[] =
    fee > 0
      ? [
          {
            kind: 'plan',
            itemId: account.plan_id,
            name: planName(account.plan_name),
            span: month,
            amountMinor: fee,
            monthlyMinor: fee,
          },
        ]
      : []
  const addOns = (await installedAddOns(tx, account.organization_id)).flatMap((addOn): NewLine[] => {
    const price = addOn.prices[account.currency]?.monthlyMinor ?? 0
    return price > 0
      ? [{ kind: 'addon', itemId: addOn.id, name: addOn.name, span: month, amountMinor: price, monthlyMinor: price }]
      : []
  })
  return [...plan, ...addOns]
}

async function usageOfMonth(tx: Tx, account: AccountRow, month: Span): Promise<NewLine[]> {
  // The plan that the month ended on, with its allowances and prices as they are now.
  const plan = (await planRow(tx, await planAt(tx, account, month.until))) ?? account
  const rates = plan.prices[account.currency]?.rates ?? {}
  const allowances = totalAllowances([plan.allowances, ...(await addOnAllowances(tx, account.organization_id, month))])
  const rows = await usageRows(tx, account.organization_id, month)
  return usageLines(await usageOf(tx, account.organization_id, month), allowances, rates).map(
    ({ meter, used, included, rate, amountMinor }) => ({
      kind: 'usage',
      itemId: meter,
      name: METER_NAMES[meter],
      span: month,
      amountMinor,
      usage: {
        used,
        included,
        rateUnits: rate.units,
        rateMinor: rate.minor,
        rows: rows.filter((row) => row.meter === meter),
      },
    }),
  )
}

async function planAt(tx: Tx, account: AccountRow, at: number): Promise<string> {
  const rows = await tx.query<{ plan_id: string }>(
    'SELECT plan_id FROM plan_period WHERE organization_id = $1 AND started_at < $2 ORDER BY started_at DESC, id DESC LIMIT 1',
    [account.organization_id, new Date(at)],
  )
  return rows[0]?.plan_id ?? account.plan_id
}

/** What add-ons that ran in the month include: of one that ran for a part of it, that part, as it was paid for. */
export async function addOnAllowances(
  tx: Tx,
  organizationId: string,
  month: Span,
): Promise<AccountRow['allowances'][]> {
  const rows = await tx.query<{ allowances: AccountRow['allowances']; started_at: Date; ended_at: Date | null }>(
    'SELECT a.allowances, s.started_at, s.ended_at FROM addon_subscription s JOIN addon a ON a.id = s.addon_id WHERE s.organization_id = $1 AND s.started_at < $3 AND (s.ended_at IS NULL OR s.ended_at > $2)',
    [organizationId, new Date(month.from), new Date(month.until)],
  )
  return rows.map(({ allowances, started_at, ended_at }) =>
    shareOfAllowances(allowances, { from: started_at.getTime(), until: ended_at?.getTime() ?? month.until }, month),
  )
}
