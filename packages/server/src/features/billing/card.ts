import type { BillingAddress, CardSetup } from '@fairway/contract'
import { codeOfDecline, monthOf } from '@fairway/domain'
import { type CardSetupState, GatewayAway, GatewayRefused } from '@fairway/drivers'
import type { Tx } from '@fairway/platform'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { type AccountRow, accountOf, updateAccount } from './account-store.ts'
import { installedAddOns } from './addon-store.ts'
import { creditOf } from './credit-store.ts'
import { usageCost } from './fees.ts'
import { sandboxElementUrl } from './sandbox/pages.ts'

/** Opens the provider's element for this organisation; makes it a customer there on first use. */
export async function openCardSetup({ tx, actor, services, now }: Context): Promise<CardSetup> {
  const {
    payments: { gateway },
    config,
  } = services
  const account = await accountOf(tx, actor.organizationId, { lock: true })
  const setup = await reached(async () => {
    const { customerRef } =
      account.gateway === gateway.name && account.customer_ref
        ? { customerRef: account.customer_ref }
        : await gateway.createCustomer({
            organizationId: account.organization_id,
            email: actor.label,
            name: account.organization_name,
          })
    // A card at another provider cannot be charged by this one.
    if (account.customer_ref !== customerRef)
      await updateAccount(tx, account.organization_id, {
        gateway: gateway.name,
        customer_ref: customerRef,
        payment_method_ref: null,
        card: null,
        ...removedAt(account, now),
      })
    return gateway.startCardSetup({ customerRef })
  })
  if (gateway.name === 'sandbox')
    return { gateway: 'sandbox', intentId: setup.intentId, elementUrl: sandboxElementUrl(setup.clientSecret) }
  return {
    gateway: 'stripe',
    intentId: setup.intentId,
    clientSecret: setup.clientSecret,
    publishableKey: config.stripePublishableKey,
  }
}

/**
 * Takes the card that the provider has confirmed. @throws Failure 7409 when it is not this organisation's or still
 * waits; the card's own code when it was declined; 29005 when the provider does not know it
 */
export async function takeCard(
  { tx, actor, services, now }: Context,
  intentId: string,
  address: BillingAddress,
): Promise<AccountRow> {
  const { gateway } = services.payments
  const account = await accountOf(tx, actor.organizationId, { lock: true })
  const state = await reached(() => gateway.readCardSetup(intentId))
  const { card, paymentMethodRef } = confirmed(state, account)
  await updateAccount(tx, account.organization_id, {
    gateway: gateway.name,
    payment_method_ref: paymentMethodRef,
    card,
    address,
    activated_at: account.activated_at ?? now,
    trial_over_at: null,
  })
  if (account.payment_method_ref && account.payment_method_ref !== paymentMethodRef)
    await forget(services, account.payment_method_ref)
  return accountOf(tx, actor.organizationId)
}

/**
 * @throws Failure 7402 while there are invoices to pay, a paid plan is on or a trial owes more than its
 * credit; 7404 when something else is charged each
 * month, such as an add-on, and nobody has said that this is known
 */
export async function dropCard({ tx, actor, services, now }: Context, confirmed: boolean): Promise<AccountRow> {
  const account = await accountOf(tx, actor.organizationId, { lock: true })
  const fee = account.billed ? (account.prices[account.currency]?.monthlyMinor ?? 0) : 0
  if (account.status !== 'active' || (account.category === 'standard' && fee > 0)) throw new Failure(7402)
  const fees = (await installedAddOns(tx, account.organization_id)).map(
    (addOn) => addOn.prices[account.currency]?.monthlyMinor ?? 0,
  )
  const renews = account.billed && (fee > 0 || fees.some((minor) => minor > 0))
  if (renews && account.payment_method_ref && !confirmed) throw new Failure(7404)
  // What a trial has used beyond its credit is owed, and the card is what it was served for.
  if (account.payment_method_ref && account.category === 'trial' && (await owesBeyondCredit(tx, account, now)))
    throw new Failure(7402)
  const ref = account.payment_method_ref
  await updateAccount(tx, account.organization_id, { payment_method_ref: null, card: null, ...removedAt(account, now) })
  if (ref) await forget(services, ref)
  return accountOf(tx, actor.organizationId)
}

const removedAt = (account: AccountRow, now: Date): { card_removed_at?: Date } =>
  account.payment_method_ref ? { card_removed_at: now } : {}

/** Whether the usage that no invoice has taken yet comes to more than the credit that is left. */
async function owesBeyondCredit(tx: Tx, account: AccountRow, now: Date): Promise<boolean> {
  let open = 0
  for (
    let month = monthOf((account.billed_until ?? now).getTime());
    month.from <= now.getTime();
    month = monthOf(month.until)
  )
    open += await usageCost(tx, account, month)
  return open > (await creditOf(tx, account.organization_id, account.currency, now))
}

function confirmed(state: CardSetupState, account: AccountRow): Extract<CardSetupState, { state: 'succeeded' }> {
  if (state.customerRef !== account.customer_ref)
    throw new Failure(7409, { internal: 'the setup is of another customer' })
  if (state.state === 'failed') throw new Failure(codeOfDecline(state.declineCode), { declineCode: state.declineCode })
  if (state.state === 'waiting') throw new Failure(7409, { internal: 'no card was entered yet' })
  return state
}

/** A provider that keeps a card which nobody charges any more does no harm; the change stands. */
async function forget({ payments, log }: Context['services'], paymentMethodRef: string): Promise<void> {
  await payments.gateway
    .removeCard(paymentMethodRef)
    .catch((error: unknown) => log.warn({ event: 'billing.card-not-removed', err: error }))
}

async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GatewayRefused) throw new Failure(29005, { internal: error.message })
    if (error instanceof GatewayAway) throw new Failure(503, { internal: error.message })
    throw error
  }
}
