import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { DeclineCode } from '@fairway/contract'
import { type CardSetupState, GatewayRefused, type PaymentGateway } from './gateway.ts'

/** A provider with somebody at its card element. */
export type GatewayWorld = AsyncDisposable & {
  gateway: PaymentGateway
  /** Types a card into the provider's own element. */
  enterCard(setup: { intentId: string; clientSecret: string }, number: string): Promise<void>
}

const REFUSED_AT_ENTRY: [string, DeclineCode][] = [
  ['4000000000000002', 'generic_decline'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000000000009987', 'lost_card'],
  ['4000000000009979', 'stolen_card'],
  ['4000000000000069', 'expired_card'],
  ['4000000000000127', 'incorrect_cvc'],
  ['4000000000000119', 'processing_error'],
  ['4242424242424241', 'incorrect_number'],
]

/** What every payment provider must do, whichever it is. */
export function gatewayConformance(name: string, open: () => Promise<GatewayWorld>): void {
  describe(`payment gateway ${name}`, () => {
    let world: GatewayWorld
    before(async () => void (world = await open()))
    after(() => world[Symbol.asyncDispose]())

    const customer = () =>
      world.gateway.createCustomer({
        organizationId: crypto.randomUUID(),
        email: 'ann@example.com',
        name: 'Example 公司',
      })
    const withCard = async (number: string) => {
      const { customerRef } = await customer()
      const setup = await world.gateway.startCardSetup({ customerRef })
      await world.enterCard(setup, number)
      const state = await world.gateway.readCardSetup(setup.intentId)
      assert.equal(state.state, 'succeeded', JSON.stringify(state))
      return {
        customerRef,
        paymentMethodRef: (state as Extract<CardSetupState, { state: 'succeeded' }>).paymentMethodRef,
        state,
      }
    }
    const order = (more: { customerRef: string; paymentMethodRef: string }, idempotencyKey = crypto.randomUUID()) => ({
      customerRef: more.customerRef,
      paymentMethodRef: more.paymentMethodRef,
      amountMinor: 4900,
      currency: 'USD',
      idempotencyKey,
    })

    test('an organisation is one customer, however often it is made', async () => {
      const one = { organizationId: crypto.randomUUID(), email: 'ann@example.com', name: 'Example' }
      assert.deepEqual(await world.gateway.createCustomer(one), await world.gateway.createCustomer(one))
      assert.notDeepEqual(await world.gateway.createCustomer(one), await customer())
      // A colleague with another address, or a new name in between, is no reason to refuse.
      const { customerRef } = await world.gateway.createCustomer({ ...one, email: 'bob@example.com' })
      assert.match(customerRef, /^cus_/)
    })

    test('a card is known by brand, last four digits and expiry, and by nothing else', async () => {
      const { customerRef } = await customer()
      const setup = await world.gateway.startCardSetup({ customerRef })
      assert.deepEqual(await world.gateway.readCardSetup(setup.intentId), { state: 'waiting', customerRef })
      await world.enterCard(setup, '4242424242424242')
      const state = await world.gateway.readCardSetup(setup.intentId)
      assert.ok(state.state === 'succeeded')
      assert.deepEqual(
        { ...state, paymentMethodRef: '' },
        {
          state: 'succeeded',
          customerRef,
          paymentMethodRef: '',
          card: { brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: new Date().getUTCFullYear() + 2 },
        },
      )
    })

    for (const [number, declineCode] of REFUSED_AT_ENTRY) {
      test(`${number} is refused when it is entered: ${declineCode}; another card then does`, async () => {
        const { customerRef } = await customer()
        const setup = await world.gateway.startCardSetup({ customerRef })
        await world.enterCard(setup, number)
        assert.deepEqual(await world.gateway.readCardSetup(setup.intentId), {
          state: 'failed',
          customerRef,
          declineCode,
        })
        await world.enterCard(setup, '5555555555554444')
        assert.equal((await world.gateway.readCardSetup(setup.intentId)).state, 'succeeded')
      })
    }

    test('a charge with the same key happens once', async () => {
      const card = await withCard('4242424242424242')
      const key = crypto.randomUUID()
      const first = await world.gateway.charge(order(card, key))
      assert.equal(first.state, 'succeeded')
      assert.deepEqual(await world.gateway.charge(order(card, key)), first)
      assert.notDeepEqual(await world.gateway.charge(order(card)), first)
    })

    test('a card may be accepted and its charge declined; that is an answer with the reason', async () => {
      for (const [number, reason] of [
        ['4000000000000341', 'generic_decline'],
        ['4000002760003184', 'authentication_required'],
        ['4000008260003178', 'insufficient_funds'],
      ] as const) {
        const answer = await world.gateway.charge(order(await withCard(number)))
        assert.deepEqual([answer.state, answer.state === 'failed' && answer.declineCode], ['failed', reason])
      }
    })

    test('what was charged can be given back, once for each key and never more than it was', async () => {
      const answer = await world.gateway.charge(order(await withCard('4242424242424242')))
      assert.ok(answer.state === 'succeeded')
      const refund = { chargeRef: answer.chargeRef, amountMinor: 4000, idempotencyKey: crypto.randomUUID() }
      const first = await world.gateway.refund(refund)
      assert.deepEqual(await world.gateway.refund(refund), first)
      await assert.rejects(world.gateway.refund({ ...refund, idempotencyKey: crypto.randomUUID() }), GatewayRefused)
    })

    test('a removed card, a foreign card and a customer that is none are refused', async () => {
      const card = await withCard('4242424242424242')
      await assert.rejects(
        world.gateway.charge(order({ ...card, customerRef: (await customer()).customerRef })),
        GatewayRefused,
      )
      await world.gateway.removeCard(card.paymentMethodRef)
      await assert.rejects(world.gateway.charge(order(card)), GatewayRefused)
      await assert.rejects(world.gateway.startCardSetup({ customerRef: 'cus_none' }), GatewayRefused)
      await assert.rejects(world.gateway.readCardSetup('seti_none'), GatewayRefused)
    })
  })
}
