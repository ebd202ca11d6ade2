import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { billing, organizations, plans } from '@fairway/contract'
import { type Span, monthOf } from '@fairway/domain'
import { GatewayAway, type PaymentGateway } from '@fairway/drivers'
import { startApiUnderTest, send, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { newCustomer, payWith, useUp } from '../../testing/billing-under-test.ts'
import { until } from '../../testing/until.ts'
import { accountOf } from './account-store.ts'
import { collectDue, collectInvoice, settleStrays } from './collect.ts'
import { runMonth } from './month-run.ts'
import { insertPayment } from './payment-store.ts'
import { openPayments } from './payments.ts'
import { takeEvent } from './stripe-webhook.ts'
import { findFacts, findFactsOf } from './usage-meter.ts'

const at = billing.routes
const DAY = 86_400_000
const HOUR = 3_600_000
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const MIGRATIONS = path.join(import.meta.dirname, '../../../../platform/src/migrations')
const thisMonth = monthOf(Date.now())
/** The first hours of the next month: this one has ended. */
const later = new Date(thisMonth.until + HOUR)
const needs = () => ({
  config: api.config,
  database: api.database,
  log: api.log,
  gateway: openPayments(api.config, api.database).gateway,
})
const run = (now: Date) => runMonth(api.config, api.database, api.log, now)
const newest = async (client: Client) =>
  (await client.call(at.invoices, {})).data[0] ?? assert.fail('there is no invoice')
const sql = <Row>(text: string, values: unknown[] = []) => api.database.system((tx) => tx.query<Row>(text, values))
const refusal = (text: string, values: unknown[]) =>
  sql(text, values).then(
    () => 'done',
    (error: unknown) => String(error),
  )

const factsOf = (client: Client, now: Date) =>
  api.database.system(async (tx) => findFactsOf(tx, api.config, await accountOf(tx, client.organizationId), now))

async function onBusiness(number = '4242424242424242'): Promise<Client> {
  const client = await newCustomer(api)
  await payWith(api, client, '4242424242424242')
  await client.call(at.subscribe, { planId: 'business' })
  if (number !== '4242424242424242') await payWith(api, client, number)
  return client
}

test("when a month has ended its usage and the next month's fees are posted, once, and the card pays", async () => {
  const client = await onBusiness()
  await useUp(api, client, 'dnsQuery', 3_512_345)
  await useUp(api, client, 'cdnRequest', 400_000)
  assert.equal(await run(new Date(thisMonth.until + 60_000)), 0, 'logs are still on their way')
  assert.ok((await run(later)) >= 1)
  assert.equal(await run(later), 0)
  const row = await newest(client)
  assert.deepEqual([row.kind, row.status, row.periodFrom], ['month', 'posted', new Date(thisMonth.from).toISOString()])
  const invoice = await client.call(at.invoice, { id: row.id })
  assert.deepEqual(
    invoice.lines.map(({ kind, itemId, amountMinor }) => [kind, itemId, amountMinor]),
    [
      ['plan', 'business', 30_000],
      ['usage', 'dnsQuery', 100],
      ['usage', 'cdnRequest', 0],
    ],
  )
  assert.equal(await collectDue(needs(), later), 1)
  assert.deepEqual([(await newest(client)).status, (await newest(client)).declineCode], ['paid', null])
  assert.equal(await collectDue(needs(), later), 0)
})

test("an account that is damaged keeps nobody else's invoice from being charged", async () => {
  const [damaged, other] = [await onBusiness(), await onBusiness()]
  await run(later)
  const { id } = await newest(other)
  await sql(`UPDATE billing_account SET cap_minor = 0, currency = 'nonsense' WHERE organization_id = $1`, [
    damaged.organizationId,
  ])
  await sql('UPDATE invoice SET next_attempt_at = now() WHERE id = $1', [id])
  await until(async () => (await newest(other)).status === 'paid')
  await sql(`UPDATE billing_account SET cap_minor = NULL, currency = 'USD' WHERE organization_id = $1`, [
    damaged.organizationId,
  ])
})

test('every usage line opens the usage behind it and is worked out again to the cent', async () => {
  const client = await onBusiness()
  for (const [index, used] of [1_200_000, 777_777, 123_456].entries())
    await useUp(api, client, 'dnsQuery', used, new Date(thisMonth.from + index * DAY))
  await run(later)
  const { id } = await newest(client)
  const { lines } = await client.call(at.invoice, { id })
  for (const line of lines.filter(({ kind }) => kind === 'usage')) {
    const usage = await client.call(at.lineUsage, { id, number: String(line.number) })
    assert.deepEqual([usage.total, usage.recomputedMinor, usage.rows.length], [line.used, line.amountMinor, 3])
    assert.equal(
      usage.rows.reduce((total, row) => total + row.used, 0),
      line.used,
    )
    assert.equal(usage.loggedNow, null, 'the store of this test is away')
  }
  assert.equal((await client.refusal(at.lineUsage, { id, number: '1' })).code, 7499)
  assert.equal((await client.refusal(at.lineUsage, { id, number: '99' })).code, 7499)
})

test('what is posted cannot be changed, added to or deleted, by nobody', async () => {
  const client = await onBusiness()
  const { id } = await newest(client)
  for (const [text, expected] of [
    ['UPDATE invoice SET total_minor = 1 WHERE id = $1', /cannot be changed/],
    ['DELETE FROM invoice WHERE id = $1', /cannot be deleted/],
    [`UPDATE invoice SET status = 'posted' WHERE id = $1`, /does not go back/],
    ['UPDATE invoice_line SET amount_minor = 0 WHERE invoice_id = $1', /kept as it is/],
    ['DELETE FROM invoice_line WHERE invoice_id = $1', /kept as it is/],
    [
      `INSERT INTO invoice_line SELECT organization_id, invoice_id, 99, kind, item_id, name, from_at, until_at, used, included, rate_units, rate_minor, monthly_minor, 1, 0 FROM invoice_line WHERE invoice_id = $1 LIMIT 1`,
      /posted already/,
    ],
  ] as const)
    assert.match(await refusal(text, [id]), expected, text)
})

test('numbers have no gap, also when invoices are posted at the same time or fail in between', async () => {
  const clients = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const client = await newCustomer(api)
      await payWith(api, client, index % 2 ? '4000000000000341' : '4242424242424242')
      return client
    }),
  )
  await Promise.all(clients.map((client) => client.call(at.subscribe, { planId: 'business' }).catch(() => null)))
  const rows = await sql<{ sequence: number; number: string }>('SELECT sequence, number FROM invoice ORDER BY sequence')
  assert.deepEqual(
    rows.map((row) => row.sequence),
    rows.map((_, index) => index + 1),
  )
  assert.equal(rows[0]?.number, 'FAIRWAY-000001')
})

