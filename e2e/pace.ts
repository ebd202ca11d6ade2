import { spawnSync } from 'node:child_process'

/** What starting an empty Node takes on a small machine that does nothing else. */
const QUIET_MS = 100

/**
 * How much slower than a quiet one this machine is right now, at least 1: promises in seconds are for a machine that
 * has its time to itself.
 */
export function pace(): number {
  const times = [1, 2, 3].map(() => {
    const startedAt = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    return performance.now() - startedAt
  })
  return Math.max(1, (times.toSorted((a, b) => a - b)[1] ?? 0) / QUIET_MS)
}
