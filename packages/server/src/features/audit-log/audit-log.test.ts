import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type AuditFilter,
  type AuditLine,
  account,
  auditLog,
  auth,
  dnsRecords,
  organizations,
  plans,
  sites,
  supportTickets,
  versions,
} from '@fairway/contract'
import { writeAudit } from '../../http/write-audit.ts'
import { generate } from 'otplib'
import { until } from '../../testing/until.ts'
import { type ApiUnderTest, type Client, clientOf, send, startApiUnderTest } from '../../testing/api-under-test.ts'
import { verifyChain } from './chain.ts'
import { entriesBelow } from './store.ts'

const { detail, facets, list } = auditLog.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const asCsv = async (client: Client, filter: AuditFilter = {}) =>
  (await send(api.url, client.token, auditLog.routes.export, filter)).text()
const actions = (lines: AuditLine[]) => lines.map(({ action }) => action)

test('every change is there with who, from where, what and which version; newest first, found by search, in pages', async () => {
  const owner = await api.newClient()
  const editor = await api.colleague(owner, ['EditSite', 'ViewSite'])
  const site = (await owner.call(sites.routes.create, { domainName: 'audited.example' })).data.id
  const record = await editor.call(dnsRecords.routes.create, { site, type: 'A', name: 'www', value: '203.0.113.1' })
  const { data } = await owner.call(list, {})
  const [newest] = data
  assert.deepEqual(
    [newest?.action, newest?.user, newest?.source, newest?.siteId, newest?.siteName, newest?.version, newest?.ip],
    ['dnsRecord.create', editor.email, 'api', site, 'audited.example', record.meta.version, '127.0.0.1'],
  )
  assert.deepEqual(
    newest?.changes.map((change) => [change.entity, change.label, change.before, change.after?.['value']]),
    [['dns-record', 'A www', null, '203.0.113.1']],
  )
  assert.deepEqual(actions(data), ['dnsRecord.create', 'site.create', 'auth.login', 'auth.login'])
  assert.deepEqual((await owner.call(list, { search: 'login', page_size: 1, page: 2 })).meta, {
    total: 2,
    page: 2,
    pageSize: 1,
  })
  assert.deepEqual(actions((await owner.call(list, { search: editor.email, ordering: 'action' })).data), [
    'auth.login',
    'dnsRecord.create',
  ])
  assert.deepEqual(actions((await owner.call(list, { search: 'A www' })).data), ['dnsRecord.create'])
})

test('what is refused leaves no entry', async () => {
  const client = await api.newClient()
  await client.refusal(sites.routes.create, { domainName: 'fairway.test' })
  assert.deepEqual(actions((await client.call(list, {})).data), ['auth.login'])
})

test('filters: time, user, action, site, domain, source; each alone and together', async () => {
  const client = await api.newClient()
  const site = (await client.call(sites.routes.create, { domainName: 'filters.example' })).data.id
  const { data: record } = await client.call(dnsRecords.routes.create, {
    site,
    type: 'A',
    name: 'www',
    value: '203.0.113.1',
  })
  await client.call(dnsRecords.routes.update, { site, id: record.id, value: '203.0.113.2' })
  await api.database.system((tx) =>
    writeAudit(tx, {
      organizationId: client.organizationId,
      action: 'site.publish',
      userId: null,
      userLabel: 'someone@example.com',
      impostor: 'operator@example.com',
      source: 'system',
      changes: [],
      domain: 'www.filters.example',
    }),
  )
  const found = async (filter: AuditFilter) => actions((await client.call(list, { ...filter, ordering: 'at' })).data)
  assert.deepEqual(await found({ action: 'dnsRecord.update' }), ['dnsRecord.update'])
  assert.deepEqual(await found({ siteId: site }), ['site.create', 'dnsRecord.create', 'dnsRecord.update'])
  assert.deepEqual(await found({ who: 'operator@example.com' }), ['site.publish'])
  assert.deepEqual(await found({ source: 'system', domainName: 'WWW.filters.example' }), ['site.publish'])
  const entries = (await client.call(list, { ordering: 'at' })).data
  assert.deepEqual(await found({ from: entries[1]?.at, to: entries[3]?.at ?? '' }), ['site.create', 'dnsRecord.create'])
  assert.deepEqual(await found({ search: '%' }), [])
  assert.deepEqual(await client.call(facets, {}), {
    users: ['someone@example.com', client.email].toSorted(),
    actions: ['auth.login', 'dnsRecord.create', 'dnsRecord.update', 'site.create', 'site.publish'],
  })
})

