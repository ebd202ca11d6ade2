import type { Config, Tx } from '@fairway/platform'

/** The zone under which an organisation's new CDN names are given: its partner's while that is good, else ours. */
export async function cdnZone(tx: Tx, config: Pick<Config, 'serviceDomain'>, organizationId: string): Promise<string> {
  const [partner] = await tx.query<{ zone: string | null }>(
    'SELECT CASE WHEN p.own_cname_since IS NOT NULL THEN p.cname_host END AS zone FROM organization o JOIN partner p ON p.id = o.partner_id WHERE o.id = $1',
    [organizationId],
  )
  return partner?.zone ?? config.serviceDomain
}
