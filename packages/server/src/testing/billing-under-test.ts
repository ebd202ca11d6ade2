import assert from 'node:assert/strict'
import {
  type BillingAddress,
  type BillingCustomer,
  type CardSetup,
  type Meter,
  ERRORS,
  billing,
  isErrorCode,
} from '@fairway/contract'
import { createOrganization } from '../installation.ts'
import { type ApiUnderTest, type Client, send } from './api-under-test.ts'

const ADDRESS: BillingAddress = {
  firstName: 'Ann',
  lastName: 'Example',
  company: '',
  billingCountry: 'TW',
  billingState: '',
  billingCity: 'Taipei',
  billingZip: '100',
  billingAddr1: '1 Road',
  billingAddr2: '',
  taxId: '',
}

/** Somebody at the payment provider's own element. */
export function billingWorld(api: ApiUnderTest) {
  return {
    async enter(setup: CardSetup, number: string): Promise<{ secret: string; answer: { state: string } }> {
      assert.ok(setup.gateway === 'sandbox')
      const secret = setup.elementUrl.split('#')[1] ?? ''
      const response = await fetch(new URL('/sandbox-pay/confirm/', api.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          clientSecret: secret,
          number,
          expiryMonth: 12,
          expiryYear: new Date().getUTCFullYear() + 2,
          cvc: '123',
        }),
      })
      return { secret, answer: (await response.json()) as { state: string } }
    },
  }
}

/** The owner of an organisation that has signed up and is to choose a plan. */
export async function newCustomer(api: ApiUnderTest): Promise<Client> {
  const other = await api.newClient()
  const organizationId = await api.database.system((tx) =>
    createOrganization(tx, { name: 'Customer', planId: 'developer', planChosen: false }),
  )
  await api.database.system((tx) =>
    tx.query('UPDATE app_user SET organization_id = $1 WHERE email = $2', [organizationId, other.email]),
  )
  await api.database.system((tx) =>
    tx.query('UPDATE session SET organization_id = $1 WHERE organization_id = $2', [
      organizationId,
      other.organizationId,
    ]),
  )
  return { ...other, organizationId }
}

/** A declined card, with the provider's word for it. */
export class Declined extends Error {
  readonly code: number
  readonly declineCode: string | undefined
  constructor(code: number, declineCode: string | undefined) {
    super(`${code} ${isErrorCode(code) ? ERRORS[code].name : ''} ${declineCode}`)
    this.code = code
    this.declineCode = declineCode
  }
}

/** Enters a card and takes it as the one that is charged. @throws Declined */
export async function payWith(api: ApiUnderTest, client: Client, number: string): Promise<BillingCustomer> {
  const setup = await client.call(billing.routes.intentToken, {})
  await billingWorld(api).enter(setup, number)
  const response = await send(api.url, client.token, billing.routes.setPayment, {
    intentId: setup.intentId,
    address: ADDRESS,
  })
  const body = (await response.json()) as BillingCustomer & { meta: { code: number; decline_code?: string } }
  if (!response.ok) throw new Declined(body.meta.code, body.meta.decline_code)
  return body
}

/** Usage as the worker has counted it from the nodes' logs; of today when no day is named. */
export async function useUp(
  api: ApiUnderTest,
  client: Client,
  meter: Meter,
  used: number,
  day: Date = new Date(),
): Promise<void> {
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO usage_day (organization_id, day, meter, site_id, domain_id, cdn_id, used) VALUES ($1, $2, $3, 'site', 'www', 'edge', $4)`,
      [client.organizationId, day.toISOString().slice(0, 10), meter, used],
    ),
  )
}
