import type { DnsZone, ZoneTransfer } from '@fairway/contract'
import { namesToFlatten } from '@fairway/domain'
import type { Tx } from '@fairway/platform'

/** Wakes who keeps what secondaries are given. */
export const TRANSFERS_CHANNEL = 'transfers'

/** `taken`: there are secondaries of the zone's organisation. */
export type TransferState = { taken: boolean; steps: number; flattened: ZoneTransfer['flattened'] }

export async function transferState(tx: Tx, siteId: string, organizationId: string): Promise<TransferState> {
  const [row] = await tx.query<TransferState>(
    `SELECT EXISTS (SELECT FROM dns_secondary WHERE organization_id = $2) AS taken, coalesce(z.steps, 0) AS steps, coalesce(z.flattened, '[]') AS flattened FROM (SELECT $1::uuid AS id) s LEFT JOIN zone_transfer z ON z.site_id = s.id`,
    [siteId, organizationId],
  )
  return row ?? { taken: false, steps: 0, flattened: [] }
}

/**
 * How a zone is given to secondaries; null when nobody takes it, nothing of it needs another form, or an address is
 * still to be found, for which somebody is woken.
 */
export async function transferOf(
  tx: Tx,
  { taken, flattened }: TransferState,
  zone: DnsZone,
): Promise<ZoneTransfer | null> {
  if (!taken || zone.steered.length + (zone.aliases ?? []).length === 0) return null
  const needed = new Set(namesToFlatten(zone))
  const found = flattened.filter(({ name }) => needed.has(name))
  if (found.length === needed.size) return { flattened: found }
  await tx.query(`SELECT pg_notify($1, '')`, [TRANSFERS_CHANNEL])
  return null
}
