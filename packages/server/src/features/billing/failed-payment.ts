import type { PaymentFailed } from '@fairway/contract'
import { MOST_ATTEMPTS, codeOfDecline } from '@fairway/domain'
import { GatewayAway } from '@fairway/drivers'
import { declineCode } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { Context } from '../../http/context.ts'
import { withoutConnection } from '../../http/call-transaction.ts'
import { Failure } from '../../http/failure.ts'
import { paymentLimit, takeAttempts } from '../auth/attempts.ts'
import { accountOf } from './account-store.ts'
import { collectInvoice } from './collect.ts'
import { openInvoices } from './invoice-store.ts'
import { presentRow } from './present.ts'
import { servingStopsAt } from './serving-stops-at.ts'

export async function failedPayment(tx: Tx, organizationId: string): Promise<PaymentFailed> {
  const invoice = (await openInvoices(tx, organizationId)).find((one) => one.status === 'unpaid')
  if (!invoice)
    return {
      failed: false,
      invoice: null,
      declineCode: null,
      nextAttemptAt: null,
      attemptsLeft: 0,
      servingStopsAt: null,
    }
  return {
    failed: true,
    invoice: presentRow(invoice),
    declineCode: invoice.decline_code,
    nextAttemptAt: invoice.next_attempt_at?.toISOString() ?? null,
    attemptsLeft: Math.max(0, MOST_ATTEMPTS - invoice.attempts),
    servingStopsAt: servingStopsAt(await accountOf(tx, organizationId))?.toISOString() ?? null,
  }
}

/**
 * Charges what is open now, oldest first. @throws Failure 7499 when nothing is, 7402 without a card, the card's code
 * when it is declined again
 */
export async function retryNow({ tx, actor, services, now }: Context): Promise<PaymentFailed> {
  const {
    config,
    database,
    log,
    payments: { gateway },
  } = services
  const open = (await openInvoices(tx, actor.organizationId)).filter((one) => one.status === 'unpaid')
  if (!open.length) throw new Failure(7499)
  if (!(await accountOf(tx, actor.organizationId)).payment_method_ref) throw new Failure(7402)
  await takeAttempts(database, [paymentLimit(actor.organizationId)])
  for (const invoice of open) {
    const outcome = await withoutConnection(() =>
      collectInvoice({ config, database, gateway, log }, invoice.id, now, { isAsked: true }),
    ).catch((error: unknown) => {
      if (error instanceof GatewayAway) throw new Failure(7487, { internal: error.message })
      throw error
    })
    if (outcome !== 'failed') continue
    const decline = declineCode(
      (
        await tx.query<{ decline_code: string | null }>('SELECT decline_code FROM invoice WHERE id = $1', [invoice.id])
      )[0]?.decline_code,
    )
    throw new Failure(codeOfDecline(decline), { declineCode: decline })
  }
  return failedPayment(tx, actor.organizationId)
}
