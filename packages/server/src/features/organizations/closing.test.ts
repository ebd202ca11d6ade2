import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { account, auth, dnsRecords, notifications, organizations, sites, teammates } from '@fairway/contract'
import { monthOf } from '@fairway/domain'
import { type ApiUnderTest, type Client, clientOf, send, startApiUnderTest } from '../../testing/api-under-test.ts'
import { lettersTo } from '../../testing/letters.ts'
import { type NodeUnderTest, startNodeUnderTest } from '../../testing/node-under-test.ts'
import { newWorld } from '../../testing/whole-world.ts'
import { addOnAllowances, runMonth } from '../billing/month-run.ts'
import { keepRecordings } from '../live-streams/keep-recordings.ts'
import { erasePerson, renamePerson } from '../teammates/erase-person.ts'
import { closeDue } from './close-due.ts'
import { takeBack } from './closing.ts'
import { EXPORTED, NOT_EXPORTED, NO_SECRETS, PERSONAL } from './export.ts'

const { close, info, keepOpen, profile, organization } = account.routes
const PASSWORD = 'Correct-Horse-9'
const DAY_MS = 86_400_000
let api: ApiUnderTest
let nodes: NodeUnderTest[]
before(async () => {
  api = await startApiUnderTest()
  nodes = [startNodeUnderTest(api, 'dns'), startNodeUnderTest(api, 'edge')]
})
after(async () => {
  await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))
  await api[Symbol.asyncDispose]()
})

const rowsOf = <Row extends Record<string, unknown>>(sql: string, values: unknown[] = []) =>
  api.database.system((tx) => tx.query<Row>(sql, values))
/** Of the tables, not of the rows. */
const asOwner = (statements: string[]) =>
  api.database.system(async (tx) => {
    for (const statement of ['RESET ROLE', ...statements]) await tx.query(statement)
  })
const nameOf = async (client: Client) => (await client.call(organization, {})).organizationName
const closes = async (client: Client) => client.call(close, { confirmName: await nameOf(client), password: PASSWORD })
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)
/** Until nothing of it is left to be removed. */
const dayComes = (days = 8) => closeDue(api.database, api.log, inDays(days))
const exported = async (client: Client) => {
  const response = await send(api.url, client.token, account.routes.export, {})
  return { status: response.status, text: await response.text() }
}

test('the whole of an organisation is exported: no row of another, no secret, every table thought of', async () => {
  const [one, other] = [await newWorld(api, 'Leaver'), await newWorld(api, 'Neighbour')]
  const { text } = await exported(one.client)
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
  assert.match(JSON.stringify(lines[0]), /raw logs/)
  const tables = new Set(lines.flatMap(({ table }) => (typeof table === 'string' ? [table] : [])))
  for (const table of ['site', 'dns_record', 'app_user', 'audit_log', 'webhook_endpoint', 'stream_asset', 'invoice'])
    assert.ok(tables.has(table), table)
  const zone = lines.find(({ zoneFile }) => zoneFile !== undefined)
  assert.match(String(zone?.['text']), /\bSOA\b/)
  assert.ok(!text.includes(other.client.organizationId) && !text.includes(other.client.email))
  const columns = await rowsOf<{ table: string; name: string }>(
    `SELECT c.relname AS "table", a.attname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND (c.relname = 'organization' OR EXISTS (SELECT FROM pg_attribute o WHERE o.attrelid = c.oid AND o.attname = 'organization_id'))`,
  )
  const known = new Set([...Object.keys(EXPORTED), ...Object.keys(NOT_EXPORTED)])
  assert.deepEqual(
    [...new Set(columns.map(({ table }) => table))].filter((table) => !known.has(table)),
    [],
  )
  const secrets = columns.filter(
    ({ table, name }) =>
      EXPORTED[table]?.includes(name) === false &&
      /hash|secret|sealed|token|password|private|_key$|order_url|payment_method/.test(name) &&
      !NO_SECRETS.includes(`${table}.${name}`),
  )
  assert.deepEqual(secrets, [])
  assert.deepEqual(
    columns
      .filter(({ table, name }) => name === 'user_id' && EXPORTED[table] && !PERSONAL.has(table))
      .map(({ table }) => table)
      .toSorted(),
    ['audit_log', 'bulk_job', 'support_ticket'],
  )
  const { organizationId: id } = one.client
  const [rule] = await rowsOf<{ sealed: string }>(
    `SELECT does->>'sealedKey' AS sealed FROM security_rule WHERE organization_id = $1 AND does ? 'sealedKey'`,
    [id],
  )
  assert.ok((rule?.sealed.length ?? 0) > 20 && !text.includes(rule?.sealed ?? '') && !text.includes('sealedKey'))
})

