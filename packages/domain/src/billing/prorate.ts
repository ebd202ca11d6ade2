import { shareDown } from './money.ts'
import type { Span } from './months.ts'

/**
 * The part of a month's fee that falls on a span within the month. Spans that follow each other add up to exactly the
 * fee of the span that they make together,
 * because each is the difference of two roundings of the time since the month began.
 */
export function prorate(monthlyMinor: number, span: Span, month: Span): number {
  const whole = month.until - month.from
  const until = Math.min(Math.max(span.until, month.from), month.until) - month.from
  const from = Math.min(Math.max(span.from, month.from), month.until) - month.from
  return until <= from ? 0 : shareDown(monthlyMinor, until, whole) - shareDown(monthlyMinor, from, whole)
}
