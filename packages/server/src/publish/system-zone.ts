import type { DnsZone, Rrset } from '@fairway/contract'
import { type AddressSet, addressSets, edgeAddressSets, isAtOrUnder, nameserverAddressSets } from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import { streamChallenges } from '../features/certificates/stream-certificate-store.ts'
import type { Built } from './built.ts'
import { contentVersion } from './publication.ts'
import { houseMachines } from './house-addresses.ts'
import { allNameservers, apexRrsets, ofHouse } from './nameservers.ts'

const SYSTEM = 'system:'
export const zoneKey = (zone: string): string => `${SYSTEM}${zone}`
export const systemZoneKey = (config: Config): string => zoneKey(config.serviceDomain)
export const isZoneKey = (key: string): boolean => key.startsWith(SYSTEM)

/** Asks for the service domain's own zone and those of partners again. */
export async function publishHouseZones(tx: Tx, config: Config): Promise<void> {
  await tx.query(
    `INSERT INTO outbox (kind, key) SELECT 'dns-zone', $1 UNION SELECT 'dns-zone', $2 || name FROM partner_zone`,
    [systemZoneKey(config), SYSTEM],
  )
  await tx.query(`SELECT pg_notify('outbox', '')`)
}

/** Which of the names of the house a zone holds; `named` is the zone of its own nameservers. */
type Holds = { nameservers: boolean; cdnHosts: string[]; named: string }

/** An authority looks as soon as it is told. */
const PROOF_TTL_SECONDS = 60

/** Of the names of name servers: with several machines one stands in for another. */
const [FIXED_TTL_SECONDS, MOVING_TTL_SECONDS] = [86_400, 3_600]

/** What a zone of a partner's is for; null when nobody wants it any more. */
async function holdsOf(tx: Tx, config: Config, origin: string): Promise<Holds | null> {
  if (origin === config.serviceDomain) return { nameservers: true, cdnHosts: [origin], named: origin }
  const [zone] = await tx.query<{ service_domain: string | null; cname_host: string | null }>(
    'SELECT p.service_domain, p.cname_host FROM partner_zone z JOIN partner p ON p.id = z.partner_id WHERE z.name = $1',
    [origin],
  )
  if (!zone) return null
  const inUse = await tx.query<{ host: string }>(
    `SELECT DISTINCT substring(cname FROM '^[^.]+\\.(?:edge|[^.]+\\.cdn)\\.(.+)$') AS host FROM domain_cdn WHERE right(cname, $2) = $1`,
    [`.${origin}`, origin.length + 1],
  )
  const hosts = new Set([zone.cname_host, ...inUse.map(({ host }) => host)])
  return {
    // A zone of CDN names that was one of nameservers once goes on answering for them.
    nameservers:
      origin === zone.service_domain ||
      (await tx.query('SELECT FROM organization WHERE names_zone = $1 LIMIT 1', [origin])).length > 0,
    cdnHosts: [...hosts].filter((host): host is string => host !== null && isAtOrUnder(host, origin)),
    named: origin === zone.cname_host ? (zone.service_domain ?? config.serviceDomain) : origin,
  }
}

/**
 * The service domain's own zone, or one of a partner's (`system:<zone>`): nameservers, and one wildcard for each CDN of
 * the house, so that a domain's CNAME target resolves in the same answer.
 */
export async function buildSystemZone(tx: Tx, key: string, config: Config): Promise<Built> {
  const origin = key.slice(SYSTEM.length)
  const holds = await holdsOf(tx, config, origin)
  if (!holds) return null
  const simulated = await tx.query<{ slug: string; address: string }>(
    'SELECT slug, address FROM simulated_cdn ORDER BY slug',
  )
  const servers = await houseMachines(tx, config, 'dns')
  const edges = edgeAddressSets(await houseMachines(tx, config, 'edge'))
  const setsOf = (name: string, sets: readonly AddressSet[], ttlSeconds = 300): Rrset[] =>
    sets.map(({ type, addresses }) => ({ name, type, ttlSeconds, rdata: addresses }))
  // A text below a name makes the name exist, and what exists is no part of a wildcard (RFC 4592 2.2.2).
  const isOwn = origin === config.serviceDomain
  const proofs = isOwn
    ? Map.groupBy(await streamChallenges(tx, origin), ({ name }) => name)
    : new Map<string, { value: string }[]>()
  const { global, china } = allNameservers(config, origin)
  const names = holds.nameservers ? [...global, ...china] : []
  const serverSets = nameserverAddressSets(servers, names)
  const content = (version: number): DnsZone => ({
    zoneId: key,
    organizationId: null,
    origin,
    version,
    steered: [],
    policies: [],
    rrsets: [
      ...apexRrsets(config, ofHouse(holds.named), origin, version),
      ...names.flatMap((name) =>
        setsOf(name, serverSets.get(name) ?? [], servers.length > 1 ? MOVING_TTL_SECONDS : FIXED_TTL_SECONDS),
      ),
      ...holds.cdnHosts.flatMap((host) => [
        ...setsOf(`*.edge.${host}`, edges),
        ...simulated.flatMap((cdn) => setsOf(`*.${cdn.slug}.cdn.${host}`, addressSets([cdn.address]))),
      ]),
      ...(isOwn ? setsOf(`*.stream.edge.${origin}`, edges) : []),
      ...[...proofs].map(([name, texts]): Rrset => ({
        name,
        type: 'TXT',
        ttlSeconds: PROOF_TTL_SECONDS,
        rdata: texts.map(({ value }) => `"${value}"`),
      })),
    ],
  })
  const version = await contentVersion(tx, 'dns-zone', key, content)
  return { version, organizationId: null, body: content(version) }
}
