import type { DnsZone, Rrset } from '@fairway/contract'
import { TRANSFER_TTL_SECONDS, namesToFlatten, steeringName, steeringOrigin, steeringZone } from '@fairway/domain/lean'
import { delegationSigners } from '../dnssec/key-sets.ts'
import { lowerName, nameToWire } from '../wire/name.ts'

/** Addresses are looked at every few seconds; secondaries hear of another one at once, resolvers after so long. */
const FLATTENED_TTL_SECONDS = 60

/** What secondaries are given in place of steered names and aliases: a CNAME to where it is steered, or addresses. */
export function transferSets(zone: DnsZone): Rrset[] {
  if (!zone.transfer) return []
  const flat = new Set(namesToFlatten(zone))
  const ways = zone.steered
    .filter(({ name }) => !flat.has(name))
    .map(({ name }) => ({
      name,
      type: 'CNAME' as const,
      ttlSeconds: TRANSFER_TTL_SECONDS,
      rdata: [`${steeringName(name, zone.origin)}.`],
    }))
  const addresses = zone.transfer.flattened
    .filter(({ name }) => flat.has(name))
    .flatMap(({ name, a, aaaa }) => [
      { name, type: 'A' as const, ttlSeconds: FLATTENED_TTL_SECONDS, rdata: a },
      { name, type: 'AAAA' as const, ttlSeconds: FLATTENED_TTL_SECONDS, rdata: aaaa },
    ])
  return [...ways, ...addresses.filter(({ rdata }) => rdata.length > 0)]
}

/**
 * The delegation of the zone that steers for secondaries, to the servers of the zone itself, and with its keys. It
 * stands in the zone as we answer it, too: resolvers ask any of its servers.
 */
export function steeringDelegation(zone: DnsZone): Rrset[] {
  if (steeringZone(zone) === null) return []
  const name = steeringOrigin(zone.origin)
  const servers = zone.rrsets.filter((set) => set.type === 'NS' && set.name === zone.origin)
  return [
    ...servers.map(({ rdata }) => ({ name, type: 'NS' as const, ttlSeconds: TRANSFER_TTL_SECONDS, rdata })),
    ...(zone.signing
      ? [
          {
            name,
            type: 'DS' as const,
            ttlSeconds: TRANSFER_TTL_SECONDS,
            rdata: delegationSigners(lowerName(nameToWire(name)), zone.signing),
          },
        ]
      : []),
  ]
}
