import { spawnSync } from 'node:child_process'

/** What starting an empty Node takes on a small machine that does nothing else. */
const QUIET_MS = 100

/** Who measures stands still, and so does the origin or the stream of questions in the same process. */
const KNOWN_MS = 30_000
let known = { pace: 1, until: 0 }

/**
 * How much slower than a quiet one this machine is at present, at least 1: promises in seconds are for a machine that
 * has its time to itself.
 */
export function pace(): number {
  if (performance.now() < known.until) return known.pace
  const times = [1, 2, 3].map(() => {
    const startedAt = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    return performance.now() - startedAt
  })
  const measured = Math.max(1, (times.toSorted((a, b) => a - b)[1] ?? 0) / QUIET_MS)
  known = { pace: measured, until: performance.now() + KNOWN_MS }
  return measured
}
