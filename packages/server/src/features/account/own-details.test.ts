import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { account, apiKeys, auth, sessions, sites } from '@fairway/contract'
import { clientOf, startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { lettersTo } from '../../testing/letters.ts'

const PASSWORD = 'Correct-Horse-9'
const {
  hasExisted,
  info,
  organization,
  password,
  permissions,
  profile,
  sendMessage,
  setSettings,
  settings,
  survey,
  updateOrganization,
  updateProfile,
  verifyMessage,
} = account.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const signInAgain = async (email: string) =>
  clientOf(api.url, (await clientOf(api.url, '').call(auth.routes.login, { email, password: PASSWORD })).jwtToken)

test('people change their own names and menu order', async () => {
  const client = await api.newClient()
  await client.call(updateProfile, {
    firstName: ' 小明 ',
    lastName: '王',
    menuOrder: 'stream',
    phoneNumber: '+886 2 1234 5678',
  })
  const now = await client.call(profile, {})
  assert.deepEqual(
    [now.firstName, now.lastName, now.menuOrder, now.phoneNumber, now.hasPassword, now.googleOffered, now.mayLeave],
    ['小明', '王', 'stream', '+886 2 1234 5678', true, false, false],
  )
  const told = await client.call(info, {})
  assert.deepEqual(
    [told.menuOrder, told.phoneCode, told.phoneNumber, told.identityCode, told.organizationState, told.partnerAcronym],
    ['stream', '+886', '+886 2 1234 5678', 'owner', 'active', 'fairway'],
  )
  for (const [field, value, message] of [
    ['firstName', ' ', 'validation.required'],
    ['lastName', 'x'.repeat(81), 'validation.max:80'],
    ['menuOrder', 'none', 'validation.invalid'],
    ['phoneNumber', 'x', 'validation.phoneNumber'],
  ] as const) {
    assert.deepEqual(
      (await client.refusal(updateProfile, { firstName: 'A', lastName: 'B', menuOrder: 'web', [field]: value })).fields,
      [{ path: field, message }],
    )
  }
  assert.deepEqual((await client.call(permissions, {})).data.length > 5, true)
})

test('the organisation is changed by those who may; the survey is answered once, by anyone', async () => {
  const owner = await api.newClient()
  const reader = await api.colleague(owner, ['ViewSite'])
  const answered = await reader.call(survey, { industry: 'media', jobTitle: 'developer' })
  assert.deepEqual([answered.organizationIndustry, answered.organizationJobTitle], ['media', 'developer'])
  assert.equal((await owner.refusal(survey, { industry: 'gaming', jobTitle: 'manager' })).code, 7409)
  assert.equal(
    (
      await reader.refusal(updateOrganization, {
        organizationName: 'Mine',
        industry: null,
        jobTitle: null,
        masterApp: 'web',
      })
    ).code,
    403,
  )
  await owner.call(updateOrganization, {
    organizationName: 'Aurora Media',
    industry: 'gaming',
    jobTitle: 'manager',
    masterApp: 'stream',
  })
  assert.deepEqual(
    (({ organizationName, organizationMasterApp }) => [organizationName, organizationMasterApp])(
      await reader.call(organization, {}),
    ),
    ['Aurora Media', 'stream'],
  )
  assert.deepEqual(
    (
      await owner.refusal(updateOrganization, {
        organizationName: 'Aurora  Media',
        industry: null,
        jobTitle: null,
        masterApp: 'web',
      })
    ).fields,
    [{ path: 'organizationName', message: 'validation.organizationName' }],
  )
})

test('two who edit the organisation at once do not overwrite each other', async () => {
  const owner = await api.newClient()
  const { organizationVersion } = await owner.call(organization, {})
  const details = {
    organizationName: 'Mine',
    industry: null,
    jobTitle: null,
    masterApp: 'web',
    organizationVersion,
  } as const
  assert.equal((await owner.call(updateOrganization, details)).organizationVersion, organizationVersion + 1)
  assert.equal((await owner.refusal(updateOrganization, { ...details, organizationName: 'Yours' })).code, 409)
  assert.deepEqual(
    [(await owner.call(info, {})).organizationName, (await owner.call(info, {})).organizationVersion],
    ['Mine', organizationVersion + 1],
  )
})

test('the first steps are shown until their reader has had enough, and not to the colleagues of a demonstration', async () => {
  const client = await api.newClient()
  assert.deepEqual(await client.call(settings, {}), { showTutorial: true })
  assert.deepEqual(await client.call(setSettings, { showTutorial: false }), { showTutorial: false })
  assert.deepEqual(await client.call(settings, {}), { showTutorial: false })
  const sandbox = await api.newClient()
  await api.database.system((tx) =>
    tx.query('UPDATE organization SET sandbox = true WHERE id = $1', [sandbox.organizationId]),
  )
  assert.deepEqual(await sandbox.call(settings, {}), { showTutorial: false })
  assert.equal((await sandbox.refusal(setSettings, { showTutorial: true })).code, 403)
})

test('whether a colleague is there is told; strangers are not', async () => {
  const owner = await api.newClient()
  const { customerId } = await (await api.colleague(owner, [])).call(info, {})
  assert.deepEqual(await owner.call(hasExisted, { id: customerId }), {
    hasExisted: true,
    hasEmailVerified: true,
    isActive: true,
  })
  const stranger = await api.newClient()
  assert.equal((await stranger.refusal(hasExisted, { id: customerId })).status, 404)
})

test('a new password ends every session and is told by letter', async () => {
  const client = await api.newClient()
  const other = await signInAgain(client.email)
  assert.deepEqual(
    (await client.refusal(password, { currentPassword: 'Wrong-Horse-9', password: 'Another-Horse-9' })).fields,
    [{ path: 'currentPassword', message: 'validation.passwordWrong' }],
  )
  assert.deepEqual((await client.refusal(password, { currentPassword: PASSWORD, password: 'weak' })).fields[0], {
    path: 'password',
    message: 'validation.password',
  })
  await client.call(password, { currentPassword: PASSWORD, password: 'Another-Horse-9' })
  for (const one of [client, other]) assert.equal((await one.refusal(info, {})).status, 401)
  assert.equal((await lettersTo(api, client.email))[0]?.template, 'password-changed')
})

test('an e-mail address changes by the code that was sent to it', async () => {
  const client = await api.newClient()
  const wanted = `moved-${client.email}`
  await client.call(sendMessage, { email: wanted.toUpperCase(), password: PASSWORD })
  assert.equal((await client.refusal(sendMessage, { email: wanted, password: PASSWORD })).code, 1570)
  const code = String((await lettersTo(api, wanted))[0]?.fields['code'])
  assert.match(code, /^\d{6}$/)
  const wrong = code === '000000' ? '000001' : '000000'
  const tries = await Promise.all(
    Array.from({ length: 9 }, async () => (await client.refusal(verifyMessage, { code: wrong })).code),
  )
  assert.equal(tries.filter((one) => one === 400).length, 5)
  assert.equal((await client.refusal(verifyMessage, { code })).code, 2521)
  await api.database.system((tx) => tx.query('DELETE FROM login_attempt'))
  assert.equal((await client.call(verifyMessage, { code })).email, wanted)
  for (const address of [client.email, wanted]) {
    const letter = (await lettersTo(api, address)).find(({ template }) => template === 'address-changed')
    assert.deepEqual([letter?.fields['from'], letter?.fields['to']], [client.email, wanted])
  }
  assert.equal((await client.refusal(verifyMessage, { code })).status, 400)
  assert.ok((await clientOf(api.url, '').call(auth.routes.login, { email: wanted, password: PASSWORD })).jwtToken)
})

test('an address that belongs to somebody gets no code, and the one who asks sees no difference', async () => {
  const [client, victim] = [await api.newClient(), await api.newClient()]
  assert.deepEqual(await client.call(sendMessage, { email: victim.email, password: PASSWORD }), {})
  assert.equal((await lettersTo(api, victim.email)).length, 0)
})

test('an address that a stranger has signed up with, and never proven, can be changed to', async () => {
  const [client, stranger] = [await api.newClient(), await api.newClient()]
  await api.database.system((tx) =>
    tx.query('UPDATE app_user SET email_verified_at = NULL WHERE email = $1', [stranger.email]),
  )
  await client.call(sendMessage, { email: stranger.email, password: PASSWORD })
  const code = String((await lettersTo(api, stranger.email))[0]?.fields['code'])
  assert.equal((await client.call(verifyMessage, { code })).email, stranger.email)
  assert.equal((await stranger.refusal(info, {})).status, 401)
})

test('sessions are listed with device and address, and end one by one or all others at once', async () => {
  const client = await api.newClient()
  const [one, two] = [await signInAgain(client.email), await signInAgain(client.email)]
  const { data } = await client.call(sessions.routes.list, {})
  assert.deepEqual(
    data.map(({ isCurrent, ip }) => [isCurrent, ip]),
    [
      [true, '127.0.0.1'],
      [false, '127.0.0.1'],
      [false, '127.0.0.1'],
    ],
  )
  const mine = (await one.call(sessions.routes.list, {})).data[0]
  await client.call(sessions.routes.remove, { id: mine?.id ?? '' })
  assert.equal((await one.refusal(info, {})).status, 401)
  assert.equal((await client.refusal(sessions.routes.remove, { id: mine?.id ?? '' })).status, 404)
  assert.equal((await client.call(sessions.routes.removeOthers, {})).ended, 1)
  assert.equal((await two.refusal(info, {})).status, 401)
  assert.equal((await client.call(sessions.routes.list, {})).data.length, 1)
})

test('an API key is shown once, hashed, has its tier and nothing of the person, and ends at once', async () => {
  const client = await api.newClient()
  const { data, key } = await client.call(apiKeys.routes.create, { name: 'Deploys', tier: 2 })
  assert.match(key, /^fwk_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/)
  assert.ok(key.startsWith(data.prefix))
  assert.ok(!JSON.stringify(await client.call(apiKeys.routes.list, {})).includes(key.slice(-43)))
  const [stored] = await api.database.system((tx) =>
    tx.query<{ row: string }>('SELECT to_jsonb(k)::text AS row FROM api_key k'),
  )
  assert.ok(!stored?.row.includes(key.slice(-43)))
  const machine = clientOf(api.url, key)
  const site = (await machine.call(sites.routes.create, { domainName: 'by-key.example' })).data.id
  assert.equal((await machine.refusal(sites.routes.remove, { site, confirmName: 'by-key.example' })).code, 403)
  assert.equal((await machine.refusal(password, { currentPassword: PASSWORD, password: 'Another-Horse-9' })).code, 403)
  assert.equal((await machine.refusal(apiKeys.routes.create, { name: 'More', tier: 4 })).code, 403)
  const listed = (await client.call(apiKeys.routes.list, {})).data[0]
  assert.deepEqual(
    [listed?.permissions.includes('EditSite'), listed?.permissions.includes('RemoveSite'), listed?.lastUsedIp],
    [true, false, '127.0.0.1'],
  )
  // Used at two addresses in turn it is not written down with each call, and who does waits for nobody.
  const used = async (at: string) => {
    await api.database.system((tx) =>
      tx.query(`UPDATE api_key SET last_used_ip = '192.0.2.1', last_used_at = now() - $2::interval WHERE id = $1`, [
        data.id,
        at,
      ]),
    )
    const ask = () => machine.call(sites.routes.list, {})
    if (at === '2 minutes')
      await api.database.system(async (tx) => {
        await tx.query('SELECT FROM api_key WHERE id = $1 FOR UPDATE', [data.id])
        await ask()
      })
    else await ask()
    return (await client.call(apiKeys.routes.list, {})).data[0]?.lastUsedIp
  }
  assert.deepEqual(
    [await used('5 seconds'), await used('11 seconds'), await used('2 minutes')],
    ['192.0.2.1', '127.0.0.1', '192.0.2.1'],
  )
  await client.call(apiKeys.routes.remove, { id: data.id })
  assert.equal((await machine.refusal(sites.routes.list, {})).status, 401)
  assert.ok((await client.call(apiKeys.routes.list, {})).data[0]?.deletedAt)
})

test('the next API key waits a minute, whatever became of the one before; two at once are one', async () => {
  const client = await api.newClient()
  const made = await Promise.allSettled([1, 2].map((tier) => client.call(apiKeys.routes.create, { name: 'K', tier })))
  assert.deepEqual(made.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const listed = await client.call(apiKeys.routes.list, {})
  await client.call(apiKeys.routes.remove, { id: listed.data[0]?.id ?? '' })
  assert.equal((await client.refusal(apiKeys.routes.create, { name: 'K', tier: 1 })).code, 429)
  assert.ok(listed.nextAt)
  await api.database.system((tx) => tx.query(`UPDATE api_key SET created_at = now() - interval '61 seconds'`))
  await client.call(apiKeys.routes.create, { name: 'K', tier: 1 })
})

test('an API key is never more than its owner, now and later', async () => {
  const owner = await api.newClient()
  const editor = await api.colleague(owner, ['ViewSite', 'EditSite', 'AddSite', 'EditApiKey', 'ViewApiKey'])
  await api.database.system((tx) => tx.query('UPDATE app_user SET api_tier = 2 WHERE email = $1', [editor.email]))
  assert.equal((await editor.refusal(apiKeys.routes.create, { name: 'K', tier: 3 })).code, 403)
  const { key } = await editor.call(apiKeys.routes.create, { name: 'K', tier: 2 })
  const machine = clientOf(api.url, key)
  const { data: kept } = await machine.call(sites.routes.create, { domainName: 'kept.example' })
  await api.database.system((tx) =>
    tx.query(`UPDATE app_user SET permissions = '{ViewSite}' WHERE email = $1`, [editor.email]),
  )
  assert.equal((await machine.refusal(sites.routes.create, { domainName: 'refused.example' })).code, 403)
  await api.database.system((tx) => tx.query('UPDATE app_user SET api_tier = NULL WHERE email = $1', [editor.email]))
  assert.equal((await machine.refusal(sites.routes.get, { site: kept.id })).code, 403)
  assert.equal((await machine.refusal(sites.routes.list, {})).code, 403)
  await api.database.system((tx) => tx.query('UPDATE app_user SET suspended = true WHERE email = $1', [editor.email]))
  assert.equal((await machine.refusal(sites.routes.list, {})).code, 1461)
})

test("an operator's API key is no operator", async () => {
  const operator = await api.newClient({ isOperator: true })
  const { key } = await operator.call(apiKeys.routes.create, { name: 'K', tier: 4 })
  assert.equal((await clientOf(api.url, key).call(info, {})).isOperator, false)
})
