import crypto from 'node:crypto'
import { CARRIERS, hexOf, sample, type Sample, upload } from './carriers.ts'

const SEARCHES = [
  "rock 'n' roll t-shirt",
  "O'Reilly books",
  'size 10" frying pan',
  'C++ or C#',
  'black & white',
  '50% off sale',
  'how to select a laptop',
  'union jobs in Leeds',
  'drop leaf table',
  'insert sole for running shoes',
  'order by phone',
  'where is my order',
  'cat food',
  'id card holder',
  'ping pong table',
  'shell necklace',
  'script font',
  'alert system for elderly',
  'java chip frappuccino',
  'python skin boots',
  'table for 4 or more',
  'select comfort mattress',
  "women's jeans",
  "m&m's",
  '24/7 support',
  'price < 100',
  'a/c unit',
  '"exact phrase"',
  '(new) phone',
  'email@example.com',
  '#1 best seller',
  'what does "null" mean?',
  '1 or 2 bedrooms',
  'group by age',
  'Baby One More Time...',
  'AT&T',
  '1=1?',
  'wait for delivery',
  'truncate or round',
]
const PROSE = [
  "I'd like to return the jacket I ordered on 3 May; it doesn't fit. Can you select another size for me, or refund it?",
  'The meeting is at 10:00 - 11:30 (room 4/B). Please bring: laptop, charger & notes!',
  'My address is 12 O\'Connell St., Flat #3; the bell says "Smith/Jones".',
  "She said: \"It's fine\", and he answered 'ok'. Then they left; nobody knows where from or why.",
  'Great product, 10/10 would buy again!!! :-) <3',
  'Prices: a) $5.00, b) $7.50 (2 for 1) -- limited time only.',
  'We need to update the table in section 4, delete the old rows and insert the figures from Q2.',
  'Hello, the union of both teams has chosen to select all delegates by vote. Drop me a line if you want to join.',
  'Dear all,\n\nplease find the minutes below.\n\n* budget: approved\n* travel: 50 % cut\n\nBest,\nAnna',
  'Is it true that 3 > 2 and 2 < 3? My son asks; he is 7 and likes numbers = fun.',
  'Flight LH 454 or UA 901, whichever is cheaper; from SFO, on the 5th.',
  'I tried turning it off and on again; no luck. Error code 0x80070057 on C:\\Users\\Anna\\Documents.',
]
const CODE = [
  'SELECT name, count(*) FROM orders WHERE total > 100 GROUP BY name ORDER BY 2 DESC;',
  "How do I write this query?\n\nSELECT u.id FROM users u JOIN posts p ON p.user_id = u.id WHERE u.email = 'a@b.c'",
  'const total = items.reduce((sum, item) => sum + item.price, 0)\nconsole.log(`Total: ${total}`)',
  '<div class="card"><h2>Title</h2><p>Some text</p></div>',
  'function greet(name) { return "Hello, " + name + "!" }',
  'for i in range(10):\n    print(i * 2)',
  'sudo apt-get update && sudo apt-get install nginx',
  'git commit -m "fix: header" && git push origin main',
  'docker run --rm -it -v $(pwd):/app node:22 npm test',
  'public static void main(String[] args) { System.out.println("hi"); }',
  'if (a && b || !c) { return x ? y : z }',
  '#include <stdio.h>\nint main(void) { printf("%d\\n", 42); return 0; }',
  'a:hover { color: #f00; background: url(/img/a.png) no-repeat }',
  'My .htaccess:\nRewriteEngine On\nRewriteRule ^blog/(.*)$ /posts/$1 [L,R=301]',
  'try { await fetch("/api/items") } catch (error) { console.error(error) }',
  'def add(a: int, b: int) -> int:\n    """Adds."""\n    return a + b',
]
const MARKDOWN = [
  '# Title\n\n- one\n- two\n\n> quote\n\n**bold** and *italic*, `code`',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '[link](https://example.org/a?b=c&d=e) and ![image](/img/a.png)',
  '```js\nconst a = 1\n```\n\nSee issue #42.',
  '1. first\n2. second\n   - nested; with (brackets)\n\n---\n\nEnd.',
  '## Changes\n\n* `foo()` now returns `null`\n* ~~old~~ new\n\nThanks @anna!',
  '- [ ] buy milk\n- [x] call Bob\n\n<details><summary>More</summary>text</details>',
]
const WORLD = [
  '東京の天気はどうですか？',
  '你好，我想退货。订单号：12345',
  '안녕하세요! 배송은 언제 되나요?',
  'Привет! Как дела?',
  'مرحبا، أين طلبي؟',
  'שלום, מה שלומך?',
  'こんにちは😀🎉',
  '👨‍👩‍👧‍👦 family 🍕🍔',
  'Žluťoučký kůň úpěl ďábelské ódy',
  'Größe: XL; Straße 5',
  '¿Dónde está? ¡Aquí!',
  'ﾊﾝｶｸ ｶﾀｶﾅ',
  '（全角）括号；逗号，',
  '价格：￥100～￥200',
  '🚀 launch “today” — maybe…',
  'Ça va? L’été dernier, c’était très beau',
  'हिन्दी में लिखा',
  'ราคาเท่าไหร่ครับ',
  'Ünïcödé & «guillemets»',
  '我的地址是：北京市朝阳区建国路1号（A座）',
]
const VALUES = [
  'anna.smith@example.com',
  '+44 20 7946 0958',
  '2026-11-24T18:30:00+01:00',
  '1.299,00 €',
  '-12.5',
  'true',
  'null',
  'https://example.org/path?x=1&y=2#top',
  '192.0.2.10',
  'a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5d',
  'en-GB',
  'Europe/Berlin',
  'P@ssw0rd!#$%',
  'It\'s; a "secret" (42)',
  '../images',
  'C:\\Temp',
  'x^2 + y^2 = z^2',
  '[1, 2, 3]',
  '{"a":1}',
  'key=value; other=1',
]

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
