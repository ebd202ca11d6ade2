import type { BillingCustomer, ChangeQuote, Invoice, InvoiceLine, InvoiceRow } from '@fairway/contract'
import type { AccountRow, StoredCard } from './account-store.ts'
import type { StoredInvoice, StoredLine } from './invoice-store.ts'
import type { Quote } from './post-invoice.ts'

export function presentCustomer(account: AccountRow, gateway: BillingCustomer['gateway'], now: Date): BillingCustomer {
  return {
    card: account.card && presentCard(account.card, now),
    address: account.address,
    currency: { code: account.currency },
    customer: { fully_activated: account.activated_at !== null },
    plan_id: account.plan_id,
    status: account.status,
    gateway,
  }
}

/** Grouped in fours as the brand prints it; only the last four digits are known. */
function presentCard({ brand, last4, expiryMonth, expiryYear }: StoredCard, now: Date) {
  const maskedNumber = brand === 'amex' ? `•••• •••••• •${last4}` : `•••• •••• •••• ${last4}`
  return {
    brand,
    maskedNumber,
    expiryMonth,
    expiryYear,
    expired: Date.UTC(expiryYear, expiryMonth, 1) <= now.getTime(),
  }
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

export function presentRow(row: StoredInvoice): InvoiceRow {
  return {
    id: row.id,
    number: row.number,
    kind: row.kind,
    status: row.status,
    date: row.posted_at.toISOString(),
    dueAt: row.due_at.toISOString(),
    currency: row.currency,
    periodFrom: row.period_from.toISOString(),
    periodUntil: row.period_until.toISOString(),
    amountMinor: row.total_minor,
    creditMinor: row.credit_minor,
    dueMinor: row.due_minor,
    paidAt: iso(row.paid_at),
    nextAttemptAt: iso(row.next_attempt_at),
    declineCode: row.decline_code,
  }
}

export function presentLine(line: StoredLine): InvoiceLine {
  const rate =
    line.rate_units !== null && line.rate_minor !== null ? { units: line.rate_units, minor: line.rate_minor } : null
  return {
    number: line.number,
    kind: line.kind,
    itemId: line.item_id,
    name: line.name,
    from: line.from_at.toISOString(),
    until: line.until_at.toISOString(),
    used: line.used,
    included: line.included,
    rate,
    monthlyMinor: line.monthly_minor,
    amountMinor: line.amount_minor,
    discountMinor: line.discount_minor,
  }
}

export function presentInvoice(row: StoredInvoice, lines: StoredLine[]): Invoice {
  return {
    ...presentRow(row),
    seller: row.seller,
    buyer: row.buyer,
    lines: lines.map(presentLine),
    subtotalMinor: row.subtotal_minor,
    discountMinor: row.discount_minor,
    taxName: row.tax_name,
    taxRatePpm: row.tax_rate_ppm,
    taxMinor: row.tax_minor,
    totalMinor: row.total_minor,
  }
}

export function presentQuote(quote: Quote, account: AccountRow, monthlyMinor: number): ChangeQuote {
  return {
    currency: account.currency,
    lines: quote.lines.map(({ kind, name, amountMinor }) => ({ kind, name, amountMinor })),
    discountMinor: quote.discountMinor,
    taxName: quote.taxName,
    taxMinor: quote.taxMinor,
    totalMinor: quote.totalMinor,
    creditMinor: quote.creditMinor,
    dueMinor: quote.dueMinor,
    toCreditMinor: quote.toCreditMinor,
    monthlyMinor,
    needsCard: quote.dueMinor > 0 && !account.payment_method_ref,
  }
}
