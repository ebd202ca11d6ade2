/** The most that one waits who had started, and whom visitors and resolvers wait for. */
export const SERVING_MOST_MS = 250

/**
 * How long to wait before the next start of a role that has died so many times in a row: not at all, then doubling to
 * `mostMs`.
 */
export function restartDelayMs(deathsInARow: number, mostMs = 10_000): number {
  return deathsInARow <= 1 ? 0 : Math.min(mostMs, 250 * 2 ** (deathsInARow - 2))
}
