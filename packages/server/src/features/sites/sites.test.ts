import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { LIMITS, auditLog, dnsRecords, sites } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { until } from '../../testing/until.ts'

const { create, get, list, remove } = sites.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const bodyOf = async (kind: string, key: string) =>
  (
    await api.database.system((tx) =>
      tx.query<{ body: unknown }>('SELECT body FROM publication WHERE kind = $1 AND key = $2', [kind, key]),
    )
  )[0]?.body

test('a new site answers with its nameservers and its first version, and its zone is published', async () => {
  const client = await api.newClient()
  const { data, meta } = await client.call(create, { domainName: 'Harbour.Example' })
  assert.equal(data.domainName, 'harbour.example')
  assert.deepEqual(
    [data.version, meta.version, data.recordCount, data.dnsState, data.deployState],
    [1, 1, 0, 'pending', 'deploying'],
  )
  assert.equal(new Set(data.nameservers.global).size, 2)
  for (const name of data.nameservers.global) assert.match(name, /^ns([1-9]|1[0-6])\.fairway\.test$/)
  assert.deepEqual(data.claim.state, 'served')
  assert.deepEqual(await client.call(get, { site: data.id }), data)
  const zone = await until(() => bodyOf('dns-zone', data.id))
  assert.deepEqual(
    (zone as { rrsets: { type: string }[] }).rrsets.map((set) => set.type),
    ['SOA', 'NS'],
  )
})

test("an organisation has a name once, not below or above what another has proven, not below or above another, not in the installation's own zone", async () => {
  const [one, other] = [await api.newClient(), await api.newClient()]
  await one.call(create, { domainName: 'shop.example' })
  assert.equal((await one.refusal(create, { domainName: 'shop.example' })).code, 2020)
  assert.equal((await other.call(create, { domainName: 'shop.example' })).data.claim.state, 'parked')
  assert.equal((await one.refusal(create, { domainName: 'fairway.test' })).code, 2021)
  // A site from a time when the list of public suffixes was another one.
  await api.database.system((tx) =>
    tx.query(`INSERT INTO site (organization_id, domain_name, claim, proven_by) VALUES ($1, $2, 'proven', 'txt')`, [
      one.organizationId,
      'eu.market.example',
    ]),
  )
  assert.equal((await other.refusal(create, { domainName: 'market.example' })).code, 2021)
  await other.call(create, { domainName: 'othershop.example' })
})

test('organisations that want one name at the same time: one is served', async () => {
  const clients = await Promise.all([api.newClient(), api.newClient(), api.newClient()])
  const answers = await Promise.all(
    clients.map((client) =>
      client.call(create, { domainName: 'race.example' }).then(
        ({ data }) => data.claim.state,
        (error: { code: number }) => error.code,
      ),
    ),
  )
  assert.deepEqual(answers.sort(), ['parked', 'parked', 'served'])
})

test('a name that is none is refused, with the field', async () => {
  const client = await api.newClient()
  for (const domainName of [
    '',
    'localhost',
    '-a.example.com',
    'a..example.com',
    '*.example.com',
    'www.example.com',
    'co.uk',
    `${'a'.repeat(64)}.example.com`,
    'exämple.com',
  ]) {
    const refusal = await client.refusal(create, { domainName })
    assert.deepEqual([refusal.status, refusal.fields[0]?.path], [400, 'domainName'], domainName)
  }
})

test(`an account has up to ${LIMITS.sitesPerAccount} sites`, async () => {
  const client = await api.newClient({ planId: 'business' })
  for (let index = 0; index < LIMITS.sitesPerAccount; index++)
    await client.call(create, { domainName: `n${index}.test` })
  assert.equal((await client.refusal(create, { domainName: 'one-more.test' })).code, 900012)
})

