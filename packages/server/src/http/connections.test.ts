import assert from 'node:assert/strict'
import net, { type AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { analyticsMultiCdn, billing, dnsRecords, nodes, privateData, sites } from '@fairway/contract'
import { type ApiUnderTest, type Client, clientOf, nodeTokenOf, startApiUnderTest } from '../testing/api-under-test.ts'
import { newCustomer, payWith } from '../testing/billing-under-test.ts'
import { until } from '../testing/until.ts'

/** As many as the API has connections. */
const ALL = 16
/** Far below the five seconds that somebody waits for a connection in vain. */
const PROMPT_MS = 2_500
const open = new Set<net.Socket>()
let sockets = 0
const silent = net.createServer((socket) => {
  sockets += 1
  open.add(socket.on('error', () => {}).on('close', () => open.delete(socket)))
})
const hangUp = () => {
  for (const socket of open) socket.destroy()
}
let at = ''
let api: ApiUnderTest
let other: Client
before(async () => {
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  at = `127.0.0.1:${(silent.address() as AddressInfo).port}`
  api = await startApiUnderTest({ FAIRWAY_PRIVATE_NETWORKS: at, FAIRWAY_CLICKHOUSE_URL: `http://${at}` })
  other = await api.newClient()
})
after(async () => {
  silent.close()
  hangUp()
  await api[Symbol.asyncDispose]()
})

/** Another organisation and a node are answered while all of these calls hang. */
async function othersGoOn(hanging: Promise<unknown>[]): Promise<void> {
  let ended = 0
  for (const call of hanging)
    call.then(
      () => ended++,
      () => ended++,
    )
  const begin = performance.now()
  await other.call(sites.routes.list, {})
  await clientOf(api.url, nodeTokenOf(api)).call(nodes.routes.notice, { siteIds: [] })
  const ms = performance.now() - begin
  assert.ok(ms < PROMPT_MS, `answered after ${Math.round(ms)} ms`)
  assert.equal(ended, 0, 'some of the calls had ended')
}

test('sixteen calls that wait for a host which says nothing keep no connection from others', async () => {
  const client = await api.newClient()
  const before = sockets
  const looks = Array.from({ length: ALL }, () =>
    client.call(privateData.routes.look, { hostname: at, path: '/t.bin', secure: false }),
  )
  await until(async () => sockets - before >= ALL)
  await othersGoOn(looks)
  hangUp()
  await Promise.all(looks)
})

test('nor do charts of many organisations while the event store says nothing', async () => {
  const clients = await Promise.all(Array.from({ length: ALL }, () => api.newClient()))
  const before = sockets
  const charts = clients.map((client) => client.refusal(analyticsMultiCdn.routes.report, {}))
  await until(async () => sockets > before)
  await new Promise((resolve) => setTimeout(resolve, 300))
  await othersGoOn(charts)
  assert.deepEqual([...new Set((await Promise.all(charts)).map(({ code }) => code))], [503])
})

test('changes of one organisation that wait for each other leave connections to others', async () => {
  const client = await api.newClient()
  const { data: site } = await client.call(sites.routes.create, { domainName: 'waits.example' })
  const done = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = api.database.system(async (tx) => {
    await tx.query('SELECT FROM site WHERE id = $1 FOR UPDATE', [site.id])
    held.resolve()
    await done.promise
  })
  await held.promise
  const changes = Array.from({ length: ALL }, (_, n) =>
    client.call(dnsRecords.routes.create, { site: site.id, type: 'A', name: `a${n}`, value: '8.8.8.8' }),
  )
  await new Promise((resolve) => setTimeout(resolve, 300))
  await othersGoOn(changes)
  done.resolve()
  await holding
  await Promise.allSettled(changes)
})

test('purchases of sixteen organisations at once are charged, and nobody waits for a second connection', async () => {
  const customers = await Promise.all(Array.from({ length: ALL }, () => newCustomer(api)))
  for (const customer of customers) await payWith(api, customer, '4242424242424242')
  const begin = performance.now()
  const bought = customers.map((customer) => customer.call(billing.routes.subscribe, { planId: 'business' }))
  await other.call(sites.routes.list, {})
  await Promise.all(bought)
  const ms = performance.now() - begin
  assert.ok(ms < 4_500, `all were there after ${Math.round(ms)} ms`)
})

test('nor when sixteen press Pay now at once', async () => {
  const customers = await Promise.all(Array.from({ length: ALL }, () => newCustomer(api)))
  for (const customer of customers) await payWith(api, customer, '4242424242424242')
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO invoice (organization_id, partner_id, sequence, number, kind, status, currency, period_from, period_until, seller, buyer, subtotal_minor, discount_minor, tax_rate_ppm, tax_minor, total_minor, credit_minor, due_minor, posted_at, due_at)
       SELECT id, partner_id, 1000 + row_number() OVER (), 'OPEN-' || id, 'change', 'unpaid', 'USD', now(), now(), '{}', '{}', 100, 0, 0, 0, 100, 0, 100, now(), now() FROM organization WHERE id = ANY($1::uuid[])`,
      [customers.map(({ organizationId }) => organizationId)],
    ),
  )
  const begin = performance.now()
  const paid = customers.map((customer) => customer.call(billing.routes.retryPayment, {}))
  await other.call(sites.routes.list, {})
  assert.ok((await Promise.all(paid)).every(({ failed }) => !failed))
  const ms = performance.now() - begin
  assert.ok(ms < 4_500, `all were there after ${Math.round(ms)} ms`)
})
