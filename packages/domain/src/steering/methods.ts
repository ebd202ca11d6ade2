import type { CandidateReason, SteeringPolicy, StepReason, StrategyRule } from '@fairway/contract'
import { USUAL_THRESHOLD } from '../health/condition.ts'
import { levelOf } from './places.ts'
import { percentages } from './shares.ts'
import { rankedLatency, type Candidate } from './situation.ts'

/** What a step answers: the chosen CDNs are marked in their traces, `ordered` is best first. */
export type Verdict = { ordered: Candidate[]; mixedLevels: boolean }
export type NoVerdict = { problem: StepReason }

/**
 * Lets a strategy's method choose among its eligible candidates (at least one, in target order) and gives each its
 * reason.
 */
export function choose(
  rule: StrategyRule,
  eligible: Candidate[],
  previous: string | null,
  policy: SteeringPolicy,
): Verdict | NoVerdict {
  switch (rule.method) {
    case 'always-use':
    case 'static-route':
      return firstInOrder(eligible)
    case 'best-latency':
    case 'regional-latency':
      return leastLatency(eligible, rule, previous, policy)
    case 'best-availability':
      return mostAvailable(eligible)
    case 'weighted-distribution':
      return byWeight(eligible)
  }
}

function firstInOrder(eligible: Candidate[]): Verdict {
  for (const one of eligible) one.trace.reason = 'later-in-order'
  return takeFirst(eligible)
}

/** Chooses the first; the others keep the reasons that they have. */
export function takeFirst(candidates: Candidate[]): Verdict {
  take(candidates[0], 'chosen')
  return { ordered: candidates, mixedLevels: false }
}

function leastLatency(
  eligible: Candidate[],
  { requireAllData: requireAll, preferThroughput = false }: StrategyRule,
  previous: string | null,
  policy: SteeringPolicy,
): Verdict | NoVerdict {
  const { marginPercent, significance } = policy.settings
  const { measured, unmeasured } = split(eligible, 'no-latency-data', latencyOf)
  const ranked = measured.toSorted((a, b) => latencyOf(a) - latencyOf(b))
  const best = ranked[0]
  if (best === undefined) return { problem: 'no-latency-data' }
  if (requireAll && unmeasured.length > 0) {
    for (const one of measured) one.trace.reason = 'not-compared'
    return { problem: 'incomplete-latency-data' }
  }
  const kept = ranked.find((one) => one !== best && one.trace.cdnId === previous)
  const isClose = kept !== undefined && !isBetterByMargin(latencyOf(best), latencyOf(kept), marginPercent)
  const isUnsure =
    kept !== undefined && significance === true && overlap(rankedInterval(best, policy), rankedInterval(kept, policy))
  const winner = kept !== undefined && (isClose || isUnsure) ? kept : best
  const wide = preferThroughput ? wider(ranked, winner, { best, previous, marginPercent }) : null
  if (wide !== null) {
    for (const one of ranked) one.trace.reason = whyNotWider(one, wide)
    take(wide, 'chosen-by-throughput')
    return { ordered: [wide, ...ranked.filter((one) => one !== wide), ...unmeasured], mixedLevels: areMixed(ranked) }
  }
  for (const one of ranked)
    one.trace.reason =
      latencyOf(one) > latencyOf(winner)
        ? 'slower'
        : winner === kept
          ? isBetterByMargin(latencyOf(one), latencyOf(kept), marginPercent)
            ? 'overlapping'
            : 'within-margin'
          : 'later-in-order'
  if (winner === kept && !isClose) take(winner, 'kept-by-significance')
  else take(winner, winner === kept ? 'kept-by-margin' : isTied(ranked, latencyOf) ? 'tie-by-order' : 'chosen')
  return { ordered: [winner, ...ranked.filter((one) => one !== winner), ...unmeasured], mixedLevels: areMixed(ranked) }
}

