import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RoleId, account, auditLog, auth, notifications, overview, sites, teammates } from '@fairway/contract'
import { lettersTo } from '../../testing/letters.ts'
import { readPicture } from '../../testing/solve-captcha.ts'
import { type ApiUnderTest, type Client, clientOf, startApiUnderTest } from '../../testing/api-under-test.ts'

const {
  deactivate,
  get,
  invite,
  leave,
  list,
  reactivate,
  reinvite,
  remove,
  roles,
  rolesOf,
  setRoles,
  transferOwnership,
  whoCan,
} = teammates.routes
const PASSWORD = 'Correct-Horse-9'
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

let addresses = 0
const newAddress = () => `invited-${++addresses}@example.com`

/** The newest letter to an address: its template and its fields. */
async function letterTo(email: string): Promise<{ template: string; fields: Record<string, unknown> } | undefined> {
  return (await lettersTo(api, email))[0]
}
const tokenTo = async (email: string) =>
  new URL(String((await letterTo(email))?.fields['link'])).searchParams.get('token') ?? ''

type Joined = Client & { id: string }

/** Somebody who was invited with these roles and has accepted. */
async function joined(by: Client, roleIds: RoleId[]): Promise<Joined> {
  const email = newAddress()
  await by.call(invite, { email, roleIds })
  const { jwtToken, customerId } = await clientOf(api.url, '').call(auth.routes.acceptInvite, {
    token: await tokenTo(email),
    password: PASSWORD,
    firstName: 'Ida',
    lastName: 'Example',
  })
  return { id: customerId, organizationId: by.organizationId, email, token: jwtToken, ...clientOf(api.url, jwtToken) }
}

const waitAMinute = (id: string) =>
  api.database.system((tx) =>
    tx.query(`UPDATE invitation SET sent_at = sent_at - interval '2 minutes' WHERE id = $1`, [id]),
  )

test('an invitation becomes a person: listed as invited, set up by the link of the letter, once, and signed in with the roles that were given', async () => {
  const owner = await api.newClient()
  const email = newAddress()
  const invited = await owner.call(invite, { email: email.toUpperCase(), roleIds: ['site-editor', 'api-tier-2'] })
  assert.deepEqual(
    [invited.email, invited.status, invited.activated, invited.roleIds, invited.may],
    [
      email,
      'invited',
      false,
      ['site-editor', 'api-tier-2'],
      { roles: true, suspend: false, reactivate: false, remove: true, invite: true, own: false, leave: false },
    ],
  )
  const letter = await letterTo(email)
  assert.deepEqual([letter?.template, letter?.fields['inviter'], letter?.fields['days']], ['invite', owner.email, 7])
  const token = await tokenTo(email)
  const anyone = clientOf(api.url, '')
  assert.deepEqual(await anyone.call(auth.routes.tokenInfo, { purpose: 'invite', token }), {
    state: 'ok',
    email,
    organizationName: 'Example',
    hasAccount: false,
  })
  const accept = { token, password: PASSWORD, firstName: 'Ida', lastName: 'Neu' }
  const both = await Promise.allSettled([
    anyone.call(auth.routes.acceptInvite, accept),
    anyone.call(auth.routes.acceptInvite, accept),
  ])
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal((await anyone.call(auth.routes.tokenInfo, { purpose: 'invite', token })).state, 'used')
  const person = await owner.call(get, { id: invited.id })
  assert.deepEqual(
    [person.firstName, person.lastName, person.status, person.activated, person.lastLoginAt !== null, person.roleIds],
    ['Ida', 'Neu', 'active', true, true, ['site-editor', 'api-tier-2']],
  )
  const { jwtToken } = await anyone.call(auth.routes.login, { email, password: PASSWORD })
  const info = await clientOf(api.url, jwtToken).call(account.routes.info, {})
  assert.deepEqual(
    [info.organizationId, info.permissions.toSorted()],
    [owner.organizationId, ['AddSite', 'EditApiKey', 'EditSite', 'ViewApiKey', 'ViewCdnKey', 'ViewSite']],
  )
  assert.deepEqual(
    (await owner.call(auditLog.routes.list, { search: email })).data.map(({ action }) => action),
    ['auth.login', 'auth.login', 'teammate.accept', 'teammate.invite'],
  )
})

