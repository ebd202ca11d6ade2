import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { Ajv } from 'ajv'
import { DeskAway, DeskGone, type TicketOrder } from './desk.ts'
import { openTicketDesk } from './open-desk.ts'

/**
 * The shapes that HubSpot publishes for what is sent here (CRM v3: SimplePublicObjectInputForCreate,
 * SimplePublicObjectInput, PublicObjectSearchRequest), closed to anything else.
 */
const properties = { type: 'object', additionalProperties: { type: 'string' } }
const association = {
  type: 'object',
  additionalProperties: false,
  required: ['to', 'types'],
  properties: {
    to: { type: 'object', additionalProperties: false, required: ['id'], properties: { id: { type: 'string' } } },
    types: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['associationCategory', 'associationTypeId'],
        properties: {
          associationCategory: { enum: ['HUBSPOT_DEFINED', 'USER_DEFINED', 'INTEGRATOR_DEFINED'] },
          associationTypeId: { type: 'integer' },
        },
      },
    },
  },
}
const forCreate = {
  type: 'object',
  additionalProperties: false,
  required: ['properties'],
  properties: { properties, associations: { type: 'array', items: association } },
}
const filter = {
  type: 'object',
  additionalProperties: false,
  required: ['operator', 'propertyName'],
  properties: { propertyName: { type: 'string' }, operator: { enum: ['EQ', 'NEQ', 'IN'] }, value: { type: 'string' } },
}
const ajv = new Ajv()
const SCHEMAS: Record<string, ReturnType<typeof ajv.compile>> = {
  'POST /crm/v3/objects/contacts/search': ajv.compile({
    type: 'object',
    additionalProperties: false,
    properties: {
      filterGroups: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['filters'],
          properties: { filters: { type: 'array', items: filter } },
        },
      },
      properties: { type: 'array', items: { type: 'string' } },
      limit: { type: 'integer' },
    },
  }),
  'POST /crm/v3/objects/contacts': ajv.compile(forCreate),
  'POST /crm/v3/objects/tickets': ajv.compile(forCreate),
  'POST /crm/v3/objects/notes': ajv.compile(forCreate),
  'PATCH /crm/v3/objects/tickets/501': ajv.compile({
    type: 'object',
    additionalProperties: false,
    required: ['properties'],
    properties: { properties },
  }),
}

type Call = {
  what: string
  body: { properties?: Record<string, string>; associations?: { to: { id: string } }[] }
  authorization: string | undefined
}
const calls: Call[] = []
const wrong: string[] = []
let contacts: string[] = []
let refusal: number | null = null
let server: http.Server
let settings: { hubspotToken: string; hubspotUrl: string; hubspotPipeline: string[] }
before(async () => {
  server = http.createServer((request, response) => {
    let text = ''
    request
      .setEncoding('utf8')
      .on('data', (chunk: string) => (text += chunk))
      .on('end', () => {
        const what = `${request.method} ${request.url}`
        const body = JSON.parse(text) as Call['body']
        calls.push({ what, body, authorization: request.headers.authorization })
        const check = SCHEMAS[what]
        if (!check?.(body)) wrong.push(`${what}: ${ajv.errorsText(check?.errors)}`)
        const row = (id: string) => ({
          id,
          properties: {},
          createdAt: '2026-11-21T00:00:00Z',
          updatedAt: '2026-11-21T00:00:00Z',
        })
        const answer = what.endsWith('/search')
          ? { total: contacts.length, results: contacts.map(row) }
          : row(what.includes('tickets') ? '501' : '77')
        response
          .writeHead(refusal ?? (request.method === 'POST' && !what.endsWith('/search') ? 201 : 200), {
            'content-type': 'application/json',
          })
          .end(JSON.stringify(answer))
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  settings = {
    hubspotToken: 'pat-token',
    hubspotUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hubspotPipeline: ['0', '1', '4'],
  }
})
after(() => void server.close())

const ORDER: TicketOrder = {
  subject: 'My site is locked.',
  text: 'What now?',
  domain: 'shop.example',
  planName: 'Business',
  email: 'ann@example.com',
  organization: 'Example',
  context: {
    siteVersions: [{ site: 'shop.example', version: 7 }],
    decisionIds: ['d1'],
    requestIds: ['r1'],
    errorCode: 909996,
    page: '/home',
    softwareVersion: '2.40.5',
  },
}

test('without a token tickets stay with the operator, and nothing is sent', async () => {
  const desk = openTicketDesk({ ...settings, hubspotToken: '' })
  await desk.create(ORDER)
  await desk.note('1', 'x', 'y')
  assert.deepEqual([desk.name, calls.length], ['embedded', 0])
})

test('HubSpot gets the person once, the ticket with everything that helps, notes and the end, each in its published form', async () => {
  const desk = openTicketDesk(settings)
  assert.equal(await desk.create(ORDER), '501')
  contacts = ['76']
  await desk.create(ORDER)
  await desk.note('501', 'One more thing', 'ann@example.com')
  await desk.close('501')
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    calls.map(({ what }) => what.split('/').slice(4).join('/')),
    ['contacts/search', 'contacts', 'tickets', 'contacts/search', 'tickets', 'notes', 'tickets/501'],
  )
  assert.ok(calls.every(({ authorization }) => authorization === 'Bearer pat-token'))
  const tickets = calls.filter(({ what }) => what === 'POST /crm/v3/objects/tickets')
  assert.deepEqual(
    tickets.map(({ body }) => body.associations?.[0]?.to.id),
    ['77', '76'],
  )
  const content = tickets[0]?.body.properties?.['content'] ?? ''
  for (const fact of [
    'What now?',
    'Plan: Business',
    'Domain: shop.example',
    'Versions: shop.example 7',
    'Decisions: d1',
    'Requests: r1',
    'Error code: 909996',
  ])
    assert.ok(content.includes(fact), fact)
  assert.deepEqual(calls.at(-1)?.body.properties, { hs_pipeline_stage: '4' })
})

test('a desk that is away or answers something else is told as that', async () => {
  refusal = 502
  await assert.rejects(openTicketDesk(settings).create(ORDER), DeskAway)
  await assert.rejects(openTicketDesk({ ...settings, hubspotUrl: 'http://127.0.0.1:1' }).create(ORDER), DeskAway)
  await assert.rejects(openTicketDesk(settings).close('501'), (error) => !(error instanceof DeskGone))
  refusal = 404
  await assert.rejects(openTicketDesk(settings).close('501'), DeskGone)
})