test('what is no filter is refused at its field', async () => {
  const client = await api.newClient()
  const field = async (filter: Record<string, unknown>) => (await client.refusal(list, filter)).fields[0]?.path
  assert.equal(await field({ from: 'yesterday' }), 'from')
  assert.equal(await field({ siteId: 'x' }), 'siteId')
  assert.equal(await field({ source: 'thin air' }), 'source')
  assert.equal(await field({ ordering: 'hash' }), 'ordering')
  assert.equal(await field({ page_size: 5000 }), 'page_size')
})

test('an entry in detail: before and after, its place in the chain, and whether it can be taken back', async () => {
  const client = await api.newClient()
  const site = (await client.call(sites.routes.create, { domainName: 'detail.example' })).data.id
  const { data: record } = await client.call(dnsRecords.routes.create, {
    site,
    type: 'A',
    name: 'www',
    value: '203.0.113.1',
  })
  await client.call(dnsRecords.routes.update, { site, id: record.id, value: '203.0.113.2' })
  const [newest, before] = (await client.call(list, {})).data
  const entry = await client.call(detail, { number: newest?.id ?? '' })
  assert.deepEqual(
    [entry.changes[0]?.before?.['value'], entry.changes[0]?.after?.['value'], entry.revertible],
    ['203.0.113.1', '203.0.113.2', true],
  )
  assert.equal(entry.hashBefore, (await client.call(detail, { number: before?.id ?? '' })).hash)
  await client.call(versions.routes.revert, { site, number: String(entry.version) })
  assert.equal((await client.call(dnsRecords.routes.list, { site })).data[0]?.value, '203.0.113.1')
  assert.equal((await client.call(detail, { number: '1' })).revertible, false)
  for (const number of ['0', '99999', 'x', '1e3', '-1'])
    assert.equal((await client.refusal(detail, { number })).status, 404, number)
})

test('a list shows the first of many changes and their number, the detail all of them', async () => {
  const client = await api.newClient()
  const changes = Array.from({ length: 20 }, (_, n) => ({
    entity: 'dns-record',
    id: String(n),
    label: `A host${n}`,
    before: null,
    after: { value: '192.0.2.1' },
  }))
  await api.database.system((tx) =>
    writeAudit(tx, {
      organizationId: client.organizationId,
      action: 'zoneFile.apply',
      userId: null,
      userLabel: 'x',
      source: 'import',
      changes,
    }),
  )
  const [line] = (await client.call(list, {})).data
  assert.deepEqual(
    [line?.changes.length, line?.changeCount, (await client.call(detail, { number: line?.id ?? '' })).changes.length],
    [3, 20, 20],
  )
})

test('the whole log as a file: every entry once, quoted, and no formula for a spreadsheet', async () => {
  const client = await api.newClient()
  await api.database.system(async (tx) => {
    for (let n = 0; n < 2500; n++)
      await writeAudit(tx, {
        organizationId: client.organizationId,
        action: 'x.y',
        userId: null,
        userLabel: n === 7 ? '=cmd("a")' : `u${n}`,
        source: 'system',
        changes: n === 8 ? [{ entity: 'e', id: '1', label: 'l', before: { a: 1 }, after: { a: 'two, three' } }] : [],
      })
  })
  const text = await asCsv(client)
  const lines = text.replace('\uFEFF', '').split('\r\n')
  assert.deepEqual([lines[0]?.split(',').slice(0, 4), lines.length], [['number', 'at', 'user', 'done_by'], 2503])
  assert.deepEqual(
    lines.slice(1, -1).map((line) => Number(line.split(',')[0])),
    Array.from({ length: 2501 }, (_, n) => 2501 - n),
  )
  assert.ok(text.includes(`"'=cmd(""a"")"`))
  assert.ok(text.includes('"e l: a 1 → ""two, three"""'))
  assert.equal((await asCsv(client, { action: 'auth.login' })).split('\r\n').length, 3)
  const other = await api.newClient()
  assert.equal((await asCsv(other)).split('\r\n').length, 3)
})