test('the export is for the owner, with nothing of colleagues and operators alone, and is told', async () => {
  const owner = await api.newClient()
  const { organizationId: id } = owner
  const helper = await api.colleague(owner, ['EditUser', 'ViewSite'])
  assert.equal((await helper.refusal(account.routes.export, {})).code, 1482)
  assert.equal((await exported(await api.colleague(owner, ['ViewSite']))).status, 403)
  const phones = await rowsOf<{ email: string }>(
    `UPDATE app_user SET phone_number = CASE WHEN is_owner THEN '+49 30 1' ELSE '+49 30 2' END WHERE organization_id = $1 RETURNING email`,
    [id],
  )
  assert.equal(phones.length, 3)
  await rowsOf(
    `UPDATE session SET agent = 'of ' || (SELECT email FROM app_user u WHERE u.id = user_id) WHERE organization_id = $1`,
    [id],
  )
  await rowsOf(
    `INSERT INTO notification (organization_id, user_id, audience, type, level, event, fields)
     SELECT $1, id, NULL, 'account', 'info', 'password-changed', jsonb_build_object('ip', 'personal to ' || email) FROM app_user WHERE organization_id = $1
     UNION ALL SELECT $1, NULL, 'operator', 'account', 'info', 'mail-failing', '{"problem":"of the house"}'`,
    [id],
  )
  await rowsOf(
    `INSERT INTO credit_grant (organization_id, kind, amount_minor, currency, granted_by) VALUES ($1, 'grant', 1, 'EUR', 'staff of the house')`,
    [id],
  )
  const { text } = await exported(owner)
  for (const own of ['+49 30 1', `of ${owner.email}`, `personal to ${owner.email}`, helper.email])
    assert.ok(text.includes(own), own)
  for (const foreign of ['+49 30 2', `of ${helper.email}`, `personal to ${helper.email}`, 'of the house'])
    assert.ok(!text.includes(foreign), foreign)
  assert.deepEqual(
    await rowsOf(
      `SELECT user_label, ip IS NOT NULL AS has_ip FROM audit_log WHERE organization_id = $1 AND action = 'organization.export'`,
      [id],
    ),
    [{ user_label: owner.email, has_ip: true }],
  )
  const bell = async (of: Client) =>
    (await of.call(notifications.routes.list, {})).data.filter(({ event }) => event === 'organization-exported').length
  assert.deepEqual([await bell(owner), await bell(helper)], [1, 0])
})

