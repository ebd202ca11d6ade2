import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { contactForm } from '@fairway/contract'
import { clientOf, startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'

const { send } = contactForm.routes
const QUESTION = {
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  company: '',
  message: 'What would it cost?\nTwo sites.',
  page: '/mvp/cost-reduction',
}
let form: http.Server
let asked: { path: string; body: unknown }[] = []
let status = 200
let byLetter: ApiUnderTest
let byForm: ApiUnderTest
before(async () => {
  form = http.createServer((request, response) => {
    let body = ''
    request
      .setEncoding('utf8')
      .on('data', (chunk: string) => (body += chunk))
      .on('end', () => {
        asked.push({ path: request.url ?? '', body: JSON.parse(body) })
        response.writeHead(status).end('{"inlineMessage":"Thanks"}')
      })
  })
  await new Promise<void>((resolve) => form.listen(0, '127.0.0.1', resolve))
  byLetter = await startApiUnderTest()
  byForm = await startApiUnderTest({
    FAIRWAY_MARKETING_FORM_URL: `http://127.0.0.1:${(form.address() as AddressInfo).port}/submissions/v3/integration/submit/1/abc`,
  })
})
after(async () => {
  await byForm[Symbol.asyncDispose]()
  await byLetter[Symbol.asyncDispose]()
  form.close()
})

const lettersIn = (api: ApiUnderTest) =>
  api.database.system((tx) =>
    tx.query<{ to_address: string; fields: { message: string } }>(
      `SELECT to_address, fields FROM mail_message WHERE template = 'enquiry'`,
    ),
  )

test('a question goes to the marketing form of the settings, field by field, and to no letter', async () => {
  await clientOf(byForm.url, '').call(send, QUESTION)
  assert.deepEqual(asked, [
    {
      path: '/submissions/v3/integration/submit/1/abc',
      body: {
        fields: [
          ['email', 'ada@example.com'],
          ['firstname', 'Ada'],
          ['lastname', 'Lovelace'],
          ['message', QUESTION.message],
        ].map(([name, value]) => ({ objectTypeId: '0-1', name, value })),
        context: { pageUri: new URL('/mvp/cost-reduction', byForm.config.publicUrl).href },
      },
    },
  ])
  assert.deepEqual(await lettersIn(byForm), [])
  status = 400
  assert.equal((await clientOf(byForm.url, '').refusal(send, QUESTION)).code, 503)
  asked = []
})

test('without one it is a letter: to the operator, or to the address that the partner gives', async () => {
  const anyone = clientOf(byLetter.url, '')
  assert.equal((await anyone.refusal(send, QUESTION)).code, 503)
  const operator = await byLetter.newClient({ isOperator: true })
  await anyone.call(send, QUESTION)
  await byLetter.database.system((tx) =>
    tx.query(`UPDATE partner SET contact_email = 'sales@example.com' WHERE host_name IS NULL`),
  )
  await anyone.call(send, QUESTION)
  assert.deepEqual(
    (await lettersIn(byLetter)).map(({ to_address, fields }) => [to_address, fields.message]).sort(),
    [
      [operator.email, QUESTION.message],
      ['sales@example.com', QUESTION.message],
    ].sort(),
  )
})

test('who writes too often from one place waits; what is not complete names its field', async () => {
  const anyone = clientOf(byLetter.url, '')
  assert.deepEqual((await anyone.refusal(send, { ...QUESTION, message: ' ' })).fields, [
    { path: 'message', message: 'validation.required' },
  ])
  for (let times = 0; times < 7; times++) await anyone.call(send, QUESTION).catch(() => null)
  assert.equal((await anyone.refusal(send, QUESTION)).code, 1530)
  // From ever new places no more come in than somebody can read.
  await byLetter.database.system(async (tx) => {
    await tx.query('DELETE FROM login_attempt')
    await tx.query(`INSERT INTO login_attempt (key, failures) VALUES ('enquiry', 200)`)
  })
  assert.equal((await anyone.refusal(send, QUESTION)).code, 429)
})
