import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BillingAddress, billing, plans, sites } from '@fairway/contract'
import { monthOf } from '@fairway/domain'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { billingWorld, newCustomer, payWith, useUp } from '../../testing/billing-under-test.ts'

const at = billing.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const address: BillingAddress = {
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
const statusOf = async ({ organizationId }: Client) =>
  (
    await api.database.system((tx) =>
      tx.query<{ status: string; plan_id: string }>('SELECT status, plan_id FROM organization WHERE id = $1', [
        organizationId,
      ]),
    )
  )[0]

test('a new organisation tries: the plan gives its credit once, and says until when', async () => {
  const client = await newCustomer(api)
  assert.deepEqual(await client.call(at.subscribe, { planId: 'developer' }), { planId: 'developer', invoiceId: null })
  const trial = await client.call(at.trialInfo, {})
  assert.deepEqual(
    [trial.active, trial.over, trial.daysLeft, trial.creditMinor, trial.creditLeftMinor, trial.currency],
    [true, null, 30, 5000, 5000, 'USD'],
  )
  assert.equal((await client.call(at.credit, {})).balanceMinor, 5000)
  assert.equal((await client.refusal(at.subscribe, { planId: 'developer' })).code, 7705)
})

test('a paid plan needs a card; with one the rest of the month is charged and the plan is on at once', async () => {
  const client = await newCustomer(api)
  assert.equal((await client.refusal(at.subscribe, { planId: 'business' })).code, 7402)
  assert.equal((await client.call(at.upgradeInfo, { planId: 'business' })).needsCard, true)
  const customer = await payWith(api, client, '4242424242424242')
  assert.deepEqual(
    [
      customer.card?.maskedNumber,
      customer.card?.brand,
      customer.card?.expired,
      customer.customer.fully_activated,
      customer.address?.billingCity,
    ],
    ['•••• •••• •••• 4242', 'visa', false, true, 'Taipei'],
  )
  const quote = await client.call(at.upgradeInfo, { planId: 'business' })
  const { invoiceId } = await client.call(at.subscribe, { planId: 'business' })
  const invoice = await client.call(at.invoice, { id: invoiceId ?? '' })
  assert.deepEqual(
    [invoice.status, invoice.kind, invoice.lines[0]?.kind, invoice.lines[0]?.monthlyMinor],
    ['paid', 'change', 'plan', 30_000],
  )
  assert.ok(Math.abs(invoice.dueMinor - quote.dueMinor) <= 1 && invoice.dueMinor > 0)
  assert.equal((await client.call(at.me, {})).plan_id, 'business')
  assert.equal((await client.refusal(at.upgradePlan, { planId: 'business' })).code, 7705)
  assert.equal((await client.refusal(at.upgradePlan, { planId: 'developer' })).code, 29006)
  assert.equal((await client.refusal(at.upgradePlan, { planId: 'none' })).code, 7499)
  assert.equal((await client.refusal(at.removeCard, {})).code, 7402)
})

test("every decline of a card has its code and the provider's word, and nothing has changed", async () => {
  const client = await newCustomer(api)
  for (const [number, code, decline] of [
    ['4000000000000002', 7709, 'generic_decline'],
    ['4000000000009995', 7710, 'insufficient_funds'],
    ['4000000000009987', 7709, 'lost_card'],
    ['4000000000000069', 7702, 'expired_card'],
    ['4000000000000127', 7703, 'incorrect_cvc'],
    ['4242424242424241', 7701, 'incorrect_number'],
    ['4000000000000036', 7704, 'incorrect_zip'],
    ['4000000000000119', 7487, 'processing_error'],
    ['4000000000007715', 7715, 'invalid_account'],
  ] as const) {
    const refused = await payWith(api, client, number).catch(
      (error: unknown) => error as { code: number; declineCode: string },
    )
    assert.deepEqual(
      [(refused as { code: number }).code, (refused as { declineCode: string }).declineCode],
      [code, decline],
      number,
    )
  }
  await payWith(api, client, '4000000000000341')
  const refused = await client.refusal(at.subscribe, { planId: 'business' })
  assert.deepEqual([refused.status, refused.code], [402, 7709])
  const { data } = await client.call(at.invoices, {})
  assert.deepEqual(data, [])
  assert.equal((await client.call(at.me, {})).plan_id, 'developer')
})

test("a card that is another organisation's, or that nobody has entered, is not taken", async () => {
  const one = await newCustomer(api)
  const other = await newCustomer(api)
  const setup = await one.call(at.intentToken, {})
  assert.equal((await one.refusal(at.setPayment, { intentId: setup.intentId, address })).code, 7409)
  await other.call(at.intentToken, {})
  const { secret } = await billingWorld(api).enter(setup, '4242424242424242')
  assert.ok(secret)
  assert.equal((await other.refusal(at.setPayment, { intentId: setup.intentId, address })).code, 7409)
  assert.equal((await one.refusal(at.setPayment, { intentId: 'seti_none', address })).code, 29005)
  assert.deepEqual(
    (await one.refusal(at.setPayment, { intentId: setup.intentId, address: { ...address, billingCountry: 'Taiwan' } }))
      .fields,
    [{ path: 'address.billingCountry', message: 'validation.country' }],
  )
})

test('no card number comes near the API: its tables hold none, and a verb that is sent one ignores it', async () => {
  const client = await newCustomer(api)
  await payWith(api, client, '4242424242424242')
  const kept = await api.database.system((tx) =>
    tx.query<{ all: string }>(
      `SELECT (SELECT string_agg(b::text, '') FROM billing_account b) || (SELECT string_agg(s::text, '') FROM sandbox_payment s) || coalesce((SELECT string_agg(a::text, '') FROM audit_log a), '') AS all`,
    ),
  )
  assert.ok(!/4242\s?4242\s?4242/.test(kept[0]?.all ?? '4242424242424242'))
})

test('add-ons: charged for the rest of the month, give their abilities at once, and what is left becomes credit', async () => {
  const client = await newCustomer(api)
  await client.call(at.subscribe, { planId: 'developer' })
  assert.equal((await client.refusal(at.addAddOn, { addonId: 'none' })).code, 29002)
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO addon (id, category, name, description, plan_ids, prices) SELECT 'only-enterprise', category, name, description, '{enterprise}'::text[], prices FROM addon WHERE id = 'china-dns' UNION ALL SELECT 'only-euro', category, name, description, '{}'::text[], '{"EUR": {"monthlyMinor": 1}}'::jsonb FROM addon WHERE id = 'china-dns'`,
    ),
  )
  assert.equal((await client.refusal(at.addAddOn, { addonId: 'only-enterprise' })).code, 29004)
  assert.equal((await client.refusal(at.addAddOn, { addonId: 'only-euro' })).code, 29003)
  await payWith(api, client, '4242424242424242')
  const { invoiceId } = await client.call(at.addAddOn, { addonId: 'dynamic-routing' })
  const invoice = await client.call(at.invoice, { id: invoiceId ?? '' })
  assert.deepEqual(
    [invoice.status, invoice.lines[0]?.itemId, invoice.lines[0]?.monthlyMinor, invoice.creditMinor > 0],
    ['paid', 'dynamic-routing', 10_000, true],
  )
  assert.equal((await client.refusal(at.addAddOn, { addonId: 'dynamic-routing' })).code, 7705)
  const features = await client.call(at.customerFeature, {})
  assert.deepEqual(
    [
      features.enableDynamicRouting,
      features.freeDynamicRouting,
      features.maxCachePerDomain,
      features.maxFireWallPerDomain,
    ],
    [true, 50, 50, 0],
  )
  const { data } = await client.call(plans.routes.addOns, { category: 'smart-load-balancing' })
  assert.ok(data.find((one) => one.id === 'dynamic-routing')?.since)
  const { creditMinor } = await client.call(at.removeAddOn, { addon: 'dynamic-routing' })
  assert.ok(Math.abs(creditMinor - (invoice.subtotalMinor - invoice.discountMinor)) <= 1)
  assert.equal((await client.refusal(at.removeAddOn, { addon: 'dynamic-routing' })).code, 29002)
  assert.equal((await client.call(at.customerFeature, {})).enableDynamicRouting, false)
})

test('an add-on that is bought and stopped again and again leaves no more credit than before, nor any that lasts longer', async () => {
  const client = await newCustomer(api)
  await client.call(at.subscribe, { planId: 'developer' })
  for (let times = 0; times < 3; times++) {
    await client.call(at.addAddOn, { addonId: 'china-dns' })
    await client.call(at.removeAddOn, { addon: 'china-dns' })
  }
  const { balanceMinor, grants } = await client.call(at.credit, {})
  assert.ok(balanceMinor <= 5000 && balanceMinor >= 4990, `${balanceMinor}`)
  const ends = new Set(grants.map(({ expiresAt }) => expiresAt))
  assert.ok(ends.size === 1 && !ends.has(null), 'credit of a trial ends with it')
})

test('with what is left of an add-on its tax comes back, and what a card has paid does not end', async () => {
  const operator = await api.newClient({ isOperator: true })
  await operator.call(plans.routes.setTaxRates, { data: [{ country: 'TW', name: 'VAT', ratePpm: 50_000 }] })
  const client = await newCustomer(api)
  await payWith(api, client, '4242424242424242')
  await client.call(at.subscribe, { planId: 'business' })
  const { invoiceId } = await client.call(at.addAddOn, { addonId: 'china-dns' })
  const { totalMinor, taxMinor } = await client.call(at.invoice, { id: invoiceId ?? '' })
  // Of another country by now: what comes back is what was paid, not what would be.
  await client.call(at.setAddress, { ...address, billingCountry: 'JP' })
  const { creditMinor } = await client.call(at.removeAddOn, { addon: 'china-dns' })
  assert.ok(taxMinor > 5 && creditMinor <= totalMinor && creditMinor >= totalMinor - 2, `${creditMinor} ${totalMinor}`)
  assert.equal((await client.call(at.credit, {})).grants[0]?.expiresAt, null)
  await operator.call(plans.routes.setTaxRates, { data: [] })
})

test('of an add-on that was on for a part of the month, that part of its allowance counts', async () => {
  const operator = await api.newClient({ isOperator: true })
  await operator.call(plans.routes.setAddOn, {
    addon: 'part-of-month',
    category: 'dns',
    name: { en: 'More', zhHant: '更多', zhHans: '更多' },
    description: { en: 'More', zhHant: '更多', zhHans: '更多' },
    ability: [],
    allowances: { dnsQuery: 1_000_000_000 },
    planIds: [],
    offered: false,
    prices: { USD: { monthlyMinor: 100 } },
  })
  const client = await newCustomer(api)
  await payWith(api, client, '4242424242424242')
  await client.call(at.subscribe, { planId: 'business' })
  const quota = async () => (await client.call(at.usage, {})).items.find(({ type }) => type === 'dnsQuery')?.quota ?? 0
  const plain = await quota()
  const { from, until } = monthOf(Date.now())
  const hour = 3_600_000
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO addon_subscription (organization_id, addon_id, started_at, ended_at) VALUES ($1, 'part-of-month', $2, $3)`,
      [client.organizationId, new Date(from), new Date(from + hour)],
    ),
  )
  assert.equal((await quota()) - plain, Math.floor((1_000_000_000 * hour) / (until - from)))
})

