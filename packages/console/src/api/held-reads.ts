import type { CallableRoute } from './client.ts'

let held: { until: Promise<void>; release: () => void } | null = null

/**
 * Reads that need a session wait from now on: while it is being ended each would be refused, and the browser would
 * complain of it. Answers what lets them go on.
 */
export function holdReads(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  const mine = (held = { until: promise, release: resolve })
  return () => {
    if (held === mine) held = null
    mine.release()
  }
}

/** Settles when the route may be read. */
export async function mayRead({ permission }: Pick<CallableRoute, 'permission'>): Promise<void> {
  if (held !== null && permission !== 'public') await held.until
}
