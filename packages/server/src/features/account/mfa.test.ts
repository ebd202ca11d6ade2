import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { generate } from 'otplib'
import { account, auth } from '@fairway/contract'
import { clientOf, startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { lettersTo } from '../../testing/letters.ts'
import { stepOf } from './second-factor.ts'

const { disableTotp, enableTotp, info, profile, renewRecoveryCodes, verifyTotp } = account.routes
const { login, secondStep } = auth.routes
const PASSWORD = 'Correct-Horse-9'
let api: ApiUnderTest
let anyone: ReturnType<typeof clientOf>
before(async () => {
  api = await startApiUnderTest()
  anyone = clientOf(api.url, '')
})
after(() => api[Symbol.asyncDispose]())

/** Codes of coming steps, so that none is used twice: the server takes one step to either side of now. */
const codeAt = (secret: string, steps = 0) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })

async function withMfa(): Promise<{
  client: Client
  secret: string
  recoveryCodes: string[]
  ticket: () => Promise<string>
}> {
  const client = await api.newClient()
  const { secret } = await client.call(enableTotp, { password: PASSWORD })
  const { recoveryCodes } = await client.call(verifyTotp, { code: await codeAt(secret, -1) })
  const ticket = async () => (await anyone.call(login, { email: client.email, password: PASSWORD })).ticket ?? ''
  return { client, secret, recoveryCodes, ticket }
}

// RFC 6238, appendix B, the SHA-1 rows; six digits are the last six of its eight.
for (const [seconds, code] of [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const) {
  test(`the code of second ${seconds} is the one that RFC 6238 gives`, async () => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    assert.equal(await stepOf(secret, code, new Date(seconds * 1000)), Math.floor(seconds / 30))
    assert.equal(await stepOf(secret, code, new Date((seconds + 90) * 1000)), null)
  })
}

test('MFA is set up with a code, and signing in then takes a second step', async () => {
  const client = await api.newClient()
  assert.deepEqual((await client.refusal(enableTotp, {})).fields, [
    { path: 'password', message: 'validation.required' },
  ])
  assert.deepEqual((await client.refusal(enableTotp, { password: 'Wrong-Horse-9' })).fields, [
    { path: 'password', message: 'validation.passwordWrong' },
  ])
  const { secret, uri, qr } = await client.call(enableTotp, { password: PASSWORD })
  assert.match(uri, /^otpauth:\/\/totp\/Fairway:user-\d+%40example\.com\?/)
  assert.match(qr, /^<svg/)
  assert.equal((await client.call(info, {})).hasMfaEnabled, false)
  for (const code of ['12345', '1234567', 'abcdef'])
    assert.deepEqual((await client.refusal(verifyTotp, { code })).fields, [
      { path: 'code', message: 'validation.mfaCode' },
    ])
  const right = await codeAt(secret, -1)
  assert.deepEqual((await client.refusal(verifyTotp, { code: right === '000000' ? '000001' : '000000' })).fields, [
    { path: 'code', message: 'validation.mfaCodeWrong' },
  ])
  assert.equal((await client.call(verifyTotp, { code: right })).recoveryCodes.length, 10)
  assert.equal((await client.call(info, {})).hasMfaEnabled, true)
  const first = await anyone.call(login, { email: client.email, password: PASSWORD, remember: true })
  assert.deepEqual([first.next, first.jwtToken, first.methods], ['second-step', '', ['totp', 'recovery']])
  const second = await anyone.call(secondStep, { stepTicket: first.ticket ?? '', code: await codeAt(secret) })
  assert.equal((await clientOf(api.url, second.jwtToken).call(info, {})).email, client.email)
  assert.deepEqual(
    (await lettersTo(api, client.email)).map(({ template, fields }) => [template, fields['on']]),
    [['mfa-changed', true]],
  )
  const [stored] = await api.database.system((tx) =>
    tx.query<{ secret: string }>('SELECT t.secret FROM totp t JOIN app_user u ON u.id = t.user_id WHERE u.email = $1', [
      client.email,
    ]),
  )
  assert.ok(stored && !stored.secret.includes(secret))
})