test('what a plan includes is not sold beside it, and an add-on that a new plan has by itself ends with credit', async () => {
  const client = await newCustomer(api)
  await client.call(at.subscribe, { planId: 'developer' })
  await payWith(api, client, '4242424242424242')
  await client.call(at.addAddOn, { addonId: 'dynamic-routing' })
  // With something that renews, the last card goes only when that is known.
  assert.equal((await client.refusal(at.removeCard, {})).code, 7404)
  await client.call(at.upgradePlan, { planId: 'business' })
  const one = (await client.call(plans.routes.addOns, {})).data.find(({ id }) => id === 'dynamic-routing')
  assert.deepEqual([one?.included, one?.since], [true, null])
  assert.equal((await client.refusal(at.addAddOn, { addonId: 'dynamic-routing' })).code, 29004)
  assert.ok(
    (await client.call(at.credit, {})).grants.some(({ kind, note }) => kind === 'unused' && note === 'dynamic-routing'),
  )
})

test('the last card goes when it is known what cannot be charged then', async () => {
  const client = await newCustomer(api)
  await client.call(at.subscribe, { planId: 'developer' })
  await payWith(api, client, '4242424242424242')
  await client.call(at.addAddOn, { addonId: 'china-dns' })
  assert.equal((await client.refusal(at.removeCard, {})).code, 7404)
  assert.equal((await client.call(at.removeCard, { confirmed: true })).card, null)
})

