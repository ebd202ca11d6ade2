import crypto from 'node:crypto'
import { Stripe } from 'stripe'
import { declineCode } from '@fairway/contract'
import { type CardSetupState, type ChargeAnswer, GatewayAway, GatewayRefused, type PaymentGateway } from '../gateway.ts'

/** `url` replaces Stripe's own address. */
export type StripeOptions = { secretKey: string; url?: string; timeoutMs?: number }

const TIMEOUT_MS = 20_000
/** Nobody is there to be sent to a bank's page when a stored card is charged. */
const WITHOUT_REDIRECT = { enabled: true, allow_redirects: 'never' } as const

export function stripeGateway({ secretKey, url, timeoutMs = TIMEOUT_MS }: StripeOptions): PaymentGateway {
  const stripe = new Stripe(secretKey, {
    ...addressOf(url),
    httpClient: Stripe.createFetchHttpClient(),
    maxNetworkRetries: 1,
    telemetry: false,
    timeout: timeoutMs,
  })
  return {
    name: 'stripe',
    createCustomer: ({ organizationId, email, name }) =>
      asked(async () => {
        const customer = await stripe.customers.create(
          { email, name, metadata: { organization: organizationId } },
          { idempotencyKey: `customer-${organizationId}-${digestOf([email, name])}` },
        )
        return { customerRef: customer.id }
      }),
    startCardSetup: ({ customerRef }) =>
      asked(async () => {
        const intent = await stripe.setupIntents.create({
          customer: customerRef,
          usage: 'off_session',
          automatic_payment_methods: WITHOUT_REDIRECT,
        })
        if (!intent.client_secret) throw new GatewayRefused('Stripe gave no client secret')
        return { intentId: intent.id, clientSecret: intent.client_secret }
      }),
    readCardSetup: (intentId) =>
      asked(async () => setupState(await stripe.setupIntents.retrieve(intentId, { expand: ['payment_method'] }))),
    charge: (order) => asked(() => charge(stripe, order)),
    refund: ({ chargeRef, amountMinor, idempotencyKey }) =>
      asked(async () => {
        const refund = await stripe.refunds.create(
          { payment_intent: chargeRef, amount: amountMinor },
          { idempotencyKey },
        )
        return { refundRef: refund.id }
      }),
    removeCard: (paymentMethodRef) => asked(async () => void (await stripe.paymentMethods.detach(paymentMethodRef))),
  }
}

/** A key that comes back with other words is refused for a day: after another colleague has tried, or a new name. */
const digestOf = (words: string[]): string =>
  crypto.createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 16)

function setupState(intent: Stripe.SetupIntent): CardSetupState {
  const customerRef = idOf(intent.customer)
  const method = intent.payment_method
  if (intent.status === 'succeeded' && method && typeof method === 'object' && method.card) {
    const { brand, last4, exp_month, exp_year } = method.card
    return {
      state: 'succeeded',
      customerRef,
      paymentMethodRef: method.id,
      card: { brand, last4, expiryMonth: exp_month, expiryYear: exp_year },
    }
  }
  const problem = intent.last_setup_error
  return problem
    ? { state: 'failed', customerRef, declineCode: declineCode(problem.decline_code ?? problem.code) }
    : { state: 'waiting', customerRef }
}

async function charge(
  stripe: Stripe,
  { customerRef, paymentMethodRef, amountMinor, currency, idempotencyKey }: Parameters<PaymentGateway['charge']>[0],
): Promise<ChargeAnswer> {
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount: amountMinor,
        currency: currency.toLowerCase(),
        customer: customerRef,
        payment_method: paymentMethodRef,
        automatic_payment_methods: WITHOUT_REDIRECT,
        off_session: true,
        confirm: true,
        // By which an operator finds it there. Whatever else is said here has to be the same under the same key.
        description: idempotencyKey,
      },
      { idempotencyKey },
    )
    if (intent.status === 'succeeded') return { state: 'succeeded', chargeRef: intent.id }
    const problem = intent.last_payment_error
    return {
      state: 'failed',
      declineCode:
        intent.status === 'requires_action'
          ? 'authentication_required'
          : declineCode(problem?.decline_code ?? problem?.code),
      chargeRef: intent.id,
    }
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error
    return {
      state: 'failed',
      declineCode: declineCode(error.decline_code ?? error.code),
      chargeRef: error.payment_intent?.id ?? null,
    }
  }
}

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError)
      throw new GatewayRefused(error.message, { cause: error })
    if (error instanceof Stripe.errors.StripeError) throw new GatewayAway(error.message, { cause: error })
    throw error
  }
}

const idOf = (thing: string | { id: string } | null): string => (typeof thing === 'string' ? thing : (thing?.id ?? ''))

function addressOf(url: string | undefined): { host?: string; port?: number; protocol?: 'http' | 'https' } {
  if (!url) return {}
  const { hostname, port, protocol } = new URL(url)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  return { host: hostname, port: Number(port || (scheme === 'http' ? 80 : 443)), protocol: scheme }
}
