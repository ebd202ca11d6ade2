import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { account, auth } from '@fairway/contract'
import { hashOf } from '../../http/session.ts'
import { clientOf, startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { lettersTo, tokenFor } from '../../testing/letters.ts'
import { readPicture, solveCaptcha } from '../../testing/solve-captcha.ts'
import { forgetOld } from '../notifications/forget-old.ts'

const { captcha, forgotPassword, login, passkeyOptions, register, resetPassword, sendEmail, tokenInfo, verifyEmail } =
  auth.routes
let api: ApiUnderTest
let anyone: ReturnType<typeof clientOf>
before(async () => {
  api = await startApiUnderTest({ FAIRWAY_TRUSTED_PROXIES: '127.0.0.1' })
  await api.newClient({ isOperator: true })
  anyone = clientOf(api.url, '')
})
after(() => api[Symbol.asyncDispose]())

let people = 0
const person = () => ({
  email: `new-${++people}@example.com`,
  password: 'Correct-Horse-9',
  firstName: 'Zoë',
  lastName: 'Ångström',
})
const sql = <Row>(text: string, values: unknown[] = []) => api.database.system((tx) => tx.query<Row>(text, values))

/** Reading the picture costs nothing; a browser works. */
async function signUp(more: Record<string, unknown> = {}, answer: typeof solveCaptcha = readPicture) {
  const who = { ...person(), ...more }
  await anyone.call(register, { ...who, captcha: await answer(api) })
  return who
}

test('sign-up, letter, verification: an owner of a new organisation on the developer plan who has yet to choose one', async () => {
  const who = await signUp({ product: 'stream' }, solveCaptcha)
  assert.deepEqual(await anyone.call(login, { email: who.email, password: who.password }), {
    customerId: '',
    organizationId: '',
    jwtToken: '',
    next: 'verify-email',
    ticket: null,
    methods: [],
  })
  const token = await tokenFor(api, who.email, 'verify-email')
  const { jwtToken, next } = await anyone.call(verifyEmail, { token })
  assert.equal(next, 'done')
  const info = await clientOf(api.url, jwtToken).call(account.routes.info, {})
  assert.deepEqual(
    [
      info.plan.id,
      info.planChosen,
      info.organizationMasterApp,
      info.hasEmailVerified,
      info.isOperator,
      info.organizationName,
    ],
    ['developer', false, 'stream', true, false, 'Zoe Angstrom'],
  )
  assert.ok(info.permissions.includes('RemoveUser'))
  const [cdns] = await api.database.system((tx) =>
    tx.query<{ count: number }>('SELECT count(*)::int AS count FROM cdn WHERE organization_id = $1', [
      info.organizationId,
    ]),
  )
  assert.equal(cdns?.count, 4)
  assert.equal((await anyone.refusal(verifyEmail, { token })).code, 1465)
})

test('signing up with an address that has an account looks the same and tells only its owner', async () => {
  const who = await signUp()
  await anyone.call(verifyEmail, { token: await tokenFor(api, who.email, 'verify-email') })
  const answers = [
    await anyone.call(register, { ...person(), captcha: await readPicture(api) }),
    await anyone.call(register, { ...who, password: 'Another-Horse-9', captcha: await readPicture(api) }),
  ]
  assert.deepEqual(answers[0], answers[1])
  assert.ok((await lettersTo(api, who.email)).some(({ template }) => template === 'account-exists'))
  assert.equal((await anyone.refusal(login, { email: who.email, password: 'Another-Horse-9' })).code, 401)
  assert.equal((await anyone.call(login, { email: who.email, password: who.password })).next, 'done')
})

test('of two who sign up with one address none gets the account of the other: who follows a letter sets the password', async () => {
  for (const letter of ['first', 'second'] as const) {
    const who = await signUp()
    const first = await tokenFor(api, who.email, 'verify-email')
    await sql(`UPDATE login_attempt SET failures = 0, blocked_until = NULL WHERE key = $1`, [
      `letter:sign-up:${who.email}`,
    ])
    const again = { ...who, password: 'Another-Horse-9', firstName: 'Olga', lastName: 'Owner' }
    await anyone.call(register, { ...again, captcha: await readPicture(api) })
    const second = await tokenFor(api, who.email, 'verify-email')
    const { next, ticket, jwtToken } = await anyone.call(verifyEmail, { token: { first, second }[letter] })
    assert.deepEqual([next, jwtToken], ['set-password', ''])
    for (const password of [who.password, again.password])
      assert.equal((await anyone.refusal(login, { email: who.email, password })).code, 401)
    const other = await anyone.refusal(verifyEmail, { token: { first: second, second: first }[letter] })
    assert.equal(other.code, 1465)
    await anyone.call(resetPassword, { token: ticket ?? '', password: 'Own-Horse-99' })
    const signedIn = await anyone.call(login, { email: who.email, password: 'Own-Horse-99' })
    const info = await clientOf(api.url, signedIn.jwtToken).call(account.routes.info, {})
    assert.equal(info.organizationName, { first: 'Zoe Angstrom', second: 'Olga Owner' }[letter])
  }
})

test('a stranger who signs up within the minute, when no letter goes out, does not get in by the letter of before either', async () => {
  const who = await signUp()
  const token = await tokenFor(api, who.email, 'verify-email')
  for (let count = 0; count < 2; count++)
    await anyone.call(register, { ...who, password: 'Another-Horse-9', captcha: await readPicture(api) })
  assert.equal((await anyone.call(verifyEmail, { token })).next, 'set-password')
})

test('who signs up twice with the same password is signed in by the letter', async () => {
  const who = await signUp()
  await anyone.call(register, { ...who, captcha: await readPicture(api) })
  assert.equal((await anyone.call(verifyEmail, { token: await tokenFor(api, who.email, 'verify-email') })).next, 'done')
})

test('a captcha is four characters whatever their case, right or wrong used once, for five minutes', async () => {
  const right = await readPicture(api)
  await anyone.call(register, { ...person(), captcha: { id: right.id, text: right.text.toUpperCase() } })
  assert.equal(
    (await anyone.refusal(register, { ...person(), captcha: { id: right.id, text: right.text } })).code,
    1601,
  )
  const guessed = await readPicture(api)
  assert.equal(
    (
      await anyone.refusal(register, {
        ...person(),
        captcha: { id: guessed.id, text: guessed.text === 'aaaa' ? 'bbbb' : 'aaaa' },
      })
    ).code,
    1601,
  )
  assert.equal((await anyone.refusal(register, { ...person(), captcha: guessed })).code, 1601)
  const old = await readPicture(api)
  await sql(`UPDATE app_token SET expires_at = now() WHERE purpose = 'captcha'`)
  assert.equal((await anyone.refusal(register, { ...person(), captcha: old })).code, 1601)
  for (const text of ['abc', 'abcde', 'ab c', 'ab-c'])
    assert.deepEqual((await anyone.refusal(register, { ...person(), captcha: { id: old.id, text } })).fields, [
      { path: 'captcha.text', message: 'validation.captcha' },
    ])
  assert.deepEqual((await anyone.refusal(register, person())).fields, [
    { path: 'captcha', message: 'validation.required' },
  ])
})

test('the partner of the host name decides: closed sign-up is refused, a telephone number may be needed, and the customer is theirs', async () => {
  const [partner] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO partner (acronym, host_name, company_name, brand_color, signup_phone) VALUES ('acme', 'console.acme.example', 'Acme', '#aa2200', true) RETURNING id`,
    ),
  )
  const at = async (host: string, body: unknown) => {
    const response = await fetch(new URL(register.path, api.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-host': host },
      body: JSON.stringify(body),
    })
    return {
      status: response.status,
      body: (await response.json()) as { meta?: { code: number; fields?: { path: string }[] } },
    }
  }
  const who = person()
  assert.deepEqual((await at('console.acme.example', { ...who, captcha: await readPicture(api) })).body.meta?.fields, [
    { path: 'phoneNumber', message: 'validation.required' },
  ])
  assert.equal(
    (await at('console.acme.example', { ...who, phoneNumber: 'call me', captcha: await readPicture(api) })).status,
    400,
  )
  assert.equal(
    (await at('console.acme.example', { ...who, phoneNumber: '+49 30 1234567', captcha: await readPicture(api) }))
      .status,
    200,
  )
  const [made] = await api.database.system((tx) =>
    tx.query<{ partner_id: string; phone_number: string }>(
      'SELECT o.partner_id, u.phone_number FROM app_user u JOIN organization o ON o.id = u.organization_id WHERE u.email = $1',
      [who.email],
    ),
  )
  assert.deepEqual([made?.partner_id, made?.phone_number], [partner?.id, '+49 30 1234567'])
  assert.match(String((await lettersTo(api, who.email))[0]?.fields['link']), /^http:\/\/console\.acme\.example[:/]/)
  await sql(`UPDATE partner SET support_signup = false WHERE acronym = 'acme'`)
  assert.equal(
    (await at('console.acme.example', { ...person(), phoneNumber: '+49 30 1234567', captcha: await readPicture(api) }))
      .body.meta?.code,
    403,
  )
})

test('a letter is sent again at most once a minute, to whomever', async () => {
  const who = await signUp()
  await anyone.call(sendEmail, { email: who.email })
  assert.equal((await lettersTo(api, who.email)).length, 2)
  const [known, unknown] = [
    await anyone.refusal(sendEmail, { email: who.email }),
    (await anyone.call(sendEmail, { email: 'nobody@example.com' }),
    await anyone.refusal(sendEmail, { email: 'nobody@example.com' })),
  ]
  assert.deepEqual([known.code, unknown.code], [1570, 1570])
  assert.equal((await lettersTo(api, 'nobody@example.com')).length, 0)
})

test('a link of a letter outlives a second one, and is good for its purpose only', async () => {
  const who = await signUp()
  const first = await tokenFor(api, who.email, 'verify-email')
  await anyone.call(sendEmail, { email: who.email })
  const second = await tokenFor(api, who.email, 'verify-email')
  assert.deepEqual((await anyone.refusal(resetPassword, { token: second, password: 'Another-Horse-9' })).fields, [
    { path: 'token', message: 'validation.tokenUnknown' },
  ])
  assert.deepEqual((await anyone.refusal(verifyEmail, { token: 'x' })).fields, [
    { path: 'token', message: 'validation.token' },
  ])
  assert.equal((await anyone.call(verifyEmail, { token: first })).next, 'done')
  assert.equal((await anyone.refusal(verifyEmail, { token: second })).code, 1465)
})

test('strangers who have letters sent to an address keep its owner neither from a new password nor from its link', async () => {
  const client = await api.newClient()
  await anyone.call(sendEmail, { email: client.email })
  await anyone.call(register, { ...person(), email: client.email, captcha: await readPicture(api) })
  await anyone.call(forgotPassword, { email: client.email })
  const link = await tokenFor(api, client.email, 'reset-password')
  await sql(`UPDATE login_attempt SET failures = 0, blocked_until = NULL WHERE key = $1`, [
    `letter:reset:${client.email}`,
  ])
  await anyone.call(forgotPassword, { email: client.email })
  const other = await tokenFor(api, client.email, 'reset-password')
  assert.notEqual(other, link)
  await anyone.call(resetPassword, { token: link, password: 'Another-Horse-9' })
  const refused = await anyone.refusal(resetPassword, { token: other, password: 'Stolen-Horse-9' })
  assert.equal(refused.fields[0]?.message, 'validation.tokenExpired')
})

test('a forgotten password: the same answer for any address, one link, and every session ends', async () => {
  const client = await api.newClient()
  assert.deepEqual(
    await anyone.call(forgotPassword, { email: client.email }),
    await anyone.call(forgotPassword, { email: 'nobody@example.com' }),
  )
  await anyone.call(forgotPassword, { email: client.email })
  assert.equal((await lettersTo(api, client.email)).length, 1)
  const token = await tokenFor(api, client.email, 'reset-password')
  assert.deepEqual(await anyone.call(tokenInfo, { purpose: 'reset-password', token }), {
    state: 'ok',
    email: client.email,
    organizationName: '',
    hasAccount: false,
  })
  const [stored] = await api.database.system((tx) =>
    tx.query<{ count: number }>('SELECT count(*)::int AS count FROM app_token WHERE token_hash = $1', [token]),
  )
  assert.equal(stored?.count, 0)
  assert.equal((await anyone.refusal(resetPassword, { token, password: 'weak' })).fields[0]?.path, 'password')
  await sql(`UPDATE sign_in_place SET place_hash = 'elsewhere' WHERE organization_id = '${client.organizationId}'`)
  const tries = await Promise.allSettled([
    anyone.call(resetPassword, { token, password: 'Another-Horse-9' }),
    anyone.call(resetPassword, { token, password: 'Stolen-Horse-9' }),
  ])
  assert.deepEqual(tries.map((one) => one.status).sort(), ['fulfilled', 'rejected'])
  assert.equal((await client.refusal(account.routes.info, {})).status, 401)
  assert.equal((await anyone.refusal(login, { email: client.email, password: 'Correct-Horse-9' })).code, 401)
  assert.equal((await anyone.call(tokenInfo, { purpose: 'reset-password', token })).state, 'used')
  // Who has set it by the letter is known here, whatever strangers try, and nobody where the old one was used.
  assert.deepEqual(await sql(`SELECT FROM sign_in_place WHERE place_hash = 'elsewhere'`), [])
  await sql(
    `INSERT INTO login_attempt (key, failures) VALUES ('login:${client.email}', 50) ON CONFLICT (key) DO UPDATE SET failures = 50`,
  )
  const right = tries[0]?.status === 'fulfilled' ? 'Another-Horse-9' : 'Stolen-Horse-9'
  assert.ok((await anyone.call(login, { email: client.email, password: right })).jwtToken)
  assert.ok((await lettersTo(api, client.email)).some(({ template }) => template === 'password-changed'))
})

test('a password set by a letter removes passkeys and connections, unless they are to be kept', async () => {
  for (const keepOtherWays of [false, true]) {
    const client = await api.newClient()
    const { customerId } = await client.call(account.routes.info, {})
    await sql(
      `INSERT INTO passkey (organization_id, user_id, credential_id, public_key, counter, transports, name, relying_party, backed_up) SELECT organization_id, id, id::text, '', 0, '{}', 'Theirs', 'localhost', false FROM app_user WHERE id = $1`,
      [customerId],
    )
    await sql(
      `INSERT INTO user_identity (issuer, subject, organization_id, user_id, email) SELECT 'https://issuer.example', id::text, organization_id, id, 'x@example.com' FROM app_user WHERE id = $1`,
      [customerId],
    )
    await anyone.call(forgotPassword, { email: client.email })
    const token = await tokenFor(api, client.email, 'reset-password')
    await anyone.call(resetPassword, { token, password: 'Another-Horse-9', keepOtherWays })
    const left = await sql(
      'SELECT FROM passkey WHERE user_id = $1 UNION ALL SELECT FROM user_identity WHERE user_id = $1',
      [customerId],
    )
    assert.equal(left.length, keepOtherWays ? 2 : 0)
  }
})

test('a forged Host does not decide where a password link leads', async () => {
  const client = await api.newClient()
  await fetch(new URL(forgotPassword.path, api.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-host': 'evil.example' },
    body: JSON.stringify({ email: client.email }),
  })
  assert.doesNotMatch(String((await lettersTo(api, client.email))[0]?.fields['link']), /evil/)
})

test('too many sign-ups from one place wait', async () => {
  await sql(
    `INSERT INTO login_attempt (key, failures) VALUES ('signup-from:127.0.0.1', 30) ON CONFLICT (key) DO UPDATE SET failures = 30, blocked_until = NULL, counted_since = now()`,
  )
  assert.equal((await anyone.refusal(register, { ...person(), captcha: await readPicture(api) })).code, 1530)
})

test('what strangers had made is forgotten within hours, what has ended within weeks, and what is open stays', async () => {
  const client = await api.newClient()
  const [expired, live] = [await anyone.call(captcha, {}), await anyone.call(captcha, {})]
  const ids = async () =>
    (await sql<{ id: string }>(`SELECT token_hash AS id FROM app_token WHERE purpose = 'captcha'`)).map(({ id }) => id)
  assert.ok((await ids()).includes(hashOf(expired.id)))
  await sql(`UPDATE app_token SET expires_at = now() - interval '2 hours' WHERE token_hash = $1`, [hashOf(expired.id)])
  await sql(
    `INSERT INTO session (organization_id, user_id, secret_hash, expires_at, last_seen_at) SELECT organization_id, id, 'ended', now() + interval '1 day', now() - interval '60 days' FROM app_user WHERE email = $1`,
    [client.email],
  )
  await sql(`INSERT INTO login_attempt (key, failures, counted_since) VALUES ('old', 1, now() - interval '2 days')`)
  await forgetOld(api.database)
  const left = await ids()
  assert.deepEqual([left.includes(hashOf(expired.id)), left.includes(hashOf(live.id))], [false, true])
  assert.deepEqual(await sql(`SELECT key FROM login_attempt WHERE key = 'old'`), [])
  assert.deepEqual(await sql(`SELECT id FROM session WHERE secret_hash = 'ended'`), [])
  await client.call(account.routes.info, {})
})

test('who has had hundreds of captchas in an hour waits, by place, and by any of the ways to have something made', async () => {
  await anyone.call(captcha, {})
  const count = (failures: number) =>
    sql(`UPDATE login_attempt SET failures = $1 WHERE key LIKE 'ceremony-from:%'`, [failures])
  await count(300)
  assert.equal((await anyone.refusal(captcha, {})).code, 1530)
  assert.equal((await anyone.refusal(passkeyOptions, {})).code, 1530)
  await sql(`DELETE FROM login_attempt WHERE key LIKE 'ceremony-from:%'`)
  await anyone.call(passkeyOptions, {})
})

test('who has not shown within a week that an address is theirs keeps nobody else from it', async () => {
  await sql('DELETE FROM login_attempt')
  const [late, early, served] = [await signUp(), await signUp(), await signUp()]
  await sql(`UPDATE app_user SET created_at = now() - interval '8 days' WHERE email = ANY($1)`, [
    [late.email, served.email],
  ])
  await sql(
    `INSERT INTO site (organization_id, domain_name) SELECT organization_id, 'served.example' FROM app_user WHERE email = $1`,
    [served.email],
  )
  await forgetOld(api.database)
  const left = await sql<{ email: string }>('SELECT email FROM app_user WHERE email = ANY($1) ORDER BY email', [
    [late.email, early.email, served.email],
  ])
  assert.deepEqual(left.map(({ email }) => email).sort(), [early.email, served.email].sort())
  await anyone.call(register, { ...person(), email: late.email, captcha: await readPicture(api) })
  assert.ok(await tokenFor(api, late.email, 'verify-email'))
})