test('a failed charge: the account waits at the payment page, is tried again, and is let go when it has paid', async () => {
  const client = await onBusiness('4000000000000341')
  await run(later)
  await collectDue(needs(), later)
  const status = async () => (await client.call(at.me, {})).status
  assert.equal(await status(), 'payment_failed')
  const failed = await client.call(at.paymentFailed, {})
  assert.deepEqual(
    [failed.failed, failed.declineCode, failed.attemptsLeft, failed.nextAttemptAt],
    [true, 'generic_decline', 4, new Date(later.getTime() + DAY).toISOString()],
  )
  const lettersOf = () =>
    sql<{ template: string; fields: { amount: string } }>(
      `SELECT template, fields FROM mail_message WHERE organization_id = $1 ORDER BY created_at`,
      [client.organizationId],
    )
  assert.deepEqual(
    (await lettersOf()).map(({ template, fields }) => [template, fields.amount]),
    [
      ['invoice', '$300.00'],
      ['payment-failed', '$300.00'],
    ],
  )
  // Pressing is no try of the worker's: it locks nobody, puts off nothing, and writes no letters.
  for (let press = 0; press < 5; press++) assert.equal((await client.refusal(at.retryPayment, {})).code, 7709)
  assert.deepEqual([await client.call(at.paymentFailed, {}), await status()], [failed, 'payment_failed'])
  assert.equal((await lettersOf()).length, 2)
  const [keys] = await sql<{ count: number; month: number }>(
    `SELECT count(*)::int AS count, count(*) FILTER (WHERE substr(id::text, 15, 1) = '8')::int AS month FROM payment WHERE organization_id = $1 AND state = 'failed'`,
    [client.organizationId],
  )
  assert.deepEqual(keys, { count: 6, month: 6 })
  // Each is a charge at the provider.
  for (let press = 5; press < 10; press++) assert.equal((await client.refusal(at.retryPayment, {})).code, 7709)
  assert.equal((await client.refusal(at.retryPayment, {})).code, 429)
  await sql(`DELETE FROM login_attempt WHERE key = $1`, [`pay:${client.organizationId}`])
  await payWith(api, client, '5555555555554444')
  assert.deepEqual(await client.call(at.retryPayment, {}), {
    failed: false,
    invoice: null,
    declineCode: null,
    nextAttemptAt: null,
    attemptsLeft: 0,
    servingStopsAt: null,
  })
  assert.equal(await status(), 'active')
  assert.equal((await client.refusal(at.retryPayment, {})).code, 7499)
})

