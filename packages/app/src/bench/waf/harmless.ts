import crypto from 'node:crypto'
import { HARMLESS_TEXTS } from '@fairway/domain'
import { CARRIERS, hexOf, sample, type Sample, upload } from './carriers.ts'

const {
  searches: SEARCHES,
  prose: PROSE,
  code: CODE,
  markdown: MARKDOWN,
  world: WORLD,
  values: VALUES,
} = HARMLESS_TEXTS

const WAYS = ['query', 'form', 'json', 'multipart', 'nested', 'graphql'] as const

/** What ordinary visitors and programs send, by kind. */
export function harmless(): Sample[] {
  return [
    ...carried('searches', SEARCHES, ['query', 'graphql', 'json', 'form'], 2),
    ...carried('forms and messages', PROSE, WAYS, 4),
    ...carried('form fields', VALUES, WAYS, 3),
    ...carried('code in posts', CODE, ['form', 'json', 'multipart', 'graphql'], 2),
    ...carried('Markdown', MARKDOWN, ['form', 'json', 'multipart'], 6),
    ...carried('other scripts and emoji', WORLD, WAYS, 3),
    ...base64(),
    ...uploads(),
    ...api(),
    ...graphql(),
    ...browsing(),
    ...webhooks(),
  ]
}

function carried(category: string, texts: string[], ways: readonly string[], times: number): Sample[] {
  let n = 0
  return texts.flatMap((text) =>
    ways.flatMap((way) =>
      Array.from({ length: times }, (_, i) => {
        const carry = CARRIERS[way]
        if (!carry) throw new Error(`there is no carrier ${way}`)
        return carry(
          category,
          i === 0 ? text : i % 2 === 0 ? `${text} ${n}` : `${text}\n\n${PROSE[n % PROSE.length]}`,
          n++,
        )
      }),
    ),
  )
}

/** Bytes that look like chance, the same in every run. */
const bytes = (n: number, length: number): Buffer => {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, i) =>
    crypto.createHash('sha256').update(`${n} ${i}`).digest(),
  )
  return Buffer.concat(blocks).subarray(0, length)
}

function base64(): Sample[] {
  return Array.from({ length: 40 }, (_, n) => {
    const text = bytes(n, 60 + n * 40).toString('base64')
    return [
      sample('base64 and tokens', 'POST', '/api/avatar', JSON.stringify({ image: `data:image/png;base64,${text}` }), {
        'content-type': 'application/json',
      }),
      sample('base64 and tokens', 'GET', `/callback?state=${encodeURIComponent(text.slice(0, 60))}&code=${hexOf(n)}`),
      sample('base64 and tokens', 'GET', '/account', '', {
        cookie: `jwt=${bytes(n, 30).toString('base64url')}.${bytes(n + 1, 90).toString('base64url')}.${bytes(n + 2, 32).toString('base64url')}; theme=dark`,
      }),
      sample('base64 and tokens', 'GET', '/api/me', '', {
        authorization: `Bearer ${bytes(n, 90).toString('base64url')}`,
      }),
      sample('base64 and tokens', 'POST', '/saml/acs', `SAMLResponse=${encodeURIComponent(text)}&RelayState=%2Fhome`, {
        'content-type': 'application/x-www-form-urlencoded',
      }),
    ]
  }).flat()
}

function uploads(): Sample[] {
  return Array.from({ length: 30 }, (_, n) => [
    upload(
      'uploads',
      `photo ${n}.jpg`,
      'image/jpeg',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), bytes(n, 4000 + n * 500)]),
      n,
    ),
    upload(
      'uploads',
      `Rechnung_${n}.pdf`,
      'application/pdf',
      Buffer.concat([Buffer.from('%PDF-1.7\n'), bytes(n, 6000)]),
      n,
    ),
    upload(
      'uploads',
      `daten-${n}.csv`,
      'text/csv',
      Buffer.from('name,amount\n"Smith, John",12.5\n"O\'Neil",7\n'.repeat(20)),
      n,
    ),
    upload('uploads', `notes${n}.md`, 'text/markdown', Buffer.from(MARKDOWN[n % MARKDOWN.length] ?? ''), n),
  ]).flat()
}

