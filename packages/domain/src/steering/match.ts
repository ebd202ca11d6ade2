import type { StepReason, VisitorFilter } from '@fairway/contract'
import { contains, type IpNetwork } from './cidr.ts'
import type { LocationKeys } from './places.ts'
import { readableCidrs } from './policy-cidrs.ts'

/** Where a visitor is taken to stand: its names and what is known of its address (null when unreadable). */
export type Standpoint = { keys: LocationKeys; address: IpNetwork | null }

export type FilterMismatch = Extract<StepReason, 'filter-place' | 'filter-network' | 'filter-cidr'>

/**
 * Why a visitor is not one of the filter's, or null when it is. Kinds are *and*, the values of one kind are *or*, an
 * empty filter is everyone.
 */
export function mismatch(filter: VisitorFilter, { keys, address }: Standpoint): FilterMismatch | null {
  if (filter.places.length > 0 && !keys.places.some((key) => filter.places.includes(key))) return 'filter-place'
  if (filter.networks.length > 0 && !keys.networks.some((key) => filter.networks.includes(key))) return 'filter-network'
  if (filter.cidrs.length > 0 && !isInOneOf(readableCidrs(filter), address)) return 'filter-cidr'
  return null
}

/** Whether the filter's CIDRs had a say, that is whether all the rest of it matched. */
export const readsCidrs = (filter: VisitorFilter, found: FilterMismatch | null): boolean =>
  filter.cidrs.length > 0 && (found === null || found === 'filter-cidr')

export const isEmptyFilter = (filter: VisitorFilter): boolean =>
  filter.places.length === 0 && filter.networks.length === 0 && filter.cidrs.length === 0

export const filtersByPlace = (filter: VisitorFilter): boolean => filter.places.length > 0 || filter.networks.length > 0

const isInOneOf = (blocks: readonly IpNetwork[], address: IpNetwork | null): boolean =>
  address !== null && blocks.some((block) => contains(block, address))