test('sites that are added at once are not more than the account may have', async () => {
  const client = await api.newClient({ planId: 'business' })
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO site (organization_id, domain_name) SELECT $1, 'held-' || n || '.test' FROM generate_series(1, $2) n`,
      [client.organizationId, LIMITS.sitesPerAccount - 1],
    ),
  )
  const tries = await Promise.allSettled(
    Array.from({ length: 4 }, (_, n) => client.call(create, { domainName: `at-once-${n}.test` })),
  )
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('the list counts, searches, orders and pages', async () => {
  const client = await api.newClient()
  for (const domainName of ['blist.example', 'alist.example', 'other.example'])
    await client.call(create, { domainName })
  const first = await client.call(list, { search: 'list', ordering: 'domain_name', page_size: 1 })
  assert.deepEqual(
    [first.data.map((site) => site.domainName), first.meta],
    [['alist.example'], { total: 2, page: 1, pageSize: 1 }],
  )
  await client.call(dnsRecords.routes.create, {
    site: first.data[0]?.id ?? '',
    type: 'A',
    name: 'www',
    value: '203.0.113.1',
  })
  const all = await client.call(list, { ordering: '-record_count', page_size: -1 })
  assert.deepEqual(
    all.data.map((site) => site.recordCount),
    [1, 0, 0],
  )
  const pages = [1, 2].map((page) => client.call(list, { ordering: 'domain_name', page, page_size: 2 }))
  assert.deepEqual(
    (await Promise.all(pages)).map(({ data }) => data.map((site) => site.domainName)),
    [['alist.example', 'blist.example'], ['other.example']],
  )
  assert.equal((await client.refusal(list, { ordering: 'organization_id' })).status, 400)
})

test('one site is found by exactly its name, or its id; drafts apart from the others; never those of others', async () => {
  const [client, other] = [await api.newClient(), await api.newClient()]
  const { data } = await client.call(create, { domainName: 'exact.example' })
  await client.call(create, { domainName: 'inexact.example' })
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO site (organization_id, domain_name, claim, zone_status) VALUES ($1, 'begun.example', 'draft', 0)`,
      [client.organizationId],
    ),
  )
  const named = async (who: typeof client, input: { name?: string; draft?: 'true' | 'false' }) => {
    const { data: rows, meta } = await who.call(list, { ...input, ordering: 'domain_name' })
    assert.equal(meta.total, rows.length)
    return rows.map((site) => site.domainName)
  }
  assert.deepEqual(await named(client, { name: 'exact.example' }), ['exact.example'])
  assert.deepEqual(await named(client, { name: data.id }), ['exact.example'])
  assert.deepEqual(await named(client, { name: 'exact' }), [])
  assert.deepEqual(await named(other, { name: 'exact.example' }), [])
  assert.deepEqual(await named(other, { name: data.id }), [])
  assert.deepEqual(await named(client, { draft: 'true' }), ['begun.example'])
  assert.deepEqual(await named(client, { draft: 'false' }), ['exact.example', 'inexact.example'])
})

test('removing a site needs its name typed; then its documents are withdrawn and the name is kept for its organisation', async () => {
  const client = await api.newClient()
  const { data } = await client.call(create, { domainName: 'going.example' })
  await until(() => bodyOf('dns-zone', data.id))
  const refusal = await client.refusal(remove, { site: data.id, confirmName: 'other.example' })
  assert.deepEqual(
    [refusal.status, refusal.fields],
    [400, [{ path: 'confirmName', message: 'validation.matchInputString' }]],
  )
  await client.call(remove, { site: data.id, confirmName: 'going.example' })
  await until(async () => (await bodyOf('dns-zone', data.id)) === null)
  assert.equal((await client.refusal(get, { site: data.id })).status, 404)
  const entries = await client.call(auditLog.routes.list, {})
  assert.deepEqual(entries.data.map((entry) => entry.action).slice(0, 2), ['site.remove', 'site.create'])
  const { data: other } = await (await api.newClient()).call(create, { domainName: 'going.example' })
  assert.deepEqual([other.claim.state, 'reason' in other.claim && other.claim.reason], ['parked', 'reserved'])
  const { data: back } = await client.call(create, { domainName: 'going.example' })
  assert.deepEqual([back.claim.state, back.nameservers], ['served', data.nameservers])
})

test('who may not see sites is shown none, and nothing of one', async () => {
  const owner = await api.newClient()
  const { data } = await owner.call(create, { domainName: 'unseen.example' })
  const payer = await api.colleague(owner, ['ViewSubscription', 'EditSubscription'])
  assert.deepEqual(await payer.call(list, { page_size: -1 }), { data: [], meta: { total: 0, page: 1, pageSize: -1 } })
  assert.equal((await payer.refusal(get, { site: data.id })).code, 403)
  const viewer = await api.colleague(owner, ['ViewSite'])
  assert.equal((await viewer.call(list, {})).meta.total, 1)
})
