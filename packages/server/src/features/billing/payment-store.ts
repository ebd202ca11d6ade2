import crypto from 'node:crypto'
import type { ChargeAnswer } from '@fairway/drivers'
import type { Tx } from '@fairway/platform'

export type PaymentRow = {
  id: string
  organization_id: string
  invoice_id: string | null
  gateway: string
  customer_ref: string
  payment_method_ref: string
  amount_minor: number
  currency: string
  state: 'started' | 'succeeded' | 'failed' | 'refunded'
  charge_ref: string | null
  decline_code: string | null
  /** Somebody has pressed *Pay now*. */ asked: boolean
  created_at: Date
}

export type NewPayment = Pick<
  PaymentRow,
  'organization_id' | 'invoice_id' | 'gateway' | 'customer_ref' | 'payment_method_ref' | 'amount_minor' | 'currency'
> & { asked?: boolean }

/**
 * The key by which the provider knows the charge of a month again, also when this database has forgotten it: made of
 * what is charged to whom for which month, and which try it is.
 */
export function monthKey(payment: NewPayment, month: Date, attempt: number): string {
  const { organization_id, customer_ref, payment_method_ref, amount_minor, currency } = payment
  const what = [organization_id, month.toISOString(), attempt, amount_minor, currency, customer_ref, payment_method_ref]
  const hex = crypto.createHash('sha256').update(JSON.stringify(what)).digest('hex')
  // A UUID of version 8 (RFC 9562 5.8).
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** @param key the provider's for it, where it must not be charged twice; one that was used here already is not */
export async function insertPayment(
  tx: Tx,
  payment: NewPayment,
  now: Date,
  key: string | null = null,
): Promise<PaymentRow> {
  const isFree = key !== null && (await tx.query('SELECT FROM payment WHERE id = $1', [key])).length === 0
  const id = isFree ? key : crypto.randomUUID()
  const rows = await tx.query<PaymentRow>(
    'INSERT INTO payment (id, organization_id, invoice_id, gateway, customer_ref, payment_method_ref, amount_minor, currency, created_at, asked) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING *',
    [
      id,
      payment.organization_id,
      payment.invoice_id,
      payment.gateway,
      payment.customer_ref,
      payment.payment_method_ref,
      payment.amount_minor,
      payment.currency,
      now,
      payment.asked ?? false,
    ],
  )
  if (!rows[0]) throw new Error('a payment that was inserted has no row')
  return rows[0]
}

/**
 * Writes how a charge has ended. False when it was written before: by another worker, or by the provider's own event.
 */
export async function settle(tx: Tx, id: string, answer: ChargeAnswer, now: Date): Promise<boolean> {
  const decline = answer.state === 'failed' ? answer.declineCode : null
  return (
    (
      await tx.query(
        `UPDATE payment SET state = $2, charge_ref = $3, decline_code = $4, settled_at = $5 WHERE id = $1 AND state = 'started' RETURNING id`,
        [id, answer.state, answer.chargeRef, decline, now],
      )
    ).length > 0
  )
}

export async function giveInvoice(tx: Tx, id: string, invoiceId: string): Promise<void> {
  await tx.query('UPDATE payment SET invoice_id = $2 WHERE id = $1', [id, invoiceId])
}

export async function markRefunded(tx: Tx, id: string): Promise<void> {
  await tx.query(`UPDATE payment SET state = 'refunded' WHERE id = $1`, [id])
}

/** Charges whose answer was lost, and those that nothing came of: their change was not made. */
export const strayPayments = (tx: Tx, before: Date): Promise<PaymentRow[]> =>
  tx.query<PaymentRow>(
    `SELECT * FROM payment WHERE created_at < $1 AND (state = 'started' OR state = 'succeeded' AND invoice_id IS NULL) ORDER BY created_at LIMIT 100`,
    [before],
  )

export async function paymentByCharge(tx: Tx, chargeRef: string): Promise<PaymentRow | undefined> {
  return (await tx.query<PaymentRow>('SELECT * FROM payment WHERE charge_ref = $1', [chargeRef]))[0]
}