test('inviting and withdrawing again and again sends no more than a few letters a day, whoever does it', async () => {
  const email = newAddress()
  const [owner, second] = [await api.newClient(), await api.newClient()]
  const again = async (by: Client) => {
    const { id } = await by.call(invite, { email, roleIds: [] })
    await by.call(remove, { id })
  }
  for (let times = 0; times < 5; times++) await again(owner)
  assert.equal((await owner.refusal(invite, { email, roleIds: [] })).code, 1570)
  assert.deepEqual((await owner.call(list, {})).data.map((one) => one.email).includes(email), false)
  for (let times = 0; times < 5; times++) await again(second)
  assert.equal((await lettersTo(api, email)).length, 10)
  // A third is answered like any other, and its letter is not sent.
  const third = await api.newClient()
  assert.equal((await third.call(invite, { email, roleIds: [] })).status, 'invited')
  assert.equal((await lettersTo(api, email)).length, 10)
  // Nor does all that keep the address's owner from the code that moves an account to it.
  await third.call(account.routes.sendMessage, { email, password: PASSWORD })
  assert.equal((await lettersTo(api, email)).length, 11)
  await api.database.system((tx) =>
    tx.query(
      'INSERT INTO login_attempt (key, failures) VALUES ($1, 200) ON CONFLICT (key) DO UPDATE SET failures = 200',
      [`invites:${third.organizationId}`],
    ),
  )
  assert.equal((await third.refusal(invite, { email: newAddress(), roleIds: [] })).code, 429)
})

test('an address that is there already is refused; one with an account elsewhere is invited like any other and told by letter only', async () => {
  const owner = await api.newClient()
  const stranger = await api.newClient()
  const [known, fresh] = [
    await owner.call(invite, { email: stranger.email, roleIds: [] }),
    await owner.call(invite, { email: newAddress(), roleIds: [] }),
  ]
  const shape = (one: typeof known) => ({ ...one, id: '', email: '', invitedAt: '', invitationExpiresAt: '' })
  assert.deepEqual(shape(known), shape(fresh))
  const letter = await letterTo(stranger.email)
  assert.equal(letter?.template, 'invite-elsewhere')
  for (const email of [owner.email, stranger.email])
    assert.deepEqual([(await owner.refusal(invite, { email, roleIds: [] })).code], [7491])
  assert.deepEqual([known.status, known.declinedWhy, known.may.invite], ['invited', null, true])
})

test('who has an account elsewhere may tell the inviter, and only then that one knows', async () => {
  const owner = await api.newClient()
  const stranger = await api.newClient()
  const { id } = await owner.call(invite, { email: stranger.email, roleIds: ['site-viewer'] })
  const anyone = clientOf(api.url, '')
  const token = await tokenTo(stranger.email)
  assert.equal((await anyone.call(auth.routes.tokenInfo, { purpose: 'invite', token })).hasAccount, true)
  // The link does not make a second account, nor does it open the first.
  const accept = { token, password: PASSWORD, firstName: 'Eve', lastName: 'Old' }
  assert.equal((await anyone.refusal(auth.routes.acceptInvite, accept)).code, 7491)
  assert.equal((await owner.call(get, { id })).declinedWhy, null)
  await anyone.call(auth.routes.declineInvite, { token })
  const person = await owner.call(get, { id })
  assert.deepEqual(
    [person.status, person.declinedWhy, person.may.invite, person.may.remove, person.activated],
    ['declined', 'has-account', false, true, false],
  )
  const told = (await owner.call(notifications.routes.list, {})).data.find(({ event }) => event === 'invite-declined')
  assert.deepEqual(told?.fields, { email: stranger.email, why: 'has-account' })
  // Nothing of it reaches the other organisation, and the link is used up.
  assert.ok(!(await stranger.call(auditLog.routes.list, {})).data.some(({ action }) => action === 'teammate.decline'))
  assert.ok((await owner.call(auditLog.routes.list, {})).data.some(({ action }) => action === 'teammate.decline'))
  assert.equal((await anyone.refusal(auth.routes.declineInvite, { token })).fields[0]?.message, 'validation.tokenUsed')
  await owner.call(remove, { id })
  assert.equal((await owner.call(invite, { email: stranger.email, roleIds: [] })).status, 'invited')
})

