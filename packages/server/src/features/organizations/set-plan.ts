import { monthOf, shareDown } from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { hidesPlans } from '../auth/sign-up.ts'
import { type AccountRow, type PlanRow, planRow, updateAccount } from '../billing/account-store.ts'
import { giveBack } from '../billing/give-back.ts'
import { feeLines } from '../billing/invoice-store.ts'
import { planName } from '../billing/line-names.ts'
import { billMonths } from '../billing/month-run.ts'
import { postInvoice, quoteOf } from '../billing/post-invoice.ts'
import { stopIncluded } from '../billing/stop-add-on.ts'
import { tellPosted } from '../billing/tell-customer.ts'
import { notify } from '../notifications/notify.ts'
import { holdsOperator } from './store.ts'

/**
 * Puts an organisation on a plan that was agreed elsewhere: what the months before cost is settled with the old plan,
 * and what is left of its fee is given back. Nothing is charged now, but for a plan of which the rest of this month was
 * given back before. From now on the account is billed, unless it is on trial, is of those who run the installation, or
 * settles with a partner that shows no bills; one that was billed before stays so. Expects the account's lock and a system transaction.
 * @throws Failure 7499 when there is no such plan, or it is not one that the caller may give
 */
export async function setPlan(
  { tx, actor, services, change, now }: Pick<Context, 'tx' | 'actor' | 'services' | 'change' | 'now'>,
  account: AccountRow,
  planId: string,
): Promise<void> {
  const plan = await planRow(tx, planId)
  const isOther = planId !== account.plan_id
  if (!plan || (isOther && !plan.offered && !actor.isOperator))
    throw new Failure(7499, { fields: [{ path: 'planId', message: 'validation.invalid' }] })
  const toBeBilled = await isToBeBilled(tx, account, plan)
  if (isOther) {
    await billMonths(tx, services.config, account, now)
    await giveBack(tx, account, { kind: 'plan', itemId: account.plan_id }, now)
    if (toBeBilled || account.billed) await chargeAgain(tx, services.config, account, plan, now)
  }
  // Chosen for them: they are not asked for a plan any more.
  await tx.query(
    'UPDATE organization SET plan_id = $2, code = $3, plan_chosen_at = coalesce(plan_chosen_at, now()) WHERE id = $1',
    [account.organization_id, planId, planId === 'enterprise' ? 'EnterpriseCustomer' : ''],
  )
  if (toBeBilled)
    await updateAccount(tx, account.organization_id, {
      billed: true,
      billed_until: account.billed_until ?? new Date(monthOf(now.getTime()).from),
      activated_at: account.activated_at ?? now,
    })
  if (!isOther) return
  await stopIncluded({ tx, change, now }, account, plan)
  await notify(tx, {
    organizationId: account.organization_id,
    event: 'plan-set',
    fields: { plan: plan.plan_name, before: account.plan_name },
  })
}

async function isToBeBilled(tx: Tx, account: AccountRow, plan: PlanRow): Promise<boolean> {
  if (plan.category === 'trial') return false
  return !(await holdsOperator(tx, account.organization_id)) && !(await hidesPlans(tx, account.partner_id))
}

/**
 * Back on a plan of which this month was billed: its rest was given back when it ended, and is owed again. Else to change
 * there and back would make credit out of nothing.
 */
async function chargeAgain(tx: Tx, config: Config, account: AccountRow, plan: PlanRow, now: Date): Promise<void> {
  const month = monthOf(now.getTime())
  const billed = await feeLines(tx, account.organization_id, now, new Date(month.until))
  const fee = plan.prices[account.currency]?.monthlyMinor ?? 0
  if (fee === 0 || !billed.some(({ kind, item_id }) => kind === 'plan' && item_id === plan.plan_id)) return
  const span = { from: now.getTime(), until: month.until }
  const onPlan = { ...account, ...plan }
  const quote = await quoteOf(
    tx,
    onPlan,
    [
      {
        kind: 'plan',
        itemId: plan.plan_id,
        name: planName(plan.plan_name),
        span,
        // The smallest unit less, so that what was given back covers it, however both were rounded: nobody owes a cent.
        amountMinor: Math.max(0, shareDown(fee, month.until - now.getTime(), month.until - month.from) - 1),
        monthlyMinor: fee,
      },
    ],
    now,
  )
  const { number, dueAt } = await postInvoice(tx, onPlan, quote, { kind: 'change', period: span, now, paid: false })
  if (quote.dueMinor > 0) await tellPosted(tx, config, onPlan, { number, dueMinor: quote.dueMinor, dueAt })
}