test('a contract plan is paid from credit that sales grants; without enough it is refused', async () => {
  const client = await newCustomer(api)
  const operator = await api.newClient({ isOperator: true })
  assert.equal((await client.refusal(at.subscribe, { planId: 'enterprise' })).code, 7492)
  await operator.call(plans.routes.grantCredit, {
    organization: client.organizationId,
    amountMinor: 300_000,
    note: 'Contract 7',
  })
  const { invoiceId } = await client.call(at.subscribe, { planId: 'enterprise' })
  const invoice = await client.call(at.invoice, { id: invoiceId ?? '' })
  assert.deepEqual([invoice.status, invoice.dueMinor, invoice.creditMinor], ['paid', 0, invoice.totalMinor])
  assert.equal((await client.call(at.credit, {})).balanceMinor, 300_000 - invoice.totalMinor)
})

test('coupons: once each, while they run, as often as they may', async () => {
  const operator = await api.newClient({ isOperator: true })
  await operator.call(plans.routes.createCoupon, {
    kind: 'percent',
    percent: 50,
    code: 'half',
    appliesTo: 'fees',
    months: 3,
  })
  await operator.call(plans.routes.createCoupon, {
    kind: 'credit',
    amountMinor: 1000,
    currency: 'USD',
    code: 'TEN',
    mostRedemptions: 1,
  })
  await operator.call(plans.routes.createCoupon, { kind: 'amount', amountMinor: 1000, currency: 'EUR', code: 'EURO' })
  assert.equal(
    (await operator.refusal(plans.routes.createCoupon, { kind: 'percent', percent: 5, code: 'HALF' })).code,
    7491,
  )
  const client = await newCustomer(api)
  assert.deepEqual(await client.call(at.redeemCoupon, { code: 'half' }), { code: 'HALF' })
  assert.equal((await client.refusal(at.redeemCoupon, { code: 'HALF' })).code, 7498)
  assert.equal((await client.refusal(at.redeemCoupon, { code: 'NOPE' })).code, 7499)
  assert.equal((await client.refusal(at.redeemCoupon, { code: 'EURO' })).code, 7499)
  await client.call(at.redeemCoupon, { code: 'TEN' })
  assert.equal((await client.call(at.credit, {})).balanceMinor, 1000)
  const other = await newCustomer(api)
  assert.equal((await other.refusal(at.redeemCoupon, { code: 'TEN' })).code, 7499)
  await operator.call(plans.routes.endCoupon, { code: 'HALF' })
  assert.equal((await other.refusal(at.redeemCoupon, { code: 'HALF' })).code, 7499)
  await payWith(api, client, '4242424242424242')
  const quote = await client.call(at.upgradeInfo, { planId: 'business' })
  assert.ok(quote.discountMinor > 0 && Math.abs(quote.discountMinor * 2 - (quote.lines[0]?.amountMinor ?? 0)) <= 1)
  assert.equal((await client.call(at.coupons, {})).data.length, 2)
})