test('entries of megabytes are read few at a time, and the file has every one of them', async () => {
  const client = await api.newClient()
  const { organizationId } = client
  // 30 entries with 2 MB each: more than three times what is read at once.
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO audit_log (organization_id, at, action, user_label, source, changes) SELECT $1, now(), 'zoneFile.apply', 'u' || n, 'import',
         jsonb_build_array(jsonb_build_object('entity', 'e', 'id', '1', 'label', 'l', 'before', NULL, 'after', jsonb_build_object('value', repeat(md5(n::text), 65536)))) FROM generate_series(1, 30) AS n`,
      [organizationId],
    ),
  )
  const first = await api.database.tenant(organizationId, (tx) => entriesBelow(tx, organizationId, {}, null, 1000))
  assert.ok(first.length > 1 && JSON.stringify(first).length < 20 << 20, `${first.length} entries`)
  assert.equal((await asCsv(client)).split('\r\n').length, 33)
  assert.equal((await asCsv(client, { action: 'zoneFile.apply' })).split('\r\n').length, 32)
  const report = await api.database.system((tx) => verifyChain(tx, organizationId, null))
  assert.deepEqual([report.entries, report.broken], [31, null])
})

test('whoever looks on is named with whom they act for', async () => {
  await api.newClient({ isOperator: true })
  const client = await api.newClient()
  await api.database.system((tx) =>
    tx.query(
      `UPDATE session SET impostor = 'operator@example.com', impostor_id = (SELECT id FROM app_user WHERE is_operator LIMIT 1) WHERE organization_id = $1`,
      [client.organizationId],
    ),
  )
  const { data: site, meta } = await client.call(sites.routes.create, { domainName: 'looked-on.example' })
  const [line] = (await client.call(list, {})).data
  assert.deepEqual([line?.user, line?.impostor], [client.email, 'operator@example.com'])
  assert.equal(
    (await client.call(versions.routes.get, { site: site.id, number: String(meta.version) })).author,
    `operator@example.com for ${client.email}`,
  )
})

test('what is no version is told with before and after as well', async () => {
  const client = await api.newClient()
  await client.call(account.routes.setLocale, { locale: 'zhHant' })
  await client.call(account.routes.updateProfile, { firstName: 'Anna', lastName: 'Example', menuOrder: 'web' })
  const [profile, locale] = (await client.call(list, {})).data
  assert.deepEqual(
    [locale?.action, locale?.changes[0]?.before?.['locale'], locale?.changes[0]?.after?.['locale'], locale?.version],
    ['account.locale', 'en', 'zhHant', null],
  )
  assert.deepEqual(
    [profile?.changes[0]?.before?.['first_name'], profile?.changes[0]?.after?.['first_name']],
    ['Ann', 'Anna'],
  )
  assert.ok(!JSON.stringify(profile).includes('password_hash'))
})

test('nobody who is not given the log reads it', async () => {
  const owner = await api.newClient()
  const other = await api.colleague(owner, ['ViewSite'])
  for (const route of [list, facets]) assert.equal((await other.refusal(route, {})).code, 403)
  assert.equal((await send(api.url, other.token, auditLog.routes.export, {})).status, 403)
  assert.equal((await other.call(account.routes.info, {})).permissions.includes('ViewAuditLog'), false)
})

test('twenty thousand entries: first and last page, filters and counts read few entries', async () => {
  const client = await api.newClient()
  await api.database.system(async (tx) => {
    await tx.query(
      `INSERT INTO audit_log (organization_id, at, action, user_label, source, changes) SELECT $1, now() - make_interval(secs => n), 'bulk.' || n % 40, 'person-' || n % 60 || '@example.com', 'console', '[{"entity":"dns-record","id":"1","label":"A www","before":null,"after":{"value":"192.0.2.1"}}]' FROM generate_series(1, 20000) AS n`,
      [client.organizationId],
    )
  })
  const page = async (input: Record<string, unknown>) => (await client.call(list, input)).meta.total
  assert.equal(await page({}), 20_001)
  assert.equal((await client.call(list, { page: 401 })).data.length, 1)
  assert.equal((await client.refusal(list, { page_size: -1 })).fields[0]?.path, 'page_size')
  assert.equal((await client.call(list, { page_size: -1, action: 'bulk.1' })).data.length, 500)
  assert.equal(await page({ who: 'person-1@example.com', action: 'bulk.1' }), 167)
  assert.deepEqual(
    [(await client.call(facets, {})).users.length, (await client.call(facets, {})).actions.length],
    [61, 41],
  )
  const plan = await api.database.tenant(client.organizationId, (tx) =>
    tx.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT a.number FROM audit_log a WHERE a.organization_id = '${client.organizationId}' ORDER BY a.at DESC, a.number DESC LIMIT 50`,
    ),
  )
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  assert.ok(/Index (Only )?Scan Backward/.test(text) && !/Sort/.test(text), text)
})

