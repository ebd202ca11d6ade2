import { nextAttemptAt } from '@fairway/domain'
import { GatewayAway, GatewayRefused, type ChargeAnswer, type PaymentGateway } from '@fairway/drivers'
import type { Config, Database, Log, Tx } from '@fairway/platform'
import { accountOf, updateAccount } from './account-store.ts'
import type { StoredInvoice } from './invoice-store.ts'
import { type PaymentRow, insertPayment, monthKey, markRefunded, settle, strayPayments } from './payment-store.ts'
import { servingStopsAt } from './serving-stops-at.ts'
import { tellFailed, tellPaid } from './tell-customer.ts'
import { findFactsOf } from './usage-meter.ts'

export type Collector = { config: Config; database: Database; gateway: PaymentGateway; log: Log }

/** While one worker charges an invoice no other does; a worker that dies lets go of it after this. */
const LEASE_MS = 10 * 60_000
const AT_ONCE = 50

/** Charges the invoices whose time has come. */
export async function collectDue(needs: Collector, now: Date): Promise<number> {
  const due = await needs.database.system((tx) =>
    tx.query<StoredInvoice>(
      `SELECT * FROM invoice WHERE status <> 'paid' AND next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT ${AT_ONCE}`,
      [now],
    ),
  )
  for (const invoice of due) {
    await collectInvoice(needs, invoice.id, now).catch(async (error: unknown) => {
      needs.log[error instanceof GatewayAway ? 'warn' : 'error']({
        event: 'billing.not-collected',
        invoice: invoice.number,
        err: error,
      })
      // Those that fail are the oldest: they would be all that is looked at.
      await needs.database.system((tx) =>
        tx.query(
          `UPDATE invoice SET next_attempt_at = $2 WHERE id = $1 AND status <> 'paid' AND next_attempt_at <= $3`,
          [invoice.id, new Date(now.getTime() + LEASE_MS), now],
        ),
      )
    })
  }
  return due.length
}

/**
 * Charges one invoice to the account's card. What is to be charged is written first, then the provider is asked outside
 * any transaction, then its answer is written.
 * @throws GatewayAway when the provider does not answer: the charge is settled later by the same key
 */
export async function collectInvoice(
  { config, database, gateway }: Collector,
  invoiceId: string,
  now: Date,
  /** Somebody who may has said so just now. */ { isAsked = false } = {},
): Promise<'paid' | 'failed' | 'taken'> {
  const begun = await database.system((tx) => begin(tx, { gateway, invoiceId, now, isAsked }))
  if (begun === 'taken') return 'taken'
  const answer = begun.payment ? await ask(gateway, begun.payment) : null
  return database.system(async (tx) => {
    if (begun.payment && answer && !(await settle(tx, begun.payment.id, answer, now))) return 'taken'
    return applyAnswer(tx, config, begun.invoice.id, answer, now, { isAsked })
  })
}

type Begun = { invoice: StoredInvoice; payment: PaymentRow | null }

type Order = { gateway: PaymentGateway; invoiceId: string; now: Date; isAsked: boolean }

async function begin(tx: Tx, { gateway, invoiceId, now, isAsked }: Order): Promise<Begun | 'taken'> {
  const invoice = (
    await tx.query<StoredInvoice>(`SELECT * FROM invoice WHERE id = $1 AND status <> 'paid' FOR UPDATE SKIP LOCKED`, [
      invoiceId,
    ])
  )[0]
  if (!invoice) return 'taken'
  const tries = await tx.query<Pick<PaymentRow, 'state'>>(
    'SELECT state FROM payment WHERE organization_id = $1 AND invoice_id = $2',
    [invoice.organization_id, invoiceId],
  )
  if (tries.some(({ state }) => state === 'started')) return 'taken'
  const account = await accountOf(tx, invoice.organization_id)
  if (!account.payment_method_ref || !account.customer_ref || account.gateway !== gateway.name)
    return { invoice, payment: null }
  // A contract is paid as it was agreed: the card that is left from before is charged only when somebody says so.
  if (account.category === 'contract' && !isAsked) return { invoice, payment: null }
  // Whoever presses puts off nothing: the charge that is under way keeps the worker from a second one.
  if (!isAsked)
    await tx.query('UPDATE invoice SET next_attempt_at = $2 WHERE id = $1', [
      invoiceId,
      new Date(now.getTime() + LEASE_MS),
    ])
  const asked = {
    organization_id: invoice.organization_id,
    invoice_id: invoice.id,
    gateway: gateway.name,
    customer_ref: account.customer_ref,
    payment_method_ref: account.payment_method_ref,
    amount_minor: invoice.due_minor,
    currency: invoice.currency,
    asked: isAsked,
  }
  const key = invoice.kind === 'month' ? monthKey(asked, invoice.period_from, tries.length) : null
  return { invoice, payment: await insertPayment(tx, asked, now, key) }
}