test('codes of coupons cannot be searched through: after ten tries an hour even the right one is refused', async () => {
  const operator = await api.newClient({ isOperator: true })
  const coupon = { kind: 'credit', amountMinor: 1000, currency: 'USD' } as const
  for (const code of ['FOUND', 'SOUGHT']) await operator.call(plans.routes.createCoupon, { ...coupon, code })
  const client = await newCustomer(api)
  for (let tries = 1; tries < 10; tries++)
    await (tries === 5
      ? client.call(at.redeemCoupon, { code: 'FOUND' })
      : client.refusal(at.redeemCoupon, { code: `NOPE${tries}` }))
  assert.equal((await client.refusal(at.redeemCoupon, { code: 'NOPE' })).code, 7499)
  assert.equal((await client.refusal(at.redeemCoupon, { code: 'SOUGHT' })).code, 429)
})

test('tax follows the country of the billing address', async () => {
  const operator = await api.newClient({ isOperator: true })
  await operator.call(plans.routes.setTaxRates, { data: [{ country: 'TW', name: 'VAT', ratePpm: 50_000 }] })
  const client = await newCustomer(api)
  await payWith(api, client, '4242424242424242')
  const quote = await client.call(at.upgradeInfo, { planId: 'business' })
  assert.deepEqual([quote.taxName, quote.taxMinor], ['VAT', Math.round((quote.lines[0]?.amountMinor ?? 0) * 0.05)])
  await client.call(at.setAddress, { ...address, billingCountry: 'JP' })
  assert.equal((await client.call(at.upgradeInfo, { planId: 'business' })).taxMinor, 0)
  await operator.call(plans.routes.setTaxRates, { data: [] })
})

