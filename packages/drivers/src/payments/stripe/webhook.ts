import { Stripe } from 'stripe'
import { type DeclineCode, declineCode } from '@fairway/contract'

/** What Stripe tells of itself and matters here; everything else is `other`. */
export type GatewayEvent =
  | { id: string; type: 'charge.succeeded' | 'charge.refunded'; chargeRef: string }
  | { id: string; type: 'charge.failed'; chargeRef: string; declineCode: DeclineCode }
  | { id: string; type: 'other' }

/** Reads an event whose signature is right and not older than five minutes. Null for any other. */
export function readStripeEvent(body: string, signature: string, secret: string): GatewayEvent | null {
  const event = verified(body, signature, secret)
  if (!event) return null
  switch (event.type) {
    case 'payment_intent.succeeded':
      return { id: event.id, type: 'charge.succeeded', chargeRef: event.data.object.id }
    case 'payment_intent.payment_failed': {
      const problem = event.data.object.last_payment_error
      return {
        id: event.id,
        type: 'charge.failed',
        chargeRef: event.data.object.id,
        declineCode: declineCode(problem?.decline_code ?? problem?.code),
      }
    }
    case 'charge.refunded': {
      const intent = event.data.object.payment_intent
      return intent && event.data.object.refunded
        ? { id: event.id, type: 'charge.refunded', chargeRef: typeof intent === 'string' ? intent : intent.id }
        : { id: event.id, type: 'other' }
    }
    default:
      return { id: event.id, type: 'other' }
  }
}

function verified(body: string, signature: string, secret: string): Stripe.Event | null {
  try {
    return Stripe.webhooks.constructEvent(body, signature, secret)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError) return null
    throw error
  }
}
