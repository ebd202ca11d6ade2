import type { CandidateReason, StepReason, StrategyRule, StrategyTrace } from '@fairway/contract'
import { filtersByPlace, isEmptyFilter, mismatch, readsCidrs, type FilterMismatch } from './match.ts'
import { choose, type Verdict } from './methods.ts'
import { settleOtherwise } from './otherwise.ts'
import {
  candidate,
  isReturning,
  isVisitorIn,
  measure,
  strategyShare,
  type Candidate,
  type Situation,
} from './situation.ts'
import { namedTargets } from './targets.ts'
import { viewOf, type View } from './views.ts'

/** One strategy as read for the visitor: its line in the trace, and its verdict when it decides. */
export type ReadStrategy = { step: StrategyTrace; verdict: Verdict | null }

/** Reads one enabled strategy: filter, targets, hard failures, threshold, method. */
export function readStrategy(situation: Situation, rule: StrategyRule): ReadStrategy {
  const targets = targetsOf(situation, rule)
  const mismatches = matchTargets(situation, rule, targets)
  if (mismatches.every !== null) return { step: unread(rule, mismatches.every), verdict: null }
  if (!isVisitorIn(situation, strategyShare(rule))) return { step: unread(rule, 'outside-share'), verdict: null }

  const candidates: Candidate[] = []
  const eligible: Candidate[] = []
  for (const [index, target] of targets.entries()) {
    const one = candidate(situation, target.cdnId, target.view, 'not-compared', target.weight)
    const barred = mismatches.each[index] ? 'outside-filter' : bar(situation, rule, one, target.view)
    if (barred === null) eligible.push(one)
    else one.trace.reason = barred
    candidates.push(one)
  }
  const lacksData = wantsAllData(rule) && candidates.some((one) => one.trace.reason === 'no-availability-data')
  const chosen =
    eligible.length === 0
      ? { problem: whyNone(candidates) }
      : lacksData
        ? { problem: 'incomplete-latency-data' as const }
        : choose(rule, eligible, situation.previous, situation.policy)
  const settled =
    'problem' in chosen
      ? (settleOtherwise(rule, chosen.problem, candidates) ?? { verdict: null, reason: chosen.problem })
      : { verdict: chosen, reason: 'decided' as const }
  for (const { cdnId } of situation.policy.cdns) {
    if (!candidates.some((one) => one.trace.cdnId === cdnId))
      candidates.push(candidate(situation, cdnId, viewOf(situation.views, cdnId), 'not-target'))
  }
  const step = {
    ...unread(rule, settled.reason),
    candidates: candidates.map((one) => one.trace),
    mixedLevels: settled.verdict?.mixedLevels ?? false,
  }
  return { step, verdict: settled.verdict }
}

/** Whether a target of which nothing is known spoils the comparison. */
const wantsAllData = ({ method, requireAllData }: StrategyRule): boolean =>
  requireAllData && (method === 'best-latency' || method === 'regional-latency')

/** The line of a strategy whose candidates were not looked at. */
export const unread = (rule: StrategyRule, reason: StepReason): StrategyTrace => ({
  strategyId: rule.id,
  name: rule.name,
  method: rule.method,
  reason,
  candidates: [],
  mixedLevels: false,
})

type Target = { cdnId: string; weight: number; view: View }

/** The targets in order, each CDN once; `*` stands for the others. */
function targetsOf({ views, policy }: Situation, rule: StrategyRule): Target[] {
  const targets: Target[] = []
  for (const { cdnId, weight } of namedTargets(rule.targets, policy.cdns))
    if (!targets.some((target) => target.cdnId === cdnId)) targets.push({ cdnId, weight, view: viewOf(views, cdnId) })
  return targets
}

/**
 * The filter is asked once for each target, from that target's own view of the visitor. `every` is why the strategy is
 * not for this visitor at all:
 * none of its targets sees the visitor inside the filter. Without a VSR rule for a single CDN all views are one.
 */
function matchTargets(
  { views, dependsOn }: Situation,
  { filter }: StrategyRule,
  targets: Target[],
): { each: (FilterMismatch | null)[]; every: FilterMismatch | null } {
  if (isEmptyFilter(filter)) return { each: [], every: null }
  dependsOn.views = true
  dependsOn.place ||= filtersByPlace(filter)
  const ask = (view: View): FilterMismatch | null => {
    const found = mismatch(filter, view)
    dependsOn.cidrs ||= view.vsrRuleId === null && readsCidrs(filter, found)
    return found
  }
  if (views.targeted.size === 0 || targets.length === 0) return { each: [], every: ask(views.common) }
  const each = targets.map((target) => ask(target.view))
  return { each, every: each.includes(null) ? null : (each[0] ?? null) }
}

/** Why a target may not take part, or null; reads its figures when the method or a threshold needs them. */
function bar(situation: Situation, rule: StrategyRule, one: Candidate, view: View): CandidateReason | null {
  const { trace } = one
  const cdn = situation.policy.cdns.find((installed) => installed.cdnId === trace.cdnId)
  if (cdn === undefined) return 'not-installed'
  if (!cdn.enabled) return 'disabled'
  if (!cdn.serving) return 'not-serving'
  if (rule.method === 'always-use') return null
  if (usesFigures(rule))
    measure(situation, one, cdn, view, {
      regional: rule.method === 'regional-latency',
      omitRum: rule.omitRum,
      omitSum: rule.omitSum,
      threshold: rule.availabilityThreshold,
      throughput: asksThroughput(rule),
    })
  if (trace.hardDown) return 'hard-down'
  if (isReturning(situation, one)) return 'returning'
  if (rule.availabilityThreshold !== null) {
    if (trace.availability === null) return 'no-availability-data'
    if (trace.availability.value < rule.availabilityThreshold) return 'below-threshold'
  }
  return isTooSlow(rule, trace.throughputMbps) ? 'below-throughput' : null
}

/** Where throughput is not measured, nothing is asked of it. */
const isTooSlow = ({ minimumMbps }: StrategyRule, mbps: number | undefined): boolean =>
  typeof minimumMbps === 'number' && mbps !== undefined && mbps < minimumMbps

const asksThroughput = ({ minimumMbps, preferThroughput }: StrategyRule): boolean =>
  typeof minimumMbps === 'number' || preferThroughput === true

const usesFigures = ({ method, availabilityThreshold, minimumMbps }: StrategyRule): boolean =>
  availabilityThreshold !== null ||
  typeof minimumMbps === 'number' ||
  method === 'best-latency' ||
  method === 'best-availability' ||
  method === 'regional-latency'

/** The reason of a strategy left without a candidate: that of the one who came furthest. */
function whyNone(candidates: Candidate[]): StepReason {
  const has = (reason: CandidateReason) => candidates.some((one) => one.trace.reason === reason)
  if (candidates.length === 0) return 'no-targets'
  if (has('below-throughput')) return 'below-throughput'
  if (has('below-threshold')) return 'below-threshold'
  if (has('no-availability-data')) return 'no-availability-data'
  return has('hard-down') || has('returning') ? 'all-hard-down' : 'no-serving-target'
}
