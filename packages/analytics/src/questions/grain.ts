/**
 * How a chart's range is cut, and from which level it is read. `at` are epoch seconds; both ends are whole intervals.
 */
export type ChartGrain = {
  intervalSeconds: number
  level: 'raw' | 'minute' | 'hour' | 'day'
  from: number
  until: number
}

const DAY = 86_400
/** Minute rows are kept eight days; a range that begins before that is read from hours. */
export const MINUTES_KEPT_SECONDS = 7 * DAY

const STEPS = [
  { upTo: 900, intervalSeconds: 10, level: 'raw' },
  { upTo: 6 * 3600, intervalSeconds: 60, level: 'minute' },
  { upTo: 2 * DAY, intervalSeconds: 600, level: 'minute' },
  { upTo: 7 * DAY, intervalSeconds: 3600, level: 'hour' },
  { upTo: 14 * DAY, intervalSeconds: 7200, level: 'hour' },
  { upTo: Number.POSITIVE_INFINITY, intervalSeconds: DAY, level: 'day' },
] as const

/** @param until epoch seconds of the end; @param now epoch seconds of the present */
export function chartGrain(seconds: number, until: number, now: number): ChartGrain {
  const step =
    STEPS.find(
      ({ upTo, level }) => seconds <= upTo && !(level === 'minute' && now - (until - seconds) > MINUTES_KEPT_SECONDS),
    ) ?? STEPS[5]
  const { intervalSeconds, level } = step
  const end = Math.ceil(until / intervalSeconds) * intervalSeconds
  return { intervalSeconds, level, from: end - Math.ceil(seconds / intervalSeconds) * intervalSeconds, until: end }
}

/** Every interval of the range, so that a chart shows a gap where nothing was measured. */
export function chartTimes({ from, until, intervalSeconds }: ChartGrain): number[] {
  return Array.from(
    { length: Math.max(0, Math.round((until - from) / intervalSeconds)) },
    (_, index) => from + index * intervalSeconds,
  )
}
