import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { Stripe } from 'stripe'
import { loadConfig, makeLog, migrate, openDatabase, startEmbeddedDatabase } from '@fairway/platform'
import { gatewayConformance } from './gateway.conformance.ts'
import { GatewayAway, GatewayRefused } from './gateway.ts'
import { sandboxProvider } from './sandbox/sandbox.ts'
import { sandboxStore } from './sandbox/store.ts'
import { judgeCard } from './sandbox/test-cards.ts'
import { stripeGateway } from './stripe/stripe.ts'
import { readStripeEvent } from './stripe/webhook.ts'
import { formProblem } from './testing/stripe-schema.ts'
import { startStripeServer } from './testing/stripe-server.ts'

const expiryYear = new Date().getUTCFullYear() + 2

gatewayConformance('sandbox', async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'payments-'))
  const config = loadConfig({ FAIRWAY_HOME: home, FAIRWAY_LOG_LEVEL: 'error' })
  const log = makeLog('test', config)
  const stack = new AsyncDisposableStack()
  stack.defer(() => fs.rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  stack.use(await startEmbeddedDatabase({ config, log }))
  await migrate(config, log)
  const database = stack.use(openDatabase(config, log, { connections: 2 }))
  const gateway = sandboxProvider(sandboxStore(database))
  return {
    gateway,
    async enterCard({ clientSecret }, number) {
      assert.ok(await gateway.confirmCard(clientSecret, { number, expiryMonth: 12, expiryYear, cvc: '123' }))
      const kept = await database.system((tx) => tx.query<{ body: object }>('SELECT body FROM sandbox_payment'))
      assert.ok(!JSON.stringify(kept).includes(number), 'the number is kept nowhere')
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
})

const outside = await startStripeServer()
after(() => outside[Symbol.asyncDispose]())

gatewayConformance('Stripe', async () => ({
  gateway: stripeGateway({ secretKey: 'sk_test_1', url: outside.url }),
  async enterCard({ intentId, clientSecret }, number) {
    const form = {
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': String(expiryYear),
      'payment_method_data[card][cvc]': '123',
    }
    await fetch(`${outside.url}/v1/setup_intents/${intentId}/confirm`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
  },
  async [Symbol.asyncDispose]() {},
}))

test('the published specification would notice a wrong request: an unknown field, a wrong type, a value that is none', () => {
  const problem = (form: Record<string, string>) => formProblem('POST /v1/payment_intents', new URLSearchParams(form))
  const good = {
    amount: '4900',
    currency: 'usd',
    customer: 'cus_1',
    confirm: 'true',
    off_session: 'true',
    'automatic_payment_methods[enabled]': 'true',
    'automatic_payment_methods[allow_redirects]': 'never',
  }
  assert.equal(problem(good), null)
  assert.match(problem({ ...good, surprise: '1' }) ?? '', /additional properties/)
  assert.match(problem({ ...good, amount: 'much' }) ?? '', /integer/)
  assert.match(problem({ ...good, capture_method: 'sometimes' }) ?? '', /allowed values|equal to/)
  assert.match(problem({ amount: '4900' }) ?? '', /currency/)
})

test('a key that comes back with another order is no answer of the card', async () => {
  const gateway = stripeGateway({ secretKey: 'sk_test_1', url: outside.url })
  const order = {
    customerRef: 'cus_1',
    paymentMethodRef: 'pm_1',
    amountMinor: 100,
    currency: 'USD',
    idempotencyKey: 'k',
  }
  await assert.rejects(gateway.charge(order), GatewayRefused)
  await assert.rejects(gateway.charge(order), GatewayRefused)
  await assert.rejects(gateway.charge({ ...order, amountMinor: 101 }), GatewayAway)
})

test('a provider that is away is told apart from one that refuses', async () => {
  const gateway = stripeGateway({ secretKey: 'sk_test_1', url: 'http://127.0.0.1:9', timeoutMs: 2_000 })
  await assert.rejects(gateway.startCardSetup({ customerRef: 'cus_1' }), GatewayAway)
})

test('an event of Stripe counts only with its signature, unchanged and fresh', () => {
  const secret = 'whsec_test'
  const payload = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'payment_intent.payment_failed',
    data: { object: { id: 'pi_1', last_payment_error: { code: 'card_declined', decline_code: 'stolen_card' } } },
  })
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret })
  assert.deepEqual(readStripeEvent(payload, header, secret), {
    id: 'evt_1',
    type: 'charge.failed',
    chargeRef: 'pi_1',
    declineCode: 'stolen_card',
  })
  assert.equal(readStripeEvent(payload.replace('pi_1', 'pi_2'), header, secret), null)
  assert.equal(readStripeEvent(payload, header, 'whsec_other'), null)
  assert.equal(readStripeEvent(payload, '', secret), null)
  assert.equal(
    readStripeEvent(
      payload,
      Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(Date.now() / 1000) - 3600 }),
      secret,
    ),
    null,
  )
})

test('the sandbox judges what was typed as an issuer would, and takes published test cards only', () => {
  const now = new Date('2026-11-21T00:00:00Z')
  const judge = (more: Partial<Parameters<typeof judgeCard>[0]>) => {
    const judged = judgeCard(
      { number: '4242 4242 4242 4242', expiryMonth: 11, expiryYear: 2026, cvc: '123', ...more },
      now,
    )
    return 'declineCode' in judged ? judged.declineCode : judged.brand
  }
  assert.equal(judge({}), 'visa')
  assert.equal(judge({ expiryMonth: 10 }), 'expired_card')
  assert.equal(judge({ expiryMonth: 13 }), 'invalid_expiry_month')
  assert.equal(judge({ expiryYear: 26 }), 'invalid_expiry_year')
  assert.equal(judge({ cvc: '12' }), 'invalid_cvc')
  assert.equal(judge({ number: '378282246310005', cvc: '1234' }), 'amex')
  assert.equal(judge({ number: '378282246310005' }), 'invalid_cvc')
  assert.equal(judge({ number: '4242424242424243' }), 'incorrect_number')
  assert.equal(judge({ number: '4539578763621486' }), 'card_not_supported')
})
