import type { Explanation, RoutingStrategy, VisitorFilter } from '@fairway/contract'
import { isEmptyFilter, isInside } from '@fairway/domain'
import { SAMPLE_VISITORS } from '../../why/sample-visitors.ts'
import { inputOf } from '../strategy-input.ts'
import type { StrategyDraft } from './strategy-draft.ts'

/** Asked when the filter names few places: one for each part of the world. */
const SPREAD = ['US', 'DE', 'JP', 'IN', 'BR', 'ZA', 'AU', 'CN'] as const
const ROWS = 6

/**
 * Countries to try a strategy on: those of its filter first, then others far apart, so that both sides of it are seen.
 */
export function sampleCountries({ places }: Pick<VisitorFilter, 'places'>): string[] {
  const inside = Object.keys(SAMPLE_VISITORS).filter((country) =>
    places.some((place) => isInside(`country:${country}`, place) || isInside(place, `country:${country}`)),
  )
  const bySpread = [...inside].sort((a, b) => rank(a) - rank(b))
  return [...new Set([...bySpread.slice(0, ROWS - 2), ...SPREAD])].slice(0, ROWS)
}

const rank = (country: string): number => {
  const at = SPREAD.findIndex((other) => other === country)
  return at === -1 ? SPREAD.length : at
}

/** The list of strategies as it would be with the draft: in its old place, or at a position (from 0) when it is new. */
export function draftList(
  strategies: readonly RoutingStrategy[],
  id: string | null,
  draft: StrategyDraft,
  position: number,
): (StrategyDraft & { id: string })[] {
  const inputs = strategies.map((strategy) => ({ id: strategy.id, ...inputOf(strategy) }))
  const mine = { ...draft, id: id ?? 'draft' }
  return id === null
    ? [...inputs.slice(0, position), mine, ...inputs.slice(position)]
    : inputs.map((input) => (input.id === id ? mine : input))
}

/**
 * Where a new strategy begins: before the first that is for everyone, since behind it few visitors are left; else last.
 */
export function firstPosition(strategies: readonly Pick<RoutingStrategy, 'enabled' | 'filter'>[]): number {
  const at = strategies.findIndex(({ enabled, filter }) => enabled && isEmptyFilter(filter))
  return at === -1 ? strategies.length : at
}

type Shares = Explanation['decision']['shares']

/** Whether visitors would be moved: other CDNs, or parts that differ by more than a rounding. */
export function isMoved(before: Shares, after: Shares): boolean {
  if (before.length !== after.length) return true
  return before.some(
    ({ cdnId, percent }) => Math.abs((after.find((share) => share.cdnId === cdnId)?.percent ?? -1) - percent) > 0.5,
  )
}
