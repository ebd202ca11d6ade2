import type { DnsZone, Rrset } from '@fairway/contract'
import type { Config, Tx } from '@fairway/platform'
import type { Built } from './outbox.ts'
import { contentVersion } from './publication.ts'
import { allNameservers, apexRrsets, ofHouse } from './nameservers.ts'

export const systemZoneKey = (config: Config) => `system:${config.serviceDomain}`

/**
 * The service domain's own zone: nameservers, and one wildcard for each CDN of the house, so that a domain's CNAME
 * target resolves in the same answer.
 */
export async function buildSystemZone(tx: Tx, config: Config): Promise<Built> {
  const simulated = await tx.query<{ slug: string; address: string }>(
    'SELECT slug, address FROM simulated_cdn ORDER BY slug',
  )
  const address = (name: string, value: string, ttlSeconds = 300): Rrset => ({
    name,
    type: value.includes(':') ? 'AAAA' : 'A',
    ttlSeconds,
    rdata: [value],
  })
  const origin = config.serviceDomain
  const { global, china } = allNameservers(config, origin)
  const content = (version: number): DnsZone => ({
    zoneId: systemZoneKey(config),
    organizationId: null,
    origin,
    version,
    steered: [],
    policies: [],
    rrsets: [
      ...apexRrsets(config, ofHouse(null), origin, version),
      ...[...global, ...china].map((name) => address(name, config.dnsListen.host, 86_400)),
      address(`*.edge.${origin}`, config.edgeHttp.host),
      ...simulated.map((cdn) => address(`*.${cdn.slug}.cdn.${origin}`, cdn.address)),
    ],
  })
  const version = await contentVersion(tx, 'dns-zone', systemZoneKey(config), content)
  return { version, organizationId: null, body: content(version) }
}
