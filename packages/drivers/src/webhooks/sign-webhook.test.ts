import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newWebhookSecret, webhookHeaders } from './sign-webhook.ts'

test('the signature is that of the published vector of Standard Webhooks', () => {
  const headers = webhookHeaders({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  })
  assert.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('while a secret is being replaced, receivers with the old and with the new one both accept; others and changed bodies are refused', () => {
  const [fresh, old] = [newWebhookSecret(), newWebhookSecret()]
  const headers = webhookHeaders({ id: 'one', at: new Date(), body: '{"a":1}', secrets: [fresh, old] })
  for (const secret of [fresh, old]) assert.deepEqual(new Webhook(secret).verify('{"a":1}', headers), { a: 1 })
  assert.throws(() => new Webhook(newWebhookSecret()).verify('{"a":1}', headers))
  assert.throws(() => new Webhook(fresh).verify('{"a":2}', headers))
})

test('secrets are of 192 bits and never the same', () => {
  assert.equal(Buffer.from(newWebhookSecret().slice('whsec_'.length), 'base64').length, 24)
  assert.notEqual(newWebhookSecret(), newWebhookSecret())
})
