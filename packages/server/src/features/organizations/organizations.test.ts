import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toJSONSchema } from 'zod'
import {
  account,
  auditLog,
  auth,
  notifications,
  organizations,
  operatorArea,
  overview,
  partners,
  sessions,
  sites,
  supportTickets,
  teammates,
  type AnyRoute,
} from '@fairway/contract'
import { clientOf, send, startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { everyRoute } from '../../testing/every-route.ts'
import { liftSuspension } from './lift-suspension.ts'

const { get, list, loginAs, manage, setOwner, setRole, suspendUser, update, users } = organizations.routes
let api: ApiUnderTest
let operator: Client
before(async () => {
  api = await startApiUnderTest()
  operator = await api.newClient({ isOperator: true })
})
after(() => api[Symbol.asyncDispose]())

/** A partner with somebody who administers it and a customer. */
async function newPartner(name: string): Promise<{ id: string; administrator: Client; customer: Client }> {
  const { id } = await operator.call(partners.routes.create, {
    companyName: name,
    hostName: `${name.toLowerCase()}.example.test`,
    brandColor: '#0b6e4f',
  })
  const [administrator, customer] = [await api.newClient(), await api.newClient()]
  for (const client of [administrator, customer])
    await operator.call(manage, { organization: client.organizationId, partnerId: id })
  await operator.call(setRole, { user: await idOf(administrator), isOperator: false, administersPartner: true })
  return { id, administrator, customer }
}
const idOf = async (client: Client): Promise<string> => (await client.call(account.routes.info, {})).customerId
/** Also of somebody who cannot ask any more. */
const storedIdOf = async ({ email }: Client): Promise<string> =>
  (await api.database.system((tx) => tx.query<{ id: string }>('SELECT id FROM app_user WHERE email = $1', [email])))[0]
    ?.id ?? ''
const tokenOf = (url: string): string => url.split('/').at(-1) ?? ''

test('the operator finds organisations by name, user and site, and filters them', async () => {
  const client = await api.newClient({ planId: 'business' })
  await api.database.system((tx) =>
    tx.query(`UPDATE organization SET name = 'Zephyr Shop' WHERE id = $1`, [client.organizationId]),
  )
  await client.call(sites.routes.create, { domainName: 'zephyr-shop.example' })
  for (const search of ['zephyr sh', client.email, 'zephyr-shop.ex', client.organizationId])
    assert.deepEqual(
      (await operator.call(list, { search })).data.map(({ name }) => name),
      ['Zephyr Shop'],
      search,
    )
  const [row] = (await operator.call(list, { search: 'Zephyr', plan: 'business', state: 'active' })).data
  assert.deepEqual(
    [row?.siteCount, row?.userCount, row?.planName, row?.partnerName, row?.suspended],
    [1, 1, 'Business', 'Fairway', false],
  )
  assert.equal((await operator.call(list, { search: 'Zephyr', plan: 'developer' })).meta.total, 0)
  assert.equal((await operator.call(list, { search: 'Zephyr', state: 'suspended' })).meta.total, 0)
  assert.equal((await operator.refusal(list, { ordering: 'secret' })).status, 400)
})

test('a suspended organisation is closed at once and opens again; both audit logs tell it', async () => {
  const client = await api.newClient()
  await operator.call(update, { organization: client.organizationId, suspended: true })
  assert.equal((await client.refusal(account.routes.info, {})).code, 1451)
  await operator.call(update, { organization: client.organizationId, suspended: false })
  const told = (await client.call(auditLog.routes.list, {})).data.filter(
    ({ action }) => action === 'organization.update',
  )
  assert.deepEqual(
    told.map(({ user }) => user),
    [operator.email, operator.email],
  )
  assert.ok((await operator.call(auditLog.routes.list, {})).data.some(({ action }) => action === 'organization.update'))
  assert.equal((await operator.refusal(update, { organization: operator.organizationId, suspended: true })).code, 7409)
})

test('plan, status, partner and sandbox are changed, and only to what there is', async () => {
  const client = await api.newClient({ planId: 'developer' })
  const organization = client.organizationId
  assert.equal((await operator.call(update, { organization, planId: 'enterprise' })).planName, 'Enterprise')
  assert.equal((await client.call(account.routes.info, {})).organizationCode, 'EnterpriseCustomer')
  assert.equal((await operator.refusal(update, { organization, planId: 'nothing' })).code, 7499)
  assert.equal((await operator.call(manage, { organization, status: 'payment_failed' })).status, 'payment_failed')
  assert.equal((await operator.refusal(manage, { organization, partnerId: crypto.randomUUID() })).code, 7499)
  assert.equal((await operator.refusal(manage, { organization, status: 'gone' as 'active' })).status, 400)
  assert.equal((await operator.call(manage, { organization, sandbox: true })).sandbox, true)
  assert.equal((await client.refusal(sites.routes.create, { domainName: 'read-only.example' })).status, 403)
  assert.equal((await operator.refusal(get, { organization: crypto.randomUUID() })).status, 404)
})

test('people are suspended and made operators, but nobody locks themselves out', async () => {
  const client = await api.newClient()
  const user = await idOf(client)
  assert.equal((await operator.call(suspendUser, { user, suspended: true })).suspended, true)
  const signIn = { email: client.email, password: 'Correct-Horse-9' }
  assert.equal((await client.refusal(account.routes.info, {})).code, 401)
  assert.equal((await clientOf(api.url, '').refusal(auth.routes.login, signIn)).code, 1461)
  await operator.call(suspendUser, { user, suspended: false })
  const again = clientOf(api.url, (await clientOf(api.url, '').call(auth.routes.login, signIn)).jwtToken)
  assert.equal((await operator.call(setRole, { user, isOperator: true, administersPartner: false })).isOperator, true)
  await again.call(operatorArea.routes.overview, {})
  await operator.call(setRole, { user, isOperator: false, administersPartner: false })
  assert.equal((await again.refusal(operatorArea.routes.overview, {})).status, 403)
  const own = await idOf(operator)
  assert.equal((await operator.refusal(suspendUser, { user: own, suspended: true })).code, 7409)
  assert.equal(
    (await operator.refusal(setRole, { user: own, isOperator: false, administersPartner: false })).code,
    7409,
  )
  assert.deepEqual(
    (await operator.call(users, { role: 'operator', search: operator.email })).data.map(({ id }) => id),
    [own],
  )
})

test("a partner's people see their own customers and nobody else's, in every route that reaches beyond an organisation", async () => {
  const [one, other] = [await newPartner('Cumulus'), await newPartner('Stratus')]
  const ticket = (
    await other.customer.call(supportTickets.routes.create, { subject: 'Private matter', message: 'Hello' })
  ).id
  const { administrator } = one
  const own = new Set([one.administrator.organizationId, one.customer.organizationId])
  assert.deepEqual(new Set((await administrator.call(list, { page_size: -1 })).data.map(({ id }) => id)), own)
  assert.ok(
    (await administrator.call(users, { page_size: -1 })).data.every(({ organizationId }) => own.has(organizationId)),
  )
  assert.ok(
    (await administrator.call(operatorArea.routes.audit, { page_size: 100 })).data.every(({ organizationId }) =>
      own.has(organizationId),
    ),
  )
  assert.equal((await administrator.call(supportTickets.routes.all, {})).meta.total, 0)
  // Every route with another partner's identifiers: not there. Every route that is the operator's: closed.
  const ids: Record<string, string> = {
    organization: other.customer.organizationId,
    user: await idOf(other.customer),
    ticket,
    partner: other.id,
  }
  const bodies: Record<string, object> = {
    update: { suspended: true },
    suspendUser: { suspended: true },
    setOwner: { user: crypto.randomUUID() },
    answer: { message: 'x' },
    setState: { state: 'closed' },
    'white-label.update': { serviceDomain: null, cnameHost: null, senderAddress: null, senderName: null },
  }
  let tried = 0
  for (const { name, route, params } of everyRoute.filter((entry) => entry.route.scope)) {
    if (route.scope === 'partner' && !params.length) continue
    const input = {
      ...(bodies[name] ?? bodies[name.split('.')[1] ?? '']),
      ...Object.fromEntries(params.map((param) => [param, ids[param] ?? crypto.randomUUID()])),
    }
    const response = await send(api.url, administrator.token, route as AnyRoute, input)
    assert.equal(response.status, route.scope === 'partner' ? 404 : 403, `${name} ${await response.text()}`)
    tried++
  }
  assert.ok(tried > 20, `${tried}`)
  assert.equal((await other.customer.call(account.routes.info, {})).organizationName, 'Example')
})

test("a partner's people suspend, change plans and answer tickets of their own customers", async () => {
  const { administrator, customer } = await newPartner('Nimbus')
  const organization = customer.organizationId
  const { id } = await customer.call(supportTickets.routes.create, { subject: 'Help', message: 'Please' })
  assert.equal(
    (await administrator.call(supportTickets.routes.answer, { ticket: id, message: 'Here you are' })).state,
    'answered',
  )
  // They choose among the plans, and count their own customers only.
  assert.equal(
    (await administrator.call(operatorArea.routes.plans, {})).data.reduce(
      (sum, plan) => sum + plan.organizationCount,
      0,
    ),
    2,
  )
  assert.equal((await administrator.call(update, { organization, planId: 'developer' })).planId, 'developer')
  await administrator.call(update, { organization, suspended: true })
  assert.equal((await customer.refusal(account.routes.info, {})).code, 1451)
  await administrator.call(update, { organization, suspended: false })
  await administrator.call(suspendUser, { user: await idOf(customer), suspended: true })
  assert.equal((await administrator.refusal(manage, { organization, sandbox: true })).status, 403)
})

test("moved to another partner, an organisation's people administer nothing any more", async () => {
  const one = await newPartner('Altus')
  const { id } = await newPartner('Cirrus')
  await operator.call(manage, { organization: one.administrator.organizationId, partnerId: id })
  assert.equal((await one.administrator.refusal(list, {})).status, 403)
})

test('a login-as link opens one short session that everything tells of as "A for B"', async () => {
  const client = await api.newClient()
  const user = await idOf(client)
  const { url } = await operator.call(loginAs, { user })
  assert.match(new URL(url).pathname, new RegExp(`^/loginas/${user}/${client.organizationId}/[\\w-]{43}$`))
  const anyone = clientOf(api.url, '')
  const signedIn = await anyone.call(auth.routes.loginAs, { token: tokenOf(url) })
  assert.equal(signedIn.customerId, user)
  const looking = clientOf(api.url, signedIn.jwtToken)
  const info = await looking.call(account.routes.info, {})
  assert.deepEqual([info.email, info.impostor], [client.email, operator.email])
  await looking.call(sites.routes.create, { domainName: 'looked-on.example' })
  const entries = (await client.call(auditLog.routes.list, {})).data
  for (const action of ['auth.loginAs', 'site.create'])
    assert.deepEqual(
      entries.filter((entry) => entry.action === action).map((entry) => [entry.user, entry.impostor]),
      [[client.email, operator.email]],
      action,
    )
  assert.ok((await operator.call(auditLog.routes.list, {})).data.some((entry) => entry.action === 'user.loginAs'))
  const [session] = await api.database.system((tx) =>
    tx.query<{ seconds: number }>(
      'SELECT extract(epoch FROM expires_at - now())::int AS seconds FROM session WHERE impostor IS NOT NULL AND user_id = $1',
      [user],
    ),
  )
  assert.ok((session?.seconds ?? Infinity) <= 3600)
  assert.equal((await anyone.refusal(auth.routes.loginAs, { token: tokenOf(url) })).status, 401)
})

test('a login-as link runs out, and dies with the rights of whoever made it', async () => {
  const client = await api.newClient()
  const user = await idOf(client)
  const anyone = clientOf(api.url, '')
  const late = tokenOf((await operator.call(loginAs, { user })).url)
  await api.database.system((tx) => tx.query(`UPDATE app_token SET expires_at = now() WHERE purpose = 'login-as'`))
  assert.equal((await anyone.refusal(auth.routes.loginAs, { token: late })).status, 401)
  const second = await api.newClient({ isOperator: true })
  const token = tokenOf((await second.call(loginAs, { user })).url)
  await operator.call(setRole, { user: await idOf(second), isOperator: false, administersPartner: false })
  assert.equal((await anyone.refusal(auth.routes.loginAs, { token })).status, 401)
  assert.equal((await anyone.refusal(auth.routes.loginAs, { token: 'x'.repeat(43) })).status, 401)
})

test('a session by a login-as link ends with the rights of whoever looks on', async () => {
  const client = await api.newClient()
  const user = await idOf(client)
  for (const end of ['suspended', 'demoted', 'removed'] as const) {
    const supporter = await api.newClient({ isOperator: true })
    const { url } = await supporter.call(loginAs, { user })
    const { jwtToken } = await clientOf(api.url, '').call(auth.routes.loginAs, { token: tokenOf(url) })
    const looking = clientOf(api.url, jwtToken)
    await looking.call(account.routes.info, {})
    const events = await fetch(new URL(overview.routes.events.path, api.url), {
      headers: { authorization: `Bearer ${jwtToken}` },
      signal: AbortSignal.timeout(20_000),
    })
    const id = await idOf(supporter)
    if (end === 'suspended') await operator.call(suspendUser, { user: id, suspended: true })
    if (end === 'demoted') await operator.call(setRole, { user: id, isOperator: false, administersPartner: false })
    if (end === 'removed') await api.database.system((tx) => tx.query('DELETE FROM app_user WHERE id = $1', [id]))
    assert.equal((await looking.refusal(account.routes.info, {})).status, 401, end)
    // A row that is taken away by hand tells nobody.
    if (end === 'removed') await events.body?.cancel()
    else assert.match(await events.text(), /open/, end)
  }
  await client.call(account.routes.info, {})
})

test("a new password, and ending one's other sessions, end looks into accounts of others and links to them", async () => {
  const client = await api.newClient()
  const user = await idOf(client)
  const supporter = await api.newClient({ isOperator: true })
  const linkTo = async () => tokenOf((await supporter.call(loginAs, { user })).url)
  const look = async () => {
    const { jwtToken } = await clientOf(api.url, '').call(auth.routes.loginAs, { token: await linkTo() })
    return clientOf(api.url, jwtToken)
  }
  const isOver = async (looking: ReturnType<typeof clientOf>, token: string) => [
    (await looking.refusal(account.routes.info, {})).status,
    (await clientOf(api.url, '').refusal(auth.routes.loginAs, { token })).status,
  ]
  const [first, link] = [await look(), await linkTo()]
  assert.equal((await supporter.call(sessions.routes.removeOthers, {})).ended, 0)
  assert.deepEqual(await isOver(first, link), [401, 401])
  const [second, another] = [await look(), await linkTo()]
  await supporter.call(account.routes.password, {
    currentPassword: 'Correct-Horse-9',
    password: 'Correct-Horse-10',
  })
  assert.deepEqual(await isOver(second, another), [401, 401])
  await client.call(account.routes.info, {})
})

test("nobody looks on as an operator, as a partner's administrator without being operator, through another impostor, or as somebody suspended", async () => {
  const { administrator, customer } = await newPartner('Fog')
  const colleague = await api.newClient()
  await operator.call(manage, {
    organization: colleague.organizationId,
    partnerId: (await operator.call(get, { organization: customer.organizationId })).partnerId,
  })
  await operator.call(setRole, { user: await idOf(colleague), isOperator: false, administersPartner: true })
  assert.equal((await operator.refusal(loginAs, { user: await idOf(operator) })).status, 403)
  assert.equal((await administrator.refusal(loginAs, { user: await idOf(colleague) })).status, 403)
  const looking = clientOf(
    api.url,
    (
      await clientOf(api.url, '').call(auth.routes.loginAs, {
        token: tokenOf((await operator.call(loginAs, { user: await idOf(administrator) })).url),
      })
    ).jwtToken,
  )
  assert.equal((await looking.refusal(list, {})).status, 403)
  const user = await idOf(customer)
  assert.ok((await administrator.call(loginAs, { user })).url.startsWith('http://fog.example.test'))
  await operator.call(suspendUser, { user, suspended: true })
  assert.equal((await operator.refusal(loginAs, { user })).code, 1461)
})

/** What hands out a key, or is told of everything from then on. */
const LASTING = [
  'webhooks.create',
  'webhooks.update',
  'webhooks.rotateSecret',
  'dns-secondaries.create',
  'dns-primary.set',
  'signed-urls.createKey',
  'outside-feeds.create',
  'outside-feeds.rotateKey',
  'live-streams.create',
  'live-streams.rotateKey',
  'api-protection.key',
  'byo-cdn-keys.create',
  'byo-cdn-keys.update',
]
/** Answers whose `key` is none that lets anybody in. */
const HARMLESS_KEYS = new Set([
  // The row that was tried, without its secrets, and the name of one.
  'byo-cdn-keys.test',
  'dns-primary.get',
  // It stands in the pages of the customer.
  'pulse.get',
  'pulse.update',
  'pulse.rotate',
  'pulse.endKey',
  'pulse.live',
])
const hasKey = (schema: unknown): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  (['key', 'secret', 'privateKey'].some((name) => 'properties' in schema && Object(schema.properties)[name]) ||
    Object.values(schema).some(hasKey))

test("whoever looks on may not touch what is the user's own, nor make what lasts: password, keys, card, webhooks", async () => {
  const client = await api.newClient()
  const { url } = await operator.call(loginAs, { user: await idOf(client) })
  const { jwtToken } = await clientOf(api.url, '').call(auth.routes.loginAs, { token: tokenOf(url) })
  const personal = everyRoute.filter(({ route }) => route.personal || route.lasting)
  const mustBe = everyRoute
    .filter(
      ({ route }) =>
        route.method !== 'GET' &&
        route.permission !== 'public' &&
        /\/(password|mfa|passkeys?|apikey|auth|message)\/|\/payment\/$/.test(route.path),
    )
    .map(({ name }) => name)
    .concat(LASTING)
    .concat(
      everyRoute
        .filter(({ route }) => !['public', 'node', 'operator'].includes(route.permission))
        .filter(({ route }) => hasKey(toJSONSchema(route.out, { unrepresentable: 'any' })))
        .flatMap(({ name }) => (HARMLESS_KEYS.has(name) ? [] : [name])),
    )
  assert.deepEqual(
    mustBe.filter((name) => !personal.some((one) => one.name === name)),
    [],
  )
  for (const { name, route, params } of personal)
    assert.equal(
      (await send(api.url, jwtToken, route, Object.fromEntries(params.map((param) => [param, crypto.randomUUID()]))))
        .status,
      403,
      name,
    )
})

test('whoever supports customers of the house reaches nobody who runs it', async () => {
  const support = await api.newClient()
  const colleague = await api.colleague(operator, [])
  await operator.call(setRole, { user: await idOf(support), isOperator: false, administersPartner: true })
  const [organization, user] = [operator.organizationId, await idOf(colleague)]
  assert.equal((await support.refusal(update, { organization, suspended: true })).status, 403)
  assert.equal((await support.refusal(loginAs, { user })).status, 403)
  assert.equal((await support.refusal(suspendUser, { user, suspended: true })).status, 403)
  // Nor by a session that began before somebody there came to run the installation.
  const customer = await api.newClient()
  const { url } = await support.call(loginAs, { user: await idOf(customer) })
  const { jwtToken } = await clientOf(api.url, '').call(auth.routes.loginAs, { token: tokenOf(url) })
  const looking = clientOf(api.url, jwtToken)
  await looking.call(account.routes.info, {})
  const second = await api.colleague(customer, [])
  await operator.call(setRole, { user: await idOf(second), isOperator: true, administersPartner: false })
  assert.equal((await looking.refusal(account.routes.info, {})).status, 401)
  const admin = await api.colleague(operator, ['ViewUser', 'EditUser', 'RemoveUser'])
  await api.database.system((tx) =>
    tx.query(`UPDATE app_user SET role_ids = '{teammate-admin}' WHERE email = $1`, [admin.email]),
  )
  await api.database.system((tx) => tx.query('UPDATE app_user SET is_owner = false WHERE email = $1', [operator.email]))
  const own = await idOf(operator)
  assert.equal((await admin.refusal(teammates.routes.deactivate, { id: own })).status, 403)
  assert.equal((await admin.refusal(teammates.routes.remove, { id: own })).status, 403)
  await api.database.system((tx) => tx.query('UPDATE app_user SET is_owner = true WHERE email = $1', [operator.email]))
})

test('each caller is told what they may do about organisations and people, and is not offered what is refused', async () => {
  const support = await api.newClient()
  await operator.call(setRole, { user: await idOf(support), isOperator: false, administersPartner: true })
  const { administrator, customer } = await newPartner('Arcus')
  const colleague = await api.colleague(operator, [])
  const person = await api.colleague(customer, [])
  assert.equal((await person.call(account.routes.profile, {})).mayLeave, true)
  const ofUser = async (caller: Client, of: Client) =>
    (await caller.call(users, { search: of.email })).data[0]?.may ?? assert.fail('not seen')
  const [all, none] = [
    { lookOn: true, suspend: true, lift: true },
    { lookOn: false, suspend: false, lift: false },
  ]
  assert.deepEqual([await ofUser(operator, colleague), await ofUser(support, colleague)], [all, none])
  assert.deepEqual([await ofUser(administrator, person), await ofUser(administrator, administrator)], [all, none])
  await operator.call(suspendUser, { user: await storedIdOf(person), suspended: true })
  assert.deepEqual(await ofUser(administrator, person), { lookOn: false, suspend: true, lift: false })
  const mayOf = async (caller: Client, { organizationId: organization }: Client) =>
    (await caller.call(get, { organization })).may
  assert.deepEqual(await mayOf(support, operator), {
    plan: false,
    bill: false,
    suspend: false,
    lift: false,
    keepOpen: false,
  })
  assert.deepEqual(await mayOf(operator, operator), {
    plan: true,
    bill: false,
    suspend: false,
    lift: true,
    keepOpen: false,
  })
  const organization = customer.organizationId
  await operator.call(update, { organization, suspended: true })
  assert.deepEqual(
    [(await mayOf(administrator, customer)).suspend, (await mayOf(administrator, customer)).lift],
    [true, false],
  )
  assert.equal((await mayOf(operator, customer)).lift, true)
})

test("a partner's people begin to bill a plan that was set before, and are offered what they may give", async () => {
  const { administrator, customer } = await newPartner('Pileus')
  const organization = customer.organizationId
  const sql = (text: string) => api.database.system((tx) => tx.query(text, [organization]))
  await sql(`UPDATE organization SET plan_id = 'business' WHERE id = $1`)
  await sql('UPDATE billing_account SET billed = false, billed_until = NULL WHERE organization_id = $1')
  const before = (await administrator.call(list, { search: organization })).data[0]
  assert.deepEqual([before?.billed, before?.may.bill], [false, true])
  const after = await administrator.call(update, { organization, planId: 'business' })
  assert.deepEqual([after.billed, after.may.bill], [true, false])
  const offered = async (caller: Client) =>
    (await caller.call(operatorArea.routes.plans, {})).data.map(({ id, offered: is }) => [id, is])
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO plan SELECT p.* FROM plan q, jsonb_populate_record(q, '{"id": "kept-back", "name": "Kept back", "offered": false}') p WHERE q.id = 'business'`,
    ),
  )
  assert.ok((await offered(operator)).some(([id]) => id === 'kept-back'))
  assert.ok(!(await offered(administrator)).some(([id]) => id === 'kept-back'))
  await sql(`UPDATE organization SET plan_id = 'kept-back' WHERE id = $1`)
  assert.deepEqual(
    (await offered(administrator)).find(([id]) => id === 'kept-back'),
    ['kept-back', false],
  )
})

test('what somebody above has suspended is not brought back from below', async () => {
  const { administrator, customer } = await newPartner('Virga')
  const person = await api.colleague(customer, [])
  const [organization, user] = [customer.organizationId, await idOf(person)]
  await operator.call(update, { organization, suspended: true })
  // To suspend once more makes it nobody else's to lift.
  await administrator.call(update, { organization, suspended: true })
  assert.equal((await administrator.refusal(update, { organization, suspended: false })).code, 1451)
  await operator.call(update, { organization, suspended: false })
  await customer.call(teammates.routes.invite, { email: 'friend-of-virga@example.com', roleIds: [] })
  await operator.call(suspendUser, { user, suspended: true })
  assert.equal((await administrator.refusal(suspendUser, { user, suspended: false })).code, 1461)
  assert.equal((await customer.refusal(teammates.routes.reactivate, { id: user })).code, 1461)
  assert.equal((await customer.refusal(teammates.routes.remove, { id: user })).code, 1461)
  const { may } = await customer.call(teammates.routes.get, { id: user })
  assert.deepEqual([may.reactivate, may.remove], [false, false])
  await operator.call(suspendUser, { user, suspended: false })
  await customer.call(teammates.routes.deactivate, { id: user })
  await administrator.call(suspendUser, { user, suspended: false })
  await administrator.call(suspendUser, { user, suspended: true })
  assert.equal((await customer.refusal(teammates.routes.reactivate, { id: user })).code, 1461)
  // Keys and invitations end with whoever is suspended, also by a partner.
  await administrator.call(suspendUser, { user: await storedIdOf(customer), suspended: true })
  const left = await api.database.system((tx) =>
    tx.query('SELECT FROM invitation WHERE organization_id = $1', [organization]),
  )
  assert.deepEqual(left, [])
})

test("the installation's own hand lets an operator in again, and their organisation", async () => {
  const second = await api.newClient({ isOperator: true })
  await operator.call(update, { organization: second.organizationId, suspended: true })
  await operator.call(suspendUser, { user: await storedIdOf(second), suspended: true })
  const lift = (email: string) => liftSuspension(api.config, api.database, email)
  assert.equal((await lift(second.email.toUpperCase()))?.length, 2)
  assert.deepEqual([await lift(second.email), await lift('nobody@example.com')], [[], null])
  const { jwtToken } = await clientOf(api.url, '').call(auth.routes.login, {
    email: second.email,
    password: 'Correct-Horse-9',
  })
  await clientOf(api.url, jwtToken).call(operatorArea.routes.overview, {})
})

test('somebody who looks on leaves nobody a way in, and the user is told', async () => {
  const client = await api.newClient()
  const user = await idOf(client)
  const { url } = await operator.call(loginAs, { user })
  const { jwtToken } = await clientOf(api.url, '').call(auth.routes.loginAs, { token: tokenOf(url) })
  const looking = clientOf(api.url, jwtToken)
  assert.equal((await looking.refusal(teammates.routes.invite, { email: 'x@example.com', roleIds: [] })).status, 403)
  const told = (await client.call(notifications.routes.list, {})).data.filter(({ event }) => event === 'looked-on')
  assert.deepEqual(
    told.map(({ fields }) => fields),
    [{ by: operator.email }],
  )
})

test('the operator gives an organisation another owner; the one before administers it', async () => {
  const client = await api.newClient()
  const heir = await api.colleague(client, [])
  const [organization, user] = [client.organizationId, await idOf(heir)]
  assert.equal((await operator.refusal(setOwner, { organization, user: await idOf(operator) })).status, 404)
  await operator.call(setOwner, { organization, user })
  assert.equal((await operator.refusal(setOwner, { organization, user })).code, 1484)
  const people = (await heir.call(teammates.routes.list, {})).data
  assert.deepEqual(
    people.map(({ email, isOwner, roleIds }) => [email, isOwner, roleIds.includes('teammate-admin')]).toSorted(),
    [
      [client.email, false, true],
      [heir.email, true, false],
    ].toSorted(),
  )
})
