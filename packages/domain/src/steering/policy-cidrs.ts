import type { SteeringPolicy, VisitorFilter } from '@fairway/contract'
import { decidingBits, parseCidr, type IpNetwork } from './cidr.ts'

// A filter may name a thousand CIDRs and is never edited, so each is read once.
const read = new WeakMap<VisitorFilter, IpNetwork[]>()

/** The CIDRs of a filter in its order; unreadable ones match nobody and are left out. */
export function readableCidrs(filter: VisitorFilter): readonly IpNetwork[] {
  let networks = read.get(filter)
  if (networks === undefined) {
    networks = filter.cidrs.map(parseCidr).filter((network) => network !== null)
    read.set(filter, networks)
  }
  return networks
}

/** Every CIDR that an enabled strategy or VSR rule names, in a fixed order. */
export const policyCidrs = ({ strategies, vsrRules }: SteeringPolicy): IpNetwork[] =>
  [...strategies, ...vsrRules]
    .filter((rule) => rule.enabled && rule.filter.cidrs.length > 0)
    .flatMap((rule) => readableCidrs(rule.filter))

/**
 * How many leading bits of the address settle for every CIDR whether the address is in it; null when none of them is of
 * its family.
 */
export function settlingBits(cidrs: readonly IpNetwork[], address: IpNetwork | null): number | null {
  if (address === null) return null
  let bits = 0
  for (const cidr of cidrs) bits = Math.max(bits, decidingBits(cidr, address))
  return bits > 0 ? bits : null
}
