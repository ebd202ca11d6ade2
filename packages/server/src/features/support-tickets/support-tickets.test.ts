import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { account, notifications, supportTickets } from '@fairway/contract'
import { redact } from '@fairway/domain'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'

const DESK_SECRET = 'a-secret-that-two-sides-share-0001'
const { all, answer, close, contact, create, get, list, open, reply, setState, token } = supportTickets.routes
let api: ApiUnderTest
let operator: Client
before(async () => {
  api = await startApiUnderTest()
  operator = await api.newClient({ isOperator: true })
})
after(() => api[Symbol.asyncDispose]())

test('an organisation asks twenty times an hour, whoever of it asks', async () => {
  const client = await api.newClient()
  const colleague = await api.colleague(client, [])
  const question = { subject: 'Again', domain: 'shop.example', message: 'And again' }
  for (let count = 0; count < 20; count++) await (count % 2 ? client : colleague).call(create, question)
  assert.equal((await client.refusal(create, question)).code, 429)
  await (await api.newClient()).call(create, question)
})

test('a question gets a ticket id, an answer from the operator, a reply and an end', async () => {
  const client = await api.newClient({ planId: 'business' })
  const context = { siteVersions: [{ site: 'shop.example', version: 3 }], requestIds: ['abc123'], errorCode: 909996 }
  const { ticketId, id } = await client.call(create, {
    subject: 'My site is locked.',
    domain: 'Shop.example',
    message: 'What now?',
    context,
  })
  assert.match(ticketId, /^\d{5,}$/)
  const [row] = (await client.call(list, {})).data
  assert.deepEqual(
    [row?.ticketId, row?.subject, row?.domain, row?.planName, row?.state],
    [ticketId, 'My site is locked.', 'shop.example', 'Business', 'open'],
  )
  assert.deepEqual(
    (await operator.call(all, { search: ticketId })).data.map((one) => one.id),
    [id],
  )
  assert.equal((await operator.call(answer, { ticket: id, message: 'Pay, please' })).state, 'answered')
  assert.equal((await client.call(reply, { id, message: 'Done' })).state, 'open')
  assert.equal((await client.call(close, { id })).state, 'closed')
  const ticket = await client.call(get, { id })
  assert.deepEqual(
    ticket.messages.map((one) => [one.fromSupport, one.text]),
    [
      [false, 'What now?'],
      [true, 'Pay, please'],
      [false, 'Done'],
    ],
  )
  assert.deepEqual(
    [ticket.context.errorCode, ticket.context.siteVersions, ticket.context.requestIds],
    [909996, [{ site: 'shop.example', version: 3 }], ['abc123']],
  )
  assert.equal((await operator.call(setState, { ticket: id, state: 'open' })).state, 'open')
  assert.equal((await operator.call(open, { ticket: id })).messages.length, 3)
})

test('those who answer are told once of a question, until it is answered, and again of what is written then', async () => {
  const client = await api.newClient()
  const partner = await api.newClient()
  await api.database.system((tx) =>
    tx.query(
      `UPDATE app_user SET administers_partner_id = (SELECT partner_id FROM organization WHERE id = $2) WHERE email = $1`,
      [partner.email, client.organizationId],
    ),
  )
  const { id, ticketId } = await client.call(create, { subject: 'Who hears me?', message: 'x' })
  const told = async (who: Client) =>
    (await who.call(notifications.routes.list, {})).data
      .filter(({ event, fields }) => event === 'ticket-opened' && fields['ticket'] === ticketId)
      .map(({ endedAt }) => (endedAt === null ? 'waits' : 'over'))
  await client.call(reply, { id, message: 'Anybody?' })
  assert.deepEqual([await told(operator), await told(partner), await told(client)], [['waits'], ['waits'], []])
  await partner.call(answer, { ticket: id, message: 'We do' })
  assert.deepEqual([await told(operator), await told(partner)], [['over'], ['over']])
  await client.call(reply, { id, message: 'And now?' })
  assert.deepEqual(
    [await told(operator), await told(partner)],
    [
      ['waits', 'over'],
      ['waits', 'over'],
    ],
  )
  await client.call(close, { id })
  assert.deepEqual(await told(operator), ['over', 'over'])
})

