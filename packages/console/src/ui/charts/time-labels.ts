import type { Format } from '../../i18n/format.ts'
import type { TimeSpan } from './time-series-model.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** How times are written on a chart of this span: shorter spans show seconds, longer ones days. All take epoch ms. */
export function timeLabels({ language }: Pick<Format, 'language'>, { from, to }: TimeSpan) {
  const length = to - from
  const clock = new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    ...(length <= HOUR_MS / 4 ? { second: '2-digit' } : {}),
    hourCycle: 'h23',
  })
  const day = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' })
  const dayAndClock = new Intl.DateTimeFormat(language, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const moment = (at: number) => (length <= DAY_MS / 2 ? clock.format(at) : dayAndClock.format(at))
  return {
    /** On the axis: the clock within a day, the date at midnight and on long spans. */
    axis: (at: number) => (length > 3 * DAY_MS || isMidnight(at) ? day.format(at) : clock.format(at)),
    moment,
    /** The time a point stands for: its moment, then when it ends. */
    interval: (at: number, intervalMs: number) =>
      intervalMs < 60_000 ? moment(at) : `${moment(at)} – ${clock.format(at + intervalMs)}`,
  }
}

function isMidnight(at: number): boolean {
  const date = new Date(at)
  return date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0
}
