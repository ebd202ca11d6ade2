import type { DnsZone } from '@fairway/contract'
import type { Config, Tx } from '@fairway/platform'
import type { Built } from './built.ts'
import { contentVersion } from './publication.ts'
import { ofHouse, soaRdata } from './nameservers.ts'

export const CATALOG = 'catalog:'
export const catalogKey = (organizationId: string): string => `${CATALOG}${organizationId}`

/** Name of an organisation's catalog; short, for it is typed into configurations. */
export const catalogName = (organizationId: string, config: Config): string =>
  `catalog-${organizationId.slice(0, 8)}.${config.serviceDomain}`

/**
 * The list of an organisation's zones as a zone, so that secondaries add and drop them by themselves (RFC 9432); null
 * while it has no secondary.
 */
export async function buildCatalogZone(tx: Tx, organizationId: string, config: Config): Promise<Built> {
  const secondaries = await tx.query('SELECT FROM dns_secondary WHERE organization_id = $1 LIMIT 1', [organizationId])
  if (secondaries.length === 0) return null
  const sites = await tx.query<{ id: string; domain_name: string }>(
    `SELECT id, domain_name FROM site WHERE organization_id = $1 AND zone_status <> 0 AND claim IN ('served', 'proven') ORDER BY id`,
    [organizationId],
  )
  const origin = catalogName(organizationId, config)
  const content = (version: number): DnsZone => ({
    zoneId: catalogKey(organizationId),
    organizationId,
    origin,
    version,
    steered: [],
    policies: [],
    rrsets: [
      { name: origin, type: 'SOA', ttlSeconds: 0, rdata: [soaRdata(config, ofHouse(null), version)] },
      // Nobody resolves names in a catalog (RFC 9432 4.1).
      { name: origin, type: 'NS', ttlSeconds: 0, rdata: ['invalid.'] },
      { name: `version.${origin}`, type: 'TXT', ttlSeconds: 0, rdata: ['"2"'] },
      ...sites.map(({ id, domain_name }) => ({
        name: `${id}.zones.${origin}`,
        type: 'PTR' as const,
        ttlSeconds: 0,
        rdata: [`${domain_name}.`],
      })),
    ],
  })
  const version = await contentVersion(tx, 'dns-zone', catalogKey(organizationId), content)
  return { version, organizationId, body: content(version) }
}
