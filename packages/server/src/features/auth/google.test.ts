import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type SignedIn, account, auth } from '@fairway/contract'
import { clientOf, startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { lettersTo, tokenFor } from '../../testing/letters.ts'
import { type ProviderUnderTest, signInAt, startOpenIdProvider } from '../../testing/openid-provider.ts'

const CONSOLE = 'http://console.example.test'
const stack = new AsyncDisposableStack()
let provider: ProviderUnderTest
let api: ApiUnderTest
before(async () => {
  provider = stack.use(await startOpenIdProvider([`${CONSOLE}/oauth/google-callback`]))
  api = stack.use(
    await startApiUnderTest({
      FAIRWAY_TRUSTED_PROXIES: '127.0.0.1',
      FAIRWAY_GOOGLE_ISSUER: provider.issuer,
      FAIRWAY_GOOGLE_CLIENT_ID: provider.client.id,
      FAIRWAY_GOOGLE_CLIENT_SECRET: provider.client.secret,
    }),
  )
  await api.newClient({ isOperator: true })
})
after(() => stack.disposeAsync())

let people = 0
function newPerson(more: { email?: string; verified?: boolean } = {}) {
  const sub = `person-${++people}`
  const person = {
    sub,
    email: more.email ?? `${sub}@example.com`,
    email_verified: more.verified ?? true,
    given_name: 'Gina',
    family_name: 'Google',
  }
  provider.people.set(sub, person)
  return person
}

type Answer = { status: number; body: SignedIn & { meta?: { code: number } } }
async function post(
  path: string,
  body: unknown,
  { cookie = '', token = '', method = 'POST' } = {},
): Promise<Answer & { cookie: string }> {
  const response = await fetch(new URL(path, api.url), {
    method,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-host': 'console.example.test',
      cookie,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  })
  return {
    status: response.status,
    body: (await response.json()) as Answer['body'],
    cookie:
      response.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .find((line) => line?.startsWith('fairway_openid=')) ?? '',
  }
}

/** From the button to the way back: where the provider sends to, and the browser's cookie. */
async function goThere(
  sub: string,
  input: Record<string, unknown> = { intent: 'login' },
): Promise<{ back: URL; cookie: string; state: string }> {
  const { body, cookie } = await post(auth.routes.googleStart.path, input)
  const back = await signInAt((body as unknown as { url: string }).url, sub)
  return { back, cookie, state: back.searchParams.get('state') ?? '' }
}

const comeBack = ({ back, cookie, state }: { back: URL; cookie: string; state: string }) =>
  post(auth.routes.googleCallback.path, { state, query: back.search }, { cookie })

test('whoever is new becomes a customer, and is the same one the next time', async () => {
  const person = newPerson()
  const first = await comeBack(await goThere(person.sub, { intent: 'signup', product: 'stream' }))
  assert.deepEqual([first.status, first.body.next], [200, 'done'])
  const info = await clientOf(api.url, first.body.jwtToken).call(account.routes.info, {})
  assert.deepEqual(
    [
      info.email,
      info.firstName,
      info.hasEmailVerified,
      info.organizationMasterApp,
      info.planChosen,
      info.organizationName,
    ],
    [person.email, 'Gina', true, 'stream', false, 'Gina Google'],
  )
  // The address at the provider may change; the person stays.
  provider.people.set(person.sub, { ...person, email: 'gina-elsewhere@example.com' })
  const second = await comeBack(await goThere(person.sub))
  assert.equal(second.body.customerId, first.body.customerId)
})

test("a state that is another's, used, made up or without its browser opens nothing", async () => {
  const person = newPerson()
  const journey = await goThere(person.sub)
  const other = await goThere(newPerson().sub)
  assert.equal((await comeBack({ ...journey, cookie: '' })).body.meta?.code, 1575)
  const again = await goThere(person.sub)
  assert.equal((await comeBack({ ...again, cookie: other.cookie })).body.meta?.code, 1575)
  const crossed = await goThere(person.sub)
  assert.equal((await comeBack({ ...crossed, state: other.state, cookie: other.cookie })).body.meta?.code, 1575)
  const made = await goThere(person.sub)
  assert.equal((await comeBack({ ...made, state: 'x'.repeat(43) })).body.meta?.code, 1575)
})

test('a code that is replayed is refused', async () => {
  const person = newPerson()
  const journey = await goThere(person.sub)
  assert.equal((await comeBack(journey)).status, 200)
  assert.equal((await comeBack(journey)).body.meta?.code, 1575)
  // With a fresh state of one's own: the provider itself knows the code as used.
  const fresh = await goThere(newPerson().sub)
  const stolen = new URL(fresh.back)
  stolen.searchParams.set('code', journey.back.searchParams.get('code') ?? '')
  assert.equal((await comeBack({ ...fresh, back: stolen })).body.meta?.code, 1575)
})

test('an account with the same proven address is signed in; its second step stays', async () => {
  const client = await api.newClient()
  const person = newPerson({ email: client.email })
  assert.equal((await comeBack(await goThere(person.sub))).body.organizationId, client.organizationId)
  await api.database.system((tx) => tx.query('UPDATE app_user SET mfa_enabled = true WHERE email = $1', [client.email]))
  const { body } = await comeBack(await goThere(person.sub))
  assert.deepEqual([body.next, body.jwtToken], ['second-step', ''])
})

test('an address that the provider does not vouch for opens no account and makes none', async () => {
  const client = await api.newClient()
  assert.equal(
    (await comeBack(await goThere(newPerson({ email: client.email, verified: false }).sub))).body.meta?.code,
    403,
  )
  assert.equal((await comeBack(await goThere(newPerson({ verified: false }).sub))).body.meta?.code, 403)
})

test("who made an account with somebody else's address has lost it when the owner comes", async () => {
  const squatter = await api.newClient()
  await api.database.system((tx) =>
    tx.query('UPDATE app_user SET email_verified_at = NULL WHERE email = $1', [squatter.email]),
  )
  // What was made beforehand at a partner hands nobody over to it.
  const partner = await api.database.system(async (tx) => {
    const [made] = await tx.query<{ id: string }>(
      `INSERT INTO partner (acronym, host_name, company_name, brand_color) VALUES ('trap', 'trap.example.test', 'Trap', '#0b6e4f') RETURNING id`,
    )
    await tx.query('UPDATE organization SET partner_id = $1 WHERE id = $2', [made?.id, squatter.organizationId])
    return made?.id
  })
  const owned = await comeBack(await goThere(newPerson({ email: squatter.email }).sub))
  assert.equal(owned.status, 200)
  assert.notEqual(owned.body.organizationId, squatter.organizationId)
  const [theirs] = await api.database.system((tx) =>
    tx.query<{ partner_id: string }>('SELECT partner_id FROM organization WHERE id = $1', [owned.body.organizationId]),
  )
  assert.notEqual(theirs?.partner_id, partner)
  assert.equal((await squatter.refusal(account.routes.info, {})).status, 401)
  assert.equal(
    (await clientOf(api.url, '').refusal(auth.routes.login, { email: squatter.email, password: 'Correct-Horse-9' }))
      .code,
    401,
  )
})

test('where nobody may sign up, Google makes no account either', async () => {
  await api.database.system((tx) => tx.query('UPDATE partner SET support_signup = false'))
  assert.equal((await comeBack(await goThere(newPerson().sub))).body.meta?.code, 403)
  await api.database.system((tx) => tx.query('UPDATE partner SET support_signup = true'))
})

test('a partner whose redirect address is not registered does not offer Google, until it is switched on', async () => {
  const offered = async () => {
    const answer = await fetch(new URL(auth.routes.firstRun.path, api.url), {
      headers: { 'x-forwarded-host': 'console.example.test' },
    })
    return ((await answer.json()) as { google: boolean }).google
  }
  const start = () => post(auth.routes.googleStart.path, { intent: 'login' })
  assert.deepEqual([await offered(), (await start()).status], [true, 200])
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO partner (acronym, host_name, company_name, brand_color) VALUES ('console', 'console.example.test', 'Console', '#0b6e4f')`,
    ),
  )
  assert.deepEqual([await offered(), (await start()).body.meta?.code], [false, 1710])
  await api.database.system((tx) => tx.query(`UPDATE partner SET google_sign_in = true WHERE acronym = 'console'`))
  assert.deepEqual([await offered(), (await start()).status], [true, 200])
  await api.database.system((tx) => tx.query(`DELETE FROM partner WHERE acronym = 'console'`))
})

const PROOF = { password: 'Correct-Horse-9' }

test('a user connects a Google account of any address; one Google account signs in as one user', async () => {
  const [client, other] = [await api.newClient(), await api.newClient()]
  const person = newPerson()
  const connect = async (token: string) => {
    const { back, cookie, state } = await goThere(person.sub, { intent: 'connect' })
    const send = (proof: object) =>
      post(account.routes.connectGoogle.path, { state, query: back.search, ...proof }, { cookie, token, method: 'PUT' })
    // A session that somebody has borrowed is not enough, and a mistyped password costs no second journey.
    for (const proof of [{}, { password: 'Wrong-Horse-9' }]) assert.equal((await send(proof)).status, 400)
    return send(PROOF)
  }
  assert.equal(((await connect(client.token)).body as unknown as { googleEmail: string }).googleEmail, person.email)
  assert.equal((await connect(other.token)).body.meta?.code, 7491)
  assert.equal((await comeBack(await goThere(person.sub))).body.organizationId, client.organizationId)
  const letter = (await lettersTo(api, client.email)).find(({ template }) => template === 'sign-in-added')
  assert.deepEqual([letter?.fields['way'], letter?.fields['name']], ['google', person.email])
  const forSigningIn = await goThere(person.sub)
  assert.equal(
    (
      await post(
        account.routes.connectGoogle.path,
        { state: forSigningIn.state, query: forSigningIn.back.search, ...PROOF },
        { cookie: forSigningIn.cookie, token: other.token, method: 'PUT' },
      )
    ).body.meta?.code,
    1575,
  )
})

test('a Google account that was connected does not open the account any more when its password was set by a letter', async () => {
  const client = await api.newClient()
  const person = newPerson()
  const { back, cookie, state } = await goThere(person.sub, { intent: 'connect' })
  await post(
    account.routes.connectGoogle.path,
    { state, query: back.search, ...PROOF },
    { cookie, token: client.token, method: 'PUT' },
  )
  const anyone = clientOf(api.url, '')
  await anyone.call(auth.routes.forgotPassword, { email: client.email })
  const token = await tokenFor(api, client.email, 'reset-password')
  await anyone.call(auth.routes.resetPassword, { token, password: 'Another-Horse-9' })
  assert.notEqual((await comeBack(await goThere(person.sub))).body.organizationId, client.organizationId)
})

test('a client that the provider does not know is told as what it is; so is an installation without one', async () => {
  await using wrong = await startApiUnderTest({
    FAIRWAY_TRUSTED_PROXIES: '127.0.0.1',
    FAIRWAY_GOOGLE_ISSUER: provider.issuer,
    FAIRWAY_GOOGLE_CLIENT_ID: provider.client.id,
    FAIRWAY_GOOGLE_CLIENT_SECRET: 'another',
  })
  await wrong.newClient()
  const before = api
  api = wrong
  const answer = await goThere(newPerson().sub)
    .then(comeBack)
    .finally(() => {
      api = before
    })
  assert.deepEqual([answer.status, answer.body.meta?.code], [502, 1710])
  await using without = await startApiUnderTest({ FAIRWAY_TRUSTED_PROXIES: '127.0.0.1' })
  assert.equal((await clientOf(without.url, '').refusal(auth.routes.googleStart, { intent: 'login' })).code, 1710)
})

test('a provider that does not answer is no fault of the person', async () => {
  await using lonely = await startApiUnderTest({
    FAIRWAY_GOOGLE_ISSUER: 'http://127.0.0.1:1',
    FAIRWAY_GOOGLE_CLIENT_ID: 'x',
    FAIRWAY_GOOGLE_CLIENT_SECRET: 'y',
  })
  assert.equal((await clientOf(lonely.url, '').refusal(auth.routes.googleStart, { intent: 'login' })).code, 503)
})
