import type { FastifyInstance } from 'fastify'
import { type GatewayEvent, readStripeEvent } from '@fairway/drivers'
import type { Config, Database, Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { applyAnswer } from './collect.ts'
import { markRefunded, paymentByCharge, settle } from './payment-store.ts'

/**
 * Where Stripe tells how a charge has ended. Its signature over the very bytes is the authorisation, so the body is
 * read as text.
 */
export async function registerStripeWebhook(
  server: FastifyInstance,
  config: Config,
  database: Database,
): Promise<void> {
  if (!config.stripeWebhookSecret) return
  await server.register(async (scope) => {
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => done(null, text))
    scope.post('/billing/v2/webhook/stripe/', async (request) => {
      const signature = request.headers['stripe-signature']
      const event = readStripeEvent(
        String(request.body ?? ''),
        typeof signature === 'string' ? signature : '',
        config.stripeWebhookSecret,
      )
      if (!event) throw new Failure(400, { internal: "the signature is not Stripe's" })
      await database.system((tx) => takeEvent(tx, config, event, new Date()))
      return {}
    })
  })
}

/**
 * Stripe repeats events and sends them in any order: each counts once, and a charge that has ended stays as it ended.
 */
export async function takeEvent(tx: Tx, config: Config, event: GatewayEvent, now: Date): Promise<void> {
  const fresh = await tx.query(
    'INSERT INTO payment_event (id, type) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id',
    [event.id, event.type],
  )
  if (!fresh.length || event.type === 'other') return
  const payment = await paymentByCharge(tx, event.chargeRef)
  if (!payment) return
  if (event.type === 'charge.refunded') return markRefunded(tx, payment.id)
  const answer =
    event.type === 'charge.failed'
      ? { state: 'failed' as const, chargeRef: event.chargeRef, declineCode: event.declineCode }
      : { state: 'succeeded' as const, chargeRef: event.chargeRef }
  if ((await settle(tx, payment.id, answer, now)) && payment.invoice_id)
    await applyAnswer(tx, config, payment.invoice_id, answer, now)
}