test('a suspended organisation waits, operators keep it open, and its owner has the days again', async () => {
  const client = await api.newClient()
  const operator = await api.newClient({ isOperator: true })
  const { organizationId: id } = client
  const { get, keepOpen: keep, update } = organizations.routes
  assert.equal((await operator.refusal(keep, { organization: id })).code, 7409)
  await closes(client)
  await operator.call(update, { organization: id, suspended: true })
  assert.equal(await dayComes(), 0)
  assert.deepEqual(await rowsOf('SELECT closed_at FROM organization WHERE id = $1', [id]), [{ closed_at: null }])
  await rowsOf(`UPDATE organization SET closing_at = now() - interval '1 day' WHERE id = $1`, [id])
  await operator.call(update, { organization: id, suspended: false })
  assert.equal(await dayComes(6), 0)
  const row = await operator.call(get, { organization: id })
  assert.ok(row.may.keepOpen && Date.parse(row.closesAt ?? '') > inDays(6).getTime())
  assert.equal((await client.refusal(keep, { organization: id })).status, 403)
  const kept = await operator.call(keep, { organization: id })
  assert.deepEqual([kept.closesAt, kept.may.keepOpen], [null, false])
  const logs = await rowsOf<{ organization_id: string }>(
    `SELECT organization_id FROM audit_log WHERE action = 'organization.keepOpen' AND changes->0->>'id' = $1`,
    [id],
  )
  assert.deepEqual(new Set(logs.map((one) => one.organization_id)), new Set([id, operator.organizationId]))
  assert.equal((await client.call(info, {})).closing, null)
})

