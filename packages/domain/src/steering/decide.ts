import type {
  CdnScores,
  Decision,
  ScoresSnapshot,
  SteeringPolicy,
  StrategyRule,
  StrategyTrace,
} from '@fairway/contract'
import { parseVisitorAddress } from './cidr.ts'
import { lastResort } from './last-resort.ts'
import type { Verdict } from './methods.ts'
import { cdnScores } from './pick-measure.ts'
import { policyCidrs, settlingBits } from './policy-cidrs.ts'
import { readStrategy, unread } from './read-strategy.ts'
import { situationOf, type DecideInput, type Situation } from './situation.ts'
import { SUBNET_BITS } from './visitor-share.ts'

/**
 * Which CDN a visitor gets, and why: the first enabled strategy by priority that matches the visitor and yields a
 * candidate decides, else the last resort.
 * Pure: the same input gives the same answer. Shares are empty only when no CDN is enabled.
 *
 * - A hard failure counts however old the measurements are: it stays until probes see the CDN alive.
 * - Availability and latency of a candidate come from one level and source, its finest with enough fresh samples.
 * - A strategy's filter is asked from each target's own view of the visitor (VSR); a target that sees the visitor
 *   outside is left out, and the strategy
 *   matches when at least one sees it inside.
 * - `dependsOn.cidrPrefixLength` is how many leading bits of the visitor's address settle every CIDR of the policy,
 *   when one was read; a share of the visitors hangs on the /24 or /48.
 */
export function decide(input: DecideInput): Decision {
  const { policy, scores, visitor, now } = input
  const situation = situationOf(input)
  const steps: StrategyTrace[] = []
  let decided: { strategyId: string | null; verdict: Verdict } | null = null
  for (const rule of byPriority(policy.strategies)) {
    if (!rule.enabled || decided !== null) {
      steps.push(unread(rule, rule.enabled ? 'not-reached' : 'disabled'))
      continue
    }
    const { step, verdict } = readStrategy(situation, rule)
    steps.push(step)
    if (verdict !== null) decided = { strategyId: rule.id, verdict }
  }
  if (decided === null) {
    const { step, verdict } = lastResort(situation)
    steps.push(step)
    decided = { strategyId: null, verdict }
  }
  return {
    ...answer(decided.verdict),
    ttlSeconds: lifetime(policy, decided.strategyId),
    strategyId: decided.strategyId,
    dependsOn: { location: dependsOnPlace(situation), cidrPrefixLength: dependsOnBits(situation) },
    trace: {
      policyId: policy.id,
      scoresSerial: scores?.serial ?? 0,
      scoresStale: scores !== null && isStale(scores, now),
      previous: input.previous,
      location: visitor.location,
      steps,
    },
  }
}

/** By outcome: that of the strategy which decided or, when none did, the one for this. */
function lifetime({ strategies, settings }: SteeringPolicy, strategyId: string | null): number {
  const own =
    strategyId === null
      ? settings.fallbackTtlSeconds
      : strategies.find((strategy) => strategy.id === strategyId)?.ttlSeconds
  return own ?? settings.ttlSeconds
}

/** Measurements older than their lifetime: none of their figures is used any more. */
export const isStale = (scores: ScoresSnapshot, now: number): boolean =>
  now - scores.builtAt > scores.lifetimeSeconds * 1000

const byPriority = (strategies: StrategyRule[]): StrategyRule[] =>
  strategies.toSorted((a, b) => a.priority - b.priority)

/**
 * Shares of the chosen, and the order without failed CDNs; one that was chosen although it failed (always use, or all
 * failed) stays.
 */
function answer({ ordered }: Verdict): Pick<Decision, 'shares' | 'ordered'> {
  const traces = ordered.map((one) => one.trace)
  return {
    shares: traces.filter((trace) => trace.chosen).map(({ cdnId, percent }) => ({ cdnId, percent })),
    ordered: traces.filter((trace) => trace.chosen || !trace.hardDown).map((trace) => trace.cdnId),
  }
}

function dependsOnPlace({ dependsOn, views, scores, policy }: Situation): boolean {
  if (dependsOn.place || (dependsOn.views && views.readPlace)) return true
  return (
    dependsOn.data &&
    scores !== null &&
    policy.cdns.some(({ cdnId }) => isMeasuredByPlace(cdnScores(scores, cdnId)?.places))
  )
}

// A snapshot may hold thousands of places and is never edited, so each is looked through once.
const measuredByPlace = new WeakMap<CdnScores['places'], boolean>()

function isMeasuredByPlace(places: CdnScores['places'] | undefined): boolean {
  if (places === undefined) return false
  let known = measuredByPlace.get(places)
  if (known === undefined) {
    known = Object.keys(places).some((key) => key !== 'world')
    measuredByPlace.set(places, known)
  }
  return known
}

function dependsOnBits({ dependsOn, views, policy, visitor }: Situation): number | null {
  const address = parseVisitorAddress(visitor.address, visitor.prefixLength)
  const lot = dependsOn.subnet && address !== null ? SUBNET_BITS[address.family] : null
  if (!dependsOn.cidrs && !(dependsOn.views && views.readCidrs)) return lot
  const settling = settlingBits(policyCidrs(policy), address)
  return lot === null ? settling : Math.max(lot, settling ?? 0)
}
