import { LIMITS, type Measure } from '@fairway/contract'

/**
 * What one source saw of one CDN at one place over the window; the median is over the successful samples, in ms, null
 * without any.
 */
export type WindowStatistics = { samples: number; successes: number; medianLatencyMs: number | null; newestAt: number }

/**
 * Half of a step in the median has gone through after this long, so that a ranking does not jump with each new sample.
 */
export const SMOOTHING_HALF_LIFE_MS = 5000

/**
 * Turns the window's statistics into a measure, null when there was no sample. Availability is exact and unrounded;
 * latency moves from the
 * previous measure towards the new median by the time gone by (`elapsedMs` since that measure was made; exponential,
 * half-life above).
 */
export function smooth(window: WindowStatistics, previous: Measure | null, elapsedMs: number): Measure | null {
  if (window.samples <= 0) return null
  const successes = Math.min(Math.max(window.successes, 0), window.samples)
  return {
    samples: window.samples,
    availability: (successes * 100) / window.samples,
    latencyMs: smoothFigure(window.medianLatencyMs, previous?.latencyMs ?? null, elapsedMs),
    newestAt: window.newestAt,
  }
}

/** Round-trip times under 1 ms or over 60 s are not believed; the collector drops and counts them. */
export const isPlausibleRtt = (rttMs: number): boolean =>
  rttMs >= LIMITS.beacon.rttMs.min && rttMs <= LIMITS.beacon.rttMs.max

/** What may not jump: moves from the figure before towards the median by the time gone by. */
export function smoothFigure(median: number | null, before: number | null, elapsedMs: number): number | null {
  if (median === null || median <= 0) return null
  if (before === null) return median
  const kept = 2 ** (-Math.max(0, elapsedMs) / SMOOTHING_HALF_LIFE_MS)
  return median + (before - median) * kept
}
