/**
 * How a CDN comes back after a hard failure. `since`: probes saw it alive again; `percent` of its visitors are let in,
 * and so it has been from `stepAt` on. Epoch ms.
 */
export type Return = { since: number; percent: number; stepAt: number }

/** A time of hard failure that is over, epoch ms. */
export type Outage = { from: number; until: number }

const STEPS = [0, 10, 50] as const
/** Each step holds for so long before the next. */
export const RETURN_STEP_MS = 15_000

export const beginReturn = (now: number): Return => ({ since: now, percent: STEPS[0], stepAt: now })

/**
 * The next state of a return; null when all are let in. While it does not hold (fresh samples are below the threshold)
 * the step starts over.
 */
export function stepReturn(before: Return, now: number, holds: boolean): Return | null {
  // A clock that was ahead and is set right must not hold the step until then.
  if (!holds || now < before.stepAt) return { ...before, stepAt: now }
  if (now - before.stepAt < RETURN_STEP_MS) return before
  const next = STEPS.find((percent) => percent > before.percent)
  return next === undefined ? null : { ...before, percent: next, stepAt: now }
}

/** Failures are found some seconds after they begin, and what failed is reported when the browser has given up on it. */
const FOUND_AFTER_MS = 10_000
const REPORTED_AFTER_MS = 10_000

/**
 * Whether measurements of [`from`, `until`) were taken during one of the outages, by visitors or (`probes`) by our own
 * probes, which report at once.
 */
export const isDuring = (outages: readonly Outage[], from: number, until: number, probes: boolean): boolean =>
  outages.some(
    (outage) =>
      until > outage.from - (probes ? 0 : FOUND_AFTER_MS) && from < outage.until + (probes ? 0 : REPORTED_AFTER_MS),
  )