test('anybody may decline an invitation once, with a link that works', async () => {
  const owner = await api.newClient()
  const email = newAddress()
  const { id } = await owner.call(invite, { email, roleIds: [] })
  const token = await tokenTo(email)
  const anyone = clientOf(api.url, '')
  await waitAMinute(id)
  await owner.call(reinvite, { id })
  assert.equal(
    (await anyone.refusal(auth.routes.declineInvite, { token })).fields[0]?.message,
    'validation.tokenExpired',
  )
  const second = await tokenTo(email)
  await anyone.call(auth.routes.declineInvite, { token: second })
  assert.equal((await owner.call(get, { id })).declinedWhy, 'not-wanted')
  const accept = { token: second, password: PASSWORD, firstName: 'Ida', lastName: 'Neu' }
  assert.equal((await anyone.refusal(auth.routes.acceptInvite, accept)).fields[0]?.message, 'validation.tokenUsed')
  assert.equal((await owner.refusal(reinvite, { id })).code, 1484)
  assert.equal(
    (await anyone.refusal(auth.routes.declineInvite, { token: `${crypto.randomUUID()}.${'x'.repeat(43)}` })).status,
    400,
  )
})

test('what is not an address, a role or one level of each resource is refused', async () => {
  const owner = await api.newClient()
  const field = async (input: { email: string; roleIds: RoleId[] }) =>
    (await owner.refusal(invite, input)).fields[0]?.path
  assert.equal(await field({ email: 'nobody', roleIds: [] }), 'email')
  assert.equal(await field({ email: newAddress(), roleIds: ['site-viewer', 'site-admin'] }), 'roleIds')
  assert.equal(await field({ email: newAddress(), roleIds: ['api-tier-1', 'api-tier-2'] }), 'roleIds')
  assert.equal(await field({ email: newAddress(), roleIds: ['owner' as RoleId] }), 'roleIds.0')
})

test('a letter sent again replaces the link before it, at most once a minute', async () => {
  const owner = await api.newClient()
  const email = newAddress()
  const { id } = await owner.call(invite, { email, roleIds: [] })
  const first = await tokenTo(email)
  assert.equal((await owner.refusal(reinvite, { id })).code, 1570)
  await waitAMinute(id)
  await owner.call(reinvite, { id })
  const second = await tokenTo(email)
  const stateOf = async (token: string) =>
    (await clientOf(api.url, '').call(auth.routes.tokenInfo, { purpose: 'invite', token })).state
  assert.deepEqual([await stateOf(first), await stateOf(second)], ['expired', 'ok'])
  const late = await clientOf(api.url, '').refusal(auth.routes.acceptInvite, {
    token: first,
    password: PASSWORD,
    firstName: 'I',
    lastName: 'N',
  })
  assert.deepEqual(late.fields, [{ path: 'token', message: 'validation.tokenExpired' }])
})

