/**
 * How long to wait before the next start of a role that has died so many times in a row: not at all, then doubling to
 * 10 s.
 */
export function restartDelayMs(deathsInARow: number): number {
  return deathsInARow <= 1 ? 0 : Math.min(10_000, 250 * 2 ** (deathsInARow - 2))
}
