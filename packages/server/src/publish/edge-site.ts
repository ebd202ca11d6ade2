import type { EdgeDelivery, EdgeDomain, EdgeSite, OriginOverride } from '@fairway/contract'
import { compileFor } from '@fairway/domain'
import { reportAddress, type Config, type Tx } from '@fairway/platform'
import { isDeepStrictEqual } from 'node:util'
import type { DomainRow } from '../http/context.ts'
import { cacheRulesOf } from '../features/cache-rules/store.ts'
import { abilitiesOf, intentOf } from '../features/domains/delivery.ts'
import { securityPolicyOf } from '../features/web-security/policy.ts'
import { attachedDrivers, type AttachedDriver } from '../features/domains/store.ts'
import { keptRoute } from '../features/shield-regions/store.ts'
import { brandKey } from './edge-pages.ts'
import type { Built } from './built.ts'
import { buildStreamSite, isStreamKey } from './stream-site.ts'

/** Its own requests and reports name it so; every organisation has it under this id. */
const OWN_EDGE = 'edge'

/**
 * What the edge serves of a site: its domains that have a CDN, compiled for the edge itself and for each simulated CDN
 * that differs from it. Key: site id.
 */
export async function buildEdgeSite(tx: Tx, key: string, config: Config): Promise<Built> {
  if (isStreamKey(key)) return buildStreamSite(tx, key, config)
  const site = (
    await tx.query<{ id: string; organization_id: string; version: number; partner_id: string }>(
      'SELECT s.id, s.organization_id, s.version, o.partner_id FROM site s JOIN organization o ON o.id = s.organization_id WHERE s.id = $1',
      [key],
    )
  )[0]
  if (!site) return null
  const rows = await tx.query<DomainRow & { organization_id: string }>(
    `SELECT d.* FROM domain d WHERE d.site_id = $1 AND EXISTS (SELECT FROM domain_cdn c WHERE c.domain_id = d.id AND c.edge_left_version IS NULL)
       AND NOT EXISTS (SELECT FROM billing_account b WHERE b.organization_id = d.organization_id AND b.serving_stopped_at IS NOT NULL) ORDER BY d.name`,
    [key],
  )
  const domains: EdgeSite['domains'] = []
  for (const row of rows) {
    const { delivery, cdns } = await compiledDelivery(tx, row, config)
    domains.push({
      host: row.name,
      domainId: row.id,
      organizationId: row.organization_id,
      siteId: site.id,
      version: site.version,
      ...delivery,
      cdns,
      ...facesOf(row, site.partner_id),
      ...(await shieldOf(tx, row)),
    })
  }
  const body: EdgeSite = { siteId: site.id, organizationId: site.organization_id, version: site.version, domains }
  return { version: site.version, organizationId: site.organization_id, body }
}

/** What visitors see when the origin does not answer, or must not be asked. */
function facesOf(row: DomainRow, partnerId: string): Pick<EdgeDomain, 'pages' | 'inMaintenance'> {
  return {
    pages: {
      errors: row.errors_page_id,
      maintenance: row.maintenance_page_id,
      blocked: row.blocked_page_id,
      'rate-limited': row.rate_limited_page_id,
      challenge: row.challenge_page_id,
      captcha: row.captcha_page_id,
      brand: brandKey(partnerId),
    },
    inMaintenance: row.in_maintenance,
  }
}

/** Which nodes speak with the origin for the others. */
async function shieldOf(tx: Tx, { id, origin_shield }: DomainRow): Promise<Pick<EdgeDomain, 'shield'>> {
  const route = origin_shield === 'use' ? await keptRoute(tx, id) : undefined
  return route === undefined || route.nodes.length === 0 ? {} : { shield: { nodes: route.nodes } }
}

async function compiledDelivery(
  tx: Tx,
  row: DomainRow & { organization_id: string },
  config: Config,
): Promise<{ delivery: EdgeDelivery; cdns: Record<string, EdgeDelivery> }> {
  const intent = intentOf(row, await cacheRulesOf(tx, row.id))
  const delivered = (cdn: Pick<AttachedDriver, 'driver' | 'slug'>, cdnId: string): EdgeDelivery => {
    const abilities = abilitiesOf(cdn)
    const asks = row.network_errors && abilities.capabilities.networkErrors
    const subject = { organizationId: row.organization_id, domainId: row.id, cdnId }
    return {
      ...compileFor(abilities, intent).delivery,
      reportsTo: asks ? reportAddress(config, subject, row.name) : '',
    }
  }
  const delivery = delivered({ driver: 'fairway-edge', slug: '' }, OWN_EDGE)
  const cdns: Record<string, EdgeDelivery> = {}
  for (const cdn of await attachedDrivers(tx, row.id)) {
    if (cdn.driver !== 'simulated') continue
    const own = delivered(cdn, cdn.slug)
    if (!isDeepStrictEqual(own, delivery)) cdns[cdn.slug] = own
  }
  // What an origin rule leads elsewhere is delivered like the rest of the domain, from there.
  if (row.origin_shield === 'use')
    for (const { id, origin } of (await securityPolicyOf(tx, row.id)).origins)
      cdns[`rule-${id}`] = { ...delivery, origin: { ...delivery.origin, ...overriding(origin, delivery.origin) } }
  return { delivery, cdns }
}

function overriding(origin: OriginOverride, before: EdgeDelivery['origin']): Partial<EdgeDelivery['origin']> {
  const { address, protocol, hostHeader, sni } = origin
  // The usual port of a protocol goes with it.
  const port = origin.port ?? (protocol === null || protocol === before.protocol ? null : 0)
  return {
    ...(address === null ? {} : { addresses: [address], fallbackAddress: null }),
    ...(port === null ? {} : { port }),
    ...(protocol === null ? {} : { protocol }),
    ...(hostHeader === null ? {} : { hostHeader }),
    ...(sni === null ? {} : { sni }),
  }
}