test('after the last try the account is locked, and paying opens it again', async () => {
  const client = await onBusiness('4000008260003178')
  await run(later)
  let now = later
  for (const days of [0, 1, 3, 5, 7]) {
    now = new Date(now.getTime() + days * DAY)
    await collectDue(needs(), now)
  }
  assert.deepEqual(
    [(await client.call(at.me, {})).status, (await client.call(at.quota, {})).org_locked],
    ['locked', true],
  )
  assert.equal((await client.refusal(at.addAddOn, { addonId: 'china-dns' })).code, 909994)
  assert.equal((await client.refusal(at.removeCard, {})).code, 7402)
  await payWith(api, client, '4242424242424242')
  await client.call(at.retryPayment, {})
  assert.equal((await client.call(at.me, {})).status, 'active')
})

test('who does not pay is told a day, is served until then and no longer, and again as soon as it is paid', async () => {
  const client = await onBusiness('4000008260003178')
  const [site] = await sql<{ id: string }>(
    `INSERT INTO site (organization_id, domain_name) VALUES ($1, 'unpaid.example') RETURNING id`,
    [client.organizationId],
  )
  await run(later)
  let now = later
  for (const days of [0, 1, 3, 5, 7]) {
    now = new Date(now.getTime() + days * DAY)
    await collectDue(needs(), now)
  }
  const stops = new Date(now.getTime() + 7 * DAY)
  assert.equal((await client.call(at.paymentFailed, {})).servingStopsAt, stops.toISOString())
  const letters = await sql<{ on: string | null }>(
    `SELECT fields->>'stopsOn' AS on FROM mail_message WHERE organization_id = $1 AND template = 'payment-failed' ORDER BY created_at`,
    [client.organizationId],
  )
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(stops)
  assert.deepEqual(
    letters.map(({ on }) => on),
    [null, null, null, null, day],
  )
  const stopped = async (now_: Date) => {
    await factsOf(client, now_)
    return (await client.call(at.estimates, {})).cap.servingStopped
  }
  assert.equal(await stopped(new Date(stops.getTime() - HOUR)), false)
  assert.equal(await stopped(stops), true)
  await payWith(api, client, '4242424242424242')
  await client.call(at.retryPayment, {})
  assert.equal((await client.call(at.estimates, {})).cap.servingStopped, false)
  const versions = await sql<{ title: string }>('SELECT title FROM version WHERE site_id = $1 ORDER BY number', [
    site?.id,
  ])
  assert.deepEqual(
    versions.map(({ title }) => title),
    ['Edge stopped: the account is locked or suspended', 'Edge started again'],
  )
})