test('an organisation is closed by its owner, taken back, closed again, and on the day all of it goes', async () => {
  const { client, site } = await newWorld(api, 'Closer')
  const helper = await api.colleague(client, ['EditUser', 'ViewSite'])
  const stranger = await api.newClient()
  const confirmName = await nameOf(client)
  const neighbour = (await stranger.call(sites.routes.create, { domainName: 'stays-open.example' })).data.id
  assert.equal((await helper.refusal(close, { confirmName, password: PASSWORD })).code, 1482)
  assert.equal((await client.refusal(close, { confirmName: 'Another', password: PASSWORD })).status, 400)
  assert.equal((await client.refusal(close, { confirmName, password: 'Wrong-Horse-9' })).status, 400)
  assert.equal((await client.refusal(keepOpen, {})).code, 7409)
  const { closesAt } = await closes(client)
  assert.ok(Math.abs(Date.parse(closesAt) - inDays(7).getTime()) < 60_000)
  assert.equal((await client.refusal(close, { confirmName, password: PASSWORD })).code, 7409)
  assert.deepEqual((await helper.call(info, {})).closing, { at: closesAt, mayKeepOpen: false })
  assert.deepEqual((await client.call(info, {})).closing, { at: closesAt, mayKeepOpen: true })
  const told = async (of: Client) =>
    (await of.call(notifications.routes.list, {})).data.filter(({ event }) => event === 'organization-closing')
  assert.equal((await told(helper)).length, 1)
  assert.ok((await lettersTo(api, helper.email)).some(({ template }) => template === 'notification'))
  assert.equal((await helper.refusal(keepOpen, {})).code, 1482)
  await dayComes(6)
  await client.call(keepOpen, {})
  assert.equal((await client.call(info, {})).closing, null)
  assert.notEqual((await told(helper))[0]?.endedAt, null)
  await dayComes()
  await client.call(dnsRecords.routes.list, { site })

  await closes(client)
  const { organizationId: id } = client
  const second = (await client.call(sites.routes.create, { domainName: 'second-of-closer.example' })).data.id
  // Of another owner by then, who is written to; a video that is being replaced, and a recording that is not whole.
  await rowsOf(
    `INSERT INTO stream_asset (organization_id, name, size, created_by, replaces, edition) SELECT organization_id, name, size, created_by, id, 1 FROM stream_asset WHERE organization_id = $1 AND replaces IS NULL`,
    [id],
  )
  await rowsOf(
    `INSERT INTO stream_recording (organization_id, live_id, facts) SELECT organization_id, id, '{"renditions":[],"hasAudio":false}' FROM stream_live WHERE organization_id = $1`,
    [id],
  )
  await rowsOf(
    `INSERT INTO addon (id, category, name, description, prices, allowances) VALUES ('closing-queries', 'test', '{}', '{}', '{}', '{"dnsQuery": 100000000000}')`,
  )
  await rowsOf(
    `INSERT INTO addon_subscription (organization_id, addon_id, started_at) VALUES ($1, 'closing-queries', date_trunc('month', now()))`,
    [id],
  )
  await rowsOf(
    `UPDATE billing_account SET billed = true, billed_until = date_trunc('month', now()) WHERE organization_id = $1`,
    [id],
  )
  assert.equal(await dayComes(), 1)
  const [waits] = await rowsOf<{ problem: string; open: boolean }>(
    'SELECT closing_problem AS problem, closing_at IS NOT NULL AS open FROM organization WHERE id = $1',
    [id],
  )
  assert.match(waits?.problem ?? '', /recordings/)
  // A call that had begun before may not take back what is closed.
  await assert.rejects(
    api.database.system(async (tx) => {
      const [held] = await tx.query<{ closing_at: Date; closed_at: Date }>(
        'SELECT closing_at, closed_at FROM organization WHERE id = $1',
        [id],
      )
      if (held) await takeBack(tx, id, held, new Date())
    }),
    { code: 7409 },
  )
  // Nobody is there to seal it: after a day it becomes a video as it is, so that its files are removed.
  const moved = `UPDATE organization SET closed_at = closed_at + $2::interval WHERE id = $1`
  await rowsOf(moved, [id, '-25 hours'])
  assert.equal(await dayComes(), 1)
  await rowsOf(moved, [id, '25 hours'])
  await keepRecordings(api.database)
  assert.equal(await dayComes(), 0)
  assert.equal((await client.refusal(info, {})).status, 401)
  const left = async (table: string) => (await rowsOf(`SELECT FROM ${table} WHERE organization_id = $1`, [id])).length
  for (const table of [
    'site',
    'app_user',
    'session',
    'api_key',
    'webhook_endpoint',
    'invitation',
    'byo_cdn_key',
    'cdn',
  ])
    assert.equal(await left(table), 0, table)
  assert.equal(
    (await rowsOf('SELECT FROM stream_asset WHERE organization_id = $1 AND deleted_at IS NULL', [id])).length,
    0,
  )
  // Nodes stop answering: the zones are withdrawn, or wait for that.
  for (const zone of [site, second])
    assert.deepEqual(
      await rowsOf(
        `SELECT FROM publication p WHERE p.kind = 'dns-zone' AND p.key = $1 AND p.body IS NOT NULL AND NOT EXISTS (SELECT FROM outbox o WHERE o.kind = 'dns-zone' AND o.key = $1)`,
        [zone],
      ),
      [],
    )
  const kept = await rowsOf<{ name: string; closed: boolean; closing_at: Date | null }>(
    'SELECT name, closed_at IS NOT NULL AS closed, closing_at FROM organization WHERE id = $1',
    [id],
  )
  assert.deepEqual(kept, [{ name: confirmName, closed: true, closing_at: null }])
  const actions = await rowsOf<{ action: string }>(
    `SELECT action FROM audit_log WHERE organization_id = $1 AND action IN ('organization.close', 'organization.keepOpen', 'site.remove') ORDER BY number`,
    [id],
  )
  assert.deepEqual(
    actions.map(({ action }) => action),
    [
      'organization.close',
      'organization.keepOpen',
      'organization.close',
      'site.remove',
      'site.remove',
      'organization.close',
    ],
  )
  const ended = await rowsOf<{ claims: number }>(
    'SELECT count(*)::int AS claims FROM claimed_name WHERE organization_id = $1 AND ended_at IS NOT NULL AND reserved_until > now()',
    [id],
  )
  assert.ok((ended[0]?.claims ?? 0) > 0)
  assert.equal((await stranger.call(sites.routes.get, { site: neighbour })).domainName, 'stays-open.example')
  assert.equal(
    (await clientOf(api.url, '').refusal(auth.routes.login, { email: client.email, password: PASSWORD })).status,
    401,
  )

  // What was used until then is billed once, nothing ahead, and told to whoever closed it.
  const invoices = () =>
    rowsOf<{ kind: string }>(
      `SELECT l.kind FROM invoice i JOIN invoice_line l ON l.invoice_id = i.id WHERE i.organization_id = $1 AND l.kind = 'plan' AND i.posted_at > now()`,
      [id],
    )
  await rowsOf(
    `INSERT INTO usage_day (organization_id, day, meter, site_id, domain_id, cdn_id, used) SELECT $1, current_date, 'dnsQuery', $2, $2, '', 1e12 ON CONFLICT DO NOTHING`,
    [id, site],
  )
  // What an add-on was paid for the month counts for all of it.
  const month = monthOf(Date.now())
  assert.deepEqual(await api.database.system((tx) => addOnAllowances(tx, id, month)), [{ dnsQuery: 1e11 }])
  assert.deepEqual(await rowsOf('SELECT ended_at FROM addon_subscription WHERE organization_id = $1', [id]), [
    { ended_at: null },
  ])
  await runMonth(api.config, api.database, api.log, inDays(100))
  assert.deepEqual(await invoices(), [])
  assert.ok((await lettersTo(api, client.email)).some(({ template }) => template === 'invoice'))

  const operator = await api.newClient({ isOperator: true })
  const row = await operator.call(organizations.routes.get, { organization: id })
  assert.ok(row.closedAt !== null && !row.may.lift)
  assert.equal((await operator.refusal(organizations.routes.update, { organization: id, suspended: false })).code, 7409)
  await dayComes(80)
  assert.deepEqual(await rowsOf('SELECT closing_by FROM organization WHERE id = $1', [id]), [{ closing_by: null }])
})

