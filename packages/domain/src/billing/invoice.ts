import { share, shareDown } from './money.ts'

/** An amount with what it stands for; the kind says which coupons take from it. */
export type ChargeLine = { kind: 'plan' | 'addon' | 'unused' | 'usage'; amountMinor: number }
export type Discount =
  | { kind: 'percent'; percent: number; appliesTo: 'all' | 'fees' }
  | { kind: 'amount'; amountMinor: number; appliesTo: 'all' | 'fees' }

export type InvoiceTotals = {
  subtotalMinor: number
  /** Of each line, in its order; together `discountMinor`. */
  lineDiscounts: number[]
  discountMinor: number
  taxMinor: number
  totalMinor: number
  creditMinor: number
  dueMinor: number
  /** When what was paid before is worth more than what is bought: this becomes credit and the total is 0. */
  toCreditMinor: number
}

/**
 * From lines to what is due: discounts, then tax on what is left, then credit. Integers all the way, each rounding done
 * once.
 * @param creditMinor what may be used of the credit there is
 */
export function invoiceTotals(
  lines: readonly ChargeLine[],
  { discounts, taxRatePpm, creditMinor }: { discounts: readonly Discount[]; taxRatePpm: number; creditMinor: number },
): InvoiceTotals {
  const subtotalMinor = sum(lines.map((line) => line.amountMinor))
  const lineDiscounts = discountsOf(lines, discounts)
  const discountMinor = sum(lineDiscounts)
  const net = subtotalMinor - discountMinor
  if (net < 0)
    return {
      subtotalMinor,
      lineDiscounts,
      discountMinor,
      taxMinor: 0,
      totalMinor: 0,
      creditMinor: 0,
      dueMinor: 0,
      toCreditMinor: -net,
    }
  const taxMinor = share(net, taxRatePpm, 1_000_000)
  const totalMinor = net + taxMinor
  const used = Math.min(Math.max(0, creditMinor), totalMinor)
  return {
    subtotalMinor,
    lineDiscounts,
    discountMinor,
    taxMinor,
    totalMinor,
    creditMinor: used,
    dueMinor: totalMinor - used,
    toCreditMinor: 0,
  }
}

/** Coupons one after the other, each on what the ones before have left; a line is never discounted below nothing. */
function discountsOf(lines: readonly ChargeLine[], discounts: readonly Discount[]): number[] {
  const left = lines.map((line) => Math.max(0, line.amountMinor))
  for (const discount of discounts) {
    const meant = lines.map((line, index) =>
      discount.appliesTo === 'all' || line.kind !== 'usage' ? (left[index] ?? 0) : 0,
    )
    const whole = sum(meant)
    const off =
      discount.kind === 'percent' ? share(whole, discount.percent, 100) : Math.min(discount.amountMinor, whole)
    for (const [index, part] of spread(off, meant).entries()) left[index] = (left[index] ?? 0) - part
  }
  return lines.map((line, index) => Math.max(0, line.amountMinor) - (left[index] ?? 0))
}

/**
 * An amount over weights, so that the parts add up to it exactly: rounded down, and what is missing goes to the largest
 * remainders.
 */
export function spread(amount: number, weights: readonly number[]): number[] {
  const whole = sum(weights)
  if (whole === 0) return weights.map(() => 0)
  const parts = weights.map((weight) => shareDown(amount, weight, whole))
  const remainder = (index: number) => (BigInt(amount) * BigInt(weights[index] ?? 0)) % BigInt(whole)
  const order = weights
    .map((_, index) => index)
    .filter((index) => (weights[index] ?? 0) > (parts[index] ?? 0))
    .sort((a, b) => (remainder(b) > remainder(a) ? 1 : remainder(b) < remainder(a) ? -1 : a - b))
  let missing = amount - sum(parts)
  for (const index of order) {
    if (missing === 0) break
    parts[index] = (parts[index] ?? 0) + 1
    missing--
  }
  return parts
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
