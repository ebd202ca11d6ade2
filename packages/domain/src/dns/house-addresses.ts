import { isIpv6 } from './addresses.ts'

/** A machine that answers for the installation; `isListed` while names may lead to it. */
export type HouseMachine = { name: string; addresses: readonly string[]; isListed: boolean }
export type AddressSet = { type: 'A' | 'AAAA'; addresses: string[] }

/** More make answers large, and nobody tries that many. */
const MOST_IN_A_SET = 8

/** Up to 8 of each family, in the order in which they come; a family without addresses has no set. */
export function addressSets(addresses: readonly string[]): AddressSet[] {
  const all = [...new Set(addresses)]
  return (['A', 'AAAA'] as const)
    .map((type) => ({
      type,
      addresses: all.filter((address) => isIpv6(address) === (type === 'AAAA')).slice(0, MOST_IN_A_SET),
    }))
    .filter((set) => set.addresses.length > 0)
}

/** By name, without those that have no address. */
const inOrder = (machines: readonly HouseMachine[]): HouseMachine[] =>
  machines.filter(({ addresses }) => addresses.length > 0).toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** All listed machines; of more than fit, the first address of each goes before the second of any. */
export function edgeAddressSets(machines: readonly HouseMachine[]): AddressSet[] {
  const listed = inOrder(machines).filter(({ isListed }) => isListed)
  const sets = listed.map(({ addresses }) => addressSets(addresses))
  const turns = (['A', 'AAAA'] as const).flatMap((type) => {
    const each = sets.map((some) => some.find((set) => set.type === type)?.addresses ?? [])
    return Array.from({ length: MOST_IN_A_SET }, (_, turn) => each.flatMap((own) => own[turn] ?? [])).flat()
  })
  return addressSets(turns)
}

/**
 * Addresses of the name server names: each name has a machine of its own in turn, so that two that follow each other
 * are never on one while there are two. It stays with it while that is away: then the next one that is listed stands in.
 */
export function nameserverAddressSets(
  machines: readonly HouseMachine[],
  names: readonly string[],
): Map<string, AddressSet[]> {
  const all = inOrder(machines)
  return new Map(
    names.map((name, at) => {
      const turns = all.map((_, turn) => all[(at + turn) % all.length])
      return [name, addressSets(turns.find((machine) => machine?.isListed)?.addresses ?? [])]
    }),
  )
}