test('what cannot be removed is told, keeps nothing else, and is tried again', async () => {
  const [client, behind] = [await api.newClient(), await api.newClient()]
  for (const domainName of ['stubborn.example', 'too-large.example', 'willing.example'])
    await client.call(sites.routes.create, { domainName })
  await closes(client)
  await closes(behind)
  const { organizationId: id } = client
  await asOwner([
    `CREATE FUNCTION stubborn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF OLD.domain_name = 'too-large.example' THEN RAISE EXCEPTION 'out of memory' USING ERRCODE = '53200'; END IF;
       RAISE EXCEPTION 'not now'; END $$`,
    `CREATE TRIGGER stubborn BEFORE DELETE ON site FOR EACH ROW WHEN (OLD.domain_name IN ('stubborn.example', 'too-large.example')) EXECUTE FUNCTION stubborn()`,
  ])
  assert.equal(await dayComes(), 1)
  const names = async () =>
    (
      await rowsOf<{ name: string }>(
        'SELECT domain_name AS name FROM site WHERE organization_id = $1 ORDER BY domain_name',
        [id],
      )
    ).map(({ name }) => name)
  assert.deepEqual(await names(), ['stubborn.example', 'too-large.example'])
  const people = (of: string) => rowsOf('SELECT FROM app_user WHERE organization_id = $1', [of])
  assert.deepEqual([(await people(id)).length, (await people(behind.organizationId)).length], [1, 0])
  const operator = await api.newClient({ isOperator: true })
  const { closingProblem } = await operator.call(organizations.routes.get, { organization: id })
  assert.match(closingProblem ?? '', /stubborn\.example: .*not now/)
  assert.match(closingProblem ?? '', /too-large\.example: .*out of memory/)
  // Nobody comes in meanwhile.
  assert.equal((await client.refusal(info, {})).status, 401)
  await asOwner(['DROP TRIGGER stubborn ON site'])
  assert.equal(await dayComes(), 0)
  assert.deepEqual(await names(), [])
})

test("who looks after others' organisations, or runs the installation, does not close", async () => {
  const operator = await api.newClient({ isOperator: true })
  const confirmName = await nameOf(operator)
  assert.equal((await operator.refusal(close, { confirmName, password: PASSWORD })).code, 1487)
  const partner = await api.newClient()
  await rowsOf(
    'UPDATE app_user SET administers_partner_id = (SELECT partner_id FROM organization WHERE id = $1) WHERE organization_id = $1',
    [partner.organizationId],
  )
  assert.equal((await partner.refusal(close, { confirmName: await nameOf(partner), password: PASSWORD })).code, 1486)
  // What would be refused is not offered.
  for (const [client, mayClose] of [
    [operator, false],
    [partner, false],
    [await api.newClient(), true],
  ] as const) {
    const offered = await client.call(organization, {})
    assert.deepEqual([offered.mayClose, offered.mayExport], [mayClose, true])
  }
})

