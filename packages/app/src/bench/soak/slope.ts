/** One reading: hours since the first, and a figure. */
export type Reading = { hours: number; value: number }

/**
 * How fast a figure grows, in percent of its mean an hour: least squares over all readings. NaN for fewer than two of
 * them, or when all are of one time.
 */
export function slopePercent(readings: readonly Reading[]): number {
  const mean = (of: (reading: Reading) => number) => readings.reduce((sum, one) => sum + of(one), 0) / readings.length
  const [hours, value] = [mean((one) => one.hours), mean((one) => one.value)]
  const spread = readings.reduce((sum, one) => sum + (one.hours - hours) ** 2, 0)
  const together = readings.reduce((sum, one) => sum + (one.hours - hours) * (one.value - value), 0)
  return spread === 0 || value === 0 ? Number.NaN : (100 * together) / spread / value
}
