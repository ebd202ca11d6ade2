import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SchemaEndpoint, SecurityPolicy, TriedRequest } from '@fairway/contract'
import fc from 'fast-check'
import { CRS_DEFAULTS } from '../rule-sets/defaults.ts'
import { BOT_DEFAULTS, tryRequest } from '../try-request.ts'
import { utf8 } from '../utf8.ts'
import { jsonFields } from './json-fields.ts'
import { schemaJudge } from './judge-shape.ts'
import { emptyApi, learn, type Observation, readLearned } from './learned-api.ts'
import { learnedEndpoints } from './learned-endpoints.ts'
import { openApiOf } from './open-api.ts'
import { endpointRows, frozen, schemaEndpoint } from './schema-in-force.ts'
import { shapeOf } from './shape.ts'
import { typeOfSegment, typeOfText } from './value-types.ts'
import { formOf } from './testing/form-of.ts'

/** A generator that is the same in every run. */
function chance(seed: number): (most: number) => number {
  let state = seed >>> 0
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

const uuid = (n: (most: number) => number) => {
  const hex = (length: number) => Array.from({ length }, () => n(16).toString(16)).join('')
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
}
const WORDS = [
  'spring',
  'autumn',
  'river',
  'blue',
  'mountain',
  'how-to',
  'cake',
  'bread',
  'train',
  'cloud',
  'night',
  'sun',
]
const slug = (n: (most: number) => number) => `${WORDS[n(12)]}-${WORDS[n(12)]}-${WORDS[n(12)]}`

type Made = { method: string; target: string; type?: string; body?: string; more?: Record<string, string> }
type Maker = (n: (most: number) => number) => Made
const json = (method: string, target: string, body: object): Made => ({
  method,
  target,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
})
const paged = (n: (most: number) => number) =>
  ['', `?page=${1 + n(40)}`, `?page=${1 + n(40)}&limit=${10 * (1 + n(5))}`][n(3)] ?? ''

/** A shop's API of forty endpoints, as somebody would write one: the path is what it should be found as. */
const API: [string, Maker][] = [
  ['GET /api/v1/users', (n) => ({ method: 'GET', target: `/api/v1/users${paged(n)}` })],
  [
    'POST /api/v1/users',
    (n) => json('POST', '/api/v1/users', { name: slug(n), email: `${slug(n)}@a.test`, age: n(90) }),
  ],
  ['GET /api/v1/users/{}', (n) => ({ method: 'GET', target: `/api/v1/users/${n(90_000)}` })],
  [
    'PATCH /api/v1/users/{}',
    (n) => json('PATCH', `/api/v1/users/${n(90_000)}`, n(2) ? { name: slug(n) } : { age: n(90) }),
  ],
  ['DELETE /api/v1/users/{}', (n) => ({ method: 'DELETE', target: `/api/v1/users/${n(90_000)}` })],
  ['GET /api/v1/users/me', () => ({ method: 'GET', target: '/api/v1/users/me' })],
  ['GET /api/v1/users/{}/orders', (n) => ({ method: 'GET', target: `/api/v1/users/${n(90_000)}/orders${paged(n)}` })],
  ['GET /api/v1/users/{}/addresses', (n) => ({ method: 'GET', target: `/api/v1/users/${n(90_000)}/addresses` })],
  [
    'POST /api/v1/users/{}/addresses',
    (n) =>
      json('POST', `/api/v1/users/${n(90_000)}/addresses`, {
        street: slug(n),
        city: WORDS[n(12)],
        zip: `${n(99_999)}`,
      }),
  ],
  ['GET /api/v1/orders', (n) => ({ method: 'GET', target: `/api/v1/orders?status=${['open', 'paid', 'sent'][n(3)]}` })],
  [
    'POST /api/v1/orders',
    (n) =>
      json('POST', '/api/v1/orders', {
        customerId: n(90_000),
        items: Array.from({ length: 1 + n(4) }, () => ({ productId: uuid(n), count: 1 + n(5), price: 1.5 + n(100) })),
        note: n(2) ? slug(n) : null,
      }),
  ],
  ['GET /api/v1/orders/{}', (n) => ({ method: 'GET', target: `/api/v1/orders/${uuid(n)}` })],
  ['PUT /api/v1/orders/{}/status', (n) => json('PUT', `/api/v1/orders/${uuid(n)}/status`, { status: WORDS[n(12)] })],
  ['POST /api/v1/orders/{}/cancel', (n) => ({ method: 'POST', target: `/api/v1/orders/${uuid(n)}/cancel` })],
  [
    'GET /api/v1/orders/{}/invoices/{}',
    (n) => ({ method: 'GET', target: `/api/v1/orders/${uuid(n)}/invoices/${n(9999)}` }),
  ],
  ['GET /api/v1/products', (n) => ({ method: 'GET', target: `/api/v1/products${paged(n)}` })],
  ['GET /api/v1/products/{}', (n) => ({ method: 'GET', target: `/api/v1/products/${slug(n)}` })],
  [
    'GET /api/v1/products/{}/reviews',
    (n) => ({ method: 'GET', target: `/api/v1/products/${slug(n)}/reviews${paged(n)}` }),
  ],
  [
    'POST /api/v1/products/{}/reviews',
    (n) =>
      json('POST', `/api/v1/products/${slug(n)}/reviews`, { stars: 1 + n(5), text: slug(n), tags: [WORDS[n(12)]] }),
  ],
  [
    'GET /api/v1/search',
    (n) => ({ method: 'GET', target: `/api/v1/search?q=${WORDS[n(12)]}${n(2) ? '&sort=price' : ''}` }),
  ],
  ['GET /api/v1/categories', () => ({ method: 'GET', target: '/api/v1/categories' })],
  ['GET /api/v1/categories/{}', (n) => ({ method: 'GET', target: `/api/v1/categories/${n(200)}` })],
  ['GET /api/v1/countries', () => ({ method: 'GET', target: '/api/v1/countries' })],
  ['GET /api/v1/currencies', () => ({ method: 'GET', target: '/api/v1/currencies' })],
  ['GET /api/v1/health', () => ({ method: 'GET', target: '/api/v1/health' })],
  ['GET /api/v1/version', () => ({ method: 'GET', target: '/api/v1/version' })],
  [
    'POST /api/v1/login',
    (n) => ({
      method: 'POST',
      target: '/api/v1/login',
      type: 'application/x-www-form-urlencoded',
      body: `user=${slug(n)}&password=${uuid(n)}${n(2) ? '&remember=true' : ''}`,
    }),
  ],
  ['POST /api/v1/logout', () => ({ method: 'POST', target: '/api/v1/logout' })],
  ['POST /api/v1/tokens/refresh', (n) => json('POST', '/api/v1/tokens/refresh', { token: uuid(n) })],
  ['GET /api/v1/carts/{}', (n) => ({ method: 'GET', target: `/api/v1/carts/${uuid(n)}` })],
  ['PUT /api/v1/carts/{}/items/{}', (n) => json('PUT', `/api/v1/carts/${uuid(n)}/items/${n(999)}`, { count: n(9) })],
  [
    'DELETE /api/v1/carts/{}/items/{}',
    (n) => ({ method: 'DELETE', target: `/api/v1/carts/${uuid(n)}/items/${n(999)}` }),
  ],
  ['GET /api/v1/reports/{}', (n) => ({ method: 'GET', target: `/api/v1/reports/2026-${10 + n(3)}-${10 + n(19)}` })],
  ['GET /api/v1/stock/{}/{}', (n) => ({ method: 'GET', target: `/api/v1/stock/${n(40)}/${uuid(n)}` })],
  [
    'POST /api/v1/events',
    (n) =>
      json('POST', '/api/v1/events', {
        type: WORDS[n(12)],
        at: '2026-11-25T10:00:00Z',
        data: { n: n(9), ok: n(2) === 0 },
      }),
  ],
  [
    'POST /api/v1/uploads',
    (n) => ({
      method: 'POST',
      target: '/api/v1/uploads',
      type: 'multipart/form-data; boundary=x',
      body: formOf(
        'form-data; name="title"',
        slug(n),
        `form-data; name="photo"; filename="${slug(n)}.jpg"`,
        'y'.repeat(1 + n(900)),
      ),
    }),
  ],
  ['GET /api/v2/users', (n) => ({ method: 'GET', target: `/api/v2/users${n(2) ? '?cursor=abcdef' : ''}` })],
  ['GET /api/v2/users/{}', (n) => ({ method: 'GET', target: `/api/v2/users/${uuid(n)}` })],
  [
    'POST /api/v2/graphql',
    (n) => json('POST', '/api/v2/graphql', { query: `{ ${WORDS[n(12)]} }`, variables: { id: n(99) } }),
  ],
  [
    'POST /api/v2/batch',
    (n) => json('POST', '/api/v2/batch', Array.from({ length: 1 + n(3) }, () => ({ op: 'set', id: n(99) })) as object),
  ],
]

const shapeOfMade = ({ method, target, type = '', body = '' }: Made) => {
  const text = utf8(body)
  const shape = shapeOf(method, target, type, { text, size: text.length, state: 'whole' })
  assert.ok(shape)
  return shape
}
const AT = Date.UTC(2026, 10, 25)
function observed(made: Made, index: number, more: Partial<Observation> = {}): Observation {
  return {
    at: AT + index * 100,
    method: made.method,
    status: 200,
    network: `203.0.${index % 97}.0`,
    shape: shapeOfMade(made),
    ...more,
  }
}
const requests = (seed: number, count: number): Made[] => {
  const n = chance(seed)
  return Array.from({ length: count }, () => API[n(API.length)]?.[1](n) ?? { method: 'GET', target: '/' })
}
function learnt(count = 5000) {
  const api = emptyApi()
  for (const [index, made] of requests(7, count).entries()) learn(api, observed(made, index))
  return api
}
const nameOf = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`
const schemaOf = (endpoints: SchemaEndpoint[], mode: 'simulate' | 'block' = 'block') => ({
  learning: false,
  paths: ['/api/*'],
  mode,
  endpoints,
})
const inForce = () => frozen([], learnedEndpoints(learnt()), [])

describe('a schema learned from traffic', () => {
  it('names at least 95 of 100 endpoints after 5,000 requests, and none that is not there', () => {
    const found = learnedEndpoints(learnt()).filter(({ isKnown }) => isKnown)
    const wanted = API.map(([name]) => name)
    const missed = wanted.filter((name) => !found.some((one) => nameOf(one) === name))
    const extra = found.map(nameOf).filter((name) => !wanted.includes(name))
    assert.ok(missed.length <= 2, `missed ${missed.join(', ')}; extra ${extra.join(', ')}`)
    assert.deepEqual(extra, [])
  })

  it('stops none of another 5,000 requests, whole or by their forms', () => {
    const schema = schemaOf(inForce())
    const judge = schemaJudge(schema)
    const stopped: string[] = []
    for (const made of requests(99, 5000)) {
      const judged = judge(made.method, shapeOfMade(made))
      const tried = verdictOf(schema, made)
      assert.equal(tried.action === 'block', judged?.reason !== '', JSON.stringify(made))
      if (judged?.reason !== '') stopped.push(`${made.method} ${made.target} ${judged?.reason} ${judged?.name}`)
    }
    assert.deepEqual(stopped, [])
  })

  it('is the same whether it is learned in one go or over restarts', () => {
    const made = requests(7, 600)
    let saved = JSON.stringify(emptyApi())
    for (const [index, one] of made.entries()) {
      const api = readLearned(saved)
      assert.ok(api)
      learn(api, observed(one, index))
      saved = JSON.stringify(api)
    }
    assert.deepEqual(JSON.parse(saved), JSON.parse(JSON.stringify(learnt(600))))
  })

  it('holds no value that a visitor has sent', () => {
    const text = JSON.stringify(learnt())
    for (const secret of ['a.test', 'Z"', '2026-11-2', '-4']) assert.equal(text.includes(secret), false, secret)
    const odd = shapeOfMade({
      method: 'POST',
      target: `/reset/9f86d081884c7d659a2f?me@example.test=1&${'k'.repeat(70)}=2`,
      type: 'application/x-www-form-urlencoded',
      body: '{"card":"4111 1111 1111 1111"}',
    })
    assert.deepEqual(odd.segments, ['reset', '{id}'])
    assert.equal(shapeOf('GET', '/api/logo.svg?v=1', '', { text: '', size: 0, state: 'whole' }), undefined)
    assert.deepEqual(new Set(odd.fields.map(({ name }) => name)), new Set(['me@example.test', '{key}']))
  })

  it('that cannot be read is none', () => {
    for (const text of ['', 'null', '{"version":2}', '{"version":1,"root":null}', '['])
      assert.equal(readLearned(text), null)
  })
})

describe('who wants to teach it something else', () => {
  it('teaches nothing from one network, by errors, or without end', () => {
    const api = learnt()
    const before = learnedEndpoints(api)
      .filter(({ isKnown }) => isKnown)
      .map(nameOf)
    for (let i = 0; i < 3000; i++) {
      learn(
        api,
        observed({ method: 'GET', target: `/api/v1/x${i}/y${i * 7}?a${i}b=1` }, i, { network: '198.51.100.0' }),
      )
      learn(api, observed({ method: 'GET', target: '/api/admin/secret' }, i, { status: 404 }))
    }
    assert.deepEqual(
      learnedEndpoints(api)
        .filter(({ isKnown }) => isKnown)
        .map(nameOf),
      before,
    )
    assert.ok(JSON.stringify(api).length < 400_000, `${JSON.stringify(api).length}`)
  })

  it('keeps it bounded from a thousand networks too, and does not drive out what many have shown', () => {
    const api = learnt()
    const n = chance(3)
    const odd = () =>
      Array.from({ length: 1 + n(12) }, () => WORDS[n(12)] + String.fromCharCode(97 + n(26), 97 + n(26))).join('/')
    for (let i = 0; i < 20_000; i++)
      learn(
        api,
        observed({ method: 'GET', target: `/${odd()}?${WORDS[n(12)]}${odd()}=1` }, i, {
          network: `10.${n(4)}.${n(250)}.0`,
        }),
      )
    assert.ok(JSON.stringify(api).length < 2_000_000, `${JSON.stringify(api).length}`)
    const names = new Set(
      learnedEndpoints(api)
        .filter(({ isKnown }) => isKnown)
        .map(nameOf),
    )
    const missing = API.map(([name]) => name).filter((name) => !names.has(name))
    assert.ok(missing.length <= 2, missing.join(', '))
  })

  it('leaves out a parameter that only one network has sent', () => {
    const api = emptyApi()
    for (let i = 0; i < 200; i++) learn(api, observed({ method: 'GET', target: '/api/a?page=1' }, i))
    for (let i = 0; i < 200; i++)
      learn(api, observed({ method: 'GET', target: '/api/a?evil=1' }, i, { network: '198.51.100.0' }))
    assert.deepEqual(
      learnedEndpoints(api)[0]?.content.parameters.map(({ name }) => name),
      ['page'],
    )
  })

  it('cannot name what objects have by themselves', () => {
    const api = emptyApi()
    const body = '{"__proto__":{"polluted":1},"constructor":1}'
    for (let i = 0; i < 30; i++) {
      learn(
        api,
        observed({ method: 'POST', target: '/__proto__/constructor?__proto__=1', type: 'application/json', body }, i),
      )
      learn(api, observed({ method: 'toString', target: '/hasOwnProperty' }, i))
    }
    assert.equal('polluted' in {}, false)
    assert.deepEqual(learnedEndpoints(api).map(nameOf), ['POST /__proto__/constructor', 'toString /hasOwnProperty'])
    const document = openApiOf('a.test', frozen([], learnedEndpoints(api), []), '1')
    assert.ok(JSON.stringify(document).includes('"constructor"'))
  })
})

const NOTHING: SecurityPolicy = {
  access: [],
  bots: { ...BOT_DEFAULTS, securityLevel: 'off' },
  firewall: [],
  api: [],
  schema: schemaOf([]),
  failedLogins: [],
  credentialStuffing: [],
  headers: [],
  crs: { ...CRS_DEFAULTS, enabled: false, rules: [], exclusions: [] },
  origins: [],
}
const NOWHERE = { continent: 'AS', country: 'JP', region: null, city: null, network: null, asn: null } as const
function verdictOf(schema: SecurityPolicy['schema'], { method, target, type, body = '', more = {} }: Made) {
  const request: TriedRequest = {
    method,
    address: '203.0.113.9',
    scheme: 'https',
    target,
    protocol: 'HTTP/2.0',
    tlsVersion: '1.3',
    headers: [
      ...(type === undefined ? [] : [{ name: 'Content-Type', value: type }]),
      ...Object.entries(more).map(([name, value]) => ({ name, value })),
    ],
    body,
    bodyForm: 'text',
    cleared: false,
  }
  const inspection = { findings: [], failed: '', cut: false }
  const unread = { text: '', size: body.length, state: 'unread' } as const
  return tryRequest(
    { ...NOTHING, schema },
    request,
    'www.example.test',
    NOWHERE,
    10,
    inspection,
    'content-encoding' in more ? unread : undefined,
  )
}

const ENDPOINT: SchemaEndpoint = {
  id: 'e1',
  method: 'POST',
  path: '/api/users/{userId}',
  kinds: ['json'],
  maxBytes: 200,
  open: false,
  edited: false,
  parameters: [
    { in: 'path', name: 'userId', type: 'integer', nullable: false, required: true, maxLength: 0 },
    { in: 'query', name: 'page', type: 'integer', nullable: false, required: true, maxLength: 3 },
    { in: 'body', name: '', type: 'object', nullable: false, required: false, maxLength: 0 },
    { in: 'body', name: 'name', type: 'text', nullable: false, required: true, maxLength: 20 },
    { in: 'body', name: 'born', type: 'date', nullable: true, required: false, maxLength: 0 },
  ],
}
const PATH = '/api/users/5?page=1'
const JSON_TYPE = 'application/json'

describe('a request that is held against a schema', () => {
  const cases: [string, Made, reason: string][] = [
    ['fits', { method: 'POST', target: PATH, type: JSON_TYPE, body: '{"name":"Ada","born":null}' }, ''],
    [
      'fits, its path spelled otherwise',
      {
        method: 'POST',
        target: '/api//x/../users/%35/?page=1',
        type: 'Application/Problem+JSON',
        body: '{"name":"A"}',
      },
      '',
    ],
    ['is for no endpoint', { method: 'POST', target: '/api/user/5' }, 'unknown-endpoint'],
    ['has a word where a number stands', { method: 'POST', target: '/api/users/five?page=1' }, 'unknown-endpoint'],
    ['says that it is a number', { method: 'POST', target: '/api/users/{integer}?page=1' }, 'unknown-endpoint'],
    ['has another method', { method: 'PUT', target: PATH }, 'unknown-method'],
    [
      'has a parameter more',
      { method: 'POST', target: `${PATH}&debug=1`, type: JSON_TYPE, body: '{"name":"A"}' },
      'unknown-parameter',
    ],
    [
      'has a field more',
      { method: 'POST', target: PATH, type: JSON_TYPE, body: '{"name":"A","admin":true}' },
      'unknown-parameter',
    ],
    [
      'hides a field behind an escape',
      { method: 'POST', target: PATH, type: JSON_TYPE, body: '{"name":"A","\\u0061dmin":true}' },
      'unknown-parameter',
    ],
    [
      'has a field twice, once wrong',
      { method: 'POST', target: PATH, type: JSON_TYPE, body: '{"name":"A","name":{"$ne":1}}' },
      'wrong-type',
    ],
    [
      'has text for a number',
      { method: 'POST', target: '/api/users/5?page=x', type: JSON_TYPE, body: '{"name":"A"}' },
      'wrong-type',
    ],
    ['has a number for text', { method: 'POST', target: PATH, type: JSON_TYPE, body: '{"name":5}' }, 'wrong-type'],
    [
      'is too long in one place',
      { method: 'POST', target: '/api/users/5?page=1234', type: JSON_TYPE, body: '{"name":"A"}' },
      'too-long',
    ],
    [
      'is too large',
      { method: 'POST', target: PATH, type: JSON_TYPE, body: `{"name":"A"}${' '.repeat(200)}` },
      'too-large',
    ],
    [
      'lacks what must be there',
      { method: 'POST', target: PATH, type: JSON_TYPE, body: '{"born":null}' },
      'missing-parameter',
    ],
    [
      'comes as something else',
      { method: 'POST', target: PATH, type: 'text/plain', body: '{"name":"A"}' },
      'wrong-content-type',
    ],
    ['comes without content', { method: 'POST', target: PATH }, 'wrong-content-type'],
    ['is no JSON', { method: 'POST', target: PATH, type: JSON_TYPE, body: '{"name":"A"' }, 'invalid-body'],
    [
      'says of itself that it is two things',
      { method: 'POST', target: PATH, type: JSON_TYPE, body: '{"name":"A"}', more: { 'content-type': 'text/plain' } },
      'wrong-content-type',
    ],
    [
      'comes in a coding that nobody can undo',
      { method: 'POST', target: PATH, type: JSON_TYPE, body: 'x', more: { 'content-encoding': 'gzip' } },
      'too-complex',
    ],
    ['is about something else', { method: 'GET', target: '/pages/a' }, ''],
    ['asks whether it may ask', { method: 'OPTIONS', target: '/api/anything' }, ''],
    ['is for a file', { method: 'GET', target: '/api/docs/logo.svg' }, ''],
  ]
  for (const [name, made, reason] of cases)
    it(`${name}: ${reason === '' ? 'goes on' : reason}`, () => {
      const blocked = verdictOf(schemaOf([ENDPOINT]), made)
      assert.deepEqual(
        [blocked.action, blocked.reason, blocked.status],
        reason === '' ? ['pass', '', 0] : ['block', reason, 403],
      )
      const simulated = verdictOf(schemaOf([ENDPOINT], 'simulate'), made)
      assert.deepEqual([simulated.reason, simulated.status], [reason, 0])
      assert.equal(simulated.action, reason === '' ? 'pass' : 'simulate')
    })

  it('goes on at an endpoint that was learned from what could not be read whole, unless what was read does not fit', () => {
    const open = schemaOf([{ ...ENDPOINT, open: true, maxBytes: 10_000 }])
    const posted = (body: string, more = {}) =>
      verdictOf(open, { method: 'POST', target: PATH, type: JSON_TYPE, body, more }).reason
    assert.deepEqual(
      [
        posted('{"name":"A"}\n{"name":"B"}'),
        posted('gzip', { 'content-encoding': 'gzip' }),
        posted('{"name":"A","other":1}'),
        posted('{"name":5'),
      ],
      ['', '', '', 'wrong-type'],
    )
  })

  it('passes without a schema in force, or with none that names anything', () => {
    for (const schema of [{ ...schemaOf([ENDPOINT]), mode: 'off' as const }, schemaOf([])])
      assert.equal(verdictOf(schema, { method: 'GET', target: '/api/none' }).action, 'pass')
  })

  it('is judged in bounded time, however many ways a path could be read', () => {
    const deep = Array.from({ length: 16 }, (_, i) => (i % 2 ? '{a}' : 'x')).join('/')
    const endpoints = Array.from({ length: 200 }, (_, i) => ({
      ...ENDPOINT,
      id: `e${i}`,
      path: `/api/${i % 3 === 0 ? deep.replaceAll('x', '{b}') : deep}/${i}`,
      parameters: [],
    }))
    const began = process.cpuUsage()
    for (let i = 0; i < 200; i++) verdictOf(schemaOf(endpoints), { method: 'POST', target: `/api/${'x/'.repeat(15)}` })
    const { user } = process.cpuUsage(began)
    assert.ok(user < 4_000_000)
  })
})

describe('a form in parts that is held against a schema', () => {
  const FORM = 'multipart/form-data; boundary=x'
  const parts: SchemaEndpoint = {
    ...ENDPOINT,
    path: '/api/photos',
    kinds: ['multipart'],
    maxBytes: 4_000,
    parameters: [
      { in: 'body', name: 'title', type: 'text', nullable: false, required: true, maxLength: 20 },
      { in: 'body', name: 'photo', type: 'file', nullable: true, required: false, maxLength: 100 },
    ],
  }
  const TITLE = ['form-data; name="title"', 'Sea']
  const PHOTO = 'form-data; name="photo"; filename="a.jpg"'
  const posted = (body: string, of: Partial<SchemaEndpoint> = {}, more = {}) =>
    verdictOf(schemaOf([{ ...parts, ...of }]), { method: 'POST', target: '/api/photos', type: FORM, body, more }).reason

  it('goes on where it fits, and is stopped where a part does not', () => {
    assert.deepEqual(
      [
        posted(formOf(...TITLE, PHOTO, 'jpg')),
        posted(formOf(...TITLE, 'form-data; name="photo"; filename=""', '')),
        posted(formOf(PHOTO, 'jpg')),
        posted(formOf(...TITLE, PHOTO, 'x'.repeat(101))),
        posted(formOf(...TITLE, 'form-data; name="photo"', 'no file')),
        posted(formOf('form-data; name="title"; filename="a.php"', 'Sea')),
        posted(formOf(...TITLE, 'form-data; name="admin"', '1')),
        posted(formOf(...TITLE, 'form-data; name="photo"; filename="../a.jpg"', 'x')),
        posted(formOf(...TITLE, PHOTO, 'x'.repeat(5_000))),
        posted(formOf(...TITLE), {}, { 'content-encoding': 'gzip' }),
      ],
      [
        '',
        '',
        'missing-parameter',
        'too-long',
        'wrong-type',
        'wrong-type',
        'unknown-parameter',
        'invalid-body',
        'too-large',
        'too-complex',
      ],
    )
  })

  it('is not looked into by a schema that was frozen without its fields', () => {
    const [title] = parts.parameters
    assert.equal(posted(formOf('form-data; name="other"', '1'), { parameters: [] }), '')
    assert.equal(
      posted('no form', { parameters: title ? [{ ...title, required: false }] : [], kinds: ['json', 'multipart'] }),
      '',
    )
  })
})

describe('a schema', () => {
  it('keeps what was changed by hand, and what is in force, when it is frozen again', () => {
    const known = learnedEndpoints(learnt())
    const [first, second] = known.filter(({ isKnown }) => isKnown)
    assert.ok(first && second)
    const edited = { ...schemaEndpoint(first), maxBytes: 7, edited: true }
    const gone: SchemaEndpoint = { ...ENDPOINT, id: 'gone' }
    const now = frozen([edited, gone], known, [second.id])
    assert.equal(now.find(({ id }) => id === first.id)?.maxBytes, 7)
    assert.ok(now.some(({ id }) => id === 'gone'))
    assert.equal(
      now.some(({ id }) => id === second.id),
      false,
    )
    const rows = endpointRows([edited, gone], known, [second.id], AT + 600_000)
    const stateOf = (id: string) => rows.find((one) => one.id === id)?.state
    assert.deepEqual([stateOf(first.id), stateOf('gone'), stateOf(second.id)], ['in-force', 'gone', 'ignored'])
    assert.ok(rows.some(({ state }) => state === 'new'))
  })

  it('is written down as OpenAPI 3.1 with nested fields in their places', () => {
    const document = openApiOf('api.example.test', inForce(), '7') as {
      openapi: string
      paths: Record<
        string,
        Record<
          string,
          {
            parameters?: { name: string; in: string }[]
            requestBody?: { content: Record<string, { schema: unknown }> }
          }
        >
      >
    }
    assert.equal(document.openapi, '3.1.0')
    const order = document.paths['/api/v1/orders']?.['post']?.requestBody?.content['application/json']?.schema as {
      properties: Record<string, { type: unknown; items?: { properties: object } }>
      additionalProperties: boolean
    }
    assert.deepEqual(Object.keys(order.properties).toSorted(), ['customerId', 'items', 'note'])
    assert.deepEqual(order.properties['note']?.type, ['string', 'null'])
    assert.deepEqual(Object.keys(order.properties['items']?.items?.properties ?? {}).toSorted(), [
      'count',
      'price',
      'productId',
    ])
    assert.equal(order.additionalProperties, false)
    // Every value in a path is declared, as OpenAPI asks for.
    for (const [path, operations] of Object.entries(document.paths))
      for (const { parameters = [] } of Object.values(operations))
        assert.deepEqual(
          parameters.filter((one) => one.in === 'path').map(({ name }) => name),
          [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name),
        )
  })
})

describe('forms', () => {
  it('of values are told apart', () => {
    const cases: [string, string, string][] = [
      ['5', 'integer', 'integer'],
      ['-5', 'integer', 'integer'],
      ['1.5', 'number', ''],
      ['1.', 'text', ''],
      ['4111111111111111', 'text', 'id'],
      ['true', 'boolean', ''],
      ['', 'null', ''],
      ['2026-11-25', 'date', 'date'],
      ['2026-11-25T10:00:00Z', 'date-time', ''],
      ['0f8fad5b-d9cb-469f-a165-70867728950e', 'uuid', 'uuid'],
      ['5d41402abc4b2a76b9719d911017c592', 'text', 'id'],
      ['aZ3kd9Wk', 'text', 'id'],
      ['v1', 'text', ''],
      ['oauth2', 'text', ''],
      ['top-10-of-2026', 'text', ''],
      ['users', 'text', ''],
    ]
    for (const [text, type, segment] of cases)
      assert.deepEqual([text, typeOfText(text), typeOfSegment(text)], [text, type, segment])
  })

  it('of JSON are read from whatever JSON.parse reads, and of nothing else', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        const { problem } = jsonFields(utf8(text))
        seen.add(problem)
        assert.notEqual(problem, 'invalid', text)
      }),
    )
    assert.ok(seen.has(''))
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:0e-. tn\\u'), maxLength: 30 }), (text) => {
        let reads = true
        try {
          JSON.parse(text)
        } catch {
          reads = false
        }
        const { problem } = jsonFields(text)
        if (reads) assert.notEqual(problem, 'invalid', text)
      }),
      { numRuns: 3000 },
    )
    for (const text of ['', '{', '{"a"}', '[1,]', '{"a":1,}', '1 2', '"a', 'nul', '{a:1}', '[1', '-', '"\n"'])
      assert.equal(jsonFields(text).problem, 'invalid', text)
  })

  it('of JSON that is deep or wide without end are given up in time', () => {
    assert.equal(jsonFields('['.repeat(100_000)).problem, 'too-complex')
    assert.equal(jsonFields('{"a":'.repeat(50_000)).problem, 'too-complex')
    const wide = `{${Array.from({ length: 5000 }, (_, i) => `"k${'abcdefghij'[i % 10]}${'klmnopqrst'[Math.floor(i / 10) % 10]}${'uvwxyz'[Math.floor(i / 100) % 6]}":1`).join(',')}}`
    assert.equal(jsonFields(wide).problem, 'too-complex')
    assert.deepEqual(
      jsonFields(`[${'1,'.repeat(30_000)}1]`).fields.map(({ name }) => name),
      ['[]', ''],
    )
  })
})
