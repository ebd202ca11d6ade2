import type { NameserverPair } from '@fairway/domain'
import type { Config } from '@fairway/platform'

export type NameserverSets = { global: string[]; china: string[] }
/** Whose zone and pair a site's nameservers are named by; `service_domain` is a partner's own. */
export type NamedBy = { nameserver_pair: NameserverPair; service_domain: string | null }

/** `NamedBy` of a site `s`: an organisation keeps the zone that its names were given from, as it keeps its pair. */
export const NAMED_BY = `s.nameserver_pair, (SELECT o.names_zone FROM organization o WHERE o.id = s.organization_id) AS service_domain`

const CHINA = 2

/** The nameservers that a site is to be delegated to. */
export function nameserversOf(config: Config, { nameserver_pair, service_domain }: NamedBy): NameserverSets {
  const zone = service_domain ?? config.serviceDomain
  return { global: nameserver_pair.map((at) => nameserverName(at, zone)), china: chinaNames(zone) }
}

/** Every nameserver name in a zone of the installation's. */
export function allNameservers(config: Config, zone: string): NameserverSets {
  return {
    global: Array.from({ length: config.nameserverNames }, (_, at) => nameserverName(at, zone)),
    china: chinaNames(zone),
  }
}

const nameserverName = (at: number, zone: string): string => `ns${at + 1}.${zone}`
const chinaNames = (zone: string): string[] => Array.from({ length: CHINA }, (_, at) => `cn${at + 1}.${zone}`)

/** SOA timers of every zone: RIPE-203's, with negative answers kept for a minute. */
export const SOA_TIMERS = { refresh: 86_400, retry: 7_200, expire: 3_600_000, minimum: 60 } as const

/** MNAME and RNAME of a zone that is kept here. */
export function soaNames(config: Config, named: NamedBy): { mname: string; rname: string } {
  const zone = named.service_domain ?? config.serviceDomain
  return { mname: nameserversOf(config, named).global[0] ?? `ns1.${zone}`, rname: `hostmaster.${zone}` }
}

/** The names that the installation's own zones bear. */
export const ofHouse = (zone: string | null): NamedBy => ({ nameserver_pair: [0, 1], service_domain: zone })

export function soaRdata(config: Config, named: NamedBy, serial: number): string {
  const { refresh, retry, expire, minimum } = SOA_TIMERS
  const { mname, rname } = soaNames(config, named)
  return `${mname}. ${rname}. ${serial} ${refresh} ${retry} ${expire} ${minimum}`
}

export function apexRrsets(config: Config, named: NamedBy, origin: string, serial: number) {
  return [
    { name: origin, type: 'SOA' as const, ttlSeconds: 3600, rdata: [soaRdata(config, named, serial)] },
    {
      name: origin,
      type: 'NS' as const,
      ttlSeconds: 86_400,
      rdata: nameserversOf(config, named).global.map((name) => `${name}.`),
    },
  ]
}