test('a contract is not charged to the card that is left, unless somebody says so, and never stopped by itself', async () => {
  const operator = await api.newClient({ isOperator: true })
  const client = await onBusiness('4000000000000341')
  await operator.call(organizations.routes.update, { organization: client.organizationId, planId: 'enterprise' })
  await run(later)
  const isUntouched = async () => {
    const [letters] = await sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM mail_message WHERE organization_id = $1 AND template = 'payment-failed'`,
      [client.organizationId],
    )
    const { nextAttemptAt } = await client.call(at.paymentFailed, {})
    return [(await client.call(at.me, {})).status, letters?.count, nextAttemptAt]
  }
  assert.equal((await newest(client)).dueAt, new Date(later.getTime() + 14 * DAY).toISOString())
  let now = later
  for (const days of [0, 14, 3, 5, 7, 8]) {
    now = new Date(now.getTime() + days * DAY)
    await collectDue(needs(), now)
  }
  const [charged] = await sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM payment p JOIN invoice i ON i.id = p.invoice_id WHERE p.organization_id = $1 AND i.kind = 'month'`,
    [client.organizationId],
  )
  assert.equal(charged?.count, 0)
  assert.deepEqual([(await newest(client)).status, ...(await isUntouched())], ['unpaid', 'active', 0, null])
  await factsOf(client, new Date(now.getTime() + 90 * DAY))
  assert.equal((await client.call(at.estimates, {})).cap.servingStopped, false)
  assert.equal((await client.refusal(at.retryPayment, {})).code, 7709)
  assert.deepEqual(await isUntouched(), ['active', 0, null])
  await payWith(api, client, '4242424242424242')
  await client.call(at.retryPayment, {})
  assert.deepEqual([(await newest(client)).status, (await client.call(at.me, {})).status], ['paid', 'active'])
})

test('a lock by hand stays when an invoice is paid on time', async () => {
  const operator = await api.newClient({ isOperator: true })
  const client = await onBusiness()
  await operator.call(organizations.routes.manage, { organization: client.organizationId, status: 'locked' })
  await run(later)
  await collectDue(needs(), later)
  assert.deepEqual([(await newest(client)).status, (await client.call(at.me, {})).status], ['paid', 'locked'])
})

test('only a debt stops serving: not a lock by hand, and not at once what was locked before it was a contract', async () => {
  const operator = await api.newClient({ isOperator: true })
  const client = await onBusiness('4000000000000341')
  const organization = client.organizationId
  const held = async () => {
    const [row] = await sql<{ days: number | null; stopped: boolean }>(
      `SELECT round(extract(epoch FROM now() - locked_at) / 86400)::int AS days, serving_stopped_at IS NOT NULL AS stopped FROM billing_account WHERE organization_id = $1`,
      [organization],
    )
    return [row?.days, row?.stopped]
  }
  await operator.call(organizations.routes.manage, { organization, status: 'locked' })
  await factsOf(client, new Date(Date.now() + 30 * DAY))
  await factsOf(client, new Date(Date.now() + 60 * DAY))
  assert.deepEqual(await held(), [null, false])
  await run(later)
  await collectDue(needs(), later)
  await sql(`UPDATE billing_account SET locked_at = now() - interval '5 days' WHERE organization_id = $1`, [
    organization,
  ])
  await factsOf(client, new Date())
  assert.deepEqual(await held(), [5, false])
  await operator.call(organizations.routes.update, { organization, planId: 'enterprise' })
  assert.deepEqual(await held(), [null, false])
  await factsOf(client, new Date(Date.now() + 30 * DAY))
  await operator.call(organizations.routes.update, { organization, planId: 'business' })
  assert.deepEqual(await held(), [0, false])
})

