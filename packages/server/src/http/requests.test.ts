import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ErrorEnvelope, dnsRecords, sites } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../testing/api-under-test.ts'
import { newSteeredDomain, type SteeredDomain } from '../testing/steered-domain.ts'

let api: ApiUnderTest
let client: Client
let operator: Client
let own: SteeredDomain
before(async () => {
  api = await startApiUnderTest()
  client = await api.newClient()
  operator = await api.newClient({ isOperator: true })
  own = await newSteeredDomain(api)
})
after(() => api[Symbol.asyncDispose]())

async function post(path: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(new URL(path, api.url), {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json', ...headers },
  })
  return { status: response.status, headers: response.headers, body: ErrorEnvelope.safeParse(await response.json()) }
}

test('whatever is wrong with a request, the answer is the envelope with a code and a request id', async () => {
  const cases: [string, string, number][] = [
    ['{"domainName":', 'broken JSON', 400],
    ['[]', 'another shape', 400],
    ['null', 'nothing', 400],
    ['{"domainName": 5}', 'another type', 400],
    [`{"domainName":"${'x'.repeat(5 << 20)}"}`, 'too large', 413],
  ]
  for (const [body, what, status] of cases) {
    const answer = await post(sites.routes.create.path, body)
    assert.equal(answer.status, status, what)
    assert.ok(answer.body.success, what)
    assert.equal(answer.body.data.meta.requestId, answer.headers.get('x-request-id'))
  }
})

for (const [rule, path, method, body] of [
  ['required', '/account/v2/profile/', 'PUT', { lastName: 'B', menuOrder: 'web' }],
  ['required', '/account/v2/profile/', 'PUT', { firstName: '', lastName: 'B', menuOrder: 'web' }],
  ['email', '/auth/v2/login/', 'POST', { email: 'ada', password: 'x' }],
  ['min:3', '/billing/v2/coupons/', 'POST', { code: 'ab' }],
  ['max:80', '/account/v2/profile/', 'PUT', { firstName: 'x'.repeat(81), lastName: 'B', menuOrder: 'web' }],
  [
    'regex',
    '/operator/v2/addons/x/',
    'PUT',
    {
      category: 'no category',
      name: { en: 'x', zhHant: 'x', zhHans: 'x' },
      description: { en: 'x', zhHant: 'x', zhHans: 'x' },
      ability: [],
      allowances: {},
      planIds: [],
      offered: true,
      prices: {},
    },
  ],
  ['min_value:1', '/account/v2/apikey/', 'PUT', { name: 'x', tier: 0 }],
  ['max_value:4', '/account/v2/apikey/', 'PUT', { name: 'x', tier: 5 }],
  ['integer', '/account/v2/apikey/', 'PUT', { name: 'x', tier: 1.5 }],
  ['isNumbers', '/account/v2/apikey/', 'PUT', { name: 'x', tier: 'two' }],
  [
    'password',
    '/auth/v2/invite/accept/',
    'POST',
    { token: 'x'.repeat(43), password: 'Abcdefgh', firstName: 'A', lastName: 'B' },
  ],
  [
    'captcha',
    '/auth/v2/register/',
    'POST',
    {
      email: 'a@example.com',
      password: 'Abcdefg1',
      firstName: 'A',
      lastName: 'B',
      captcha: { id: 'x'.repeat(43), text: 'abc' },
    },
  ],
  ['mfaCode', '/auth/v2/mfa/verify/', 'POST', { stepTicket: 'x'.repeat(43), code: '12345' }],
  [
    'organizationName',
    '/account/v2/organization/',
    'PUT',
    { organizationName: '-Aurora', industry: null, jobTitle: null, masterApp: 'web' },
  ],
  ['alpha_dash_custom', '/operator/v2/marketplace/', 'POST', { customerId: 'a b' }],
  [
    'onlyLowercase',
    '/operator/v2/addons/x/',
    'PUT',
    {
      category: 'Support',
      name: { en: 'x', zhHant: 'x', zhHans: 'x' },
      description: { en: 'x', zhHant: 'x', zhHans: 'x' },
      ability: [],
      allowances: {},
      planIds: [],
      offered: true,
      prices: {},
    },
  ],
  ['length:2', '/analytics/v2/sites/{site}/dem/?country=DEU', 'GET', undefined],
  [
    'between:1:365',
    '/web/v2/sites/{site}/domains/{domain}/caches/',
    'POST',
    { type: 'directory', path: '/a/', expiry: { value: 366, unit: 'day' }, honorOrigin: true },
  ],
  ['matchInputString', '/web/v2/sites/{site}/', 'DELETE', { confirmName: 'other.example' }],
  [
    'oneLevelEach',
    '/account/v2/customers/',
    'POST',
    { email: 'b@example.com', roleIds: ['site-viewer', 'site-admin'] },
  ],
] as const) {
  test(`validation.${rule}: ${method} ${path} names the rule and the field`, async () => {
    const response = await fetch(new URL(path.replace('{site}', own.site).replace('{domain}', own.domain), api.url), {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
      headers: {
        authorization: `Bearer ${path.startsWith('/operator/') ? operator.token : own.client.token}`,
        'content-type': 'application/json',
      },
    })
    const { meta } = ErrorEnvelope.parse(await response.json())
    assert.deepEqual(
      [response.status, meta.code, meta.fields?.map(({ message }) => message)],
      [400, 400, [`validation.${rule}`]],
    )
    assert.notEqual(meta.fields?.[0]?.path, '')
  })
}

test('a path without its trailing slash, or that is none, is 404 in the envelope', async () => {
  assert.equal((await post('/web/v2/sites', '{}')).status, 404)
  assert.ok((await post('/nothing/here/', '{}')).body.success)
})

test('identifiers that are none are 404, never an error of the database', async () => {
  for (const site of ['x', "' OR 1=1", '00000000-0000-0000-0000-00000000000g', '%00', '..'])
    assert.equal((await client.refusal(sites.routes.get, { site })).status, 404, site)
})

test('headers keep content as what it is', async () => {
  const response = await fetch(new URL(sites.routes.list.path, api.url))
  assert.deepEqual(
    [response.headers.get('x-content-type-options'), response.headers.get('referrer-policy')],
    ['nosniff', 'same-origin'],
  )
})

test('long answers are compressed for who can read that, short ones are not', async () => {
  const long = (headers: Record<string, string>) => fetch(new URL('/openapi.json', api.url), { headers })
  const [packed, plain] = [await long({ 'accept-encoding': 'br' }), await long({ 'accept-encoding': 'identity' })]
  assert.deepEqual([packed.headers.get('content-encoding'), plain.headers.get('content-encoding')], ['br', null])
  assert.match(packed.headers.get('vary') ?? '', /accept-encoding/i)
  assert.deepEqual(await packed.json(), await plain.json())
  const short = await fetch(new URL(sites.routes.list.path, api.url), {
    headers: { authorization: `Bearer ${client.token}`, 'accept-encoding': 'br' },
  })
  assert.equal(short.headers.get('content-encoding'), null)
})

test('two that hold the same row at the same time wait for each other, and none is lost', async () => {
  const site = (await client.call(sites.routes.create, { domainName: 'busy.example' })).data.id
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      client.call(dnsRecords.routes.create, { site, type: 'TXT', name: `n${index}`, value: 'x' }),
    ),
  )
  assert.equal((await client.call(sites.routes.get, { site })).version, 31)
})
