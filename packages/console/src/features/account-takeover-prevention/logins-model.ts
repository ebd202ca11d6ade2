import type { LoginPath } from '@fairway/contract'
import type { ChartLine } from '../../ui/charts/time-series-model.ts'

const LINES = 6

/** Percent of a whole; null where there is none. */
export const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : (part / whole) * 100)

/**
 * Of the logins that the origin has judged, the share that succeeded, in percent: a line for each of the paths with most
 * attempts. Where nothing was judged there is a gap. The interval that has not ended is left out.
 */
export function successLines(paths: readonly LoginPath[], intervalMs: number, gone: string): ChartLine[] {
  const now = Date.now()
  return paths
    .filter(({ logins }) => logins !== null)
    .slice(0, LINES)
    .map(({ path, points }, index) => ({
      key: path ?? '',
      name: path ?? gone,
      series: index + 1,
      points: points
        .filter(({ at }) => at + intervalMs <= now)
        .map(({ at, logins }) => ({
          at,
          value: logins && shareOf(logins.succeeded, logins.succeeded + logins.failed),
          samples: logins?.attempts ?? 0,
        })),
    }))
}