test('who failed to sign in, or to prove a second step, is found in the log of the organisation, with the address', async () => {
  const owner = await api.newClient()
  const anyone = clientOf(api.url, '')
  await anyone.refusal(auth.routes.login, { email: owner.email, password: 'Wrong-Horse-9' })
  const { secret } = await owner.call(account.routes.enableTotp, { password: 'Correct-Horse-9' })
  await owner.call(account.routes.verifyTotp, { code: await generate({ secret }) })
  const { ticket } = await anyone.call(auth.routes.login, { email: owner.email, password: 'Correct-Horse-9' })
  await anyone.refusal(auth.routes.secondStep, { stepTicket: ticket ?? '', recoveryCode: 'AAAA-AAAA-AAA2' })
  await owner.refusal(account.routes.renewRecoveryCodes, { password: 'Wrong-Horse-9' })
  const failed = await until(async () => {
    const { data } = await owner.call(list, { search: '-failed' })
    return data.length === 3 ? data : undefined
  })
  assert.deepEqual(
    failed.map(({ action, user, ip, source }) => [action, user, ip, source]),
    ['auth.proof-failed', 'auth.code-failed', 'auth.login-failed'].map((action) => [
      action,
      owner.email,
      '127.0.0.1',
      'console',
    ]),
  )
})

test('what the operator does to an organisation stands in its own log as well, credit included', async () => {
  const operator = await api.newClient({ isOperator: true })
  const customer = await api.newClient({ planId: 'business' })
  const organization = customer.organizationId
  await operator.call(plans.routes.grantCredit, { organization, amountMinor: 5_000, note: 'for the outage' })
  await operator.call(organizations.routes.manage, { organization, sandbox: false })
  const { id } = await customer.call(supportTickets.routes.create, { subject: 'Help', message: 'x' })
  await operator.call(supportTickets.routes.answer, { ticket: id, message: 'y' })
  for (const client of [customer, operator]) {
    const { data } = await client.call(list, { who: operator.email })
    assert.deepEqual(
      data.map(({ action }) => action).filter((action) => action !== 'auth.login'),
      ['ticket.answer', 'organization.manage', 'credit.grant'],
    )
  }
  const [grant] = (await customer.call(list, { action: 'credit.grant' })).data
  assert.deepEqual(grant?.changes[0]?.after, { amountMinor: 5_000, currency: 'USD', note: 'for the outage' })
})
