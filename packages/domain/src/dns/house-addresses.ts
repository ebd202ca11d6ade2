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

/** Of more than fit, the first address of each machine goes before the second of any. */
function setsOfAll(machines: readonly HouseMachine[]): AddressSet[] {
  const sets = machines.map(({ addresses }) => addressSets(addresses))
  const turns = (['A', 'AAAA'] as const).flatMap((type) => {
    const each = sets.map((some) => some.find((set) => set.type === type)?.addresses ?? [])
    return Array.from({ length: MOST_IN_A_SET }, (_, turn) => each.flatMap((own) => own[turn] ?? [])).flat()
  })
  return addressSets(turns)
}

/** All listed machines. */
export const edgeAddressSets = (machines: readonly HouseMachine[]): AddressSet[] =>
  setsOfAll(inOrder(machines).filter(({ isListed }) => isListed))

/** Organisations have any two names: with two machines behind each, no pair stands and falls with one machine. */
const MACHINES_OF_A_NAME = 2

/**
 * Addresses of the name server names: each has a machine in turn, and the one that follows. It stays with them while
 * they are away: then the next ones that are listed stand in.
 */
export function nameserverAddressSets(
  machines: readonly HouseMachine[],
  names: readonly string[],
): Map<string, AddressSet[]> {
  const all = inOrder(machines)
  return new Map(
    names.map((name, at) => {
      const first = at % Math.max(1, all.length)
      const listed = [...all.slice(first), ...all.slice(0, first)].filter(({ isListed }) => isListed)
      return [name, setsOfAll(listed.slice(0, MACHINES_OF_A_NAME))]
    }),
  )
}
