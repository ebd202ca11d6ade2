import type { CandidateReason, StepReason, StrategyRule } from '@fairway/contract'
import { mostAvailable, share, takeFirst, type Verdict } from './methods.ts'
import type { Candidate } from './situation.ts'

/** Why no target of a strategy qualifies, as far as a strategy may say what it does then. */
type Shortfall = 'no-data' | 'below'

const SHORTFALLS: Partial<Record<StepReason, Shortfall>> = {
  'no-availability-data': 'no-data',
  'no-latency-data': 'no-data',
  'incomplete-latency-data': 'no-data',
  'below-threshold': 'below',
  'below-throughput': 'below',
}

const DECIDED: Readonly<Record<Shortfall, StepReason>> = {
  'no-data': 'decided-without-data',
  below: 'decided-though-below',
}

/** Candidates that only their figures keep out: they serve and are not down. */
const KEPT_OUT_BY_FIGURES: ReadonlySet<CandidateReason> = new Set([
  'not-compared',
  'no-availability-data',
  'no-latency-data',
  'below-threshold',
  'below-throughput',
])

/** What a strategy answers although none of its targets qualifies; null when it is passed. */
export function settleOtherwise(
  { whenNoData = 'pass', whenBelow = 'pass' }: StrategyRule,
  problem: StepReason,
  candidates: readonly Candidate[],
): { verdict: Verdict; reason: StepReason } | null {
  const shortfall = SHORTFALLS[problem]
  if (shortfall === undefined) return null
  const otherwise = shortfall === 'no-data' ? whenNoData : whenBelow
  const pool = candidates.filter((one) => KEPT_OUT_BY_FIGURES.has(one.trace.reason))
  if (otherwise === 'pass' || pool.length === 0) return null
  const verdict = otherwise === 'first-target' ? takeFirst(pool) : availableOrAll(pool, otherwise === 'even-split')
  return { verdict, reason: DECIDED[shortfall] }
}

function availableOrAll(pool: Candidate[], evenly: boolean): Verdict {
  const best = evenly ? null : mostAvailable(pool)
  if (best !== null && 'ordered' in best) return best
  share(
    pool,
    pool.map(() => 1),
  )
  return { ordered: pool, mixedLevels: false }
}
