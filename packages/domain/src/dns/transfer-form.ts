import type { DnsZone, Rrset } from '@fairway/contract'

/** What of a published zone decides how it is given to secondaries. */
export type TransferredZone = Pick<DnsZone, 'origin' | 'rrsets' | 'steered' | 'aliases'>

/** Below it every steered name of a zone stands once more, delegated to the nodes that steer. */
export const STEERING_LABEL = '_steer'
/** How long resolvers keep the way from a secondary to the steering; the answer itself has the policy's lifetime. */
export const TRANSFER_TTL_SECONDS = 300
const LONGEST_NAME = 253
/** May stand beside a steered name: the record that is answered while no CDN is. */
const ITS_OWN = new Set(['A', 'AAAA', 'CNAME'])

/** Origin of the zone that steers for the secondaries of another. */
export const steeringOrigin = (origin: string): string => `${STEERING_LABEL}.${origin}`

/** Where a steered name below the apex is answered for secondaries. */
export const steeringName = (name: string, origin: string): string =>
  `${name.slice(0, -(origin.length + 1))}.${steeringOrigin(origin)}`

/**
 * Names that a secondary can only answer with addresses: aliases, and steered names at which no CNAME can stand: the
 * apex, names with other data (RFC 1034 3.6.2), and those that would be too long.
 */
export function namesToFlatten({ origin, rrsets, steered, aliases = [] }: TransferredZone): string[] {
  const busy = new Set(rrsets.filter(({ type }) => !ITS_OWN.has(type)).map(({ name }) => name))
  return [
    ...aliases.map(({ name }) => name),
    ...steered
      .map(({ name }) => name)
      .filter((name) => name === origin || busy.has(name) || steeringName(name, origin).length > LONGEST_NAME),
  ]
}

/**
 * The zone that steers for secondaries: the steered names of another that a CNAME leads to, under a delegation of its
 * own, signed with the same keys. Null when there are none, or nobody takes the zone.
 */
export function steeringZone(zone: DnsZone): DnsZone | null {
  if (!zone.transfer) return null
  const flat = new Set(namesToFlatten(zone))
  const steered = zone.steered.filter(({ name }) => !flat.has(name))
  if (steered.length === 0) return null
  const origin = steeringOrigin(zone.origin)
  const used = new Set(steered.map(({ policyId }) => policyId))
  return {
    zoneId: steeringZoneId(zone.zoneId),
    organizationId: zone.organizationId,
    ...(zone.proven ? { proven: true } : {}),
    origin,
    version: zone.version,
    rrsets: apexSets(zone).map((set) => ({ ...set, name: origin })),
    steered: steered.map((one) => ({ ...one, name: steeringName(one.name, zone.origin) })),
    policies: zone.policies.filter(({ id }) => used.has(id)),
    ...(zone.signing ? { signing: zone.signing } : {}),
  }
}

const STEER = 'steer:'
export const steeringZoneId = (zoneId: string): string => `${STEER}${zoneId}`

/** Whose zone it is: the site's own, or the one that steers for its secondaries. */
export const siteOfZone = (zoneId: string): string => (zoneId.startsWith(STEER) ? zoneId.slice(STEER.length) : zoneId)

const apexSets = ({ origin, rrsets }: DnsZone): Rrset[] =>
  rrsets.filter(({ name, type }) => name === origin && (type === 'SOA' || type === 'NS'))