test('a plan that the operator sets settles the one before: what is left of its fee is credit, once', async () => {
  const operator = await api.newClient({ isOperator: true })
  const client = await onBusiness()
  const paid = await client.call(at.invoice, { id: (await newest(client)).id })
  const set = (planId: string) =>
    operator.call(organizations.routes.update, { organization: client.organizationId, planId })
  const balance = async () => (await client.call(at.credit, {})).balanceMinor
  await set('enterprise')
  assert.ok((await balance()) <= paid.totalMinor && (await balance()) >= paid.totalMinor - 5, `${await balance()}`)
  // Back again the rest of the month is owed again, and paid from that credit.
  await set('business')
  assert.ok((await balance()) <= 5, `${await balance()}`)
  await set('enterprise')
  assert.ok((await balance()) <= paid.totalMinor && (await balance()) >= paid.totalMinor - 10, `${await balance()}`)
  const told = await sql<{ plan: string }>(
    `SELECT fields->>'plan' AS plan FROM notification WHERE organization_id = $1 AND event = 'plan-set' AND audience = 'EditSubscription' ORDER BY created_at`,
    [client.organizationId],
  )
  assert.deepEqual(
    told.map(({ plan }) => plan),
    ['Enterprise', 'Business', 'Enterprise'],
  )
})

test('the first plan that is chosen settles the months before with the one they ran on', async () => {
  const client = await onBusiness()
  await sql('UPDATE organization SET plan_chosen_at = NULL WHERE id = $1', [client.organizationId])
  const before = monthOf(thisMonth.from - HOUR)
  await sql('UPDATE billing_account SET billed_until = $2 WHERE organization_id = $1', [
    client.organizationId,
    new Date(before.from),
  ])
  await useUp(api, client, 'dnsQuery', 3_512_345, new Date(before.from))
  await client.call(at.subscribe, { planId: 'business' })
  const months = await sql<{ from: Date }>(
    `SELECT period_from AS from FROM invoice WHERE organization_id = $1 AND kind = 'month'`,
    [client.organizationId],
  )
  assert.deepEqual(
    months.map(({ from }) => from.getTime()),
    [before.from],
  )
})

test('a plan that is set before the month before was billed keeps nothing from being billed; the upgrade mends those it did', async () => {
  const operator = await api.newClient({ isOperator: true })
  const client = await onBusiness()
  const billedUntil = async (of: Client) =>
    (
      await sql<{ billed_until: Date }>('SELECT billed_until FROM billing_account WHERE organization_id = $1', [
        of.organizationId,
      ])
    )[0]?.billed_until.getTime()
  const setBack = (of: Client, month: Span) =>
    sql('UPDATE billing_account SET billed_until = $2 WHERE organization_id = $1', [
      of.organizationId,
      new Date(month.from),
    ])
  await setBack(client, monthOf(thisMonth.from - HOUR))
  await operator.call(organizations.routes.update, { organization: client.organizationId, planId: 'enterprise' })
  assert.equal(await billedUntil(client), thisMonth.from)
  await useUp(api, client, 'dnsQuery', 3_512_345)
  await run(later)
  assert.equal(await billedUntil(client), thisMonth.until)
  // As it was left by the release before.
  const left = await onBusiness()
  await useUp(api, left, 'dnsQuery', 3_512_345)
  await run(later)
  await setBack(left, monthOf(thisMonth.from - HOUR))
  await sql(fs.readFileSync(path.join(MIGRATIONS, '0340-months-set-back.sql'), 'utf8'))
  assert.equal(await billedUntil(left), thisMonth.until)
})

