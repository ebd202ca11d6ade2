import type { BillingAddress, LocalText } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type Seller = { companyName: string; contactEmail: string | null; brandColor: string }
export type Buyer = { organizationName: string; address: BillingAddress | null }

export type StoredInvoice = {
  id: string
  organization_id: string
  partner_id: string
  number: string
  kind: 'month' | 'change'
  status: 'posted' | 'unpaid' | 'paid'
  currency: string
  period_from: Date
  period_until: Date
  seller: Seller
  buyer: Buyer
  subtotal_minor: number
  discount_minor: number
  tax_name: string | null
  tax_rate_ppm: number
  tax_minor: number
  total_minor: number
  credit_minor: number
  due_minor: number
  posted_at: Date
  due_at: Date
  paid_at: Date | null
  attempts: number
  next_attempt_at: Date | null
  decline_code: string | null
}
export type StoredLine = {
  invoice_id: string
  number: number
  kind: 'plan' | 'addon' | 'unused' | 'usage'
  item_id: string
  name: LocalText
  from_at: Date
  until_at: Date
  used: number | null
  included: number | null
  rate_units: number | null
  rate_minor: number | null
  monthly_minor: number | null
  amount_minor: number
  discount_minor: number
}

export async function listInvoices(
  tx: Tx,
  { status, order, limit, offset }: { status: string | null; order: string; limit: number | null; offset: number },
): Promise<{ rows: StoredInvoice[]; total: number }> {
  const rows = await tx.query<StoredInvoice>(
    `SELECT * FROM invoice WHERE $1::text IS NULL OR status = $1 ORDER BY ${order}, sequence DESC LIMIT $2 OFFSET $3`,
    [status, limit, offset],
  )
  const total = await tx.query<{ total: number }>(
    'SELECT count(*) AS total FROM invoice WHERE $1::text IS NULL OR status = $1',
    [status],
  )
  return { rows, total: total[0]?.total ?? 0 }
}

export async function invoiceById(tx: Tx, id: string): Promise<StoredInvoice | undefined> {
  return (await tx.query<StoredInvoice>('SELECT * FROM invoice WHERE id = $1', [id]))[0]
}

export const linesOf = (tx: Tx, invoiceId: string): Promise<StoredLine[]> =>
  tx.query<StoredLine>('SELECT * FROM invoice_line WHERE invoice_id = $1 ORDER BY number', [invoiceId])

export type FrozenUsage = {
  day: string
  site_id: string
  domain_id: string
  cdn_id: string
  site_name: string
  domain_name: string
  cdn_name: string
  used: number
}

export const usageOfLine = (tx: Tx, invoiceId: string, number: number): Promise<FrozenUsage[]> =>
  tx.query<FrozenUsage>(
    'SELECT day::text, site_id, domain_id, cdn_id, site_name, domain_name, cdn_name, used FROM invoice_usage WHERE invoice_id = $1 AND number = $2 ORDER BY day, site_name, domain_name, cdn_name',
    [invoiceId, number],
  )

/** Invoices that wait for money, oldest first. */
export const openInvoices = (tx: Tx, organizationId: string): Promise<StoredInvoice[]> =>
  tx.query<StoredInvoice>(`SELECT * FROM invoice WHERE organization_id = $1 AND status <> 'paid' ORDER BY posted_at`, [
    organizationId,
  ])

/** Fees whose time reaches into a span: what was billed ahead, by plan or add-on. */
export const feeLines = (tx: Tx, organizationId: string, from: Date, until: Date): Promise<StoredLine[]> =>
  tx.query<StoredLine>(
    `SELECT * FROM invoice_line WHERE organization_id = $1 AND kind IN ('plan', 'addon', 'unused') AND until_at > $2 AND from_at < $3 ORDER BY from_at, number`,
    [organizationId, from, until],
  )

type NewInvoice = Omit<StoredInvoice, 'id' | 'number' | 'attempts' | 'decline_code'>

/** Takes the seller's next number; the transaction that fails gives it back. */
export async function insertInvoice(
  tx: Tx,
  invoice: NewInvoice,
  acronym: string,
): Promise<{ id: string; number: string }> {
  const sequence =
    (await tx.query<{ n: number }>('SELECT next_invoice_sequence($1) AS n', [invoice.partner_id]))[0]?.n ?? 0
  const values = {
    ...invoice,
    sequence,
    number: `${acronym.toUpperCase()}-${String(sequence).padStart(6, '0')}`,
    seller: JSON.stringify(invoice.seller),
    buyer: JSON.stringify(invoice.buyer),
  }
  const names = Object.keys(values)
  const rows = await tx.query<{ id: string; number: string }>(
    `INSERT INTO invoice (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')}) RETURNING id, number`,
    Object.values(values),
  )
  if (!rows[0]) throw new Error('an invoice that was inserted has no row')
  return rows[0]
}

export async function insertLine(tx: Tx, organizationId: string, line: StoredLine): Promise<void> {
  const values = { organization_id: organizationId, ...line, name: JSON.stringify(line.name) }
  const names = Object.keys(values)
  await tx.query(
    `INSERT INTO invoice_line (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(values),
  )
}

export async function insertLineUsage(
  tx: Tx,
  organizationId: string,
  invoiceId: string,
  number: number,
  rows: readonly FrozenUsage[],
): Promise<void> {
  await tx.query(
    `INSERT INTO invoice_usage (organization_id, invoice_id, number, day, site_id, domain_id, cdn_id, site_name, domain_name, cdn_name, used)
       SELECT $1, $2, $3, day, site_id, domain_id, cdn_id, site_name, domain_name, cdn_name, used
       FROM jsonb_to_recordset($4::jsonb) AS u (day date, site_id text, domain_id text, cdn_id text, site_name text, domain_name text, cdn_name text, used bigint)`,
    [organizationId, invoiceId, number, JSON.stringify(rows)],
  )
}

export async function insertCreditUse(
  tx: Tx,
  organizationId: string,
  invoiceId: string,
  use: { grantId: string; amountMinor: number },
): Promise<void> {
  await tx.query(
    'INSERT INTO credit_use (organization_id, grant_id, invoice_id, amount_minor) VALUES ($1, $2, $3, $4)',
    [organizationId, use.grantId, invoiceId, use.amountMinor],
  )
}

export async function taxOf(tx: Tx, country: string | undefined): Promise<{ name: string | null; ratePpm: number }> {
  const row = country
    ? (
        await tx.query<{ name: string; rate_ppm: number }>('SELECT name, rate_ppm FROM tax_rate WHERE country = $1', [
          country,
        ])
      )[0]
    : undefined
  return { name: row?.name ?? null, ratePpm: row?.rate_ppm ?? 0 }
}

export async function sellerOf(tx: Tx, partnerId: string): Promise<Seller & { acronym: string }> {
  const row = (
    await tx.query<{ acronym: string; company_name: string; contact_email: string | null; brand_color: string }>(
      'SELECT acronym, company_name, contact_email, brand_color FROM partner WHERE id = $1',
      [partnerId],
    )
  )[0]
  if (!row) throw new Error('an organisation has no partner')
  return {
    acronym: row.acronym,
    companyName: row.company_name,
    contactEmail: row.contact_email,
    brandColor: row.brand_color,
  }
}
