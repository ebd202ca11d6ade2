import crypto from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { formProblem, operationOf } from './stripe-schema.ts'

type Thing = Record<string, unknown> & { id: string }
type Answer = { status: number; body: unknown }

/** Number → what it does in Stripe's test mode: when it is entered, when it is charged. */
const CARDS: Record<string, { setup?: string; charge?: string }> = {
  '4000000000000002': { setup: 'generic_decline' },
  '4000000000009995': { setup: 'insufficient_funds' },
  '4000000000009987': { setup: 'lost_card' },
  '4000000000009979': { setup: 'stolen_card' },
  '4000000000000069': { setup: 'expired_card' },
  '4000000000000127': { setup: 'incorrect_cvc' },
  '4000000000000119': { setup: 'processing_error' },
  '4242424242424241': { setup: 'incorrect_number' },
  '4000000000000341': { charge: 'generic_decline' },
  '4000002760003184': { charge: 'authentication_required' },
  '4000008260003178': { charge: 'insufficient_funds' },
}
const ELEMENT = 'POST /v1/setup_intents/{intent}/confirm'
/** These are codes of their own; the others are decline codes of `card_declined`. */
const OWN_CODES = new Set(['expired_card', 'incorrect_cvc', 'processing_error', 'incorrect_number'])

/**
 * An outside system: answers as Stripe's test mode does, and refuses every request that Stripe's published
 * specification does not allow.
 */
export async function startStripeServer(): Promise<AsyncDisposable & { url: string; requests: string[] }> {
  const things = new Map<string, Thing>()
  const byKey = new Map<string, Answer & { text: string }>()
  const requests: string[] = []
  const server = http.createServer((request, response) => {
    void read(request).then((text) => {
      const url = new URL(request.url ?? '/', 'http://stripe')
      requests.push(`${request.method} ${url.pathname}`)
      const key = request.headers['idempotency-key']
      const kept = typeof key === 'string' && request.method === 'POST' ? `${url.pathname} ${key}` : null
      const before = kept ? byKey.get(kept) : undefined
      const answer =
        (before && (before.text === text ? before : OTHER_PARAMETERS)) ??
        answerTo(
          things,
          request.method ?? '',
          url,
          request.method === 'GET' ? url.searchParams : new URLSearchParams(text),
        )
      if (kept && !before) byKey.set(kept, { ...answer, text })
      response
        .writeHead(answer.status, { 'content-type': 'application/json', 'request-id': 'req_test' })
        .end(JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answerTo(things: Map<string, Thing>, method: string, url: URL, form: URLSearchParams): Answer {
  const operation = operationOf(method, url.pathname)
  if (!operation) return invalid(404, `Unrecognized request URL (${method}: ${url.pathname})`)
  // Card numbers come from Stripe's element in the browser, which the specification of the API does not describe.
  const problem = operation.name === ELEMENT ? null : formProblem(operation.name, form)
  if (problem) return invalid(400, problem)
  const made = (prefix: string, body: Record<string, unknown>): Answer => {
    const id = `${prefix}_${crypto.randomBytes(8).toString('hex')}`
    things.set(id, { id, ...body })
    return { status: 200, body: things.get(id) }
  }
  const thing = things.get(operation.params[0] ?? '')
  switch (operation.name) {
    case 'POST /v1/customers':
      return made('cus', { object: 'customer', email: form.get('email') })
    case 'POST /v1/setup_intents': {
      if (!things.has(form.get('customer') ?? '')) return invalid(400, 'No such customer')
      const answer = made('seti', {
        object: 'setup_intent',
        customer: form.get('customer'),
        status: 'requires_payment_method',
        last_setup_error: null,
        payment_method: null,
      })
      return {
        ...answer,
        body: Object.assign(answer.body as Thing, { client_secret: `${(answer.body as Thing).id}_secret_x` }),
      }
    }
    case 'GET /v1/setup_intents/{intent}':
      return thing ? { status: 200, body: thing } : invalid(404, 'No such setupintent')
    case ELEMENT:
      return thing ? confirm(things, thing, form) : invalid(404, 'No such setupintent')
    case 'POST /v1/payment_methods/{payment_method}/detach':
      return thing
        ? { status: 200, body: Object.assign(thing, { customer: null }) }
        : invalid(404, 'No such PaymentMethod')
    case 'POST /v1/payment_intents': {
      const card = things.get(form.get('payment_method') ?? '')
      if (!card || card['customer'] !== form.get('customer'))
        return invalid(400, 'The payment method does not belong to the customer')
      const decline = CARDS[String(card['number'])]?.charge
      if (!decline)
        return made('pi', {
          object: 'payment_intent',
          amount: Number(form.get('amount')),
          refunded: 0,
          status: 'succeeded',
        })
      const intent = made('pi', {
        object: 'payment_intent',
        amount: Number(form.get('amount')),
        status: 'requires_payment_method',
      }).body as Thing
      return {
        status: 402,
        body: {
          error: { type: 'card_error', ...reason(decline), message: 'Your card was declined.', payment_intent: intent },
        },
      }
    }
    case 'POST /v1/refunds': {
      const intent = things.get(form.get('payment_intent') ?? '')
      const amount = Number(form.get('amount'))
      if (!intent || Number(intent['refunded']) + amount > Number(intent['amount']))
        return invalid(400, 'Refund amount is greater than charge amount')
      intent['refunded'] = Number(intent['refunded']) + amount
      return made('re', { object: 'refund', amount })
    }
    default:
      return invalid(404, operation.name)
  }
}

/** What Stripe's element in the browser does with a card. */
function confirm(things: Map<string, Thing>, intent: Thing, form: URLSearchParams): Answer {
  const number = form.get('payment_method_data[card][number]') ?? ''
  const decline = CARDS[number]?.setup
  if (decline) {
    Object.assign(intent, {
      last_setup_error: { type: 'card_error', ...reason(decline) },
      status: 'requires_payment_method',
    })
    return { status: 402, body: { error: intent['last_setup_error'] } }
  }
  const id = `pm_${crypto.randomBytes(8).toString('hex')}`
  things.set(id, { id, object: 'payment_method', customer: intent['customer'], number })
  const card = {
    brand: number.startsWith('5') ? 'mastercard' : 'visa',
    last4: number.slice(-4),
    exp_month: Number(form.get('payment_method_data[card][exp_month]')),
    exp_year: Number(form.get('payment_method_data[card][exp_year]')),
  }
  return {
    status: 200,
    body: Object.assign(intent, {
      status: 'succeeded',
      last_setup_error: null,
      payment_method: { id, object: 'payment_method', customer: intent['customer'], card },
    }),
  }
}

const reason = (decline: string) =>
  OWN_CODES.has(decline)
    ? { code: decline }
    : decline === 'authentication_required'
      ? { code: decline, decline_code: decline }
      : { code: 'card_declined', decline_code: decline }
const invalid = (status: number, message: string): Answer => ({
  status,
  body: { error: { type: 'invalid_request_error', message } },
})

const OTHER_PARAMETERS: Answer = {
  status: 400,
  body: {
    error: {
      type: 'idempotency_error',
      message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
    },
  },
}

async function read(request: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