/**
 * Of those within the margin of the least latency, the one that has more throughput than the winner by latency; null
 * when none has. A winner without a throughput stays, for unknown is not slow, and so does a previous choice that
 * significance keeps beyond the margin; the previous choice gives way only to more by the margin.
 */
function wider(
  ranked: Candidate[],
  winner: Candidate,
  { best, previous, marginPercent }: { best: Candidate; previous: string | null; marginPercent: number },
): Candidate | null {
  const isNear = (one: Candidate) => !isBetterByMargin(latencyOf(best), latencyOf(one), marginPercent)
  const least = winner.trace.throughputMbps
  if (least === undefined || !isNear(winner)) return null
  const most = ranked
    .filter((one) => isNear(one) && throughputOf(one) > least)
    .reduce<Candidate | null>((a, b) => (a === null || throughputOf(b) > throughputOf(a) ? b : a), null)
  const isHeld =
    most !== null && winner.trace.cdnId === previous && (throughputOf(most) - least) * 100 < least * marginPercent
  return isHeld ? null : most
}

function whyNotWider(one: Candidate, wide: Candidate): CandidateReason {
  if (latencyOf(one) > latencyOf(wide)) return 'slower'
  if (one.trace.throughputMbps !== undefined && throughputOf(one) < throughputOf(wide)) return 'less-throughput'
  return latencyOf(one) < latencyOf(wide) ? 'within-margin' : 'later-in-order'
}

const throughputOf = ({ trace }: Candidate): number => trace.throughputMbps ?? 0

/** What the round trip may be in truth, as it is ranked; a figure without an interval is taken for exact. */
function rankedInterval(one: Candidate, { cdns }: SteeringPolicy): readonly [number, number] {
  const cdn = cdns.find(({ cdnId }) => cdnId === one.trace.cdnId)
  if (one.interval === null || cdn === undefined) return [latencyOf(one), latencyOf(one)]
  return [rankedLatency(one.interval[0], cdn), rankedLatency(one.interval[1], cdn)]
}

const overlap = (a: readonly [number, number], b: readonly [number, number]): boolean => a[0] <= b[1] && b[0] <= a[1]

/** Availabilities so close, in points, are one. */
const ALIKE_POINTS = 0.5

/**
 * Whether the previous choice is as available as the most available one: within half a point, or by all but one sample.
 * Below the usual threshold it has no protection.
 */
function areAlike(best: Candidate, kept: Candidate): boolean {
  const points = availabilityOf(best) - availabilityOf(kept)
  if (points <= ALIKE_POINTS) return true
  if (availabilityOf(kept) < USUAL_THRESHOLD) return false
  return points <= 100 / Math.max(1, Math.min(samplesOf(best), samplesOf(kept))) + 1e-9
}

const samplesOf = ({ trace }: Candidate): number => trace.availability?.samples ?? 0

/**
 * The last resort: the most available CDN, but not another one than before for as little as one lost sample. Who stays is
 * not slower by the margin either.
 */
export function mostAvailableOrSame(
  eligible: Candidate[],
  previous: string | null,
  marginPercent: number,
): Verdict | NoVerdict {
  const most = mostAvailable(eligible)
  if ('problem' in most) return most
  const [best, ...others] = most.ordered
  const kept = others.find(({ trace }) => trace.cdnId === previous && trace.availability !== null)
  if (best === undefined || kept === undefined || !areAlike(best, kept)) return most
  if (isBetterByMargin(latencyOrNone(best), latencyOrNone(kept), marginPercent)) return most
  for (const one of most.ordered) if (availabilityOf(one) >= availabilityOf(kept)) one.trace.reason = 'alike'
  Object.assign(best.trace, { chosen: false, percent: 0 })
  take(kept, 'kept-as-alike')
  return { ...most, ordered: [kept, ...most.ordered.filter((one) => one !== kept)] }
}

