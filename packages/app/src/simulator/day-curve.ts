const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * How busy people are at each hour of their own day, 1 being the average. Quietest before dawn, busiest in the evening.
 */
const BY_HOUR = [
  0.68, 0.54, 0.46, 0.42, 0.42, 0.48, 0.6, 0.8, 1.02, 1.14, 1.18, 1.2, 1.24, 1.2, 1.15, 1.14, 1.16, 1.22, 1.34, 1.52,
  1.66, 1.6, 1.3, 0.93,
]
const WEEKEND = 0.86

/**
 * How busy a country is at a moment (epoch ms), 1 being the week's average or so: its hour of the day, a little less at
 * weekends.
 */
export function activity(at: number, utcOffsetHours: number): number {
  const local = at + utcOffsetHours * HOUR_MS
  const hour = (((local % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS
  const index = Math.floor(hour)
  const from = BY_HOUR[index] ?? 1
  const to = BY_HOUR[(index + 1) % 24] ?? 1
  // 1970-01-01 was a Thursday.
  const weekday = (Math.floor(local / DAY_MS) + 4) % 7
  return (from + (to - from) * (hour - index)) * (weekday === 0 || weekday === 6 ? WEEKEND : 1)
}
