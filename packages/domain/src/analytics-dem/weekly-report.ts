const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** 1970-01-05 was a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** The last whole week, Monday to Sunday of UTC, before `now`; both ends are midnights, epoch ms. */
export function lastWeek(now: number): { from: number; until: number } {
  const until = Math.floor((now - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS
  return { from: until - WEEK_MS, until }
}

/** Standard deviations on both sides of 95 %. */
const Z = 1.96

/**
 * 95 % interval of a share of so many samples, in percent (Wilson): unlike the usual one it does not close when nothing
 * has failed. Null without samples.
 */
export function shareInterval(successes: number, samples: number): [low: number, high: number] | null {
  if (samples <= 0) return null
  const share = Math.min(1, Math.max(0, successes / samples))
  const square = (Z * Z) / samples
  const middle = share + square / 2
  const away = Z * Math.sqrt((share * (1 - share) + square / 4) / samples)
  const percent = (value: number) => Math.min(100, Math.max(0, (100 * value) / (1 + square)))
  return [share === 0 ? 0 : percent(middle - away), share === 1 ? 100 : percent(middle + away)]
}

/** The shares of the ranks between which the true median of so many samples lies with 95 %. */
export function medianRanks(samples: number): [low: number, high: number] | null {
  if (samples <= 0) return null
  const away = Math.min(0.5, Z / 2 / Math.sqrt(samples))
  return [0.5 - away, 0.5 + away]
}
