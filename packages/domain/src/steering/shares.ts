// Parts of 1/128 percent are exact in binary, so shares add up to exactly 100 in any order.
const UNITS_PER_PERCENT = 128

/**
 * Percentages proportional to `weights` (at least one positive, none negative) that sum to exactly 100: the
 * largest-remainder
 * method in units of 1/128 percent; equal remainders go to the earlier one. Whole percentages come out whole.
 */
export function percentages(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const whole = 100 * UNITS_PER_PERCENT
  const exact = weights.map((weight) => (weight * whole) / total)
  const units = exact.map(Math.floor)
  let left = whole - units.reduce((sum, unit) => sum + unit, 0)
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value - Math.floor(value) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index)
  for (const { index } of byRemainder) {
    if (left <= 0) break
    units[index] = (units[index] ?? 0) + 1
    left--
  }
  return units.map((unit) => unit / UNITS_PER_PERCENT)
}
