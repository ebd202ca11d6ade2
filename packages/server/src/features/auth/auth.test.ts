import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { account, auth } from '@fairway/contract'
import { sessionCookie } from '../../http/session-cookies.ts'
import { clientOf, startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'

const { firstRun, login, logout, register } = auth.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest({ FAIRWAY_TRUSTED_PROXIES: '127.0.0.1' })))
after(() => api[Symbol.asyncDispose]())

const PERSON = {
  email: 'Robin@Example.com',
  password: 'Correct-Horse-9',
  firstName: 'Robin',
  lastName: 'Example',
  organizationName: 'Example Inc',
}
const loginWith = (headers: Record<string, string>, body: unknown) =>
  fetch(new URL(login.path, api.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('the first visitor makes the operator account, and nobody a second one', async () => {
  const anyone = clientOf(api.url, '')
  assert.deepEqual(await anyone.call(firstRun, {}), { needed: true, code: false, google: false, sandbox: false })
  for (const password of ['short1A', 'nouppercase1', 'NOLOWERCASE1', 'NoDigitsHere'])
    assert.deepEqual((await anyone.refusal(register, { ...PERSON, password })).fields[0]?.path, 'password', password)
  for (const organizationName of ['-Example', 'Example-', 'Two  Spaces', 'Ex@mple'])
    assert.deepEqual((await anyone.refusal(register, { ...PERSON, organizationName })).fields, [
      { path: 'organizationName', message: 'validation.organizationName' },
    ])
  assert.deepEqual((await anyone.refusal(register, { ...PERSON, organizationName: undefined })).fields, [
    { path: 'organizationName', message: 'validation.required' },
  ])
  const made = await Promise.allSettled([
    anyone.call(register, PERSON),
    anyone.call(register, { ...PERSON, email: 'late@example.com' }),
  ])
  assert.deepEqual(made.map((one) => one.status).sort(), ['fulfilled', 'rejected'])
  assert.deepEqual(await anyone.call(firstRun, {}), { needed: false, code: false, google: false, sandbox: false })
  const token = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value.jwtToken] : []))[0] ?? ''
  const info = await clientOf(api.url, token).call(account.routes.info, {})
  assert.deepEqual(
    [info.isOperator, info.organizationName, info.plan.id, info.hasEmailVerified],
    [true, 'Example Inc', 'enterprise', true],
  )
})

test('signing out ends the session, in the browser and for the token', async () => {
  const client = await api.newClient()
  const response = await loginWith({}, { email: client.email, password: PERSON.password })
  const cookie = response.headers.get('set-cookie') ?? ''
  assert.match(cookie, /HttpOnly/)
  assert.match(cookie, /SameSite=Strict/)
  assert.doesNotMatch(cookie, /Secure|Max-Age/)
  await client.call(logout, {})
  assert.equal((await client.refusal(account.routes.info, {})).status, 401)
  const other = await fetch(new URL(account.routes.info.path, api.url), {
    headers: { cookie: cookie.split(';')[0] ?? '' },
  })
  assert.equal(other.status, 200)
})

test('under TLS the cookie is Secure; remembered, it outlives the browser; an old cookie keeps nobody from signing in', async () => {
  const client = await api.newClient()
  const response = await loginWith(
    { 'x-forwarded-proto': 'https', cookie: `${sessionCookie(api.config)}=${client.token}x` },
    { email: client.email, password: PERSON.password, remember: true },
  )
  assert.equal(response.status, 200)
  assert.match(
    response.headers.get('set-cookie') ?? '',
    /fairway_session_[0-9a-f]{8}=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Strict/,
  )
})

test('installations on one machine have cookies of their own: neither signs the other out', async () => {
  const client = await api.newClient()
  const elsewhere = `${sessionCookie({ home: fs.mkdtempSync(path.join(api.config.home, 'other-')) })}=${'0'.repeat(36)}.x`
  const response = await loginWith(
    { cookie: elsewhere, origin: 'http://127.0.0.1:28080' },
    { email: client.email, password: PERSON.password },
  )
  const set = response.headers.getSetCookie()
  assert.ok(
    set.some((one) => one.startsWith(`${sessionCookie(api.config)}=`)) &&
      set.some((one) => one.startsWith('fairway_signed_in_28080=1')),
  )
  const own = set.map((one) => one.split(';')[0]).join('; ')
  assert.equal(
    (await fetch(new URL(account.routes.info.path, api.url), { headers: { cookie: `${elsewhere}; ${own}` } })).status,
    200,
  )
})

test('a wrong password and an unknown address get the same answer; after five failures the address waits, and is told for how long', async () => {
  const client = await api.newClient()
  const anyone = clientOf(api.url, '')
  const refused = async (email: string) => anyone.refusal(login, { email, password: 'Wrong-Horse-9' })
  const [wrong, unknown] = [await refused(client.email), await refused('nobody@example.com')]
  assert.deepEqual([wrong.status, wrong.code, wrong.fields], [unknown.status, unknown.code, unknown.fields])
  for (let failure = 2; failure <= 5; failure++) {
    assert.equal((await refused(client.email)).code, 401)
    assert.equal((await refused('nobody@example.com')).code, 401)
  }
  const response = await loginWith({}, { email: client.email, password: PERSON.password })
  const { meta } = (await response.json()) as { meta: { code: number; params: { minutes: number } } }
  assert.deepEqual([meta.code, meta.params.minutes], [1521, 15])
  assert.match(response.headers.get('retry-after') ?? '', /^(900|8\d\d)$/)
  assert.equal((await refused('nobody@example.com')).code, 1521)
  await api.database.system((tx) =>
    tx.query(`UPDATE login_attempt SET blocked_until = now() - interval '1 second' WHERE blocked_until IS NOT NULL`),
  )
  assert.ok((await anyone.call(login, { email: client.email.toUpperCase(), password: PERSON.password })).jwtToken)
})