test('back on a plan within its month, what credit does not cover is told as any invoice; who is billed pays again where no bills are shown, too', async () => {
  const operator = await api.newClient({ isOperator: true })
  const client = await onBusiness()
  const set = (planId: string) =>
    operator.call(organizations.routes.update, { organization: client.organizationId, planId })
  const changes = async () => (await client.call(at.invoices, {})).data.filter(({ kind }) => kind === 'change').length
  const told = async () =>
    (
      await sql(`SELECT FROM notification WHERE organization_id = $1 AND event = 'invoice-posted'`, [
        client.organizationId,
      ])
    ).length
  const [business] = await sql<{ prices: object }>(`SELECT prices FROM plan WHERE id = 'business'`)
  const [invoices, letters] = [await changes(), await told()]
  try {
    await set('enterprise')
    await sql(
      `UPDATE plan SET prices = jsonb_set(prices, '{USD,monthlyMinor}', to_jsonb((prices->'USD'->>'monthlyMinor')::int * 2)) WHERE id = 'business'`,
    )
    await set('business')
    assert.deepEqual([(await changes()) - invoices, (await told()) - letters], [1, 1])
    await set('enterprise')
    await sql(
      `WITH p AS (INSERT INTO partner (acronym, host_name, company_name, brand_color, hide_feature) VALUES ('no-bills', 'no-bills.example.test', 'None', '#0b6e4f', '{billing}') RETURNING id) UPDATE organization SET partner_id = p.id FROM p WHERE organization.id = $1`,
      [client.organizationId],
    )
    await set('business')
    const posted = await sql(`SELECT FROM invoice WHERE organization_id = $1 AND kind = 'change'`, [
      client.organizationId,
    ])
    assert.equal(posted.length - invoices, 2)
    const [left] = await sql<{ minor: number }>(
      `SELECT coalesce(sum(g.amount_minor - coalesce((SELECT sum(u.amount_minor) FROM credit_use u WHERE u.grant_id = g.id), 0)), 0)::int AS minor FROM credit_grant g WHERE g.organization_id = $1`,
      [client.organizationId],
    )
    assert.ok((left?.minor ?? 100) <= 5, `${left?.minor} is had beside the plan`)
  } finally {
    await sql(`UPDATE plan SET prices = $1 WHERE id = 'business'`, [JSON.stringify(business?.prices)])
  }
})

test('who had chosen no plan and is given one is billed from then on; operators and trials are not', async () => {
  const operator = await api.newClient({ isOperator: true })
  const set = (client: Client, planId: string) =>
    operator.call(organizations.routes.update, { organization: client.organizationId, planId })
  const [given, trying, atPartner] = [await newCustomer(api), await newCustomer(api), await newCustomer(api)]
  await sql(
    `WITH p AS (INSERT INTO partner (acronym, host_name, company_name, brand_color, hide_feature) VALUES ('own-bills', 'own-bills.example.test', 'Own', '#0b6e4f', '{billing}') RETURNING id) UPDATE organization SET partner_id = p.id FROM p WHERE organization.id = $1`,
    [atPartner.organizationId],
  )
  await set(given, 'business')
  await set(trying, 'developer')
  await set(atPartner, 'business')
  await set(operator, 'business')
  await run(later)
  assert.equal((await newest(given)).status, 'posted')
  const billed = await sql<{ organization_id: string }>(
    'SELECT organization_id FROM billing_account WHERE billed AND organization_id = ANY ($1)',
    [[given, trying, atPartner, operator].map(({ organizationId }) => organizationId)],
  )
  assert.deepEqual(
    billed.map(({ organization_id: id }) => id),
    [given.organizationId],
  )
})

test('who is suspended is served for a day, pays no new fees after it, and is served again when that ends', async () => {
  const operator = await api.newClient({ isOperator: true })
  const client = await onBusiness()
  const suspend = (suspended: boolean) =>
    operator.call(organizations.routes.update, { organization: client.organizationId, suspended })
  const isStopped = async () =>
    (
      await sql<{ stopped: boolean }>(
        'SELECT serving_stopped_at IS NOT NULL AS stopped FROM billing_account WHERE organization_id = $1',
        [client.organizationId],
      )
    )[0]?.stopped
  await suspend(true)
  await findFacts(api.config, api.database, api.log, new Date(Date.now() + DAY - HOUR))
  assert.equal(await isStopped(), false)
  await findFacts(api.config, api.database, api.log, new Date(Date.now() + DAY + HOUR))
  assert.equal(await isStopped(), true)
  await run(later)
  const lines = await sql<{ kind: string }>(
    `SELECT l.kind FROM invoice_line l JOIN invoice i ON i.id = l.invoice_id WHERE l.organization_id = $1 AND i.kind = 'month'`,
    [client.organizationId],
  )
  assert.deepEqual(lines, [])
  await suspend(false)
  assert.equal(await isStopped(), false)
})

