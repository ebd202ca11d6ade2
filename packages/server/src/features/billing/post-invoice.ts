import type { LocalText } from '@fairway/contract'
import { type Discount, type InvoiceTotals, type Span, invoiceTotals, useCredit } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { AccountRow } from './account-store.ts'
import { discountsOf } from './coupon-store.ts'
import { asGrant, creditOf, grantCredit, grantsOf } from './credit-store.ts'
import {
  type FrozenUsage,
  insertCreditUse,
  insertInvoice,
  insertLine,
  insertLineUsage,
  sellerOf,
  taxOf,
} from './invoice-store.ts'

/** A line to be billed. Usage brings the rows that it stands for. */
export type NewLine = {
  kind: 'plan' | 'addon' | 'unused' | 'usage'
  itemId: string
  name: LocalText
  span: Span
  amountMinor: number
  monthlyMinor?: number
  usage?: { used: number; included: number; rateUnits: number; rateMinor: number; rows: FrozenUsage[] }
}
export type Quote = InvoiceTotals & { lines: NewLine[]; taxName: string | null; taxRatePpm: number }

/** Days until an invoice that no card pays, or that of a contract, has to be paid. */
const DUE_DAYS = 14
const DAY_MS = 86_400_000

/**
 * What lines come to for this account now: with its coupons, its country's tax and its credit. `more` are discounts
 * beyond the coupons.
 */
export async function quoteOf(
  tx: Tx,
  account: AccountRow,
  lines: NewLine[],
  now: Date,
  more: (net: InvoiceTotals) => Discount[] = () => [],
): Promise<Quote> {
  const tax = await taxOf(tx, account.address?.billingCountry)
  const coupons = await discountsOf(tx, account.organization_id, account.currency, now)
  const creditMinor = await creditOf(tx, account.organization_id, account.currency, now)
  const terms = { discounts: coupons, taxRatePpm: tax.ratePpm, creditMinor }
  const plain = invoiceTotals(lines, terms)
  const extra = more(plain)
  const totals = extra.length ? invoiceTotals(lines, { ...terms, discounts: [...coupons, ...extra] }) : plain
  return { ...totals, lines, taxName: tax.name, taxRatePpm: tax.ratePpm }
}

export type PostOrder = {
  kind: 'month' | 'change'
  period: Span
  now: Date
  /** It has been charged already, or is to be by the worker. */ paid: boolean
}

/**
 * Writes an invoice with its lines, their usage and the credit it takes. From here on the database lets nothing of it
 * be changed.
 */
export async function postInvoice(
  tx: Tx,
  account: AccountRow,
  quote: Quote,
  { kind, period, now, paid }: PostOrder,
): Promise<{ id: string; number: string; status: 'paid' | 'posted'; dueAt: Date }> {
  const { acronym, ...seller } = await sellerOf(tx, account.partner_id)
  const status = paid || quote.dueMinor === 0 ? 'paid' : 'posted'
  const isChargedNow = account.payment_method_ref !== null && account.category !== 'contract'
  const dueAt = new Date(now.getTime() + (isChargedNow ? 0 : DUE_DAYS * DAY_MS))
  const { id, number } = await insertInvoice(
    tx,
    {
      organization_id: account.organization_id,
      partner_id: account.partner_id,
      kind,
      status,
      currency: account.currency,
      period_from: new Date(period.from),
      period_until: new Date(period.until),
      seller,
      buyer: { organizationName: account.organization_name, address: account.address },
      subtotal_minor: quote.subtotalMinor,
      discount_minor: quote.discountMinor,
      tax_name: quote.taxName,
      tax_rate_ppm: quote.taxRatePpm,
      tax_minor: quote.taxMinor,
      total_minor: quote.totalMinor,
      credit_minor: quote.creditMinor,
      due_minor: quote.dueMinor,
      posted_at: now,
      due_at: dueAt,
      paid_at: status === 'paid' ? now : null,
      next_attempt_at: status === 'paid' ? null : dueAt,
    },
    acronym,
  )
  for (const [index, line] of quote.lines.entries()) {
    await insertLine(tx, account.organization_id, {
      invoice_id: id,
      number: index + 1,
      kind: line.kind,
      item_id: line.itemId,
      name: line.name,
      from_at: new Date(line.span.from),
      until_at: new Date(line.span.until),
      used: line.usage?.used ?? null,
      included: line.usage?.included ?? null,
      rate_units: line.usage?.rateUnits ?? null,
      rate_minor: line.usage?.rateMinor ?? null,
      monthly_minor: line.monthlyMinor ?? null,
      amount_minor: line.amountMinor,
      discount_minor: quote.lineDiscounts[index] ?? 0,
    })
    if (line.usage) await insertLineUsage(tx, account.organization_id, id, index + 1, line.usage.rows)
  }
  const grants = await grantsOf(tx, account.organization_id, account.currency)
  for (const use of useCredit(grants.map(asGrant), quote.creditMinor, now.getTime()))
    await insertCreditUse(tx, account.organization_id, id, use)
  if (quote.toCreditMinor > 0)
    await grantCredit(tx, {
      organizationId: account.organization_id,
      kind: 'unused',
      amountMinor: quote.toCreditMinor,
      currency: account.currency,
      note: number,
      at: now,
    })
  return { id, number, status, dueAt }
}
