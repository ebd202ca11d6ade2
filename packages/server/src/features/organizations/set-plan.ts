import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { type AccountRow, planRow } from '../billing/account-store.ts'
import { giveBack } from '../billing/give-back.ts'
import { billMonths } from '../billing/month-run.ts'
import { stopIncluded } from '../billing/stop-add-on.ts'
import { notify } from '../notifications/notify.ts'

/**
 * Puts an organisation on a plan that was agreed elsewhere: what the months before cost is settled with the old plan,
 * and what is left of its fee is given back. Nothing is charged now. Expects the account's lock and a system
 * transaction.
 * @throws Failure 7499 when there is no such plan
 */
export async function setPlan(
  { tx, services, change, now }: Pick<Context, 'tx' | 'services' | 'change' | 'now'>,
  account: AccountRow,
  planId: string,
): Promise<void> {
  const plan = await planRow(tx, planId)
  if (!plan) throw new Failure(7499, { fields: [{ path: 'planId', message: 'validation.invalid' }] })
  const isOther = planId !== account.plan_id
  if (isOther) {
    await billMonths(tx, services.config, account, now)
    await giveBack(tx, account, { kind: 'plan', itemId: account.plan_id }, now)
  }
  // Chosen for them: they are not asked for a plan any more.
  await tx.query(
    'UPDATE organization SET plan_id = $2, code = $3, plan_chosen_at = coalesce(plan_chosen_at, now()) WHERE id = $1',
    [account.organization_id, planId, planId === 'enterprise' ? 'EnterpriseCustomer' : ''],
  )
  if (!isOther) return
  await stopIncluded({ tx, change, now }, account, plan)
  await notify(tx, {
    organizationId: account.organization_id,
    event: 'plan-set',
    fields: { plan: plan.plan_name, before: account.plan_name },
  })
}
