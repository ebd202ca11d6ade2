import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { auditLog, auth, operatorArea, supportTickets } from '@fairway/contract'
import { type ApiUnderTest, type Client, clientOf, startApiUnderTest } from '../testing/api-under-test.ts'
import { lettersTo, tokenFor } from '../testing/letters.ts'
import { until } from '../testing/until.ts'

let api: ApiUnderTest
let operator: Client
before(async () => {
  api = await startApiUnderTest()
  operator = await api.newClient({ isOperator: true })
})
after(() => api[Symbol.asyncDispose]())

/** The files of the outbox, whole. */
const files = () => {
  const folder = path.join(api.config.home, 'outbox')
  return fs.existsSync(folder)
    ? fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
    : []
}

test('a link that opens an account lies nowhere in clear, and works for its receiver', async () => {
  const client = await api.newClient()
  const anyone = clientOf(api.url, '')
  await anyone.call(auth.routes.forgotPassword, { email: client.email })
  const token = await tokenFor(api, client.email, 'reset-password')
  const kept = await until(async () => files().find((text) => text.includes(`To: ${client.email}`)))
  assert.ok(!kept.replaceAll(/=\r?\n/g, '').includes(token), 'a file of the outbox holds the token')
  const stored = JSON.stringify(
    await api.database.system((tx) => tx.query('SELECT * FROM mail_message WHERE to_address = $1', [client.email])),
  )
  assert.ok(!stored.includes(token) && stored.includes('sealed'))
  await anyone.call(auth.routes.resetPassword, { token, password: 'Another-Horse-9' })
})

test('the operator reads a kept letter whole, which both audit logs tell; what was sent shows no link', async () => {
  const client = await api.newClient()
  await clientOf(api.url, '').call(auth.routes.forgotPassword, { email: client.email })
  const token = await tokenFor(api, client.email, 'reset-password')
  const [row] = await until(async () => {
    const { data } = await operator.call(operatorArea.routes.letters, { search: client.email, state: 'kept' })
    return data.length > 0 ? data : undefined
  })
  const letter = row?.id ?? ''
  assert.ok((await operator.call(operatorArea.routes.letter, { letter })).text.includes(token))
  for (const reader of [client, operator])
    assert.deepEqual(
      (await reader.call(auditLog.routes.list, { action: 'letter.read' })).data.map(({ user, changes }) => [
        user,
        changes[0]?.label,
      ]),
      [[operator.email, `reset-password ${client.email}`]],
    )
  await api.database.system((tx) => tx.query(`UPDATE mail_message SET state = 'sent' WHERE id = $1`, [letter]))
  const sent = await operator.call(operatorArea.routes.letter, { letter })
  assert.ok(!sent.text.includes(token) && !sent.html.includes(token) && sent.text.length > 100)
})

test('an answered ticket is written to its author, in the author’s language, and to nobody else', async () => {
  const owner = await api.newClient()
  const author = await api.colleague(owner, ['ViewSite'])
  await api.database.system((tx) => tx.query(`UPDATE app_user SET locale = 'zhHant' WHERE email = $1`, [author.email]))
  const { id, ticketId } = await author.call(supportTickets.routes.create, { subject: 'Slow', message: 'Since noon' })
  await operator.call(supportTickets.routes.answer, { ticket: id, message: 'Fixed. My password is hunter22' })
  const [letter] = await lettersTo(api, author.email)
  assert.deepEqual(
    [letter?.template, letter?.fields['ticket'], letter?.fields['answer']],
    ['ticket-answered', ticketId, 'Fixed. My password is [redacted]'],
  )
  assert.ok(String(letter?.fields['link']).endsWith(`/support?open=${id}`))
  assert.deepEqual(await lettersTo(api, owner.email), [])
})
