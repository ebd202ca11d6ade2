import type { LocalText, MeterAmounts } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type AddOnRow = {
  id: string
  category: string
  name: LocalText
  description: LocalText
  ability: string[]
  allowances: MeterAmounts
  plan_ids: string[]
  offered: boolean
  prices: Record<string, { monthlyMinor: number }>
}
export type InstalledAddOn = AddOnRow & { started_at: Date }

/** Whether a plan has all of it by itself: buying it would buy nothing. */
export const isIncluded = (
  { ability, allowances }: Pick<AddOnRow, 'ability' | 'allowances'>,
  plan: { ability: readonly string[] },
): boolean =>
  ability.length > 0 && Object.keys(allowances).length === 0 && ability.every((one) => plan.ability.includes(one))

export async function addOnById(tx: Tx, id: string): Promise<AddOnRow | undefined> {
  return (await tx.query<AddOnRow>('SELECT * FROM addon WHERE id = $1', [id]))[0]
}

export const installedAddOns = (tx: Tx, organizationId: string): Promise<InstalledAddOn[]> =>
  tx.query<InstalledAddOn>(
    'SELECT a.*, s.started_at FROM addon_subscription s JOIN addon a ON a.id = s.addon_id WHERE s.organization_id = $1 AND s.ended_at IS NULL ORDER BY a.id',
    [organizationId],
  )

export async function startAddOn(tx: Tx, organizationId: string, addonId: string, now: Date): Promise<void> {
  await tx.query('INSERT INTO addon_subscription (organization_id, addon_id, started_at) VALUES ($1, $2, $3)', [
    organizationId,
    addonId,
    now,
  ])
}

export async function endAddOn(tx: Tx, organizationId: string, addonId: string, now: Date): Promise<boolean> {
  return (
    (
      await tx.query(
        'UPDATE addon_subscription SET ended_at = $3 WHERE organization_id = $1 AND addon_id = $2 AND ended_at IS NULL RETURNING id',
        [organizationId, addonId, now],
      )
    ).length > 0
  )
}
