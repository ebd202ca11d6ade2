import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, passwordMatches } from './password.ts'

const CHEAP = { memory: 8, passes: 1 }

test('a hash fits its own password, in any form of Unicode, and no other', async () => {
  const stored = await hashPassword('Zu\u0308rich 2026', CHEAP)
  assert.equal(await passwordMatches('Z\u00fcrich 2026', stored), true)
  assert.equal(await passwordMatches('Zurich 2026', stored), false)
  assert.notEqual(await hashPassword('Zurich 2026', CHEAP), await hashPassword('Zurich 2026', CHEAP))
})

test('a hash says what it cost, which is what OWASP asks for unless told otherwise', async () => {
  assert.match(await hashPassword('x'), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.match(await hashPassword('x', CHEAP), /^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
})

test('a hash of the time when the cost was not written is still good', async () => {
  const [, , , , salt = '', hash = ''] = (await hashPassword('correct horse')).split('$')
  const url = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')
  const older = `argon2id$${url(salt)}$${url(hash)}`
  assert.equal(await passwordMatches('correct horse', older), true)
  assert.equal(await passwordMatches('correct house', older), false)
})

test('without a stored hash no password matches, and one that would cost too much is not computed', async () => {
  assert.equal(await passwordMatches('', null), false)
  await assert.rejects(passwordMatches('x', `$argon2id$v=19$m=99999999,t=2,p=1$AAAA$AAAA`))
  await assert.rejects(passwordMatches('x', 'scrypt$AAAA$AAAA'))
})