test('the spending limit refuses what would break it, and at the limit everything new that costs', async () => {
  const client = await newCustomer(api)
  await payWith(api, client, '4242424242424242')
  await client.call(at.setCap, { capMinor: 100, action: 'continue' })
  assert.equal((await client.refusal(at.subscribe, { planId: 'business' })).code, 7493)
  await client.call(at.setCap, { capMinor: null, action: 'continue' })
  await client.call(at.subscribe, { planId: 'business' })
  const { spentMinor } = await client.call(at.estimates, {})
  await client.call(at.setCap, { capMinor: spentMinor, action: 'stop' })
  const { cap } = await client.call(at.estimates, {})
  assert.deepEqual(
    [cap.capMinor, cap.action, cap.servingStopped, cap.reachedAt !== null],
    [spentMinor, 'stop', true, true],
  )
  assert.equal((await client.refusal(sites.routes.create, { domainName: 'capped-site.example' })).code, 7493)
  await client.call(at.setCap, { capMinor: spentMinor * 2, action: 'stop' })
  assert.equal((await client.call(at.estimates, {})).cap.servingStopped, false)
  await client.call(sites.routes.create, { domainName: 'capped-site.example' })
})

test('7486: who has signed up and chosen no plan makes nothing that costs, until one is chosen', async () => {
  const client = await newCustomer(api)
  const domainName = 'no-plan.example'
  assert.equal((await client.refusal(sites.routes.create, { domainName })).code, 7486)
  await payWith(api, client, '4242424242424242')
  assert.equal((await client.refusal(at.addAddOn, { addonId: 'china-dns' })).code, 7486)
  await client.call(at.subscribe, { planId: 'developer' })
  await client.call(sites.routes.create, { domainName })
  // Nor is somebody refused whose partner shows no plans to choose from.
  const hidden = await newCustomer(api)
  await api.database.system((tx) =>
    tx.query(
      `WITH p AS (INSERT INTO partner (acronym, host_name, company_name, brand_color, hide_feature) VALUES ('no-plans', 'no-plans.example.test', 'None', '#0b6e4f', '{billing}') RETURNING id) UPDATE organization SET partner_id = p.id FROM p WHERE organization.id = $1`,
      [hidden.organizationId],
    ),
  )
  await hidden.call(sites.routes.create, { domainName: 'plans-are-hidden.example' })
})

test('a locked account, a trial that is over and a used-up quota each refuse what costs, with their codes', async () => {
  const client = await newCustomer(api)
  await client.call(at.subscribe, { planId: 'developer' })
  const set = (sql: string) => api.database.system((tx) => tx.query(sql, [client.organizationId]))
  const code = async () => (await client.refusal(sites.routes.create, { domainName: 'refused.example' })).code
  await set('UPDATE billing_account SET quota_reached_at = now() WHERE organization_id = $1')
  assert.equal(await code(), 909996)
  assert.equal((await client.call(at.quota, {})).org_locked, true)
  await set('UPDATE billing_account SET trial_over_at = now() WHERE organization_id = $1')
  assert.equal(await code(), 7486)
  assert.equal((await client.refusal(at.addAddOn, { addonId: 'china-dns' })).code, 7486)
  await set(`UPDATE organization SET status = 'locked' WHERE id = $1`)
  assert.equal(await code(), 909994)
})

