import type { SteeringPolicy, StrategyRule, VisitorFilter } from '@fairway/contract'
import { contains } from './cidr.ts'
import { isEmptyFilter } from './match.ts'
import { isInside } from './parse-place.ts'
import { readableCidrs } from './policy-cidrs.ts'
import { strategyShare } from './situation.ts'
import { namedTargets } from './targets.ts'

/** A strategy that no visitor can reach, and the id of the one before it that always decides first. */
export type UnreachableStrategy = { strategyId: string; kind: 'unreachable'; becauseOf: string }
/** A strategy some of whose visitors are those of an earlier one as well, which decides for them whenever it can. */
export type OverlappingStrategy = { strategyId: string; kind: 'overlaps'; becauseOf: string }

/**
 * Enabled strategies that are never reached, whatever is measured: an earlier enabled *always use* with a serving
 * target is for all of their visitors, and not for a share only.
 * Only certain cases are named; any other method may yield nothing when its targets fail.
 */
export function unreachableStrategies(
  policy: Pick<SteeringPolicy, 'cdns' | 'strategies' | 'vsrRules'>,
): UnreachableStrategy[] {
  const enabled = policy.strategies.filter((rule) => rule.enabled).toSorted((a, b) => a.priority - b.priority)
  const warnings: UnreachableStrategy[] = []
  for (const [index, rule] of enabled.entries()) {
    const cause = enabled
      .slice(0, index)
      .find((earlier) => alwaysDecides(earlier, policy) && coversAllOf(earlier, rule, policy))
    if (cause !== undefined) warnings.push({ strategyId: rule.id, kind: 'unreachable', becauseOf: cause.id })
  }
  return warnings
}

/**
 * Enabled strategies that share visitors with an earlier one in a way that is easily overlooked. One that is for all of
 * the earlier one's visitors and more is the usual fallback and is not told; nor is one that is never reached at all.
 */
export function overlappingStrategies(
  policy: Pick<SteeringPolicy, 'cdns' | 'strategies' | 'vsrRules'>,
): OverlappingStrategy[] {
  const unreachable = new Set(unreachableStrategies(policy).map(({ strategyId }) => strategyId))
  const enabled = policy.strategies.filter((rule) => rule.enabled).toSorted((a, b) => a.priority - b.priority)
  return enabled.flatMap((rule, index) => {
    if (unreachable.has(rule.id)) return []
    const earlier = enabled
      .slice(0, index)
      .find(
        ({ filter, visitorPercent }) =>
          (visitorPercent ?? 100) >= 100 && intersects(filter, rule.filter) && !covers(rule.filter, filter),
      )
    return earlier === undefined ? [] : [{ strategyId: rule.id, kind: 'overlaps' as const, becauseOf: earlier.id }]
  })
}

const covers = (outer: VisitorFilter, inner: VisitorFilter): boolean => isEmptyFilter(outer) || isSuperset(outer, inner)

/** Whether a visitor may be in both; what cannot be told counts as yes. */
function intersects(a: VisitorFilter, b: VisitorFilter): boolean {
  const some = <T>(ones: readonly T[], others: readonly T[], meet: (one: T, other: T) => boolean) =>
    ones.length === 0 || others.length === 0 || ones.some((one) => others.some((other) => meet(one, other)))
  const isNumber = (network: string) => network.startsWith('AS')
  return (
    some(a.places, b.places, (one, other) => isInside(one, other) || isInside(other, one)) &&
    some(a.networks, b.networks, (one, other) => one === other || isNumber(one) !== isNumber(other)) &&
    some(readableCidrs(a), readableCidrs(b), (one, other) => contains(one, other) || contains(other, one))
  )
}

type Policy = Pick<SteeringPolicy, 'cdns' | 'vsrRules'>

const alwaysDecides = (rule: StrategyRule, { cdns }: Policy): boolean =>
  rule.method === 'always-use' &&
  strategyShare(rule) === null &&
  namedTargets(rule.targets, cdns).some((target) =>
    cdns.some((cdn) => cdn.cdnId === target.cdnId && cdn.enabled && cdn.serving),
  )

function coversAllOf(earlier: StrategyRule, later: StrategyRule, { vsrRules }: Policy): boolean {
  if (isEmptyFilter(earlier.filter)) return true
  // A VSR rule for one CDN gives targets different views of the visitor, so filters can't be compared as they stand.
  if (vsrRules.some((rule) => rule.enabled && rule.cdnId !== null)) return false
  return isSuperset(earlier.filter, later.filter)
}

/**
 * Each kind of the outer filter is unset or holds every value of the inner one's. An inner kind that is unset lets
 * everyone in, so only an unset outer one covers it.
 */
function isSuperset(outer: VisitorFilter, inner: VisitorFilter): boolean {
  const allIn = <T>(narrow: readonly T[], wide: readonly T[], holds: (wide: T, narrow: T) => boolean) =>
    narrow.length > 0 && narrow.every((one) => wide.some((other) => holds(other, one)))
  return (
    (outer.places.length === 0 || allIn(inner.places, outer.places, (wide, narrow) => isInside(narrow, wide))) &&
    (outer.networks.length === 0 || allIn(inner.networks, outer.networks, (wide, narrow) => wide === narrow)) &&
    (outer.cidrs.length === 0 || allIn(readableCidrs(inner), readableCidrs(outer), contains))
  )
}
