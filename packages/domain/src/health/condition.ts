import type { CdnHealth, CdnState } from '@fairway/contract'

/** Below this a CDN is degraded where no strategy sets another threshold. */
export const USUAL_THRESHOLD = 90

/**
 * What one thing is now, in one of six words: strip, dot, pill, row, card and stopwatch all say this and nothing of
 * their own. Times are epoch ms, percentages 0–100.
 */
export type Condition =
  | { state: 'loading' }
  /** Nothing was measured, or it does not serve yet. Drawn as a dash, never as 0. */
  | { state: 'unknown'; why: 'not-measured' | 'not-serving-yet' }
  | { state: 'operational' }
  | { state: 'degraded'; availability: number; threshold: number }
  | { state: 'down'; why: 'probes' | 'deploy'; since: number | null }
  /**
   * Answers again, and is avoided until availability has passed the threshold: at the latest at `until`, when what was
   * measured during the outage no longer counts.
   */
  | { state: 'coming-back'; since: number; until: number; availability: number | null; threshold: number }

export type ConditionState = Condition['state']

type Facts = Pick<CdnHealth, 'hardDown' | 'since' | 'backSince' | 'windowSeconds' | 'availability' | 'threshold'> & {
  /** How far the CDN is set up there. */
  state: CdnState
}

const BROKEN: ReadonlySet<CdnState> = new Set(['failed', 'review-failed', 'unavailable', 'delete-unsuccessful'])

/** Undefined facts are still asked for. What probes see goes before what was measured, and that before silence. */
export function conditionOf(facts: Facts | undefined): Condition {
  if (facts === undefined) return { state: 'loading' }
  const { state, hardDown, since, backSince, windowSeconds, availability, threshold } = facts
  if (hardDown) return { state: 'down', why: 'probes', since: epochOf(since) }
  if (BROKEN.has(state)) return { state: 'down', why: 'deploy', since: null }
  if (state !== 'operational') return { state: 'unknown', why: 'not-serving-yet' }
  const isBelow = availability !== null && availability < threshold
  const back = epochOf(backSince)
  if (back !== null && (availability === null || isBelow))
    return { state: 'coming-back', since: back, until: back + windowSeconds * 1000, availability, threshold }
  if (availability === null) return { state: 'unknown', why: 'not-measured' }
  return isBelow ? { state: 'degraded', availability, threshold } : { state: 'operational' }
}

const WORST_FIRST: readonly ConditionState[] = ['down', 'coming-back', 'degraded', 'loading', 'unknown', 'operational']

/** The worst of several, and how many of them are in it; loading without any. */
export function worstCondition(conditions: readonly Condition[]): { state: ConditionState; count: number } {
  const state = WORST_FIRST.find((one) => conditions.some((condition) => condition.state === one)) ?? 'loading'
  return { state, count: conditions.filter((condition) => condition.state === state).length }
}

function epochOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}