test('sent again to an address that gets no more letters today, the link that it has stays good', async () => {
  const owner = await api.newClient()
  const email = newAddress()
  const { id } = await owner.call(invite, { email, roleIds: [] })
  const token = await tokenTo(email)
  await api.database.system((tx) =>
    tx.query('UPDATE login_attempt SET failures = 10 WHERE key = $1', [`unasked:invite:${email}`]),
  )
  await waitAMinute(id)
  assert.equal((await owner.call(reinvite, { id })).status, 'invited')
  assert.equal((await lettersTo(api, email)).length, 1)
  assert.equal((await clientOf(api.url, '').call(auth.routes.tokenInfo, { purpose: 'invite', token })).state, 'ok')
  assert.equal((await owner.refusal(reinvite, { id })).code, 1570)
})

test('an invitation runs out, can be sent again, and be withdrawn', async () => {
  const owner = await api.newClient()
  const email = newAddress()
  const { id } = await owner.call(invite, { email, roleIds: [] })
  await api.database.system((tx) =>
    tx.query(`UPDATE invitation SET expires_at = now(), sent_at = now() - interval '8 days' WHERE id = $1`, [id]),
  )
  assert.deepEqual(
    (await owner.call(list, { status: 'expired' })).data.map((one) => [one.id, one.may.invite]),
    [[id, true]],
  )
  const token = await tokenTo(email)
  assert.equal((await clientOf(api.url, '').call(auth.routes.tokenInfo, { purpose: 'invite', token })).state, 'expired')
  assert.equal((await owner.call(reinvite, { id })).status, 'invited')
  const fresh = await tokenTo(email)
  await owner.call(remove, { id })
  assert.equal(
    (await clientOf(api.url, '').call(auth.routes.tokenInfo, { purpose: 'invite', token: fresh })).state,
    'unknown',
  )
  assert.equal((await owner.refusal(get, { id })).status, 404)
})

test('an account that was made meanwhile is not taken over', async () => {
  const owner = await api.newClient()
  const email = newAddress()
  await owner.call(invite, { email, roleIds: [] })
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO app_user (organization_id, email, first_name, last_name, permissions, email_verified_at) SELECT id, $1, 'A', 'B', '{}', now() FROM organization WHERE id <> $2 LIMIT 1`,
      [email, owner.organizationId],
    ),
  )
  assert.equal(
    (
      await clientOf(api.url, '').refusal(auth.routes.acceptInvite, {
        token: await tokenTo(email),
        password: PASSWORD,
        firstName: 'I',
        lastName: 'N',
      })
    ).code,
    7491,
  )
})

test('who was invited joins although a stranger has signed up with the address, whose password opens nothing then', async () => {
  const owner = await api.newClient()
  const anyone = clientOf(api.url, '')
  const email = newAddress()
  await anyone.call(auth.routes.register, {
    email,
    password: 'Stranger-Horse-9',
    firstName: 'S',
    lastName: 'T',
    captcha: await readPicture(api),
  })
  const verify = await tokenTo(email)
  await owner.call(invite, { email, roleIds: [] })
  assert.equal((await letterTo(email))?.template, 'invite')
  const token = await tokenTo(email)
  assert.equal((await anyone.call(auth.routes.tokenInfo, { purpose: 'invite', token })).hasAccount, false)
  const accept = { token, password: PASSWORD, firstName: 'Ida', lastName: 'Example' }
  assert.equal((await anyone.call(auth.routes.acceptInvite, accept)).organizationId, owner.organizationId)
  assert.equal((await anyone.refusal(auth.routes.login, { email, password: 'Stranger-Horse-9' })).code, 401)
  assert.equal((await anyone.refusal(auth.routes.verifyEmail, { token: verify })).code, 400)
})

test('a hundred invitations may wait, not more', async () => {
  const owner = await api.newClient()
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO invitation (organization_id, email, role_ids, inviter, expires_at) SELECT $1, 'waiting-' || n || '@example.com', '{}', 'x', now() + interval '1 day' FROM generate_series(1, 100) AS n`,
      [owner.organizationId],
    ),
  )
  assert.equal((await owner.refusal(invite, { email: newAddress(), roleIds: [] })).code, 1485)
})

