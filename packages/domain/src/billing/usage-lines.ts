import { METERS, type Meter, type MeterAmounts, type PlanPrice, type Rate } from '@fairway/contract'
import { share } from './money.ts'
import type { Span } from './months.ts'
import { prorate } from './prorate.ts'

export type UsageLine = { meter: Meter; used: number; included: number; rate: Rate; amountMinor: number }

/** What is above the allowance, at the rate of so many units; rounded once, to the nearest. */
export function usageAmount(used: number, included: number, rate: Rate): number {
  const over = Math.max(0, used - included)
  return share(rate.minor, over, rate.units)
}

/**
 * A line for every meter that has a price and was used, also when the allowance covers it: people see what they have
 * used.
 */
export function usageLines(used: MeterAmounts, allowances: MeterAmounts, rates: PlanPrice['rates']): UsageLine[] {
  return METERS.flatMap((meter) => {
    const rate = rates[meter]
    const amount = used[meter] ?? 0
    if (!rate || amount === 0) return []
    // A price without an allowance begins with the first unit.
    const included = allowances[meter] ?? 0
    return [{ meter, used: amount, included, rate, amountMinor: usageAmount(amount, included, rate) }]
  })
}

/** The part of a month's allowances that falls on a span, as `prorate` does with its fee. */
export function shareOfAllowances(allowances: MeterAmounts, span: Span, month: Span): MeterAmounts {
  const part: Partial<Record<Meter, number>> = {}
  for (const meter of METERS) {
    const whole = allowances[meter]
    if (whole !== undefined) part[meter] = prorate(whole, span, month)
  }
  return part
}

/** Allowances of a plan with those that add-ons add. */
export function totalAllowances(parts: readonly MeterAmounts[]): MeterAmounts {
  const total: Partial<Record<Meter, number>> = {}
  for (const part of parts)
    for (const meter of METERS) if (part[meter] !== undefined) total[meter] = (total[meter] ?? 0) + part[meter]
  return total
}