/** A function of the payment alone: a provider refuses a key that comes back with anything else. */
async function ask(gateway: PaymentGateway, payment: PaymentRow): Promise<ChargeAnswer> {
  try {
    return await gateway.charge({
      customerRef: payment.customer_ref,
      paymentMethodRef: payment.payment_method_ref,
      amountMinor: payment.amount_minor,
      currency: payment.currency,
      idempotencyKey: payment.id,
    })
  } catch (error) {
    // The provider knows the card no more: for the customer that is a card which cannot be charged.
    if (error instanceof GatewayRefused) return { state: 'failed', declineCode: 'invalid_account', chargeRef: null }
    throw error
  }
}

/**
 * What a charge means for its invoice and its account. Null is no card to charge; one that somebody asked for is none of
 * the tries after which an account is locked.
 */
export async function applyAnswer(
  tx: Tx,
  config: Config,
  invoiceId: string,
  answer: ChargeAnswer | null,
  now: Date,
  { isAsked = false } = {},
): Promise<'paid' | 'failed'> {
  const invoice = (await tx.query<StoredInvoice>('SELECT * FROM invoice WHERE id = $1 FOR UPDATE', [invoiceId]))[0]
  if (!invoice || invoice.status === 'paid') return 'paid'
  const account = await accountOf(tx, invoice.organization_id, { lock: true })
  if (answer?.state === 'succeeded') {
    await tx.query(
      `UPDATE invoice SET status = 'paid', paid_at = $2, next_attempt_at = NULL, decline_code = NULL WHERE id = $1`,
      [invoiceId, now],
    )
    const others = await tx.query(`SELECT id FROM invoice WHERE organization_id = $1 AND status = 'unpaid'`, [
      invoice.organization_id,
    ])
    // Only what a failed charge has locked: an operator's lock has nothing to do with what is paid on time.
    if (invoice.status === 'unpaid' && !others.length && account.status !== 'active') {
      await tx.query(`UPDATE organization SET status = 'active' WHERE id = $1`, [invoice.organization_id])
      await tellPaid(tx, invoice.organization_id)
      await findFactsOf(tx, config, await accountOf(tx, invoice.organization_id), now)
    }
    return 'paid'
  }
  const isContract = account.category === 'contract'
  // Nobody has tried to charge it: it is open from here on, until people settle it.
  if (isContract && answer === null) {
    await tx.query(`UPDATE invoice SET status = 'unpaid', next_attempt_at = NULL WHERE id = $1`, [invoiceId])
    return 'failed'
  }
  // Whoever has pressed is told by the answer.
  if (isAsked) {
    await tx.query(`UPDATE invoice SET status = 'unpaid', decline_code = $2 WHERE id = $1`, [
      invoiceId,
      answer?.declineCode ?? null,
    ])
    return 'failed'
  }
  const attempts = invoice.attempts + 1
  const next = isContract ? null : nextAttemptAt(attempts, now.getTime())
  await tx.query(
    `UPDATE invoice SET status = 'unpaid', attempts = $2, next_attempt_at = $3, decline_code = $4 WHERE id = $1`,
    [invoiceId, attempts, next === null ? null : new Date(next), answer?.declineCode ?? null],
  )
  if (isContract) return 'failed'
  await tx.query(`UPDATE organization SET status = $2 WHERE id = $1 AND status <> 'locked'`, [
    invoice.organization_id,
    next === null ? 'locked' : 'payment_failed',
  ])
  const lockedAt = next === null ? (account.locked_at ?? now) : account.locked_at
  if (lockedAt !== account.locked_at) await updateAccount(tx, invoice.organization_id, { locked_at: lockedAt })
  await tellFailed(tx, config, account, {
    dueMinor: invoice.due_minor,
    reason: answer?.declineCode ?? 'card',
    stopsAt: servingStopsAt({ ...account, locked_at: lockedAt }),
  })
  return 'failed'
}

/** Long enough that whoever began has either written the end or is gone. */
const STRAY_MS = 10 * 60_000

/** Settles charges whose answer was lost, by asking again with the same key, and gives back what nothing came of. */
export async function settleStrays({ config, database, gateway, log }: Collector, now: Date): Promise<void> {
  for (const payment of await database.system((tx) => strayPayments(tx, new Date(now.getTime() - STRAY_MS)))) {
    try {
      const answer: ChargeAnswer =
        payment.state === 'started'
          ? await ask(gateway, payment)
          : { state: 'succeeded', chargeRef: payment.charge_ref ?? '' }
      if (payment.state === 'started')
        await database.system(
          async (tx) =>
            void (
              (await settle(tx, payment.id, answer, now)) &&
              payment.invoice_id &&
              (await applyAnswer(tx, config, payment.invoice_id, answer, now, { isAsked: payment.asked }))
            ),
        )
      if (payment.invoice_id || answer.state !== 'succeeded') continue
      await gateway.refund({
        chargeRef: answer.chargeRef,
        amountMinor: payment.amount_minor,
        idempotencyKey: `refund-${payment.id}`,
      })
      await database.system((tx) => markRefunded(tx, payment.id))
      log.warn({ event: 'billing.stray-refunded', payment: payment.id })
    } catch (error) {
      log.warn({ event: 'billing.stray-not-settled', payment: payment.id, err: error })
    }
  }
}