test('guessing in parallel gains nothing: of forty guesses at once five are judged', async () => {
  const client = await api.newClient()
  const anyone = clientOf(api.url, '')
  const codes = await Promise.all(
    Array.from(
      { length: 40 },
      async (_, index) => (await anyone.refusal(login, { email: client.email, password: `Guess-${index}-Aa` })).code,
    ),
  )
  assert.equal(codes.filter((code) => code === 401).length, 5)
  assert.equal(codes.filter((code) => code === 1521).length, 35)
})

test('one place that tries many addresses waits as well', async () => {
  const anyone = clientOf(api.url, '')
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO login_attempt (key, failures) VALUES ('login-from:127.0.0.1', 100) ON CONFLICT (key) DO UPDATE SET failures = 100, blocked_until = NULL`,
    ),
  )
  const refused = await anyone.refusal(login, { email: 'somebody@example.com', password: 'Wrong-Horse-9' })
  assert.deepEqual([refused.status, refused.code], [429, 1530])
  await api.database.system((tx) => tx.query('DELETE FROM login_attempt'))
})

const codeFrom = async (address: string, email: string, password: string): Promise<number> => {
  const response = await loginWith({ 'x-forwarded-for': address }, { email, password })
  return response.ok ? 200 : ((await response.json()) as { meta: { code: number } }).meta.code
}

test('all addresses of one IPv6 network are one place, for guesses and for requests of any kind', async () => {
  const { email } = await api.newClient()
  for (let host = 1; host <= 5; host++)
    assert.equal(await codeFrom(`2001:db8:1:2::${host}`, email, 'Wrong-Horse-9'), 401)
  assert.equal(await codeFrom('2001:db8:1:2:aaaa::6', email, PERSON.password), 1521)
  assert.equal(await codeFrom('2001:db8:1:3::1', email, PERSON.password), 200)
  const left = async (address: string) =>
    Number(
      (await fetch(new URL(firstRun.path, api.url), { headers: { 'x-forwarded-for': address } })).headers.get(
        'x-ratelimit-remaining',
      ),
    )
  const [first, same, other] = [await left('2001:db8:9::1'), await left('2001:db8:9::2'), await left('2001:db8:9:1::1')]
  assert.deepEqual([same, other], [first - 1, first])
})

test('strangers who use up the guesses of an account keep nobody out where the account was signed in to before', async () => {
  const { email } = await api.newClient()
  const [home, away] = ['203.0.113.7', '203.0.113.8']
  assert.equal(await codeFrom(home, email, PERSON.password), 200)
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO login_attempt (key, failures) VALUES ('login:' || $1, 50), ('login:nobody@example.org', 50)`,
      [email],
    ),
  )
  // Told alike, whether there is an account or not.
  assert.equal(await codeFrom(away, email, PERSON.password), 1521)
  assert.equal(await codeFrom(away, 'nobody@example.org', PERSON.password), 1521)
  for (let failure = 1; failure <= 5; failure++) assert.equal(await codeFrom(home, email, 'Wrong-Horse-9'), 401)
  assert.equal(await codeFrom(home, email, PERSON.password), 1521, 'guesses from there are counted all the same')
  await api.database.system((tx) => tx.query(`DELETE FROM login_attempt WHERE key LIKE 'login:%|' || $1`, [home]))
  assert.equal(await codeFrom(home, email, PERSON.password), 200)
  await api.database.system((tx) => tx.query(`UPDATE sign_in_place SET seen_at = now() - interval '91 days'`))
  assert.equal(await codeFrom(home, email, PERSON.password), 1521, 'a place is forgotten')
  await api.database.system((tx) => tx.query('DELETE FROM login_attempt'))
})

test('of the places of an account the newest are kept, as hashes', async () => {
  const { email, organizationId } = await api.newClient()
  for (let host = 0; host < 22; host++) assert.equal(await codeFrom(`198.51.100.${host}`, email, PERSON.password), 200)
  const kept = await api.database.system((tx) =>
    tx.query<{ place_hash: string }>('SELECT place_hash FROM sign_in_place WHERE organization_id = $1', [
      organizationId,
    ]),
  )
  assert.equal(kept.length, 20)
  for (const { place_hash } of kept) assert.match(place_hash, /^[\w-]{43}$/)
})

test('a session ends at its hour, and earlier when nobody uses it', async () => {
  const [late, idle, used] = [await api.newClient(), await api.newClient(), await api.newClient()]
  await api.database.system(async (tx) => {
    await tx.query('UPDATE session SET expires_at = now() WHERE organization_id = $1', [late.organizationId])
    await tx.query(
      `UPDATE session SET last_seen_at = now() - make_interval(secs => idle_seconds + 1) WHERE organization_id = $1`,
      [idle.organizationId],
    )
    await tx.query(
      `UPDATE session SET last_seen_at = now() - make_interval(secs => idle_seconds - 60) WHERE organization_id = $1`,
      [used.organizationId],
    )
  })
  assert.equal((await late.refusal(account.routes.info, {})).status, 401)
  assert.equal((await idle.refusal(account.routes.info, {})).status, 401)
  await used.call(account.routes.info, {})
  const [row] = await api.database.system((tx) =>
    tx.query<{ seen: boolean }>(
      `SELECT last_seen_at > now() - interval '1 minute' AS seen FROM session WHERE organization_id = $1`,
      [used.organizationId],
    ),
  )
  assert.equal(row?.seen, true)
})