test('a code is good once, also when it comes twice at the same time', async () => {
  const { secret, ticket } = await withMfa()
  const [one, two] = [await ticket(), await ticket()]
  const code = await codeAt(secret)
  const tries = await Promise.allSettled([
    anyone.call(secondStep, { stepTicket: one, code }),
    anyone.call(secondStep, { stepTicket: two, code }),
  ])
  assert.deepEqual(tries.map((each) => each.status).sort(), ['fulfilled', 'rejected'])
  assert.deepEqual((await anyone.refusal(secondStep, { stepTicket: await ticket(), code })).fields, [
    { path: 'code', message: 'validation.mfaCodeUsed' },
  ])
})

test('a ticket is good once and for ten minutes; without one the first step comes again', async () => {
  const { secret, recoveryCodes, ticket } = await withMfa()
  const used = await ticket()
  await anyone.call(secondStep, { stepTicket: used, code: await codeAt(secret) })
  assert.equal((await anyone.refusal(secondStep, { stepTicket: used, recoveryCode: recoveryCodes[0] })).code, 1575)
  const old = await ticket()
  await api.database.system((tx) => tx.query(`UPDATE app_token SET expires_at = now() WHERE purpose = 'second-step'`))
  const refused = await anyone.refusal(secondStep, { stepTicket: old, recoveryCode: recoveryCodes[0] })
  assert.deepEqual([refused.status, refused.code], [401, 1575])
})

test('guessing codes is stopped after five, with any number of tickets', async () => {
  const { client, secret, ticket } = await withMfa()
  const tickets: string[] = []
  while (tickets.length < 12) tickets.push(await ticket())
  const wrong = (await codeAt(secret, 0)) === '111111' ? '222222' : '111111'
  const codes = await Promise.all(
    tickets.map(async (one) => (await anyone.refusal(secondStep, { stepTicket: one, code: wrong })).code),
  )
  assert.equal(codes.filter((code) => code === 400).length, 5)
  assert.equal(codes.filter((code) => code === 1523).length, 7)
  assert.equal(
    (await anyone.refusal(secondStep, { stepTicket: await ticket(), code: await codeAt(secret) })).code,
    1523,
  )
  await client.call(info, {})
})

test('each recovery code opens once, however it is written; new ones replace the old', async () => {
  const { client, recoveryCodes, ticket } = await withMfa()
  const [first = '', second = ''] = recoveryCodes
  await anyone.call(secondStep, { stepTicket: await ticket(), recoveryCode: first.toLowerCase().replaceAll('-', ' ') })
  assert.deepEqual((await anyone.refusal(secondStep, { stepTicket: await ticket(), recoveryCode: first })).fields, [
    { path: 'recoveryCode', message: 'validation.recoveryCodeWrong' },
  ])
  assert.equal((await client.call(profile, {})).recoveryCodesLeft, 9)
  const renewed = await client.call(renewRecoveryCodes, { password: PASSWORD })
  assert.equal((await anyone.refusal(secondStep, { stepTicket: await ticket(), recoveryCode: second })).status, 400)
  await anyone.call(secondStep, { stepTicket: await ticket(), recoveryCode: renewed.recoveryCodes[9] })
  const stored = await api.database.system((tx) =>
    tx.query<{ code_hash: string }>('SELECT code_hash FROM recovery_code'),
  )
  for (const code of renewed.recoveryCodes) assert.ok(!JSON.stringify(stored).includes(code.replaceAll('-', '')))
})

test('MFA is turned off by the password or a code only, and its codes are gone', async () => {
  const { client, secret } = await withMfa()
  assert.equal((await client.refusal(disableTotp, {})).status, 400)
  await client.call(disableTotp, { code: await codeAt(secret) })
  assert.equal((await anyone.call(login, { email: client.email, password: PASSWORD })).next, 'done')
  assert.equal((await client.refusal(renewRecoveryCodes, { password: PASSWORD })).code, 7409)
  const again = await client.call(enableTotp, { password: PASSWORD })
  assert.notEqual(again.secret, secret)
})

test('the password cannot be guessed from a stolen session', async () => {
  const client = await api.newClient()
  const codes = await Promise.all(
    Array.from(
      { length: 12 },
      async (_, index) => (await client.refusal(disableTotp, { password: `Guess-${index}` })).code,
    ),
  )
  assert.equal(codes.filter((code) => code === 400).length, 5)
  assert.equal((await client.refusal(disableTotp, { password: PASSWORD })).code, 2523)
})
