import type { NsReason, NsRequirement } from '@fairway/contract'

/**
 * Whether a parent's delegation names our servers only. Null when it does; a single old server among them would still
 * answer some visitors with the old zone.
 */
export function delegationProblem(delegated: readonly string[], ours: readonly string[]): NsReason | null {
  if (delegated.length === 0) return 'notDelegated'
  const known = delegated.filter((name) => ours.includes(name)).length
  if (known === delegated.length) return null
  return known === 0 ? 'otherNameservers' : 'mixedNameservers'
}

export type DelegationFacts = {
  /** What the parent names, with the addresses that it tells. */
  delegation: readonly { name: string; glue: readonly string[] }[]
  ours: readonly string[]
  /** Addresses of our nameservers as the world resolves them; of a name that is not there nothing is known. */
  addresses: ReadonlyMap<string, readonly string[]>
  /** Serials that the named servers of ours answer; null for one that does not. */
  serials: readonly { name: string; serial: number | null }[]
  /** Keys at the parent that are not ours; null when it did not say. */
  foreignKeys: number | null
}

/** The requirements of a delegation one by one; null is not known. */
export function delegationRequirements({
  delegation,
  ours,
  addresses,
  serials,
  foreignKeys,
}: DelegationFacts): { requirement: NsRequirement; met: boolean | null }[] {
  const known = delegation.filter(({ name }) => ours.includes(name))
  const told = known.filter(({ glue }) => glue.length > 0)
  const isRight = ({ name, glue }: (typeof told)[number]): boolean | null =>
    addresses.has(name) ? glue.every((address) => addresses.get(name)?.includes(address)) : null
  return [
    { requirement: 'delegated', met: known.length > 0 },
    { requirement: 'alone', met: known.length === 0 ? null : known.length === delegation.length },
    { requirement: 'two', met: known.length === 0 ? null : known.length > 1 },
    { requirement: 'glue', met: known.length === 0 ? null : all(told.map(isRight)) },
    { requirement: 'answered', met: serials.length === 0 ? null : serials.every(({ serial }) => serial !== null) },
    { requirement: 'keys', met: foreignKeys === null ? null : foreignKeys === 0 },
  ]
}

/** One that is wrong is wrong for all; one that is not known leaves all unknown. */
function all(each: readonly (boolean | null)[]): boolean | null {
  if (each.includes(false)) return false
  return each.includes(null) ? null : true
}
