import type { Tx } from '@fairway/platform'
import { addOnById } from '../billing/addon-store.ts'
import { bypassEverywhere } from '../domains/shield.ts'

/** With the last thing that gave the organisation its shield, every domain stops using it. */
export async function bypassWithoutShield(tx: Tx, organizationId: string, endedAddOn: string): Promise<void> {
  if (!(await addOnById(tx, endedAddOn))?.ability.includes('waf.enable')) return
  const left = (
    await tx.query<{ has: boolean }>(`SELECT 'waf.enable' = ANY (organization_ability($1)) AS has`, [organizationId])
  )[0]
  if (left?.has === false) await bypassEverywhere(tx, organizationId)
}
