import { METERS, type Meter, type MeterAmounts } from '@fairway/contract'
import type { Span } from './months.ts'

const DAY_MS = 86_400_000
/** The last days say more about the next ones than the whole month does. */
const LOOK_BACK_DAYS = 7

/** Usage of one day (epoch ms of its start). */
export type DayUsage = { day: number; meter: Meter; used: number }

/** The usage of a whole month, going on as over the last seven days of it that have passed. */
export function forecastUsage(days: readonly DayUsage[], month: Span, now: number): MeterAmounts {
  const at = Math.min(Math.max(now, month.from), month.until)
  const since = Math.max(month.from, at - LOOK_BACK_DAYS * DAY_MS)
  const totals: Partial<Record<Meter, number>> = {}
  for (const meter of METERS) {
    const own = days.filter((one) => one.meter === meter && one.day >= month.from && one.day < month.until)
    const used = own.reduce((total, one) => total + one.used, 0)
    if (used === 0) continue
    // Whole days only begin within the window; the first one counts with the part of it that lies inside.
    const recent = own.reduce(
      (total, one) =>
        total +
        (one.day + DAY_MS <= since
          ? 0
          : one.day >= since
            ? one.used
            : (one.used * (one.day + DAY_MS - since)) / DAY_MS),
      0,
    )
    const elapsed = at - since
    totals[meter] = elapsed <= 0 ? used : Math.round(used + (recent / elapsed) * (month.until - at))
  }
  return totals
}

/** When a straight line from now to the month's end meets the limit; null when it does not. */
export function expectedAt(
  spentMinor: number,
  forecastMinor: number,
  capMinor: number | null,
  month: Span,
  now: number,
): number | null {
  if (capMinor === null || forecastMinor <= capMinor) return null
  if (spentMinor >= capMinor) return now
  return Math.round(now + ((capMinor - spentMinor) / (forecastMinor - spentMinor)) * (month.until - now))
}
