import type { DeclineCode } from '@fairway/contract'

/** What people recognise a card by; nothing else of it is known outside the provider. */
export type CardFacts = { brand: string; last4: string; expiryMonth: number; expiryYear: number }

/** How far the entering of a card in the provider's own element is. */
export type CardSetupState =
  | { state: 'waiting'; customerRef: string }
  | { state: 'failed'; customerRef: string; declineCode: DeclineCode }
  | { state: 'succeeded'; customerRef: string; paymentMethodRef: string; card: CardFacts }

export type ChargeOrder = {
  customerRef: string
  paymentMethodRef: string
  /** In the currency's smallest unit. */ amountMinor: number
  currency: string
  /** The same key charges once only, and comes with the same order each time. */ idempotencyKey: string
}
export type ChargeAnswer =
  | { state: 'succeeded'; chargeRef: string }
  | { state: 'failed'; declineCode: DeclineCode; chargeRef: string | null }

/**
 * A provider that keeps cards and charges them. It knows nothing of plans and invoices: those are ours, so every
 * provider bills alike.
 */
export interface PaymentGateway {
  readonly name: 'sandbox' | 'stripe'
  /** The same organisation in the same words is the same customer, however often it is asked for. */
  createCustomer(customer: { organizationId: string; email: string; name: string }): Promise<{ customerRef: string }>
  /** Opens the provider's element for one card. @returns what the element needs */
  startCardSetup(customer: { customerRef: string }): Promise<{ intentId: string; clientSecret: string }>
  readCardSetup(intentId: string): Promise<CardSetupState>
  /** Charges without the customer being there. A declined card is an answer, not an error. */
  charge(order: ChargeOrder): Promise<ChargeAnswer>
  refund(refund: { chargeRef: string; amountMinor: number; idempotencyKey: string }): Promise<{ refundRef: string }>
  /** The card cannot be charged any more. */
  removeCard(paymentMethodRef: string): Promise<void>
}

/** The provider cannot be reached or answers late; nothing is known of what was asked. */
export class GatewayAway extends Error {}
/** The provider refuses the request itself: an unknown customer, card or charge. */
export class GatewayRefused extends Error {}