const tablesWith = async (text: string) => {
  const tables = await rowsOf<{ table: string }>(
    `SELECT c.relname AS "table" FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname NOT IN ('login_attempt')`,
  )
  const found: string[] = []
  for (const { table } of tables)
    if ((await rowsOf(`SELECT FROM ${table} t WHERE strpos(t::text, $1) > 0 LIMIT 1`, [text])).length > 0)
      found.push(table)
  return found.toSorted()
}
const idOf = async (client: Client) => (await client.call(info, {})).customerId

test('nor does one that was handed over, had another address, and was removed by a teammate', async () => {
  const owner = await api.newClient()
  const heir = await api.colleague(owner, [])
  const { data } = await owner.call(sites.routes.create, { domainName: 'handed-over.example' })
  await closes(owner)
  await owner.call(teammates.routes.transferOwnership, { id: await idOf(heir), password: PASSWORD })
  const { verifyMessage, sendMessage } = account.routes
  const wanted = `moved-${owner.email}`
  await owner.call(sendMessage, { email: wanted, password: PASSWORD })
  await owner.call(verifyMessage, { code: String((await lettersTo(api, wanted))[0]?.fields['code']) })
  assert.deepEqual(await rowsOf('SELECT closing_by FROM organization WHERE id = $1', [owner.organizationId]), [
    { closing_by: wanted },
  ])
  await heir.call(teammates.routes.remove, { id: await idOf(owner) })
  // Letters are forgotten as they age.
  assert.deepEqual(await tablesWith(owner.email), ['audit_log', 'mail_message'])
  assert.deepEqual(await rowsOf('SELECT DISTINCT author FROM version WHERE site_id = $1', [data.id]), [
    { author: 'deleted account' },
  ])
  assert.equal(await dayComes(), 0)
  assert.deepEqual(await rowsOf('SELECT closing_by FROM organization WHERE id = $1', [owner.organizationId]), [
    { closing_by: heir.email },
  ])
})

test('who looked on as others is erased there, too, and nobody whose address ends alike', async () => {
  const house = await api.newClient({ isOperator: true })
  const helper = await api.colleague(house, ['ViewSite'])
  const alike = `x${helper.email}`
  await rowsOf('UPDATE app_user SET is_operator = true WHERE email = $1', [helper.email])
  const customer = await api.newClient()
  const { url } = await helper.call(organizations.routes.loginAs, { user: await idOf(customer) })
  const token = new URL(url).pathname.split('/').at(-1) ?? ''
  const { jwtToken } = await clientOf(api.url, '').call(auth.routes.loginAs, { token })
  const { data } = await clientOf(api.url, jwtToken).call(sites.routes.create, { domainName: 'looked-on.example' })
  await rowsOf(
    `INSERT INTO version (organization_id, site_id, number, title, author, source, kinds, changes) SELECT organization_id, site_id, number + 1000, title, $2, source, kinds, changes FROM version WHERE site_id = $1 ORDER BY number DESC LIMIT 1`,
    [data.id, `${alike} for ${customer.email}`],
  )
  await rowsOf('UPDATE app_user SET is_operator = false WHERE email = $1', [helper.email])
  await house.call(teammates.routes.remove, { id: await idOf(helper) })
  const authors = await rowsOf<{ author: string }>('SELECT DISTINCT author FROM version WHERE site_id = $1', [data.id])
  assert.deepEqual(authors.map(({ author }) => author).toSorted(), [
    `deleted account for ${customer.email}`,
    `${alike} for ${customer.email}`,
  ])
  const left = await rowsOf(
    `SELECT impostor FROM session WHERE organization_id = $1 AND impostor = $2 UNION ALL SELECT fields->>'by' FROM notification WHERE organization_id = $1 AND fields->>'by' = $2`,
    [customer.organizationId, helper.email],
  )
  assert.deepEqual(left, [])
})

