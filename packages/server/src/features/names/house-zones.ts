import { isAtOrUnder } from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import { beyondTenant } from '../../http/beyond-tenant.ts'

/** The installation's own zone, and those that our nodes answer for partners. */
export async function houseZones(tx: Tx, config: Pick<Config, 'serviceDomain'>): Promise<string[]> {
  const rows = await beyondTenant(tx, () => tx.query<{ name: string }>('SELECT name FROM partner_zone ORDER BY name'))
  return [config.serviceDomain, ...rows.map(({ name }) => name)]
}

/** Whether a name is one of the house's, under whatever brand. */
export async function isHouseName(tx: Tx, config: Pick<Config, 'serviceDomain'>, name: string): Promise<boolean> {
  return (await houseZones(tx, config)).some((zone) => isAtOrUnder(name, zone))
}
