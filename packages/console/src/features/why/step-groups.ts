import type { StrategyTrace } from '@fairway/contract'

export type NumberedStep = {
  step: StrategyTrace
  /** Position in the list of strategies; null is the last resort. */ position: number | null
}

/** Steps with their position, and apart from them those that were not read because one before decided. */
export function stepGroups(steps: readonly StrategyTrace[]): { read: NumberedStep[]; notReached: NumberedStep[] } {
  const numbered = steps.map((step, index) => ({ step, position: step.strategyId === null ? null : index + 1 }))
  return {
    read: numbered.filter(({ step }) => step.reason !== 'not-reached'),
    notReached: numbered.filter(({ step }) => step.reason === 'not-reached'),
  }
}

/** Reasons that say the strategy was not for this visitor: nothing to worry about. The others are worth a look. */
const QUIET: ReadonlySet<StrategyTrace['reason']> = new Set([
  'disabled',
  'filter-place',
  'filter-network',
  'filter-cidr',
  'not-reached',
])

export type StepTone = 'decided' | 'passed' | 'quiet'

export function stepTone({ reason, candidates }: StrategyTrace): StepTone {
  if (candidates.some(({ chosen }) => chosen)) return 'decided'
  return QUIET.has(reason) ? 'quiet' : 'passed'
}
