import type { ScoreParts } from '@fairway/contract'

export type ExperienceFacts = {
  /** From asking for the picture to seeing it; null when none was seen. */ startupMs: number | null
  watchedMs: number
  stalledMs: number
  stalls: number
  /** It could not go on. */ isFailed: boolean
}

/** A start within this costs nothing; each second more costs `START_POINTS`, at most `START_MOST`. */
export const START_FREE_MS = 1_000
export const START_POINTS = 5
export const START_MOST = 30
/** Each percent of the time that was waited costs these points, each stall some more; both together at most. */
export const REBUFFER_POINTS = 4
export const STALL_POINTS = 2
export const STALLS_MOST = 60

/**
 * The score of experience: 100, less what a slow start and stalls cost; 0 when it could not go on. Null while nothing
 * was seen and nothing has failed, for then nothing is known.
 */
export function experienceScore(facts: ExperienceFacts): ScoreParts {
  const { startupMs, watchedMs, stalledMs, stalls, isFailed } = facts
  if (isFailed) return { score: 0, startup: 0, stalls: 0, failed: 100 }
  if (startupMs === null && watchedMs === 0) return { score: null, startup: 0, stalls: 0, failed: 0 }
  const late = Math.max(0, (startupMs ?? 0) - START_FREE_MS) / 1_000
  const startup = Math.min(START_MOST, late * START_POINTS)
  const whole = watchedMs + stalledMs
  const waited = whole === 0 ? 0 : (stalledMs * 100) / whole
  const stalled = Math.min(STALLS_MOST, waited * REBUFFER_POINTS + stalls * STALL_POINTS)
  return { score: Math.round(100 - startup - stalled), startup: round(startup), stalls: round(stalled), failed: 0 }
}

const round = (points: number) => Math.round(points * 10) / 10