test('a trial that had a card in the month owes what it has used, whether or not the card is there when it ends', async () => {
  const client = await newCustomer(api)
  await client.call(at.subscribe, { planId: 'developer' })
  await payWith(api, client, '4242424242424242')
  assert.equal((await client.call(at.removeCard, {})).card, null)
  await payWith(api, client, '4242424242424242')
  await useUp(api, client, 'dnsQuery', 500_000 + 200_000_000)
  assert.equal((await client.refusal(at.removeCard, { confirmed: true })).code, 7402)
  // What was not counted yet when it went is owed all the same.
  await sql(
    'UPDATE billing_account SET payment_method_ref = NULL, card = NULL, card_removed_at = now() WHERE organization_id = $1',
    [client.organizationId],
  )
  await run(later)
  assert.equal((await newest(client)).dueMinor, 7000)
})

test('a trial without a card pays from its credit, and is never asked for more', async () => {
  const client = await newCustomer(api)
  await client.call(at.subscribe, { planId: 'developer' })
  await useUp(api, client, 'dnsQuery', 500_000 + 200_000_000)
  // Credit of a trial outlives the month that it began in.
  await run(later)
  const invoice = await client.call(at.invoice, { id: (await newest(client)).id })
  assert.deepEqual(
    [invoice.status, invoice.dueMinor, invoice.creditMinor, invoice.subtotalMinor, invoice.discountMinor],
    ['paid', 0, 5000, 12_000, 7000],
  )
  assert.equal((await client.call(at.credit, {})).balanceMinor, 0)
})

test('an upgrade in the middle of a month takes back what is left of the plan before', async () => {
  const operator = await api.newClient({ isOperator: true })
  const client = await onBusiness()
  await operator.call(plans.routes.grantCredit, { organization: client.organizationId, amountMinor: 250_000 })
  const first = await client.call(at.invoice, { id: (await newest(client)).id })
  const { invoiceId } = await client.call(at.upgradePlan, { planId: 'enterprise' })
  const invoice = await client.call(at.invoice, { id: invoiceId ?? '' })
  assert.deepEqual(
    invoice.lines.map((line) => line.kind),
    ['unused', 'plan'],
  )
  assert.ok(Math.abs((invoice.lines[0]?.amountMinor ?? 0) + first.subtotalMinor) <= 1, 'only moments have passed')
  assert.equal(invoice.dueMinor, 0)
})

test('the invoice as a PDF, in each language, says the same as the invoice', async (t) => {
  const client = await onBusiness()
  await api.database.system((tx) =>
    tx.query(`UPDATE organization SET name = '範例科技股份有限公司' WHERE id = $1`, [client.organizationId]),
  )
  await useUp(api, client, 'cdnTraffic', 3_000_000_000_000)
  await run(later)
  const row = await newest(client)
  const invoice = await client.call(at.invoice, { id: row.id })
  if (!fs.existsSync(api.config.cjkFont)) return t.skip('the CJK font is not installed')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'invoice-'))
  for (const [locale, words] of Object.entries({
    en: ['Invoice', 'CDN traffic', 'Amount due', '$380.00', 'per 1 GB'],
    zhHant: ['帳單', '應付金額', '未付款|已開立', 'US$380.00', '方案'],
    zhHans: ['账单', '应付金额', '已开具', 'US$380.00', '套餐'],
  })) {
    const response = await send(api.url, client.token, at.pdf, { id: row.id, locale })
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/pdf'])
    const file = path.join(folder, `${locale}.pdf`)
    fs.writeFileSync(file, Buffer.from(await response.arrayBuffer()))
    if (!fs.existsSync('/usr/bin/pdftotext')) continue
    const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
    assert.doesNotMatch(text, /\u2009/, 'the font has no thin space')
    for (const word of [...words, invoice.number, '範例科技股份有限公司', 'Fairway', 'Business'])
      assert.match(text, new RegExp(word.replaceAll('$', '\\$')), `${locale}: ${word} in\n${text}`)
  }
  fs.rmSync(folder, { recursive: true })
})

