import { monthOf } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { type AccountRow, type PlanRow, accountOf, updateAccount } from './account-store.ts'
import { buy, choosablePlan, quotePlan, refuseBuying } from './change.ts'
import { grantCredit, grantsOf } from './credit-store.ts'
import { stopIncluded } from './stop-add-on.ts'
import { findFactsOf } from './usage-meter.ts'

const DAY_MS = 86_400_000

/**
 * Puts the organisation on a plan: charges the rest of the month, then changes it, all or nothing. Expects the
 * account's lock.
 */
export async function choosePlan(
  context: Context,
  account: AccountRow,
  planId: string,
): Promise<{ planId: string; invoiceId: string | null }> {
  const { tx, services, change, now } = context
  const plan = await choosablePlan(tx, account, planId)
  const quote = await quotePlan(tx, account, plan, now)
  await refuseBuying(tx, account, quote, now, { choosesPlan: true, endsTrial: plan.category !== 'trial' })
  // Somebody who pays later has to be able to: a standard plan needs a card even when nothing is due today.
  if (plan.category === 'standard' && !account.payment_method_ref) throw new Failure(7402)
  const invoiceId = await buy(context, account, { quote, fromCredit: plan.category === 'contract', failure: 29006 })
  await tx.query(
    `UPDATE organization SET plan_id = $2, plan_chosen_at = coalesce(plan_chosen_at, $3), code = CASE WHEN $4 THEN 'EnterpriseCustomer' ELSE code END WHERE id = $1`,
    [account.organization_id, plan.plan_id, now, plan.plan_id === 'enterprise'],
  )
  await updateAccount(tx, account.organization_id, {
    billed: true,
    billed_until: account.billed_until ?? new Date(monthOf(now.getTime()).from),
    activated_at: plan.category === 'trial' ? account.activated_at : (account.activated_at ?? now),
    trial_started_at: plan.category === 'trial' ? (account.trial_started_at ?? now) : account.trial_started_at,
  })
  await stopIncluded(context, account, plan)
  if (plan.category === 'trial') await startTrial(context, account, plan)
  await findFactsOf(tx, services.config, await accountOf(tx, account.organization_id), now)
  change.record({
    entity: 'plan',
    id: account.organization_id,
    label: 'Plan',
    before: account.plan_chosen_at ? { plan: account.plan_id } : null,
    after: { plan: plan.plan_id },
  })
  return { planId: plan.plan_id, invoiceId }
}

/** An organisation tries once. */
async function startTrial({ tx, now }: Context, account: AccountRow, plan: PlanRow): Promise<void> {
  const amountMinor = plan.trial_credit[account.currency] ?? 0
  const tried = (await grantsOf(tx, account.organization_id, account.currency)).some((grant) => grant.kind === 'trial')
  if (amountMinor === 0 || tried) return
  await grantCredit(tx, {
    organizationId: account.organization_id,
    kind: 'trial',
    amountMinor,
    currency: account.currency,
    at: now,
    expiresAt: plan.trial_days > 0 ? new Date(now.getTime() + plan.trial_days * DAY_MS) : null,
  })
}
