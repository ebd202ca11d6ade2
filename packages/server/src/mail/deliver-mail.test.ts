import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { notifications } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../testing/api-under-test.ts'
import { SAMPLE_LETTERS } from '../testing/sample-letters.ts'
import { until } from '../testing/until.ts'
import { takeDue } from './deliver-mail.ts'
import { enqueueMail, enqueueSealedMail } from './enqueue-mail.ts'

const write = (api: ApiUnderTest, client: Client, to: string) =>
  api.database.system(async (tx) => {
    const [row] = await tx.query<{ partner_id: string }>('SELECT partner_id FROM organization WHERE id = $1', [
      client.organizationId,
    ])
    await enqueueSealedMail(tx, api.config, {
      to,
      template: 'reset-password',
      fields: SAMPLE_LETTERS['reset-password'],
      locale: 'zhHant',
      organizationId: client.organizationId,
      partnerId: row?.partner_id ?? '',
    })
  })
const rowOf = async (api: ApiUnderTest, to: string) =>
  (
    await api.database.system((tx) =>
      tx.query<{ state: string; attempts: number; problem: string | null; sent_at: Date | null; due_at: Date }>(
        'SELECT state, attempts, problem, sent_at, due_at FROM mail_message WHERE to_address = $1',
        [to],
      ),
    )
  )[0]
const tried = (api: ApiUnderTest, to: string, times: number) =>
  until(async () => {
    const row = await rowOf(api, to)
    return row && row.attempts >= times && row
  })

test('letters that somebody waits for come first, and of others each organisation has its turn', async () => {
  await using api = await startApiUnderTest()
  const [busy, other] = [await api.newClient(), await api.newClient()]
  const taken = await api.database.system(async (tx) => {
    const [row] = await tx.query<{ partner_id: string }>('SELECT partner_id FROM organization LIMIT 1')
    const letter = (to: string, { organizationId }: Client) => ({
      to,
      locale: 'en' as const,
      organizationId,
      partnerId: row?.partner_id ?? '',
    })
    // One that was refused waits for hours; that is its own.
    const refused = { ...letter('refused@busy.example', busy), template: 'invoice' as const }
    await enqueueMail(tx, { ...refused, fields: SAMPLE_LETTERS.invoice })
    await tx.query(
      `UPDATE mail_message SET attempts = 6, due_at = now() + interval '5 hours', turn_at = now() + interval '5 hours' WHERE to_address = $1`,
      [refused.to],
    )
    for (let n = 1; n <= 5; n++) {
      const fields = SAMPLE_LETTERS.invite
      await enqueueSealedMail(tx, api.config, { ...letter(`${n}@busy.example`, busy), template: 'invite', fields })
    }
    const bill = SAMPLE_LETTERS.invoice
    await enqueueMail(tx, { ...letter('bill@other.example', other), template: 'invoice', fields: bill })
    const fields = SAMPLE_LETTERS['reset-password']
    await enqueueSealedMail(tx, api.config, {
      ...letter('reset@busy.example', busy),
      template: 'reset-password',
      fields,
    })
    const [last] = await tx.query<{ wait: number }>(
      `SELECT extract(epoch FROM turn_at - now())::float8 AS wait FROM mail_message WHERE to_address = '5@busy.example'`,
    )
    assert.equal(last?.wait, 4)
    return takeDue(tx, 4)
  })
  assert.deepEqual(
    new Set(taken.map(({ to_address }) => to_address)),
    new Set(['reset@busy.example', 'bill@other.example', '1@busy.example', '2@busy.example']),
  )
})

test('what a clock that was ahead put off is due, and a letter that cannot be made now is tried again', async () => {
  await using api = await startApiUnderTest()
  const client = await api.newClient()
  const change = (to: string, what: string) =>
    api.database.system((tx) => tx.query(`UPDATE mail_message SET ${what} WHERE to_address = $1`, [to]))
  await api.database.system(async (tx) => {
    const [row] = await tx.query<{ partner_id: string }>('SELECT partner_id FROM organization LIMIT 1')
    const letter = { locale: 'en' as const, organizationId: client.organizationId, partnerId: row?.partner_id ?? '' }
    for (const to of ['ahead@example.com', 'tried@example.com', 'leased@example.com', 'newer@example.com'])
      await enqueueMail(tx, { ...letter, to, template: 'invoice', fields: SAMPLE_LETTERS.invoice })
    await tx.query(`UPDATE mail_message SET due_at = now() + interval '8 hours' WHERE to_address = 'ahead@example.com'`)
    await tx.query(
      `UPDATE mail_message SET attempts = 4, due_at = now() + interval '8 hours' WHERE to_address = 'tried@example.com'`,
    )
    await tx.query(
      `UPDATE mail_message SET leased_until = now() + interval '30 days' WHERE to_address = 'leased@example.com'`,
    )
    await tx.query(`UPDATE mail_message SET template = 'of-a-newer-release' WHERE to_address = 'newer@example.com'`)
  })
  assert.equal((await tried(api, 'ahead@example.com', 1)).state, 'kept')
  assert.equal((await tried(api, 'tried@example.com', 5)).state, 'kept')
  // It holds as long as one lasts: its worker may be at it.
  const [leased] = await api.database.system((tx) =>
    tx.query<{ left: number; attempts: number }>(
      `SELECT extract(epoch FROM leased_until - now())::float8 AS left, attempts FROM mail_message WHERE to_address = 'leased@example.com'`,
    ),
  )
  assert.ok(leased && leased.left > 60 && leased.left < 240 && leased.attempts === 0, JSON.stringify(leased))
  assert.equal((await tried(api, 'newer@example.com', 1)).state, 'waiting')
  await change('newer@example.com', `template = 'invoice', due_at = now()`)
  assert.equal((await tried(api, 'newer@example.com', 2)).state, 'kept')
})

