import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type EventStore, openStore, startStore } from '@fairway/analytics'
import { billing } from '@fairway/contract'
import { monthOf } from '@fairway/domain'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { newCustomer, payWith } from '../../testing/billing-under-test.ts'
import { runMonth } from './month-run.ts'
import { countUsage } from './usage-meter.ts'

const at = billing.routes
const DAY = 86_400_000
let api: ApiUnderTest
let events: EventStore
const started = new AsyncDisposableStack()
before(async () => {
  api = started.use(await startApiUnderTest())
  started.use(await startStore({ config: api.config, log: api.log }))
  events = started.use(openStore(api.config))
})
after(() => started.disposeAsync())

const time = (ms: number) => new Date(ms).toISOString().replace('T', ' ').slice(0, 23)
const today = Math.floor(Date.now() / DAY) * DAY
const month = monthOf(Date.now())

test('what the nodes logged is what is billed: the line, its usage and the logs agree to the cent', async () => {
  const client = await newCustomer(api)
  await payWith(api, client, '4242424242424242')
  await client.call(at.subscribe, { planId: 'business' })
  const answer = (atMs: number, answers: number, country = 'JP') => ({
    at: time(atMs),
    organization: client.organizationId,
    site: 's1',
    domain: 'd1',
    cdn: 'edge',
    country,
    node: 'n/dns',
    answers,
  })
  const request = (atMs: number, bytes: number) => ({
    at: time(atMs),
    organization: client.organizationId,
    site: 's1',
    domain: 'd1',
    cdn: '',
    node: 'n/edge',
    host: 'www.x.test',
    method: 'GET',
    path: '/',
    status: 200,
    bytes,
    ms: 1,
    cache_status: 'HIT',
    why: '',
    client: '192.0.2.0',
    country: 'JP',
  })
  await events.insert('dns_answers', [
    answer(today, 1_500_000),
    answer(today + 1, 777_777),
    answer(today + 2, 150_000, 'CN'),
  ])
  await events.insert('edge_requests', [request(today + 3, 1_234_567_890_123), request(today + 4, 2_000_000_000_000)])
  await countUsage(api.database, events, { daysBack: 0, vendorDaysBack: 0, now: new Date() })
  // Counting again changes nothing; what arrives late is added.
  await events.insert('dns_answers', [answer(today + 5, 222_223)])
  for (let times = 0; times < 2; times++)
    await countUsage(api.database, events, { daysBack: 1, vendorDaysBack: 1, now: new Date() })
  const { items, countedAt } = await client.call(at.usage, {})
  assert.ok(countedAt)
  assert.deepEqual(Object.fromEntries(items.map(({ type, used }) => [type, used])), {
    mcdn: 0,
    dns: 0,
    dnsQuery: 2_500_000,
    chinaDnsQuery: 150_000,
    cdnTraffic: 3_234_567_890_123,
    cdnRequest: 2,
  })

  await runMonth(api.config, api.database, api.log, new Date(month.until + 3_600_000))
  const id = (await client.call(at.invoices, {})).data[0]?.id ?? ''
  const invoice = await client.call(at.invoice, { id })
  const usage = invoice.lines.filter(({ kind }) => kind === 'usage')
  assert.deepEqual(
    usage.map(({ itemId, amountMinor }) => [itemId, amountMinor]),
    [
      ['dnsQuery', 60],
      ['chinaDnsQuery', 8],
      ['cdnTraffic', 8938],
      ['cdnRequest', 0],
    ],
  )
  for (const line of usage) {
    const explained = await client.call(at.lineUsage, { id, number: String(line.number) })
    assert.deepEqual(
      [explained.total, explained.loggedNow, explained.recomputedMinor],
      [line.used, line.used, line.amountMinor],
      line.itemId,
    )
  }
})

test('usage that arrives after the invoice changes nothing of it, and a store that has lost its logs takes nothing back', async () => {
  const client = await newCustomer(api)
  await client.call(at.subscribe, { planId: 'developer' })
  const row = {
    at: time(today),
    organization: client.organizationId,
    site: 's',
    domain: 'd',
    cdn: '',
    country: 'JP',
    node: 'n/dns',
    answers: 600_000,
  }
  const used = async () => (await client.call(at.usage, {})).items.find(({ type }) => type === 'dnsQuery')?.used
  await events.insert('dns_answers', [row])
  await countUsage(api.database, events, { daysBack: 0, vendorDaysBack: 0, now: new Date() })
  await events.command(
    `ALTER TABLE dns_answers DELETE WHERE organization = {organization:String} SETTINGS mutations_sync = 1`,
    { organization: client.organizationId },
  )
  await countUsage(api.database, events, { daysBack: 0, vendorDaysBack: 0, now: new Date() })
  assert.equal(await used(), 600_000)
  await runMonth(api.config, api.database, api.log, new Date(month.until + 3_600_000))
  await events.insert('dns_answers', [{ ...row, answers: 5_000_000 }])
  await countUsage(api.database, events, { daysBack: 0, vendorDaysBack: 0, now: new Date() })
  assert.equal(await used(), 600_000)
})
