import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { account, auditLog, billing, organizations } from '@fairway/contract'
import { purchaseToken } from '@fairway/drivers'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { salesSecret } from './marketplace.ts'

const { linkMarketplace } = billing.routes
let api: ApiUnderTest
let operator: Client
before(async () => {
  api = await startApiUnderTest()
  operator = await api.newClient({ isOperator: true })
})
after(() => api[Symbol.asyncDispose]())

/** The token in a link that the operator made. */
async function sold(customerId: string): Promise<string> {
  const { url } = await operator.call(organizations.routes.sell, { customerId })
  return new URL(url).searchParams.get('token') ?? ''
}

test('a purchase is linked with one organisation, and told in its audit log', async () => {
  const [buyer, other] = [await api.newClient(), await api.newClient()]
  const token = await sold('contract-1')
  assert.deepEqual(await buyer.call(linkMarketplace, { token }), { customerId: 'contract-1' })
  assert.equal((await buyer.call(account.routes.info, {})).organizationAwsCustomerId, 'contract-1')
  assert.equal((await other.refusal(linkMarketplace, { token })).code, 2455)
  assert.deepEqual(
    [
      (await buyer.refusal(linkMarketplace, { token })).code,
      (await buyer.refusal(linkMarketplace, { token: await sold('contract-2') })).code,
    ],
    [2456, 2456],
  )
  assert.equal(
    (await buyer.call(auditLog.routes.list, { search: 'Marketplace' })).data[0]?.action,
    'billing.linkMarketplace',
  )
})

test('a token that is over, or none, links nothing; nor does who may not change the billing', async () => {
  const buyer = await api.newClient()
  assert.equal(
    (
      await buyer.refusal(linkMarketplace, {
        token: purchaseToken(salesSecret(api.config), { customerId: 'contract-3', expiresAt: new Date(0) }),
      })
    ).code,
    2700,
  )
  for (const token of ['own.1.x.y', 'some-token-of-elsewhere'])
    assert.deepEqual((await buyer.refusal(linkMarketplace, { token })).fields, [
      { path: 'token', message: 'validation.tokenUnknown' },
    ])
  const viewer = await api.colleague(buyer, ['ViewSubscription'])
  assert.equal((await viewer.refusal(linkMarketplace, { token: await sold('contract-4') })).status, 403)
  assert.equal((await buyer.call(account.routes.info, {})).organizationAwsCustomerId, null)
})

test('a marketplace that brings its buyer by a form leads to the page with the token, under the misprinted address too', async () => {
  for (const path of ['/redirect/third-party-marketplace', '/redirect/third-party-markeplace']) {
    const answer = await fetch(new URL(path, api.url), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ 'x-amzn-marketplace-token': 'a+b/c=' }),
    })
    assert.deepEqual(
      [answer.status, answer.headers.get('location')],
      [303, '/redirect/third-party-marketplace?token=a%2Bb%2Fc%3D'],
    )
  }
})