test('without a mail server letters are kept for the operator, whole and with their links', async () => {
  await using api = await startApiUnderTest()
  const client = await api.newClient()
  await write(api, client, 'kept@example.com')
  assert.deepEqual(
    [(await tried(api, 'kept@example.com', 1)).state, (await rowOf(api, 'kept@example.com'))?.sent_at],
    ['kept', null],
  )
  const folder = path.join(api.config.home, 'outbox')
  const [file] = fs.readdirSync(folder)
  assert.match(fs.readFileSync(path.join(folder, file ?? ''), 'utf8'), /To: <?kept@example\.com/)
})

test('a mail server that is down gets its letters when it is back, one that refuses an address is not asked again, one that refuses or puts off a few is well, and the operator hears of long silence', async () => {
  let refused = ''
  let putsOff = false
  let relays = true
  const arrived: string[] = []
  const open = (port: number) =>
    new Promise<SMTPServer>((resolve) => {
      const server = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS'],
        disableReverseLookup: true,
        logger: false,
        closeTimeout: 100,
        onRcptTo: ({ address }, _session, done) =>
          address === refused || (!relays && address.endsWith('.away.example'))
            ? done(Object.assign(new Error('no such user'), { responseCode: 554 }))
            : putsOff && address.endsWith('.off.example')
              ? done(Object.assign(new Error('domain not found'), { responseCode: 450 }))
              : done(),
        onData(stream, session, done) {
          stream.resume()
          stream.on('end', () => (arrived.push(...session.envelope.rcptTo.map(({ address }) => address)), done()))
        },
      })
      server.on('error', () => {})
      server.listen(port, '127.0.0.1', () => resolve(server))
    })
  const close = (server: SMTPServer) => new Promise<void>((resolve) => server.close(() => resolve()))
  const first = await open(0)
  const address = first.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await using api = await startApiUnderTest({ FAIRWAY_SMTP_URL: `smtp://127.0.0.1:${port}` })
  const operator = await api.newClient({ isOperator: true })
  const told = async () =>
    (await operator.call(notifications.routes.list, { type: 'account' })).data
      .filter(({ event }) => event === 'mail-failing')
      .map(({ endedAt }) => endedAt !== null)

  for (const to of ['one@example.com', 'two@example.com']) await write(api, operator, to)
  for (const to of ['one@example.com', 'two@example.com'])
    assert.deepEqual([(await tried(api, to, 1)).state, (await rowOf(api, to))?.sent_at !== null], ['sent', true])
  assert.deepEqual(arrived.sort(), ['one@example.com', 'two@example.com'])

  refused = 'gone@example.com'
  await write(api, operator, refused)
  const gone = await tried(api, refused, 1)
  assert.equal(gone.state, 'failed')
  assert.match(gone.problem ?? '', /554/)

  await close(first)
  await write(api, operator, 'late@example.com')
  const now = (to = 'late@example.com') =>
    api.database.system((tx) =>
      tx.query(`UPDATE mail_message SET due_at = now() WHERE to_address = $1 AND state = 'waiting'`, [to]),
    )
  /** As if no letter had left for a while, also not the one that says that they do again. */
  const silent = async () => {
    await until(async () => {
      const fresh = `SELECT FROM mail_message WHERE state = 'waiting' AND attempts = 0`
      return (await api.database.system((tx) => tx.query(fresh))).length === 0
    })
    await api.database.system((tx) =>
      tx.query(
        `UPDATE mail_message SET sent_at = now() - interval '11 minutes', created_at = now() - interval '12 minutes' WHERE state <> 'waiting'`,
      ),
    )
  }
  const late = await tried(api, 'late@example.com', 1)
  assert.deepEqual([late.state, late.due_at > new Date()], ['waiting', true])
  for (const times of [2, 3]) await now().then(() => tried(api, 'late@example.com', times))
  assert.deepEqual(await told(), [], 'others have just been sent')
  await silent()
  await now().then(() => tried(api, 'late@example.com', 4))
  assert.deepEqual(await told(), [false])

  const second = await open(port)
  await now()
  await until(async () => (await rowOf(api, 'late@example.com'))?.state === 'sent')
  assert.ok(arrived.includes('late@example.com'))
  await until(async () => (await told())[0])

  putsOff = true
  await silent()
  const off = ['a@1.off.example', 'b@2.off.example', 'c@3.off.example']
  for (const [at, to] of off.entries()) {
    await write(api, operator, to)
    for (const times of [1, 2, 3]) await now(to).then(() => tried(api, to, times))
    // It is told, and over with the letter that tells it.
    assert.equal((await told()).length, at < 2 ? 1 : 2, to)
  }

  relays = false
  await until(async () => (await told()).every(Boolean))
  await silent()
  await api.database.system((tx) => tx.query(`DELETE FROM mail_message WHERE state = 'waiting'`))
  // Sent, says a clock that was ahead.
  await write(api, operator, 'ahead@example.com')
  await tried(api, 'ahead@example.com', 1)
  await api.database.system((tx) =>
    tx.query(
      `UPDATE mail_message SET sent_at = now() + interval '8 hours', created_at = now() - interval '1 hour' WHERE to_address = 'ahead@example.com'`,
    ),
  )
  for (const [at, to] of ['a@1.away.example', 'b@2.away.example', 'c@3.away.example'].entries()) {
    await write(api, operator, to)
    assert.equal((await tried(api, to, 1)).state, 'failed')
    assert.equal((await told()).length, at < 2 ? 2 : 3, to)
  }
  await close(second)
})
