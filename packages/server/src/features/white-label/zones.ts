import { isAtOrUnder } from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import { lookAgain } from '../names/store.ts'
import { zoneKey } from '../../publish/system-zone.ts'
import { namesOfOthers } from './store.ts'

/** What a site has published under a name that becomes the house's, or is free again. */
const DOCUMENTS = ['dns-zone', 'edge-site', 'edge-certificates', 'edge-challenges', 'edge-pages'] as const

/** Answers a zone for a partner from now on, unless it is somebody else's. Sites that were claimed there go. */
export async function serveZone(tx: Tx, config: Config, partnerId: string, name: string): Promise<boolean> {
  await tx.query('SELECT pg_advisory_xact_lock(4713)')
  const { partners, sites } = await namesOfOthers(tx, partnerId)
  const clashes = (other: string) => isAtOrUnder(name, other) || isAtOrUnder(other, name)
  if ([config.serviceDomain, ...partners, ...sites].some(clashes)) return false
  const added = await tx.query(
    'INSERT INTO partner_zone (name, partner_id) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING RETURNING name',
    [name, partnerId],
  )
  if (added.length > 0) await rebuildSites(tx, name)
  return true
}

/** A partner's zones, and whether an organisation has names in them, also one that has gone to another partner. */
export const zonesOf = (tx: Tx, partnerId: string): Promise<{ name: string; used: boolean }[]> =>
  tx.query<{ name: string; used: boolean }>(
    `SELECT z.name, EXISTS (SELECT FROM organization o WHERE o.names_zone = z.name) OR EXISTS (SELECT FROM domain_cdn d WHERE right(d.cname, length(z.name) + 1) = '.' || z.name) AS used
     FROM partner_zone z WHERE z.partner_id = $1`,
    [partnerId],
  )

/** Publishes a partner's zones as they should be now, and stops answering those that nobody has a name in any more. */
export async function keepZones(tx: Tx, partnerId: string, wanted: ReadonlySet<string>): Promise<void> {
  for (const { name, used } of await zonesOf(tx, partnerId)) {
    if (!used && !wanted.has(name)) {
      await tx.query('DELETE FROM partner_zone WHERE name = $1', [name])
      await rebuildSites(tx, name)
      await lookAgain(tx, name)
    }
    await tx.query(`INSERT INTO outbox (kind, key) VALUES ('dns-zone', $1)`, [zoneKey(name)])
  }
  await tx.query(`SELECT pg_notify('outbox', '')`)
}

async function rebuildSites(tx: Tx, name: string): Promise<void> {
  await tx.query(
    `INSERT INTO outbox (organization_id, kind, key) SELECT s.organization_id, kind, s.id::text FROM site s, unnest($3::text[]) AS kind WHERE s.zone_status <> 0 AND (s.domain_name = $1 OR right(s.domain_name, $2) = '.' || $1)`,
    [name, name.length + 1, [...DOCUMENTS]],
  )
}