test('who decided or confirmed something is erased there, too: an operator, or one who was and has granted credit', async () => {
  const house = await api.newClient({ isOperator: true })
  const { data } = await (await api.newClient()).call(sites.routes.create, { domainName: 'decided-on.example' })
  for (const isStill of [true, false]) {
    const person = await api.colleague(house, ['ViewSite'])
    await rowsOf('UPDATE app_user SET is_operator = $2 WHERE email = $1', [person.email, isStill])
    await rowsOf(
      `WITH customer AS (SELECT organization_id AS id FROM site WHERE id = $2)
       , review AS (INSERT INTO cdn_review (organization_id, domain_id, cdn_id, requested_by, decided_by)
           SELECT organization_id, id, $3, 'x', $1 FROM domain WHERE site_id = $2 LIMIT 1)
       , credit AS (INSERT INTO credit_grant (organization_id, kind, amount_minor, currency, granted_by) SELECT id, 'grant', 1, 'EUR', $1 FROM customer)
       INSERT INTO operator_hold (kind, detail, confirmed_at, confirmed_by) VALUES ('clock', '{}', now(), $1)`,
      [person.email, data.id, `of-${isStill}`],
    )
    if (!isStill)
      await rowsOf(
        `INSERT INTO audit_log (organization_id, action, user_id, user_label, source, changes) VALUES ($1, 'credit.grant', $2, $3, 'console', '[]')`,
        [house.organizationId, await idOf(person), person.email],
      )
    await api.database.system(async (tx) =>
      erasePerson(tx, { id: await idOf(person), email: person.email, organizationId: house.organizationId }),
    )
    // The ledger keeps who granted credit, and hands it to nobody.
    assert.deepEqual(await tablesWith(person.email), ['audit_log', 'credit_grant'])
  }
})

test('whose address changes is looked for by indexes, and no large table is read whole', async () => {
  const client = await api.newClient()
  const person = { id: await idOf(client), email: client.email, organizationId: client.organizationId }
  const read = await api.database.system(async (tx) => {
    const reads = () =>
      tx.query<{ table: string; n: number }>(
        `SELECT relname AS "table", seq_scan::int AS n FROM pg_stat_xact_user_tables ORDER BY relname`,
      )
    await tx.query('SET LOCAL enable_seqscan = off')
    const before = new Map((await reads()).map(({ table, n }) => [table, n]))
    await renamePerson(tx, person, `renamed-${client.email}`)
    return (await reads()).filter(({ table, n }) => n > (before.get(table) ?? 0))
  })
  assert.deepEqual(
    read.map(({ table }) => table),
    ['cdn_review', 'operator_hold'],
  )
})

test('a deleted account leaves nothing personal but what the audit log has recorded', async () => {
  const owner = await api.newClient()
  const person = await api.colleague(owner, ['ViewSite', 'EditSite', 'AddSite'])
  const { data } = await person.call(sites.routes.create, { domainName: 'left-behind.example' })
  assert.equal((await owner.call(profile, {})).mayLeave, false)
  assert.equal((await owner.refusal(teammates.routes.leave, { email: owner.email, password: PASSWORD })).code, 1488)
  await person.call(teammates.routes.leave, { email: person.email, password: PASSWORD })
  assert.equal((await person.refusal(info, {})).status, 401)
  assert.equal(
    (await clientOf(api.url, '').refusal(auth.routes.login, { email: person.email, password: PASSWORD })).status,
    401,
  )
  assert.deepEqual(await tablesWith(person.email), ['audit_log'])
  assert.deepEqual(await rowsOf('SELECT DISTINCT author FROM version WHERE site_id = $1', [data.id]), [
    { author: 'deleted account' },
  ])
})
