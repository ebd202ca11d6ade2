import type { CdnCapabilities, CdnDriverName, Domain, DomainOrigin, ErrorCode, OriginShield } from '@fairway/contract'
import { isIpv4, isIpv6 } from '../dns/addresses.ts'

export type Capability = keyof CdnCapabilities

/** What of a domain's settings a CDN has to be able to express. */
export type DeliverySettings = Pick<Domain, 'name' | 'cacheTtlSeconds'> & {
  origin: Pick<DomainOrigin, 'address' | 'port' | 'protocol' | 'hostHeader'>
  websocket?: boolean
  /** It fetches through the shield. */ shielded?: boolean
}

/**
 * `problem` keeps the CDN from being used for the domain; `unsupported` are all settings it can't express, to be listed
 * before saving.
 */
export type Compatibility = { problem: Extract<ErrorCode, 27020 | 27024 | 27046> | null; unsupported: Capability[] }

/** How the origin is reached when nobody says otherwise: by plain HTTP at its port, asked for the domain's own name. */
const DEFAULT_PORTS = { http: 80, https: 443 } as const

/**
 * Compares what a CDN can do with what the domain needs. Without the host header, address, port or protocol of the
 * origin a CDN would fetch the wrong thing or nothing,
 * so that is a problem (27020; 27046 when it is the host header alone), as is a wildcard name it does not serve (27024).
 * A custom CDN is set up by its owner,
 * elsewhere: of it only the name can be wrong.
 */
export function compatibility(
  driver: CdnDriverName,
  capabilities: CdnCapabilities,
  settings: DeliverySettings,
): Compatibility {
  const unsupported = neededBy(settings).filter((capability) => !capabilities[capability])
  if (unsupported.includes('wildcard')) return { problem: 27024, unsupported }
  const spoiling = driver === 'custom' ? [] : unsupported.filter((capability) => capability !== 'cacheTtl')
  if (spoiling.length === 0) return { problem: null, unsupported }
  return { problem: spoiling.every((capability) => capability === 'customHostHeader') ? 27046 : 27020, unsupported }
}

/** The domain's settings that keep a CDN from being used for it, as the API names them. */
export function settingsAgainst({ problem, unsupported }: Compatibility): string[] {
  if (problem === null) return []
  // How long is cached keeps no CDN from being used.
  return unsupported
    .filter((capability) => (problem === 27024 ? capability === 'wildcard' : capability !== 'cacheTtl'))
    .map((capability) => SETTING_OF[capability] ?? capability)
}

/** Where in a domain's settings each need comes from, as the API names it. */
const SETTING_OF: Readonly<Partial<Record<Capability, string>>> = {
  wildcard: 'name',
  websocket: 'settings.websocket',
  ipv4Origin: 'origin.address',
  ipv6Origin: 'origin.address',
  customHostHeader: 'origin.hostHeader',
  originProtocol: 'origin.protocol',
  originPort: 'origin.port',
  cacheTtl: 'cacheTtlSeconds',
}

function neededBy({ name, origin, cacheTtlSeconds, websocket, shielded = false }: DeliverySettings): Capability[] {
  const needs: Partial<Record<Capability, boolean>> = {
    wildcard: name.startsWith('*.'),
    websocket: websocket === true,
    ipv4Origin: isIpv4(origin.address) && !shielded,
    ipv6Origin: isIpv6(origin.address) && !shielded,
    customHostHeader: origin.hostHeader !== name && !shielded,
    originProtocol: origin.protocol !== 'http' && !shielded,
    originPort: origin.port !== DEFAULT_PORTS[origin.protocol] && !shielded,
    cacheTtl: cacheTtlSeconds > 0,
  }
  return CAPABILITIES.filter((capability) => needs[capability])
}

const EDGE_DRIVERS: ReadonlySet<CdnDriverName> = new Set(['fairway-edge', 'simulated'])
/** Whether a CDN's visitors are answered by our own edge nodes. */
export const isOnTheEdge = (driver: CdnDriverName): boolean => EDGE_DRIVERS.has(driver)
/** Whether a CDN fetches through the shield when a domain uses it: those whose fetching is ours to direct. */
export const isShielded = (driver: CdnDriverName, originShield: OriginShield): boolean =>
  originShield === 'use' && isOnTheEdge(driver)

/** The shield speaks with the origin over the ports that CDNs reach it by otherwise; only then may it be left out. */
export const mayBypassShield = (port: number): boolean => port === 80 || port === 443

const CAPABILITIES: readonly Capability[] = [
  'wildcard',
  'websocket',
  'ipv4Origin',
  'ipv6Origin',
  'customHostHeader',
  'originProtocol',
  'originPort',
  'cacheTtl',
]
