import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { bypassWithoutShield } from '../power-ups/bypass-without-shield.ts'
import type { AccountRow } from './account-store.ts'
import { endAddOn, installedAddOns, isIncluded } from './addon-store.ts'
import { grantCredit } from './credit-store.ts'
import { unusedFees } from './fees.ts'

/**
 * Ends an add-on; what is left of its fee becomes credit, which is answered. Expects the account's lock.
 * @throws Failure 29002 when it is not on
 */
export async function stopAddOn({ tx, change, now }: Context, account: AccountRow, addon: string): Promise<number> {
  const unused = await unusedFees(tx, account, { kind: 'addon', itemId: addon }, now)
  if (!(await endAddOn(tx, account.organization_id, addon, now))) throw new Failure(29002)
  await bypassWithoutShield(tx, account.organization_id, addon)
  const creditMinor = -unused.reduce((total, line) => total + line.amountMinor, 0)
  if (creditMinor > 0)
    await grantCredit(tx, {
      organizationId: account.organization_id,
      kind: 'unused',
      amountMinor: creditMinor,
      currency: account.currency,
      note: addon,
      at: now,
    })
  change.record({ entity: 'addon', id: addon, label: addon, before: { addon }, after: null })
  return creditMinor
}

/** Ends the add-ons that a new plan has by itself: nobody pays twice for one thing. */
export async function stopIncluded(
  context: Context,
  account: AccountRow,
  plan: { ability: readonly string[] },
): Promise<void> {
  for (const addOn of await installedAddOns(context.tx, account.organization_id))
    if (isIncluded(addOn, plan)) await stopAddOn(context, account, addOn.id)
}