test('with a support package a question comes before the others while it is open', async () => {
  const [first, second] = [await api.newClient(), await api.newClient()]
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO addon_subscription (organization_id, addon_id, started_at) VALUES ($1, 'support-package', now())`,
      [first.organizationId],
    ),
  )
  const { id } = await first.call(create, { subject: 'Priority one', message: 'x' })
  await second.call(create, { subject: 'Priority two', message: 'y' })
  const listed = async () =>
    (await operator.call(all, { search: 'Priority' })).data.map(({ subject, priority }) => [subject, priority])
  assert.deepEqual(await listed(), [
    ['Priority one', true],
    ['Priority two', false],
  ])
  await first.call(close, { id })
  await operator.call(answer, { ticket: (await second.call(list, {})).data[0]?.id ?? '', message: 'z' })
  assert.deepEqual(await listed(), [
    ['Priority two', false],
    ['Priority one', true],
  ])
})

test('without a help desk outside there is no token for one, and nobody to be a contact of', async () => {
  const client = await api.newClient()
  assert.equal((await client.call(account.routes.info, {})).helpDesk, null)
  assert.deepEqual(
    [(await client.refusal(token, { provider: 'hubspot' })).status, (await client.refusal(contact, {})).status],
    [404, 404],
  )
})

test('what is written is checked', async () => {
  const client = await api.newClient()
  for (const [field, input] of [
    ['subject', { subject: ' ', message: 'x' }],
    ['message', { subject: 'x', message: '' }],
    ['subject', { subject: 'x'.repeat(201), message: 'x' }],
    ['context.requestIds.0', { subject: 'x', message: 'x', context: { requestIds: ['<script>'] } }],
  ] as const) {
    assert.equal((await client.refusal(create, input as never)).fields[0]?.path, field)
  }
  assert.equal((await client.refusal(get, { id: crypto.randomUUID() })).status, 404)
  assert.equal((await client.refusal(all, {})).status, 403)
})

test('secrets do not get into a ticket, ordinary numbers and words do', async () => {
  const client = await api.newClient()
  const secrets = [
    'AKIAIOSFODNN7EXAMPLE',
    'Bearer abcdefgh12345678',
    '4242 4242 4242 4242',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc',
    `${crypto.randomUUID()}.${'a'.repeat(43)}`,
    '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----',
  ]
  const { id } = await client.call(create, { subject: 'password: hunter22', message: secrets.join('\n') })
  const ticket = JSON.stringify(await client.call(get, { id }))
  for (const secret of [...secrets, 'hunter22']) assert.ok(!ticket.includes(secret), secret)
  for (const fine of [
    'Order 1234567890123456 has a token problem',
    'Call +886 2 2345 6789',
    'shop.example answers 503 since 10:42',
  ])
    assert.equal(redact(fine), fine)
})

test('with HubSpot set, the ticket is there and its id is the one to quote; while HubSpot is away what customers ask is refused, and what is answered or closed here holds', async () => {
  let status = 201
  const asked: string[] = []
  const server = http.createServer((request, response) => {
    let body = ''
    request
      .on('data', (chunk: Buffer) => (body += chunk.toString()))
      .on('end', () => {
        asked.push(`${request.method} ${request.url?.split('/').slice(4).join('/')} ${body}`)
        response
          .writeHead(status)
          .end(JSON.stringify(request.url?.endsWith('/search') ? { results: [{ id: '7' }] } : { id: '9001' }))
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const hubspot = await startApiUnderTest({
    FAIRWAY_HUBSPOT_TOKEN: 'pat',
    FAIRWAY_DESK_URL: 'https://help.example/sign-in?jwt={token}',
    FAIRWAY_DESK_SECRET: DESK_SECRET,
    FAIRWAY_HUBSPOT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  })
  try {
    const client = await hubspot.newClient()
    assert.equal((await client.call(create, { subject: 'x', message: 'y' })).ticketId, '9001')
    assert.equal((await client.call(account.routes.info, {})).helpDesk, 'hubspot')
    const { jwtToken, url } = await client.call(token, { provider: 'hubspot' })
    assert.equal(url, `https://help.example/sign-in?jwt=${jwtToken}`)
    const [head, body, signature] = jwtToken.split('.')
    assert.equal(signature, crypto.createHmac('sha256', DESK_SECRET).update(`${head}.${body}`).digest('base64url'))
    const claims = JSON.parse(Buffer.from(body ?? '', 'base64url').toString()) as {
      email: string
      iat: number
      exp: number
    }
    assert.deepEqual([claims.email, claims.exp - claims.iat], [client.email, 300])
    assert.equal((await client.refusal(token, { provider: 'zendesk' })).status, 404)
    assert.equal((await client.call(contact, { contactId: null, email: client.email })).contactId, '7')
    assert.equal((await client.call(account.routes.organization, {})).hubspotContactId, '7')
    assert.equal((await client.refusal(contact, { email: 'somebody@else.example' })).fields[0]?.path, 'email')
    const staff = await hubspot.newClient({ isOperator: true })
    const ticket = (await client.call(list, {})).data[0]?.id ?? ''
    asked.length = 0
    await staff.call(answer, { ticket, message: 'Try again' })
    await staff.call(setState, { ticket, state: 'closed' })
    assert.equal(asked.length, 2)
    assert.match(asked[0] ?? '', /^POST notes .*Try again/)
    assert.match(asked[1] ?? '', /^PATCH tickets\/9001 /)
    status = 500
    assert.equal((await staff.call(answer, { ticket, message: 'Here at least' })).messages.length, 3)
    assert.equal((await client.refusal(reply, { id: ticket, message: 'Nobody would read it' })).code, 503)
    assert.equal((await staff.call(setState, { ticket, state: 'closed' })).state, 'closed')
    await staff.call(setState, { ticket, state: 'open' })
    assert.equal((await client.call(close, { id: ticket })).state, 'closed')
    assert.equal(asked.length, 6, 'each was tried there')
    status = 404
    assert.equal((await client.call(reply, { id: ticket, message: 'It was removed there' })).messages.length, 4)
    assert.equal((await client.refusal(contact, {})).code, 503)
    assert.equal((await client.refusal(create, { subject: 'z', message: 'y' })).code, 503)
    assert.deepEqual(
      (await client.call(list, {})).data.map(({ subject }) => subject),
      ['x'],
    )
  } finally {
    await hubspot[Symbol.asyncDispose]()
    server.close()
  }
})
