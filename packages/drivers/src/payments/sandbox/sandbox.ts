import crypto from 'node:crypto'
import { mint } from '@fairway/platform'
import { type CardSetupState, GatewayRefused, type PaymentGateway } from '../gateway.ts'
import type { SandboxStore } from './store.ts'
import { type CardForm, judgeCard } from './test-cards.ts'

/**
 * The embedded provider: behaves as Stripe's test mode does, for Stripe's test numbers. No money moves and no card
 * number is kept.
 */
export type SandboxProvider = PaymentGateway & {
  /** What its own page sends: the only way by which a card comes in. Null when the secret opens nothing. */
  confirmCard(clientSecret: string, form: CardForm): Promise<CardSetupState | null>
}

export function sandboxProvider(store: SandboxStore, now: () => Date = () => new Date()): SandboxProvider {
  return {
    name: 'sandbox',
    async createCustomer({ organizationId }) {
      const customerRef = `cus_${digest(organizationId)}`
      await store.add('customer', customerRef, { organizationId })
      return { customerRef }
    },
    async startCardSetup({ customerRef }) {
      if (!(await store.get('customer', customerRef))) throw new GatewayRefused('no such customer')
      const id = crypto.randomBytes(12).toString('hex')
      const intentId = `seti_${id}`
      const clientSecret = mint('cardSetup', id).text
      await store.add('intent', intentId, { customerRef, clientSecret, outcome: null })
      return { intentId, clientSecret }
    },
    async readCardSetup(intentId) {
      const intent = await store.get('intent', intentId)
      if (!intent) throw new GatewayRefused('no such setup')
      return intent.outcome ?? { state: 'waiting', customerRef: intent.customerRef }
    },
    async confirmCard(clientSecret, form) {
      const intentId = clientSecret.split('_secret_')[0] ?? ''
      const intent = await store.get('intent', intentId)
      if (!intent || !sameText(intent.clientSecret, clientSecret)) return null
      if (intent.outcome?.state === 'succeeded') return intent.outcome
      const outcome = await enter(store, intent.customerRef, form, now())
      await store.change('intent', intentId, (body) => ({ ...body, outcome }))
      return outcome
    },
    async charge({ customerRef, paymentMethodRef, amountMinor, idempotencyKey }) {
      const card = await store.get('card', paymentMethodRef)
      if (!card || card.removed || card.customerRef !== customerRef)
        throw new GatewayRefused('no such card of this customer')
      if (!Number.isSafeInteger(amountMinor) || amountMinor <= 0)
        throw new GatewayRefused('amount is not a positive whole number')
      const chargeRef = `pi_${digest(idempotencyKey)}`
      const declineCode =
        card.behaviour.charge ?? (isPast(card.expiryYear, card.expiryMonth, now()) ? 'expired_card' : null)
      const answer = declineCode
        ? { state: 'failed' as const, declineCode, chargeRef }
        : { state: 'succeeded' as const, chargeRef }
      return (await store.add('charge', chargeRef, { answer, amountMinor, refundedMinor: 0 })).answer
    },
    async refund({ chargeRef, amountMinor, idempotencyKey }) {
      const refundRef = `re_${digest(idempotencyKey)}`
      if (await store.get('refund', refundRef)) return { refundRef }
      const charge = await store.change('charge', chargeRef, (body) => {
        if (body.answer.state !== 'succeeded' || body.refundedMinor + amountMinor > body.amountMinor)
          throw new GatewayRefused('more than was charged')
        return { ...body, refundedMinor: body.refundedMinor + amountMinor }
      })
      if (!charge) throw new GatewayRefused('no such charge')
      await store.add('refund', refundRef, { chargeRef, amountMinor })
      return { refundRef }
    },
    async removeCard(paymentMethodRef) {
      await store.change('card', paymentMethodRef, (card) => ({ ...card, removed: true }))
    },
  }
}

async function enter(store: SandboxStore, customerRef: string, form: CardForm, now: Date): Promise<CardSetupState> {
  const judged = judgeCard(form, now)
  if ('declineCode' in judged) return { state: 'failed', customerRef, declineCode: judged.declineCode }
  const card = { brand: judged.brand, last4: judged.last4, expiryMonth: form.expiryMonth, expiryYear: form.expiryYear }
  const paymentMethodRef = `pm_${crypto.randomBytes(12).toString('hex')}`
  await store.add('card', paymentMethodRef, { ...card, customerRef, behaviour: judged.behaviour, removed: false })
  return { state: 'succeeded', customerRef, paymentMethodRef, card }
}

const digest = (text: string): string => crypto.createHash('sha256').update(text).digest('hex').slice(0, 24)
const isPast = (year: number, month: number, now: Date): boolean => Date.UTC(year, month, 1) <= now.getTime()
const sameText = (a: string, b: string): boolean =>
  a.length === b.length && crypto.timingSafeEqual(Buffer.from(a), Buffer.from(b))