test('the usage report says used of quota, what is over, and what that costs', async () => {
  const client = await newCustomer(api)
  await client.call(at.subscribe, { planId: 'developer' })
  await useUp(api, client, 'dnsQuery', 1_500_000)
  const report = await client.call(at.usage, {})
  const queries = report.items.find(({ type }) => type === 'dnsQuery')
  assert.deepEqual(queries, {
    type: 'dnsQuery',
    quota: 500_000,
    used: 1_500_000,
    progress: 300,
    unit: 'count',
    overUsage: true,
    overMinor: 60,
  })
  assert.equal(
    (await client.call(at.usage, { month: 'previous' })).items.find(({ type }) => type === 'dnsQuery')?.used,
    0,
  )
  const estimate = await client.call(at.estimates, {})
  assert.deepEqual(
    [estimate.spentMinor, estimate.lines.map(({ itemId, amountMinor }) => [itemId, amountMinor])],
    [60, [['dnsQuery', 60]]],
  )
  assert.ok(estimate.forecastMinor >= 60)
  assert.equal((await client.call(at.trialInfo, {})).creditLeftMinor, 4940)
})

test('plans are data: what the operator changes is what customers see and pay', async () => {
  const operator = await api.newClient({ isOperator: true })
  const client = await newCustomer(api)
  const { data } = await operator.call(plans.routes.pricing, {})
  const { id, name, ...business } = data.find((plan) => plan.id === 'business') ?? assert.fail('no business plan')
  assert.deepEqual([id, name], ['business', 'Business'])
  const usd = business.prices['USD'] ?? assert.fail('no price')
  await operator.call(plans.routes.setPricing, {
    plan: 'business',
    ...business,
    prices: { USD: { ...usd, monthlyMinor: 12_300 } },
  })
  assert.equal(
    (await client.call(plans.routes.list, {})).data.find((plan) => plan.id === 'business')?.price.monthlyMinor,
    12_300,
  )
  await operator.call(plans.routes.setPricing, { plan: 'business', ...business, offered: false })
  assert.equal((await client.refusal(at.upgradeInfo, { planId: 'business' })).code, 7499)
  await operator.call(plans.routes.setPricing, { plan: 'business', ...business })
  assert.equal((await operator.refusal(plans.routes.setPricing, { plan: 'none', ...business })).code, 7499)
  assert.equal((await client.refusal(plans.routes.pricing, {})).code, 403)
  const addOn = {
    category: 'dns',
    name: { en: 'More', zhHant: '更多', zhHans: '更多' },
    description: { en: 'More', zhHant: '更多', zhHans: '更多' },
    ability: [],
    allowances: { dnsQuery: 5 },
    planIds: [],
    offered: true,
    prices: { USD: { monthlyMinor: 100 } },
  }
  await operator.call(plans.routes.setAddOn, { addon: 'more-queries', ...addOn })
  assert.ok((await client.call(plans.routes.addOns, {})).data.some((one) => one.id === 'more-queries'))
  await operator.call(plans.routes.setAddOn, { addon: 'more-queries', ...addOn, offered: false })
  assert.equal((await operator.refusal(plans.routes.setAddOn, { addon: 'No Name', ...addOn })).code, 400)
  assert.equal((await client.call(at.me, {})).currency.code, 'USD')
})

test('29001: without an account to bill, nothing is billed', async () => {
  const client = await newCustomer(api)
  await api.database.system((tx) =>
    tx.query('DELETE FROM billing_account WHERE organization_id = $1', [client.organizationId]),
  )
  for (const refused of [client.refusal(at.me, {}), client.refusal(at.subscribe, { planId: 'developer' })])
    assert.equal((await refused).code, 29001)
})

test('a customer without billing rights sees and changes nothing of it', async () => {
  const client = await newCustomer(api)
  const viewer = await api.colleague(client, ['ViewSubscription'])
  assert.equal((await viewer.call(at.me, {})).plan_id, 'developer')
  assert.equal((await viewer.refusal(at.setCap, { capMinor: 1, action: 'stop' })).code, 403)
  const nobody = await api.colleague(client, ['ViewSite'])
  assert.equal((await nobody.refusal(at.me, {})).code, 403)
  assert.deepEqual(await statusOf(client), { status: 'active', plan_id: 'developer' })
})