const latencyOrNone = ({ trace }: Candidate): number => trace.rankedLatencyMs ?? Infinity

/** The highest availability, then the smaller ranked latency, then the order given. */
export function mostAvailable(eligible: Candidate[]): Verdict | NoVerdict {
  const { measured, unmeasured } = split(eligible, 'no-availability-data', availabilityOf)
  const ranked = measured.toSorted((a, b) => availabilityOf(b) - availabilityOf(a) || compareLatency(a, b))
  const best = ranked[0]
  if (best === undefined) return { problem: 'no-availability-data' }
  for (const one of ranked) one.trace.reason = whyLessAvailable(one, best)
  const second = ranked[1]
  take(best, second !== undefined && second.trace.reason === 'later-in-order' ? 'tie-by-order' : 'chosen')
  return { ordered: [...ranked, ...unmeasured], mixedLevels: areMixed(ranked) }
}

function byWeight(eligible: Candidate[]): Verdict {
  for (const one of eligible) one.trace.reason = 'standby'
  const weighted = eligible.filter((one) => one.weight > 0)
  const standby = eligible.filter((one) => one.weight === 0)
  if (weighted.length === 0) take(standby[0], 'chosen-standby')
  else
    share(
      weighted,
      weighted.map((one) => one.weight),
    )
  return { ordered: [...weighted.toSorted((a, b) => b.weight - a.weight), ...standby], mixedLevels: false }
}

/** Divides the answer among all of `chosen` in proportion to `weights`. */
export function share(chosen: Candidate[], weights: number[]): void {
  const percents = percentages(weights)
  for (const [index, one] of chosen.entries()) take(one, 'chosen-share', percents[index])
}

function take(one: Candidate | undefined, reason: CandidateReason, percent = 100): void {
  if (one === undefined) return
  one.trace.reason = reason
  one.trace.percent = percent
  one.trace.chosen = percent > 0
}

// Better by exactly the margin counts; multiplied out so that whole milliseconds and percents compare exactly.
const isBetterByMargin = (newMs: number, oldMs: number, marginPercent: number): boolean =>
  newMs < oldMs && (oldMs - newMs) * 100 >= oldMs * marginPercent

// NaN marks a figure that is not there; `split` takes those out before anything is compared.
const latencyOf = ({ trace }: Candidate): number => trace.rankedLatencyMs ?? Number.NaN
const availabilityOf = ({ trace }: Candidate): number => trace.availability?.value ?? Number.NaN

function split(
  eligible: Candidate[],
  reason: CandidateReason,
  figure: (one: Candidate) => number,
): { measured: Candidate[]; unmeasured: Candidate[] } {
  const unmeasured = eligible.filter((one) => Number.isNaN(figure(one)))
  for (const one of unmeasured) one.trace.reason = reason
  return {
    measured: unmeasured.length === 0 ? eligible : eligible.filter((one) => !Number.isNaN(figure(one))),
    unmeasured,
  }
}

const compareLatency = (a: Candidate, b: Candidate): number => {
  const [first, second] = [a.trace.rankedLatencyMs ?? Infinity, b.trace.rankedLatencyMs ?? Infinity]
  return first === second ? 0 : first - second
}

function whyLessAvailable(one: Candidate, best: Candidate): CandidateReason {
  if (availabilityOf(one) < availabilityOf(best)) return 'less-available'
  if (compareLatency(one, best) === 0) return 'later-in-order'
  return one.trace.rankedLatencyMs === null ? 'no-latency-data' : 'slower'
}

const isTied = (ranked: Candidate[], figure: (one: Candidate) => number): boolean =>
  ranked[0] !== undefined && ranked[1] !== undefined && figure(ranked[0]) === figure(ranked[1])

function areMixed(compared: Candidate[]): boolean {
  const levels = compared.map(({ trace }) => levelOf(trace.availability?.level ?? ''))
  return levels.some((level) => level !== levels[0])
}
