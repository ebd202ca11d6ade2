import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auth } from '@fairway/contract'
import { setupCode } from '@fairway/platform'
import { type ApiUnderTest, clientOf, startApiUnderTest } from '../../testing/api-under-test.ts'

const { firstRun, register } = auth.routes
const OPERATOR = {
  email: 'operator@example.com',
  password: 'Correct-Horse-9',
  firstName: 'Olive',
  lastName: 'Operator',
  organizationName: 'Example',
}
let api: ApiUnderTest
let anyone: ReturnType<typeof clientOf>
before(async () => {
  api = await startApiUnderTest({ FAIRWAY_SETUP_CODE: 'on' })
  anyone = clientOf(api.url, '')
})
after(() => api[Symbol.asyncDispose]())

const fieldsOf = async (more: Record<string, unknown>) => {
  const response = await fetch(new URL(register.path, api.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...OPERATOR, ...more }),
  })
  return `${response.status} ${await response.text()}`
}

test('an installation nobody has set up is not for whoever finds it first', async () => {
  assert.deepEqual(await anyone.call(firstRun, {}), { needed: true, code: true, google: false, sandbox: false })
  assert.match(await fieldsOf({}), /^400 .*setupCode.*validation\.required/)
  assert.match(await fieldsOf({ setupCode: 'AAAA-BBBB-CCCC' }), /^400 .*setupCode.*validation\.setupCodeWrong/)
  assert.match(await fieldsOf({ setupCode: 'no code' }), /^400 .*setupCode.*validation\.setupCode"/)
  assert.equal((await anyone.call(firstRun, {})).needed, true)
})

test('who goes on guessing has to wait, and the right code then opens it once', async () => {
  const code = setupCode(api.config)
  let tries = 0
  while (!(await fieldsOf({ setupCode: 'AAAA-BBBB-CCCC' })).startsWith('429'))
    assert.ok(++tries < 30, 'guessing has no end')
  await api.database.system((tx) => tx.query('DELETE FROM login_attempt'))
  const grouped = `${code.slice(0, 4).toLowerCase()}-${code.slice(4, 8)} ${code.slice(8)}`
  assert.equal((await anyone.call(register, { ...OPERATOR, setupCode: grouped })).next, 'done')
  assert.deepEqual(await anyone.call(firstRun, {}), { needed: false, code: false, google: false, sandbox: false })
  assert.match(await fieldsOf({ email: 'second@example.com', setupCode: code }), /^400 .*captcha/)
})