function api(): Sample[] {
  const json = { 'content-type': 'application/json', accept: 'application/json' }
  return Array.from({ length: 30 }, (_, n) => [
    sample('JSON API', 'GET', `/api/v1/orders?filter[status]=open&sort=-created_at&page[size]=${n}&fields=id,total`),
    sample(
      'JSON API',
      'PATCH',
      `/api/v1/orders/${n}`,
      JSON.stringify([{ op: 'replace', path: '/status', value: 'sent' }]),
      { ...json, 'content-type': 'application/json-patch+json' },
    ),
    sample(
      'JSON API',
      'POST',
      '/api/v1/orders',
      JSON.stringify({
        lines: [{ sku: `A-${n}`, qty: 2, price: { amount: '12.50', currency: 'EUR' } }],
        note: PROSE[n % PROSE.length],
        address: { street: "12 O'Connell St.", zip: 'D01' },
      }),
      json,
    ),
    sample('JSON API', 'DELETE', `/api/v1/orders/${hexOf(n)}`),
    sample(
      'JSON API',
      'POST',
      '/api/v1/query',
      JSON.stringify({
        where: {
          and: [
            { field: 'age', op: '>=', value: 18 },
            { field: 'name', op: 'like', value: 'Jo%' },
          ],
        },
        orderBy: ['name'],
        limit: 10,
      }),
      json,
    ),
    sample(
      'JSON API',
      'PUT',
      `/api/v1/settings/${n}`,
      JSON.stringify({
        html: false,
        regex: '^[a-z]+$',
        cron: '*/5 * * * *',
        template: 'Hello {{name}}',
        path: '/var/data',
      }),
      json,
    ),
  ]).flat()
}

function graphql(): Sample[] {
  const queries = [
    '{ viewer { id name } }',
    'query Q($id: ID!) { node(id: $id) { ... on User { name posts(first: 5) { edges { node { title } } } } } }',
    'mutation M { updateUser(input: {id: "1", name: "O\'Brien"}) { user { id } } }',
    'query { products(where: {price: {lt: 100}}, orderBy: NAME) { items { id name } total } }',
    'fragment F on Post { id title }\nquery { posts { ...F } }',
    'query IntrospectionQuery { __schema { queryType { name } types { kind name } } }',
  ]
  return Array.from({ length: 20 }, (_, n) =>
    queries.map((query) =>
      sample('GraphQL', 'POST', '/graphql', JSON.stringify({ query, variables: { id: hexOf(n), first: n } }), {
        'content-type': 'application/json',
      }),
    ),
  ).flat()
}

function browsing(): Sample[] {
  const cookies =
    '_ga=GA1.2.1234567890.1700000000; _gid=GA1.2.987654321.1700000001; _fbp=fb.1.1700000000.123; consent={"ads":false,"stats":true}; cart=%5B%7B%22id%22%3A1%7D%5D; lang=zh-TW'
  const targets = [
    '/',
    '/products/blue-shirt-m?color=navy&size=M',
    '/blog/2026/11/how-to-select-a-union',
    '/assets/app.3f2a1b.js',
    '/img/photo%20(1).jpg',
    '/wiki/C++_(language)',
    '/search?q=a+b&utm_source=mail&utm_campaign=50%25-off',
    '/redirect?to=https%3A%2F%2Fexample.org%2Fa%3Fb%3Dc',
    '/%E6%9D%B1%E4%BA%AC/',
    '/feed.xml',
    '/map?lat=52.52&lng=13.405&z=12',
    '/login?next=%2Faccount%2Forders',
  ]
  return Array.from({ length: 12 }, (_, n) =>
    targets.map((target) =>
      sample('browsing', 'GET', target.includes('?') ? `${target}&n=${n}` : `${target}?n=${n}`, '', {
        cookie: cookies,
        referer: `https://www.google.com/search?q=${encodeURIComponent(SEARCHES[n] ?? '')}`,
      }),
    ),
  ).flat()
}

function webhooks(): Sample[] {
  const json = { 'content-type': 'application/json', accept: '*/*' }
  return Array.from({ length: 20 }, (_, n) => [
    sample(
      'webhooks and monitors',
      'POST',
      '/hooks/payments',
      JSON.stringify({
        id: `evt_${hexOf(n)}`,
        type: 'charge.succeeded',
        data: { object: { amount: 1999, currency: 'eur', description: 'Order #12; "gift"' } },
      }),
      {
        ...json,
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': `t=1700000000,v1=${hexOf(n)}`,
      },
    ),
    sample(
      'webhooks and monitors',
      'POST',
      '/hooks/git',
      JSON.stringify({
        ref: 'refs/heads/main',
        commits: [{ message: 'Fix: drop table alias; select only id', url: 'https://example.org/c/1' }],
      }),
      { ...json, 'user-agent': 'GitHub-Hookshot/1' },
    ),
    sample('webhooks and monitors', 'HEAD', `/health?n=${n}`, '', { 'user-agent': 'UptimeRobot/2.0', accept: '*/*' }),
    sample('webhooks and monitors', 'GET', `/feed?n=${n}`, '', {
      'user-agent': 'Feedly/1.0 (+http://www.feedly.com/fetcher.html)',
      accept: 'application/rss+xml, */*',
    }),
    sample('webhooks and monitors', 'GET', `/status?n=${n}`, '', { 'user-agent': 'curl/8.14.1', accept: '*/*' }),
  ]).flat()
}
