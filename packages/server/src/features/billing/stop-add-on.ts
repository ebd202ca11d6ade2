import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { bypassWithoutShield } from '../power-ups/bypass-without-shield.ts'
import type { AccountRow } from './account-store.ts'
import { endAddOn, installedAddOns, isIncluded } from './addon-store.ts'
import { giveBack } from './give-back.ts'

/**
 * Ends an add-on; what is left of its fee becomes credit, which is answered. Expects the account's lock.
 * @throws Failure 29002 when it is not on
 */
export async function stopAddOn(
  { tx, change, now }: Pick<Context, 'tx' | 'change' | 'now'>,
  account: AccountRow,
  addon: string,
): Promise<number> {
  const creditMinor = await giveBack(tx, account, { kind: 'addon', itemId: addon }, now)
  if (!(await endAddOn(tx, account.organization_id, addon, now))) throw new Failure(29002)
  await bypassWithoutShield(tx, account.organization_id, addon)
  change.record({ entity: 'addon', id: addon, label: addon, before: { addon }, after: null })
  return creditMinor
}

/** Ends the add-ons that a new plan has by itself: nobody pays twice for one thing. */
export async function stopIncluded(
  context: Pick<Context, 'tx' | 'change' | 'now'>,
  account: AccountRow,
  plan: { ability: readonly string[] },
): Promise<void> {
  for (const addOn of await installedAddOns(context.tx, account.organization_id))
    if (isIncluded(addOn, plan)) await stopAddOn(context, account, addOn.id)
}
