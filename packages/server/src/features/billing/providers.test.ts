import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { after, before, test } from 'node:test'
import { billing } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { billingWorld, newCustomer } from '../../testing/billing-under-test.ts'

const at = billing.routes
const SECRET = 'whsec_test'
let sandbox: ApiUnderTest
let stripe: ApiUnderTest
before(async () => {
  sandbox = await startApiUnderTest()
  stripe = await startApiUnderTest({
    FAIRWAY_STRIPE_SECRET_KEY: 'sk_test_1',
    FAIRWAY_STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    FAIRWAY_STRIPE_WEBHOOK_SECRET: SECRET,
    FAIRWAY_STRIPE_URL: 'http://127.0.0.1:9',
  })
})
after(async () => {
  await stripe[Symbol.asyncDispose]()
  await sandbox[Symbol.asyncDispose]()
})

test("the sandbox's card page has no origin, may be shown by the console alone, and takes a card by its secret only", async () => {
  const page = await fetch(new URL('/sandbox-pay/card.html', sandbox.url))
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^sandbox allow-scripts allow-forms; default-src 'none';.*frame-ancestors 'self'/)
  assert.doesNotMatch(policy, /allow-same-origin|unsafe-inline/)
  const confirm = (body: object) =>
    fetch(new URL('/sandbox-pay/confirm/', sandbox.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const card = { number: '4242424242424242', expiryMonth: 12, expiryYear: 2030, cvc: '123' }
  assert.equal((await confirm({ clientSecret: 'seti_1_secret_guess', ...card })).status, 404)
  assert.equal((await confirm({ clientSecret: 'x' })).status, 400)
  const client = await newCustomer(sandbox)
  const { answer } = await billingWorld(sandbox).enter(await client.call(at.intentToken, {}), '4000000000009979')
  assert.deepEqual(answer, { state: 'failed', declineCode: 'stolen_card' })
})

test('with Stripe there is no sandbox, and while Stripe is away a card cannot be added but everything else works', async () => {
  assert.equal((await fetch(new URL('/sandbox-pay/card.html', stripe.url))).status, 404)
  const client = await newCustomer(stripe)
  assert.equal((await client.refusal(at.intentToken, {})).code, 503)
  assert.deepEqual(
    [(await client.call(at.me, {})).gateway, (await client.call(at.subscribe, { planId: 'developer' })).planId],
    ['stripe', 'developer'],
  )
})

test('29007, 29006: what cannot be charged because Stripe is away is not turned on', async () => {
  const client = await newCustomer(stripe)
  await stripe.database.system((tx) =>
    tx.query(
      `UPDATE billing_account SET gateway = 'stripe', customer_ref = 'cus_1', payment_method_ref = 'pm_1' WHERE organization_id = $1`,
      [client.organizationId],
    ),
  )
  await stripe.database.system((tx) =>
    tx.query('UPDATE organization SET plan_chosen_at = now() WHERE id = $1', [client.organizationId]),
  )
  assert.equal((await client.refusal(at.addAddOn, { addonId: 'dynamic-routing' })).code, 29007)
  assert.equal((await client.refusal(at.upgradePlan, { planId: 'business' })).code, 29006)
  assert.deepEqual(
    [(await client.call(at.me, {})).plan_id, (await client.call(at.customerFeature, {})).enableDynamicRouting],
    ['developer', false],
  )
})

test("Stripe's webhook takes what Stripe has signed, once, and nothing else", async () => {
  const client = await newCustomer(stripe)
  const [payment] = await stripe.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO payment (organization_id, gateway, customer_ref, payment_method_ref, amount_minor, currency, charge_ref) VALUES ($1, 'stripe', 'cus_1', 'pm_1', 100, 'USD', 'pi_1') RETURNING id`,
      [client.organizationId],
    ),
  )
  const body = JSON.stringify({
    id: 'evt_9',
    object: 'event',
    type: 'payment_intent.payment_failed',
    data: { object: { id: 'pi_1', last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds' } } },
  })
  const post = (text: string, secret: string) => {
    const seconds = Math.floor(Date.now() / 1000)
    const signature = crypto.createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')
    return fetch(new URL('/billing/v2/webhook/stripe/', stripe.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=${signature}` },
      body: text,
    })
  }
  const state = async () =>
    (
      await stripe.database.system((tx) =>
        tx.query<{ state: string; decline_code: string | null }>(
          'SELECT state, decline_code FROM payment WHERE id = $1',
          [payment?.id],
        ),
      )
    )[0]
  assert.equal((await post(body, 'whsec_other')).status, 400)
  assert.equal((await state())?.state, 'started')
  for (let times = 0; times < 2; times++) assert.equal((await post(body, SECRET)).status, 200)
  assert.deepEqual(await state(), { state: 'failed', decline_code: 'insufficient_funds' })
})
