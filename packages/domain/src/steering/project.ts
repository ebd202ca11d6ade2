import type { Location, ScoresSnapshot, SteeringPolicy, Visitor } from '@fairway/contract'
import { contains, parseVisitorAddress, type IpNetwork } from './cidr.ts'
import { locationKeys } from './places.ts'
import { measuredLevels } from './pick-measure.ts'
import { policyCidrs, settlingBits } from './policy-cidrs.ts'
import { returnShare, strategyShare } from './situation.ts'
import { lotOfNetwork, sharesOf, type VisitorShare } from './visitor-share.ts'

/** What of a visitor matters to one policy under one state of the measurements. */
export type PolicyIndex = {
  places: ReadonlySet<string>
  networks: ReadonlySet<string>
  cidrs: readonly IpNetwork[]
  /** Which score keys are measured for a CDN of the policy. */
  scores: ScoresSnapshot | null
  cdnIds: readonly string[]
  /** Shares of the visitors that strategies or CDNs which come back are for. */
  shares: readonly VisitorShare[]
  /** Keys of locations met before; geo lookups hand out the same object for the same place. */
  known: WeakMap<Location, string>
}

/**
 * Prepares `projectLocation`. Cheap enough to be made anew for every snapshot of scores: it does not read through them.
 */
export function policyIndex(policy: SteeringPolicy, scores: ScoresSnapshot | null): PolicyIndex {
  const filters = [...policy.strategies, ...policy.vsrRules].filter((rule) => rule.enabled).map((rule) => rule.filter)
  return {
    places: new Set(filters.flatMap((filter) => filter.places)),
    networks: new Set(filters.flatMap((filter) => filter.networks)),
    cidrs: policyCidrs(policy),
    scores,
    cdnIds: policy.cdns.map((cdn) => cdn.cdnId),
    shares: [
      ...policy.strategies.filter((rule) => rule.enabled).map(strategyShare),
      ...policy.cdns.map((cdn) => returnShare({ policy, scores }, cdn.cdnId)),
    ].filter((share) => share !== null),
    known: new WeakMap(),
  }
}

/**
 * The smallest key of a visitor: two visitors with equal keys get equal decisions from `decide` with the same policy,
 * scores, previous choice and time
 * (all but `trace.location`, which repeats the visitor's own). Named places and networks, measured levels, matching
 * CIDRs and the bits that settle them, shares of the visitors that it is in.
 */
export function projectLocation(index: PolicyIndex, visitor: Visitor): string {
  let place = index.known.get(visitor.location)
  if (place === undefined) {
    place = placePart(index, visitor.location)
    index.known.set(visitor.location, place)
  }
  if (index.cidrs.length === 0 && index.shares.length === 0) return place
  const address = parseVisitorAddress(visitor.address, visitor.prefixLength)
  const lots =
    index.shares.length === 0 ? '' : `||~${address?.family ?? '-'}~${sharesOf(lotOfNetwork(address), index.shares)}`
  return index.cidrs.length === 0 ? place + lots : `${place}||${cidrPart(index.cidrs, address)}${lots}`
}

// Parts are joined by `||`, which no place or score key can hold.
function placePart({ places, networks, scores, cdnIds }: PolicyIndex, location: Location): string {
  const keys = locationKeys(location)
  const measured = scores === null ? [] : measuredLevels(scores, cdnIds, keys.scores)
  const named = keys.places.filter((key) => places.has(key) && !measured.includes(key))
  return [...measured, '', ...named, '', ...keys.networks.filter((key) => networks.has(key))].join('||')
}

function cidrPart(cidrs: readonly IpNetwork[], address: IpNetwork | null): string {
  if (address === null) return '-'
  const matching: number[] = []
  for (const [index, cidr] of cidrs.entries()) if (contains(cidr, address)) matching.push(index)
  return `${matching.join(',')}/${settlingBits(cidrs, address) ?? '-'}`
}
