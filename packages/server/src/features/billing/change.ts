import type { ErrorCode } from '@fairway/contract'
import { codeOfDecline, monthOf, prorate, spendingProblem } from '@fairway/domain'
import { GatewayAway, GatewayRefused } from '@fairway/drivers'
import type { Tx } from '@fairway/platform'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { type AccountRow, type PlanRow, planRow } from './account-store.ts'
import { type AddOnRow, addOnById, installedAddOns, isIncluded } from './addon-store.ts'
import { spentOf, unusedFees } from './fees.ts'
import { planName } from './line-names.ts'
import { giveInvoice, insertPayment, settle } from './payment-store.ts'
import { type NewLine, type Quote, postInvoice, quoteOf } from './post-invoice.ts'

/** A plan that may be chosen in the account's currency. @throws Failure 7499 */
export async function choosablePlan(tx: Tx, account: AccountRow, planId: string): Promise<PlanRow> {
  const plan = await planRow(tx, planId)
  if (!plan?.offered || !plan.prices[account.currency]) throw new Failure(7499)
  return plan
}

/** What changing to a plan costs for the rest of the month, less what is left of the plan before. */
export async function quotePlan(tx: Tx, account: AccountRow, plan: PlanRow, now: Date): Promise<Quote> {
  const month = monthOf(now.getTime())
  const span = { from: now.getTime(), until: month.until }
  const fee = plan.prices[account.currency]?.monthlyMinor ?? 0
  const lines: NewLine[] = await unusedFees(tx, account, { kind: 'plan', itemId: account.plan_id }, now)
  if (fee > 0)
    lines.push({
      kind: 'plan',
      itemId: plan.plan_id,
      name: planName(plan.plan_name),
      span,
      amountMinor: prorate(fee, span, month),
      monthlyMinor: fee,
    })
  return quoteOf(tx, account, lines, now)
}

/** @throws Failure 29002 no such add-on, 29003 not sold in this currency, 29004 not for this plan */
export async function sellableAddOn(tx: Tx, account: AccountRow, addonId: string): Promise<AddOnRow> {
  const addOn = await addOnById(tx, addonId)
  if (!addOn?.offered) throw new Failure(29002)
  if (!addOn.prices[account.currency]) throw new Failure(29003)
  if (addOn.plan_ids.length && !addOn.plan_ids.includes(account.plan_id)) throw new Failure(29004)
  if (isIncluded(addOn, account)) throw new Failure(29004, { internal: 'the plan includes it' })
  if ((await installedAddOns(tx, account.organization_id)).some((one) => one.id === addonId)) throw new Failure(7705)
  return addOn
}

export async function quoteAddOn(tx: Tx, account: AccountRow, addOn: AddOnRow, now: Date): Promise<Quote> {
  const month = monthOf(now.getTime())
  const span = { from: now.getTime(), until: month.until }
  const fee = addOn.prices[account.currency]?.monthlyMinor ?? 0
  return quoteOf(
    tx,
    account,
    fee > 0
      ? [
          {
            kind: 'addon',
            itemId: addOn.id,
            name: addOn.name,
            span,
            amountMinor: prorate(fee, span, month),
            monthlyMinor: fee,
          },
        ]
      : [],
    now,
  )
}

/** Refuses what may not be bought now: a locked account, no plan or a trial that is over, a limit that this would break. */
export async function refuseBuying(
  tx: Tx,
  account: AccountRow,
  quote: Quote,
  now: Date,
  { choosesPlan, endsTrial }: { choosesPlan: boolean; endsTrial: boolean },
): Promise<void> {
  const problem = spendingProblem({
    status: account.status,
    trialOver: account.trial_over_at !== null && !endsTrial,
    quotaReached: false,
    capReached: false,
    planMissing: account.plan_missing && !choosesPlan,
  })
  if (problem) throw new Failure(problem)
  if (account.cap_minor === null) return
  const { feesMinor, usageMinor } = await spentOf(tx, account, monthOf(now.getTime()))
  if (feesMinor + usageMinor + quote.subtotalMinor - quote.discountMinor > account.cap_minor) throw new Failure(7493)
}

export type Purchase = {
  quote: Quote
  /** From credit that sales grants, never by card. */ fromCredit: boolean
  /** What a provider that fails means here. */ failure: ErrorCode
}

/**
 * Charges a purchase and posts its invoice, in this order: a charge that fails changes nothing, and one whose change
 * then fails is given back by the worker.
 * @returns the invoice, or null when nothing was to be billed
 */
export async function buy(
  context: Context,
  account: AccountRow,
  { quote, fromCredit, failure }: Purchase,
): Promise<string | null> {
  const { tx, now } = context
  if (quote.dueMinor > 0 && fromCredit) throw new Failure(7492)
  if (quote.dueMinor > 0 && !account.payment_method_ref) throw new Failure(7402)
  const payment = quote.dueMinor > 0 ? await chargeNow(context, account, quote.dueMinor, failure) : null
  if (!quote.lines.length) return null
  const month = monthOf(now.getTime())
  const { id } = await postInvoice(tx, account, quote, {
    kind: 'change',
    period: { from: now.getTime(), until: month.until },
    now,
    paid: true,
  })
  if (payment) await giveInvoice(tx, payment, id)
  return id
}

/** Written beside the caller's transaction, so that it is known even when that one fails. @returns the payment */
async function chargeNow(
  { services, now }: Context,
  account: AccountRow,
  amountMinor: number,
  failure: ErrorCode,
): Promise<string> {
  const {
    database,
    payments: { gateway },
  } = services
  const { customer_ref, payment_method_ref, organization_id, currency } = account
  if (!customer_ref || !payment_method_ref || account.gateway !== gateway.name)
    throw new Failure(29005, { internal: 'the card is with another provider' })
  const payment = await database.aside((tx) =>
    insertPayment(
      tx,
      {
        organization_id,
        invoice_id: null,
        gateway: gateway.name,
        customer_ref,
        payment_method_ref,
        amount_minor: amountMinor,
        currency,
      },
      now,
    ),
  )
  try {
    const answer = await gateway.charge({
      customerRef: customer_ref,
      paymentMethodRef: payment_method_ref,
      amountMinor,
      currency,
      idempotencyKey: payment.id,
    })
    await database.aside((tx) => settle(tx, payment.id, answer, now))
    if (answer.state === 'failed')
      throw new Failure(codeOfDecline(answer.declineCode), { declineCode: answer.declineCode })
    return payment.id
  } catch (error) {
    if (error instanceof GatewayRefused) {
      await database.aside((tx) =>
        settle(tx, payment.id, { state: 'failed', declineCode: 'invalid_account', chargeRef: null }, now),
      )
      throw new Failure(29005, { internal: error.message })
    }
    if (error instanceof GatewayAway) throw new Failure(failure, { internal: error.message })
    throw error
  }
}
