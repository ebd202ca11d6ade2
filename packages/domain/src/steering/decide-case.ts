import type { Decision, Location, ScoresSnapshot, SteeringCase } from '@fairway/contract'
import { continentOf } from './continents.ts'
import { decide } from './decide.ts'
import { parseScoreKey } from './parse-place.ts'
import { targetProblem } from './strategy-problems.ts'

/** A part of a case that saving would refuse, or that names nothing. */
export type CaseProblem = { path: string; message: string }

/** What is wrong with a case, beyond its form; empty when it can be decided. */
export function caseProblems({ policy, scores, visitor }: SteeringCase): CaseProblem[] {
  const problems: CaseProblem[] = []
  const installed = new Set<string>()
  const tell = (path: string, message: string) => void problems.push({ path, message })
  for (const [index, { cdnId }] of policy.cdns.entries()) {
    if (installed.has(cdnId)) tell(`policy.cdns.${index}.cdnId`, 'validation.duplicateValue')
    installed.add(cdnId)
  }
  const named = (rules: readonly { id: string }[], path: string) => {
    for (const [index, { id }] of rules.entries())
      if (rules.findIndex((other) => other.id === id) < index) tell(`${path}.${index}.id`, 'validation.duplicateValue')
  }
  named(policy.strategies, 'policy.strategies')
  named(policy.vsrRules, 'policy.vsrRules')
  for (const [index, strategy] of policy.strategies.entries()) {
    const problem = targetProblem(strategy, installed)
    if (problem) tell(`policy.strategies.${index}.${problem.path}`, problem.message)
  }
  for (const [index, { cdnId, mimickedLocation }] of policy.vsrRules.entries()) {
    if (cdnId !== null && !installed.has(cdnId)) tell(`policy.vsrRules.${index}.cdnId`, 'validation.notInstalled')
    if (mimickedLocation.country === null)
      tell(`policy.vsrRules.${index}.mimickedLocation.country`, 'validation.locatedAddress')
  }
  for (const [cdnId, { places }] of Object.entries(scores?.cdns ?? {})) {
    if (!installed.has(cdnId)) tell(`scores.cdns.${cdnId}`, 'validation.notInstalled')
    for (const key of Object.keys(places))
      if (parseScoreKey(key) === null) tell(`scores.cdns.${cdnId}.places.${key}`, 'validation.scoreKey')
  }
  if ((visitor.prefixLength ?? 0) > (visitor.address.includes(':') ? 128 : 32))
    tell('visitor.prefixLength', 'validation.max_value:32')
  return problems
}

/**
 * Decides a case that has no problems, as it would be decided live. `now` (epoch ms) is for a case that names no time.
 * Pure.
 */
export function decideCase({ policy, scores, visitor, previous, ...given }: SteeringCase, now: number): Decision {
  const at = given.now ?? now
  return decide({
    policy: {
      id: 'case',
      organizationId: '',
      cdns: policy.cdns
        .filter((cdn) => cdn.installed)
        .map((cdn) => {
          const { installed: _, ...rest } = cdn
          return { ...rest, name: cdn.name || cdn.cdnId, cname: '' }
        }),
      strategies: policy.strategies.map((strategy, index) => ({
        ...strategy,
        priority: strategy.priority ?? index + 1,
      })),
      vsrRules: policy.vsrRules.map((rule) => ({ ...rule, mimickedLocation: placed(rule.mimickedLocation) })),
      settings: policy.settings,
    },
    scores: scores && scoresAt(scores, at),
    visitor: {
      address: visitor.address,
      prefixLength: visitor.prefixLength ?? bitsOf(visitor.address),
      location: placed(visitor.location),
    },
    previous,
    now: at,
  })
}

const placed = ({ continent, ...location }: SteeringCase['visitor']['location']): Location => ({
  ...location,
  continent: continent ?? (location.country === null ? '00' : continentOf(location.country)),
})

const bitsOf = (address: string): number => (address === '0.0.0.0' ? 0 : address.includes(':') ? 128 : 32)

function scoresAt({ builtAt, lifetimeSeconds, cdns }: NonNullable<SteeringCase['scores']>, at: number): ScoresSnapshot {
  return {
    organizationId: '',
    serial: 0,
    builtAt: builtAt ?? at,
    lifetimeSeconds,
    cdns: mapValues(cdns, (cdn) => ({
      ...cdn,
      places: mapValues(cdn.places, ({ rum, sum, nel, edge, feed }) => ({
        ...(rum && { rum: { ...rum, newestAt: rum.newestAt ?? at } }),
        ...(sum && { sum: { ...sum, newestAt: sum.newestAt ?? at } }),
        ...(nel && { nel: { ...nel, newestAt: nel.newestAt ?? at } }),
        ...(edge && { edge: { ...edge, newestAt: edge.newestAt ?? at } }),
        ...(feed && { feed: feed.map((one) => ({ ...one, newestAt: one.newestAt ?? at })) }),
      })),
    })),
  }
}

const mapValues = <A, B>(record: Record<string, A>, to: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]))
