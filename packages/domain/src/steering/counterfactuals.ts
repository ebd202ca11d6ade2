import type { CandidateTrace, Counterfactual, DecisionTrace, StrategyTrace } from '@fairway/contract'

type Rules = {
  minimumSamples: number
  marginPercent: number
  /** Threshold of a strategy by its id; null is unset. */
  thresholdOf: (strategyId: string) => number | null
}

/** The sentences that follow from the figures of the step that decided; nothing is guessed, so a CDN may have none. */
export function counterfactuals({ steps }: Pick<DecisionTrace, 'steps'>, rules: Rules): Counterfactual[] {
  const step = steps.find(({ candidates }) => candidates.some(({ chosen }) => chosen))
  const winner = step?.candidates.find(({ chosen }) => chosen)
  if (!step || !winner) return []
  return step.candidates.flatMap((candidate) => {
    const found = candidate.chosen ? null : derive(candidate, winner, step, rules)
    return found ? [{ cdnId: candidate.cdnId, ...found }] : []
  })
}

type WithoutId<T> = T extends unknown ? Omit<T, 'cdnId'> : never

function derive(
  candidate: CandidateTrace,
  winner: CandidateTrace,
  step: StrategyTrace,
  { minimumSamples, marginPercent, thresholdOf }: Rules,
): WithoutId<Counterfactual> | null {
  const { reason, rankedLatencyMs: nowMs, availability } = candidate
  switch (reason) {
    case 'slower':
      return nowMs === null || winner.rankedLatencyMs === null
        ? null
        : { kind: 'faster', belowMs: winner.rankedLatencyMs, nowMs }
    case 'within-margin':
      return nowMs === null || winner.rankedLatencyMs === null
        ? null
        : { kind: 'faster-by-margin', belowMs: winner.rankedLatencyMs * (1 - marginPercent / 100), nowMs }
    case 'less-available':
      return availability === null || winner.availability === null
        ? null
        : { kind: 'more-available', above: winner.availability.value, now: availability.value }
    case 'below-threshold': {
      const from = step.strategyId === null ? null : thresholdOf(step.strategyId)
      return from === null || availability === null
        ? null
        : { kind: 'reaches-threshold', from, now: availability.value }
    }
    case 'hard-down':
      return { kind: 'alive' }
    case 'no-latency-data':
    case 'no-availability-data':
      return { kind: 'measured', minimumSamples }
    case 'disabled':
    case 'not-serving':
    case 'not-installed':
      return { kind: 'serves' }
    case 'later-in-order':
      return { kind: 'next-in-order', beforeCdnId: winner.cdnId }
    case 'standby':
      return { kind: 'standby' }
    default:
      return null
  }
}