test('suspended people are out at once, in the browser, with a token and with a key, and come back when they are let', async () => {
  const owner = await api.newClient()
  const person = await joined(owner, ['site-viewer', 'api-tier-1'])
  assert.equal((await person.call(sites.routes.list, {})).meta.total, 0)
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO api_key (organization_id, user_id, name, tier, prefix, secret_hash) VALUES ($1, $2, 'k', 1, 'p', 'h')`,
      [owner.organizationId, person.id],
    ),
  )
  const suspended = await owner.call(deactivate, { id: person.id })
  assert.deepEqual(
    [suspended.status, suspended.apiKeys.count, suspended.may.reactivate, suspended.may.suspend],
    ['suspended', 0, true, false],
  )
  assert.equal((await person.refusal(sites.routes.list, {})).status, 401)
  assert.equal(
    (await clientOf(api.url, '').refusal(auth.routes.login, { email: person.email, password: PASSWORD })).code,
    1461,
  )
  assert.equal((await owner.refusal(deactivate, { id: person.id })).code, 1484)
  assert.equal((await owner.call(reactivate, { id: person.id })).status, 'active')
  assert.equal((await owner.refusal(reactivate, { id: person.id })).code, 1484)
  assert.ok((await clientOf(api.url, '').call(auth.routes.login, { email: person.email, password: PASSWORD })).jwtToken)
  assert.equal((await person.refusal(sites.routes.list, {})).status, 401, 'the old session stays ended')
})

test('an event stream that a suspended person has open ends', async () => {
  const owner = await api.newClient()
  const person = await joined(owner, ['site-viewer'])
  const response = await fetch(new URL(overview.routes.events.path, api.url), {
    headers: { authorization: `Bearer ${person.token}` },
    signal: AbortSignal.timeout(20_000),
  })
  assert.equal(response.status, 200)
  await owner.call(deactivate, { id: person.id })
  assert.match(await response.text(), /open/)
})

test('an event stream ends with the session that has opened it', async () => {
  const person = await joined(await api.newClient(), ['site-viewer'])
  const response = await fetch(new URL(overview.routes.events.path, api.url), {
    headers: { authorization: `Bearer ${person.token}` },
    signal: AbortSignal.timeout(20_000),
  })
  assert.equal(response.status, 200)
  await person.call(auth.routes.logout, {})
  assert.match(await response.text(), /open/)
})

test('a removed person is gone and can be invited anew', async () => {
  const owner = await api.newClient()
  const person = await joined(owner, ['site-viewer'])
  await owner.call(remove, { id: person.id })
  assert.equal((await person.refusal(sites.routes.list, {})).status, 401)
  assert.equal((await owner.call(list, { search: person.email })).meta.total, 0)
  await owner.call(invite, { email: person.email, roleIds: [] })
})

test('the owner cannot be suspended, removed or given roles; nobody suspends or removes themselves', async () => {
  const owner = await api.newClient()
  const admin = await joined(owner, ['teammate-admin'])
  const ownerId = (await owner.call(account.routes.info, {})).customerId
  for (const route of [deactivate, remove]) {
    assert.equal((await admin.refusal(route, { id: ownerId })).code, 1480)
    assert.equal((await admin.refusal(route, { id: admin.id })).code, 1483)
  }
  assert.equal((await admin.refusal(setRoles, { id: ownerId, roleIds: [] })).code, 1480)
  assert.deepEqual(
    (await admin.call(list, { search: owner.email })).data.map(({ may, isOwner }) => [
      isOwner,
      Object.values(may).some(Boolean),
    ]),
    [[true, false]],
  )
})

test('roles are given by who administers the resource, never above oneself', async () => {
  const owner = await api.newClient()
  const admin = await joined(owner, ['teammate-admin', 'dem-admin', 'site-editor', 'api-tier-2'])
  const person = await joined(owner, ['site-viewer', 'billing-viewer'])
  const given = await admin.call(setRoles, {
    id: person.id,
    roleIds: ['billing-viewer', 'dem-editor', 'site-viewer', 'teammate-viewer'],
  })
  assert.deepEqual(given.roleIds, ['site-viewer', 'teammate-viewer', 'dem-editor', 'billing-viewer'])
  assert.deepEqual((await person.call(account.routes.info, {})).permissions.toSorted(), [
    'EditPerformancePolicy',
    'ViewPerformancePolicy',
    'ViewSite',
    'ViewSubscription',
    'ViewUser',
  ])
  const tries: RoleId[][] = [
    ['site-editor', 'billing-viewer'],
    ['site-viewer'],
    ['site-viewer', 'billing-viewer', 'auditLog-viewer'],
    ['site-viewer', 'billing-viewer', 'api-tier-1'],
  ]
  for (const roleIds of tries)
    assert.equal((await admin.refusal(setRoles, { id: person.id, roleIds })).code, 1482, roleIds.join())
  assert.equal(
    (await admin.refusal(setRoles, { id: admin.id, roleIds: ['teammate-admin', 'dem-admin', 'site-admin'] })).code,
    1482,
  )
  assert.equal((await admin.refusal(invite, { email: newAddress(), roleIds: ['site-admin'] })).code, 1482)
  assert.deepEqual(
    (await admin.call(roles, {})).data.filter(({ assignable }) => assignable).map(({ id }) => id),
    ['teammate-viewer', 'teammate-editor', 'teammate-admin', 'dem-viewer', 'dem-editor', 'dem-admin'],
  )
  assert.deepEqual(await owner.call(rolesOf, { id: person.id }), { roleIds: given.roleIds, isOwner: false })
})

test("an API tier is given up to one's own, by who administers sites", async () => {
  const owner = await api.newClient()
  const admin = await joined(owner, ['teammate-admin', 'site-admin', 'api-tier-2'])
  const person = await joined(owner, [])
  await admin.call(setRoles, { id: person.id, roleIds: ['api-tier-2'] })
  assert.equal((await admin.refusal(setRoles, { id: person.id, roleIds: ['api-tier-3'] })).code, 1482)
})

test('an editor of teammates invites; suspending, removing and roles are for admins', async () => {
  const owner = await api.newClient()
  const editor = await joined(owner, ['teammate-editor'])
  const admin = await joined(owner, ['teammate-admin'])
  await editor.call(invite, { email: newAddress(), roleIds: [] })
  for (const route of [deactivate, remove]) assert.equal((await editor.refusal(route, { id: admin.id })).code, 403)
  assert.equal((await editor.refusal(setRoles, { id: admin.id, roleIds: [] })).code, 403)
})

test('without an owner the last admin of teammates stays, also when two let each other go at once', async () => {
  const owner = await api.newClient()
  const [one, two] = [await joined(owner, ['teammate-admin']), await joined(owner, ['teammate-admin'])]
  await api.database.system((tx) => tx.query('DELETE FROM app_user WHERE email = $1', [owner.email]))
  const ends = await Promise.allSettled([one.call(deactivate, { id: two.id }), two.call(deactivate, { id: one.id })])
  assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const left = ends[0]?.status === 'fulfilled' ? one : two
  assert.equal((await left.refusal(setRoles, { id: left.id, roleIds: [] })).code, 1481)
})

test('the list is searched, filtered, ordered and paged', async () => {
  const owner = await api.newClient()
  await Promise.all(
    ['zoe@list.example', 'amy@list.example', 'may@list.example'].map((email) =>
      owner.call(invite, { email, roleIds: [] }),
    ),
  )
  const emails = async (input: Parameters<typeof owner.call<typeof list>>[1]) =>
    (await owner.call(list, input)).data.map(({ email }) => email)
  assert.deepEqual(await emails({ search: 'list.example', ordering: 'email' }), [
    'amy@list.example',
    'may@list.example',
    'zoe@list.example',
  ])
  assert.deepEqual(await emails({ status: 'invited', ordering: '-email', page_size: 1, page: 2 }), ['may@list.example'])
  assert.deepEqual(await emails({ status: 'active' }), [owner.email])
  assert.equal((await owner.refusal(list, { ordering: 'password_hash' })).fields[0]?.path, 'ordering')
})

test('every change of a person is told with before and after', async () => {
  const owner = await api.newClient()
  const person = await joined(owner, ['site-viewer'])
  await owner.call(setRoles, { id: person.id, roleIds: ['site-admin'] })
  await owner.call(deactivate, { id: person.id })
  const [suspended, given] = (await owner.call(auditLog.routes.list, { search: 'teammate.' })).data
  assert.deepEqual(
    [suspended?.action, suspended?.changes[0]?.before?.['status'], suspended?.changes[0]?.after?.['status']],
    ['teammate.suspend', 'active', 'suspended'],
  )
  assert.deepEqual(
    [given?.action, given?.changes[0]?.before?.['roles'], given?.changes[0]?.after?.['roles']],
    ['teammate.roles', ['site-viewer'], ['site-admin']],
  )
})

test('who can do this: every person, by the same rule as their calls', async () => {
  const owner = await api.newClient()
  const [viewer, editor, admin] = [
    await joined(owner, ['site-viewer']),
    await joined(owner, ['site-editor', 'api-tier-2']),
    await joined(owner, ['site-admin']),
  ]
  const away = await joined(owner, ['site-admin'])
  await owner.call(deactivate, { id: away.id })
  const { needs, people } = await owner.call(whoCan, { feature: 'sites' })
  assert.deepEqual([needs.view, needs.remove], [['ViewSite'], ['RemoveSite']])
  const of = (client: Client) =>
    people
      .filter(({ email }) => email === client.email)
      .map(({ view, edit, remove: gone, apiTier, status }) => [view, edit, gone, apiTier, status])[0]
  assert.deepEqual(of(owner), ['all', 'all', 'all', 4, 'active'])
  assert.deepEqual(of(viewer), ['all', 'none', 'none', null, 'active'])
  assert.deepEqual(of(editor), ['all', 'all', 'none', 2, 'active'])
  assert.deepEqual(of(admin), ['all', 'all', 'all', null, 'active'])
  assert.deepEqual(of(away), ['none', 'none', 'none', null, 'suspended'])
  assert.equal((await owner.refusal(whoCan, { feature: 'nothing' })).status, 404)
})

test('27005: people are invited and looked after where the plan says so; who is there can be shut out on any plan', async () => {
  const owner = await api.newClient()
  const person = await joined(owner, ['site-viewer'])
  await api.database.system((tx) =>
    tx.query(`UPDATE organization SET plan_id = 'business' WHERE id = $1`, [owner.organizationId]),
  )
  for (const refused of [
    owner.refusal(list, {}),
    owner.refusal(invite, { email: newAddress(), roleIds: [] }),
    owner.refusal(setRoles, { id: person.id, roleIds: ['site-admin'] }),
    owner.refusal(whoCan, { feature: 'sites' }),
  ]) {
    assert.equal((await refused).code, 27005)
  }
  await owner.call(deactivate, { id: person.id })
  assert.equal((await person.refusal(sites.routes.list, {})).status, 401)
  assert.deepEqual(await owner.call(remove, { id: person.id }), { id: person.id })
})

test('the owner hands the organisation over with a proof, and can leave it then', async () => {
  const owner = await api.newClient()
  const heir = await joined(owner, ['site-viewer'])
  const ownId = (await owner.call(account.routes.info, {})).customerId
  const hand = { id: heir.id, password: PASSWORD }
  assert.equal((await heir.refusal(transferOwnership, { id: ownId, password: PASSWORD })).status, 403)
  assert.equal((await owner.refusal(transferOwnership, { ...hand, password: 'Wrong-Horse-9' })).status, 400)
  assert.equal((await owner.refusal(leave, { email: owner.email, password: PASSWORD })).code, 1488)
  const given = await owner.call(transferOwnership, hand)
  assert.deepEqual([given.isOwner, given.roleIds], [true, []])
  assert.equal((await owner.refusal(transferOwnership, hand)).code, 1482)
  const before = (await heir.call(list, {})).data.find(({ id }) => id === ownId)
  assert.deepEqual([before?.isOwner, before?.may.remove], [false, true])
  assert.deepEqual(
    (await heir.call(auditLog.routes.list, {})).data.filter(({ action }) => action === 'teammate.owner').length,
    1,
  )
  assert.equal((await owner.refusal(leave, { email: 'x@example.com', password: PASSWORD })).status, 400)
  await owner.call(leave, { email: owner.email, password: PASSWORD })
  assert.equal((await owner.refusal(account.routes.info, {})).status, 401)
  assert.deepEqual(
    (await heir.call(list, {})).data.map(({ email }) => email),
    [heir.email],
  )
})

test('nobody leaves an organisation that nobody is left to look after', async () => {
  const owner = await api.newClient()
  const admin = await joined(owner, ['teammate-admin'])
  await api.database.system((tx) =>
    tx.query('UPDATE app_user SET is_owner = false, suspended = true WHERE email = $1', [owner.email]),
  )
  assert.equal((await admin.refusal(leave, { email: admin.email, password: PASSWORD })).code, 1481)
})

test('an invitation ends with whoever sent it', async () => {
  const owner = await api.newClient()
  const admin = await joined(owner, ['teammate-admin'])
  const [friend, other] = [newAddress(), newAddress()]
  await admin.call(invite, { email: friend, roleIds: [] })
  await owner.call(invite, { email: other, roleIds: [] })
  const token = await tokenTo(friend)
  await owner.call(deactivate, { id: admin.id })
  const accept = { password: PASSWORD, firstName: 'A', lastName: 'Friend' }
  assert.equal((await clientOf(api.url, '').refusal(auth.routes.acceptInvite, { token, ...accept })).status, 400)
  await clientOf(api.url, '').call(auth.routes.acceptInvite, { token: await tokenTo(other), ...accept })
})

test('an invitation is sent again by who could send it, and ends when whoever sent it could not any more', async () => {
  const owner = await api.newClient()
  const editor = await joined(owner, ['teammate-editor'])
  const admin = await joined(owner, ['teammate-admin', 'site-admin'])
  const [high, plain, theirs] = [newAddress(), newAddress(), newAddress()]
  const { id } = await admin.call(invite, { email: high, roleIds: ['site-admin'] })
  const kept = await admin.call(invite, { email: plain, roleIds: [] })
  await api.database.system((tx) => tx.query('UPDATE invitation SET expires_at = now() WHERE id = $1', [id]))
  await waitAMinute(id)
  assert.equal((await editor.call(get, { id })).may.invite, false)
  assert.equal((await editor.refusal(reinvite, { id })).code, 1482)
  await admin.call(reinvite, { id })
  // What another raises is theirs from then on.
  const raised = await editor.call(invite, { email: theirs, roleIds: [] })
  await admin.call(setRoles, { id: raised.id, roleIds: ['site-admin'] })
  const pending = async () =>
    (await owner.call(list, {})).data.filter(({ status }) => status === 'invited').map((person) => person.id)
  assert.equal((await pending()).length, 3)
  await owner.call(setRoles, { id: admin.id, roleIds: ['teammate-admin'] })
  assert.deepEqual(await pending(), [kept.id])
  await owner.call(setRoles, { id: admin.id, roleIds: ['site-admin'] })
  assert.deepEqual(await pending(), [])
})