test('a charge whose answer was lost is settled by its key; one that nothing came of is given back', async () => {
  const client = await onBusiness()
  const account = await api.database.system((tx) => accountOf(tx, client.organizationId))
  const lost = (invoiceId: string | null) =>
    api.database.system((tx) =>
      insertPayment(
        tx,
        {
          organization_id: client.organizationId,
          invoice_id: invoiceId,
          gateway: 'sandbox',
          customer_ref: account.customer_ref ?? '',
          payment_method_ref: account.payment_method_ref ?? '',
          amount_minor: 100,
          currency: 'USD',
        },
        new Date(Date.now() - HOUR),
      ),
    )
  await run(later)
  const invoice = await newest(client)
  const ofInvoice = await lost(invoice.id)
  const ofNothing = await lost(null)
  await settleStrays(needs(), new Date())
  const states = await sql<{ id: string; state: string }>('SELECT id, state FROM payment WHERE id = ANY($1)', [
    [ofInvoice.id, ofNothing.id],
  ])
  assert.deepEqual(
    new Map(states.map((row) => [row.id, row.state])),
    new Map([
      [ofInvoice.id, 'succeeded'],
      [ofNothing.id, 'refunded'],
    ]),
  )
  assert.equal((await newest(client)).status, 'paid')
})

test('a provider that is asked again under the same key is asked the same', async () => {
  const client = await onBusiness()
  await run(later)
  const { id } = await newest(client)
  type Order = Parameters<PaymentGateway['charge']>[0]
  const orders: Order[] = []
  const { gateway } = needs()
  const loses = {
    ...needs(),
    gateway: {
      ...gateway,
      charge: async (order: Order) => {
        const answer = await gateway.charge(order)
        if (orders.push(order) === 1) throw new GatewayAway('the answer was lost')
        return answer
      },
    },
  }
  await assert.rejects(collectInvoice(loses, id, later), GatewayAway)
  await sql(`UPDATE payment SET created_at = now() - interval '1 hour' WHERE invoice_id = $1`, [id])
  await settleStrays(loses, new Date())
  assert.deepEqual([orders.length, orders[1]], [2, orders[0]])
  assert.equal((await newest(client)).status, 'paid')
})

test('an event of the provider counts once, and does not undo what is paid', async () => {
  const client = await onBusiness()
  const [payment] = await sql<{ charge_ref: string }>(
    `SELECT charge_ref FROM payment WHERE organization_id = $1 AND state = 'succeeded'`,
    [client.organizationId],
  )
  const event = {
    id: 'evt_1',
    type: 'charge.failed' as const,
    chargeRef: payment?.charge_ref ?? '',
    declineCode: 'stolen_card' as const,
  }
  for (let times = 0; times < 2; times++)
    await api.database.system((tx) => takeEvent(tx, api.config, event, new Date()))
  assert.deepEqual([(await newest(client)).status, (await client.call(at.me, {})).status], ['paid', 'active'])
})

test('at the limit the edge stops when the owner wants that, with a version of every site; DNS goes on', async () => {
  const client = await onBusiness()
  const [site] = await sql<{ id: string }>(
    `INSERT INTO site (organization_id, domain_name) VALUES ($1, 'limit.example') RETURNING id`,
    [client.organizationId],
  )
  await client.call(at.setCap, { capMinor: 10_000_000, action: 'stop' })
  await useUp(api, client, 'cdnTraffic', 3_000_000_000_000_000)
  await factsOf(client, new Date())
  await factsOf(client, new Date())
  const { cap, spentMinor } = await client.call(at.estimates, {})
  assert.ok(cap.servingStopped && spentMinor >= 10_000_000)
  const versions = await sql<{ title: string; kinds: string[] }>(
    'SELECT title, kinds FROM version WHERE site_id = $1',
    [site?.id],
  )
  assert.deepEqual(
    versions.map(({ kinds }) => kinds),
    [['edge-site']],
  )
  const told = await sql<{ template: string }>(
    `SELECT template FROM mail_message WHERE organization_id = $1 AND template = 'spending-cap'`,
    [client.organizationId],
  )
  assert.equal(told.length, 1)
})
