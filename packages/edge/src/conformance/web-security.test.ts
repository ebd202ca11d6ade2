import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import http2 from 'node:http2'
import { after, before, test } from 'node:test'
import { type EdgeSecurity, type Publication, SecurityPolicy } from '@fairway/contract'
import { BOT_DEFAULTS } from '@fairway/domain'
import { REDACTED } from '@fairway/domain/web-security'
import { readLogLine } from '../requests/log-line.ts'
import {
  type EdgeUnderTest,
  eventually,
  type GetOptions,
  type Origin,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
  temporaryHome,
} from '../testing/edge-under-test.ts'
import { pointer, startResolver, type TestResolver } from '../testing/resolver.ts'
import fs from 'node:fs'
import type { z } from 'zod'

const HOST = 'www.example.test'
let home: string
let edge: EdgeUnderTest
let origin: Origin
let spare: Origin
let resolver: TestResolver
let version = 1
before(async () => {
  origin = await startOrigin((request, response) => {
    response.setHeader('Cache-Control', 'max-age=60')
    response.setHeader('X-Secret', 'told')
    response.end(`origin ${request.url}`)
  })
  spare = await startOrigin((_, response) => void response.end('spare'))
  home = temporaryHome()
  resolver = await startResolver()
  edge = await startEdgeUnderTest(home, undefined, { FAIRWAY_RESOLVER: resolver.at })
  await edge.publish(siteOf('site', version, [{ origin: origin.origin(), cdns: elsewhere() }]))
})
/** Where an origin rule leads. */
const elsewhere = () => ({
  'rule-elsewhere': {
    origin: spare.origin(),
    cache: { enabled: true, defaultTtlSeconds: 60, everything: true },
  },
})
after(async () => {
  await Promise.all([edge, origin, spare].map((one) => one?.[Symbol.asyncDispose]()))
  resolver?.[Symbol.dispose]()
  fs.rmSync(home, { recursive: true, force: true })
})

type Wanted = Partial<z.input<typeof SecurityPolicy>>
const OFF = { ...BOT_DEFAULTS, securityLevel: 'off' as const }

function publication(wanted: Wanted | null): Publication {
  version += 1
  const policy = SecurityPolicy.parse({ access: [], bots: OFF, firewall: [], headers: [], origins: [], ...wanted })
  const body: EdgeSecurity = {
    siteId: 'site',
    organizationId: 'org-1',
    version,
    domains: wanted === null ? [] : [{ domainId: 'site-domain-0', host: HOST, policy }],
  }
  return { revision: version, kind: 'edge-security', key: 'site', version, body }
}
const secure = (wanted: Wanted | null) => edge.publish(publication(wanted))
const from = (address: string, more: Record<string, string> = {}): GetOptions => ({
  headers: { 'x-forwarded-for': address, 'user-agent': 'test', ...more },
})
const get = (target: string, options: GetOptions = from('203.0.113.9')) => edge.get(HOST, target, options)
const path = (value: string) => ({ field: 'path' as const, operator: 'starts-with' as const, values: [value] })
const rule = (id: string, action: object, expression: object | null = null) =>
  ({ id, name: id, expression, action }) as NonNullable<Wanted['firewall']>[number]
const entry = (id: string, list: 'whitelist' | 'blacklist', value: string, more: object = {}) => ({
  id,
  list,
  kind: 'address' as const,
  value,
  network: null,
  exclude: false,
  until: 0,
  ...more,
})

async function threatOf(incident: string) {
  return eventually(() => {
    const lines = fs.readFileSync(edge.agent.layout.requestLog, 'utf8').split('\n')
    const line = lines.map(readLogLine).find((one) => one?.id === incident)
    assert.ok(line, 'the request is in the log')
    return line.threat
  })
}

test('access control stops before the cache, by address and place, the whitelist first; the log says why', async () => {
  assert.equal((await get('/cached')).status, 200)
  await secure({ access: [entry('b', 'blacklist', '203.0.113.0/24'), entry('w', 'whitelist', '203.0.113.10')] })
  const blocked = await get('/cached', from('203.0.113.9', { accept: 'text/html' }))
  assert.equal(blocked.status, 403)
  assert.equal(blocked.headers['cache-control'], 'no-store')
  const incident = /[0-9a-f]{32}/.exec(blocked.text)?.[0] ?? ''
  assert.deepEqual(await threatOf(incident), {
    part: 'access-control',
    action: 'block',
    ruleId: 'b',
    reason: 'blacklisted',
    address: '203.0.113.9',
    query: '',
    agent: 'test',
    matched: { field: 'address', name: '', text: '203.0.113.9' },
    weight: 1,
  })
  assert.equal((await get('/cached', from('203.0.113.10'))).status, 200)
  assert.equal((await get('/cached', from('198.51.100.1'))).status, 200)
  await secure({ access: [entry('p', 'blacklist', 'country:JP', { kind: 'place' })] })
  await eventually(async () => assert.equal((await get('/cached', from('133.11.0.1'))).status, 403))
  assert.equal((await get('/cached', from('8.8.8.8'))).status, 200)
  await secure({ access: [entry('x', 'blacklist', '203.0.113.9', { until: 1 })] })
  assert.equal((await get('/cached')).status, 200)
  await secure(null)
})

test('a rule about the size of a body holds whether the visitor says it or not', async () => {
  const large = { field: 'body-size' as const, operator: 'at-least' as const, values: ['1000'] }
  await secure({ firewall: [rule('large', { type: 'block' }, large)] })
  const post = (bytes: number, more: Record<string, string>) =>
    edge.get(HOST, '/form', { method: 'POST', body: 'x'.repeat(bytes), ...from('203.0.113.9', more) })
  const ways: Record<string, string>[] = [{}, { 'transfer-encoding': 'chunked' }]
  for (const more of ways) {
    assert.equal((await post(999, more)).status, 200)
    assert.equal((await post(1000, more)).status, 403)
    assert.equal((await post(50_000, more)).status, 403)
  }
  const session = http2.connect(`https://${edge.config.edgeHttps.host}:${edge.config.edgeHttps.port}`, {
    rejectUnauthorized: false,
    servername: HOST,
  })
  const overHttp2 = (method: string, bytes: number) =>
    new Promise<number>((resolve, reject) => {
      const head = { ':method': method, ':path': '/form', ':authority': HOST, 'user-agent': 'test' }
      const stream = session.request(head, { endStream: false })
      stream.on('response', (headers) => resolve(headers[':status'] ?? 0)).on('error', reject)
      stream.resume().end('x'.repeat(bytes))
    })
  for (const method of ['POST', 'GET'])
    assert.deepEqual([await overHttp2(method, 999), await overHttp2(method, 1000)], [200, 403], method)
  session.destroy()
  await secure(null)
})

test('the log tells which bytes a rule found, and no secret; a flood is told by few lines that count for all', async () => {
  const query = { field: 'query' as const, operator: 'matches' as const, values: ['(?:union|select)\\s+\\w+'] }
  await secure({ firewall: [rule('sql', { type: 'block' }, { any: [path('/never'), query] })] })
  const incidentOf = async (target: string) => {
    const { text } = await get(target, from('203.0.113.9', { accept: 'text/html', 'user-agent': '"><\u00e9' }))
    return threatOf(/[0-9a-f]{32}/.exec(text)?.[0] ?? '')
  }
  const told = await incidentOf('/p?a=1%20union%20all&password=hunter2&b=2')
  assert.equal(told?.query, `a=1%20union%20all&password=${REDACTED}&b=2`)
  assert.equal(told?.matched?.field, 'query')
  assert.equal(told?.matched?.text, REDACTED, 'where a query holds a secret, nothing of it is told')
  assert.equal((await incidentOf('/p?a=1%20union%20all&b=2'))?.matched?.text, 'union a')
  await secure({ firewall: [rule('flood', { type: 'block' }, path('/flood'))] })
  const order: string[] = []
  const wave = async () => {
    const all = await Promise.all(Array.from({ length: 500 }, (_, i) => get(`/flood?${i}`)))
    assert.ok(all.every(({ status }) => status === 403))
    order.push('flood')
  }
  for (let i = 0; i < 6; i++) {
    const began = performance.now()
    const flood = wave()
    const other = get('/free', from('203.0.113.50')).then(({ status }) => order.push(`${status}`))
    await Promise.all([flood, other])
    assert.ok(performance.now() - began > 900, 'whoever floods waits for the answer, and sends less')
  }
  assert.deepEqual(order, Array.from({ length: 6 }, () => ['200', 'flood']).flat(), 'nobody else waits')
  await eventually(() => {
    const lines = fs.readFileSync(edge.agent.layout.requestLog, 'utf8').split('\n').map(readLogLine)
    const flood = lines.filter((one) => one?.threat?.ruleId === 'flood')
    const sum = (of: (one: (typeof flood)[number]) => number) => flood.reduce((total, one) => total + of(one), 0)
    const counted = sum((one) => one?.threat?.weight ?? 0)
    assert.ok(counted <= 3000 && counted > 2960, `${counted} of 3000 are counted`)
    assert.equal(
      sum((one) => one?.weight ?? 0),
      counted,
    )
    assert.ok(flood.length < 2900, `${flood.length} lines`)
  })
  await secure(null)
})

test('a flood from many addresses gets exactly what each may, and every refusal is counted', async () => {
  const limit = { requests: 5, seconds: 60, blockSeconds: 60, keys: [{ by: 'address' }] }
  await secure({ firewall: [rule('limit', { type: 'rate-limit', limit }, path('/limited'))] })
  const refusals = async () => (await edge.agent.state())?.counters['security_rate-limit'] ?? 0
  const before = await refusals()
  const [addresses, each] = [200, 8]
  const answers: number[] = []
  for (let i = 0; i < each; i++)
    for (let first = 0; first < addresses; first += 50)
      answers.push(
        ...(await Promise.all(
          Array.from({ length: 50 }, (_, j) =>
            get('/limited', from(`10.0.7.${first + j}`)).then(({ status }) => status),
          ),
        )),
      )
  const passed = answers.filter((status) => status === 200).length
  assert.deepEqual([passed, (await refusals()) - before], [addresses * 5, addresses * (each - 5)])
  assert.equal((await edge.agent.state())?.counters['limits_uncounted'], 0)
  await secure(null)
})

test('each action of a firewall rule does what it says, and only to what it is about', async () => {
  const limit = { requests: 2, seconds: 60, blockSeconds: 60, keys: [{ by: 'address' }] }
  await secure({
    firewall: [
      rule('simulate', { type: 'simulate' }, path('/')),
      rule('pass', { type: 'pass' }, path('/block/not')),
      rule('block', { type: 'block' }, path('/block')),
      rule('redirect', { type: 'redirect', location: 'https://m.{host}' }, path('/go')),
      rule('limit', { type: 'rate-limit', limit }, path('/few')),
      rule('challenge', { type: 'challenge', mode: 'browser-no-delay' }, path('/ask')),
    ],
  })
  assert.equal((await get('/free')).status, 200)
  assert.equal((await get('/block/a')).status, 403)
  assert.equal((await get('/%62lock/a')).status, 403)
  assert.equal((await get('/x/../block/a')).status, 403)
  assert.equal((await get('/block/not')).status, 200)
  const moved = await get('/go/there?a=1')
  assert.deepEqual([moved.status, moved.headers.location], [302, `https://m.${HOST}/go/there?a=1`])
  const answers = [await get('/few'), await get('/few'), await get('/few'), await get('/few')]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 429, 429],
  )
  assert.equal(answers[2]?.headers['retry-after'], '60')
  assert.equal((await get('/few', from('203.0.113.99'))).status, 200)
  await secure(null)
})

test('a challenge is solved by work or by a sum, and its clearance is bound to host and network', async () => {
  await secure({ bots: { ...BOT_DEFAULTS, securityLevel: 'under-attack', challengeMode: 'browser-no-delay' } })
  const page = { accept: 'text/html', 'user-agent': 'Mozilla/5.0' }
  const asked = await get('/ask?a=1', from('203.0.113.9', page))
  assert.equal(asked.status, 403)
  assert.doesNotMatch(asked.text, /https?:\/\//)
  const [, seed = '', bits = ''] = /solve\("([^"]+)",(\d+)/.exec(asked.text) ?? []
  let nonce = 0
  while (crypto.createHash('sha1').update(`${seed}${nonce}`).digest().readUInt32BE(0) >>> (32 - Number(bits)) !== 0)
    nonce += 1
  const solve = (more: string, address = '203.0.113.9') =>
    get(`/.well-known/cdn/clearance?seed=${seed}&${more}`, from(address, page))
  assert.equal((await solve(`nonce=${nonce}x&to=/`)).headers['set-cookie'], undefined)
  assert.equal((await solve(`nonce=${nonce}&to=/`, '198.51.100.1')).headers['set-cookie'], undefined)
  const won = await solve(`nonce=${nonce}&to=${encodeURIComponent('/ask?a=1')}`)
  assert.deepEqual([won.status, won.headers.location], [302, '/ask?a=1'])
  const cookie = won.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  assert.match(cookie, /^fairway_clearance=1\./)
  assert.equal((await solve(`nonce=${nonce}&to=/`)).headers['set-cookie'], undefined, 'each is solved once')
  const again = (address: string) => get('/ask', from(address, { ...page, cookie }))
  assert.equal((await again('203.0.113.77')).status, 200)
  assert.equal((await again('198.51.100.1')).status, 403)
  assert.equal((await get('/ask', from('203.0.113.9', { ...page, cookie: cookie.replace('=1.', '=3.') }))).status, 403)
  for (const to of ['//evil.test/', 'https://evil.test/', '/\\evil.test', '/a%0d%0aX:1'])
    assert.equal((await solve(`to=${to}`)).headers.location, '/')
  await secure(null)
})

test('a challenge takes sixty calls a minute, shown or answered, from one /64 of IPv6, as from one address', async () => {
  await secure({ bots: { ...BOT_DEFAULTS, securityLevel: 'under-attack' } })
  const guess = (address: string) => get('/.well-known/cdn/clearance?seed=x&to=/', from(address))
  const statuses: number[] = []
  for (let i = 1; i <= 61; i++) statuses.push((await guess(`2001:db8:5:6::${i.toString(16)}`)).status)
  assert.deepEqual([...new Set(statuses.slice(0, 60)), statuses[60]], [302, 429])
  const shown = (address: string) => get('/.well-known/cdn/clearance?shown=x', from(address))
  assert.deepEqual([(await shown('2001:db8:5:6::1')).status, (await shown('2001:db8:5:7::1')).status], [429, 204])
  assert.equal((await guess('2001:db8:5:7::1')).status, 302)
  await secure(null)
})

test('who was shown a challenge and who solved it is counted by the rule that asked, once each, and cannot be made up', async () => {
  const ask = { type: 'challenge', mode: 'browser-no-delay' }
  await secure({ bots: OFF, firewall: [rule('0f8fad5b-d9cb-469f-a165-70867728950e', ask)] })
  const page = { accept: 'text/html', 'user-agent': 'Mozilla/5.0 friction' }
  const { text } = await get('/ask', from('203.0.113.40', page))
  const [, shown = ''] = /<img src="([^"]+)" alt="" hidden>/.exec(text) ?? []
  const [, seed = '', bits = ''] = /solve\("([^"]+)",(\d+)/.exec(text) ?? []
  assert.equal(shown, `/.well-known/cdn/clearance?shown=${seed}`)
  for (const target of [shown, shown, `${shown}x`, '/.well-known/cdn/clearance?shown=3.1800.1.a.b.c.level'])
    assert.equal((await get(target, from('203.0.113.40', page))).status, 204)
  assert.equal((await get(shown, from('198.51.100.40', page))).status, 204, 'of another network it says nothing')
  let nonce = 0
  while (crypto.createHash('sha1').update(`${seed}${nonce}`).digest().readUInt32BE(0) >>> (32 - Number(bits)) !== 0)
    nonce += 1
  await get(`/.well-known/cdn/clearance?seed=${seed}&nonce=${nonce}`, from('203.0.113.40', page))
  await eventually(() => {
    const told = fs
      .readFileSync(edge.agent.layout.requestLog, 'utf8')
      .split('\n')
      .flatMap((line) => readLogLine(line)?.threat ?? [])
      .filter(({ agent }) => agent === page['user-agent'])
      .map(({ part, ruleId, reason }) => `${part} ${ruleId} ${reason}`)
    const by = 'firewall-rules 0f8fad5b-d9cb-469f-a165-70867728950e'
    // Each worker process writes what it logs by itself.
    assert.deepEqual(told.toSorted(), [`${by} begun`, `${by} rule`, `${by} solved`])
  })
  await secure(null)
})

test('a person is asked for what is on a picture, by eye or by ear, and each question once', async () => {
  await secure({ bots: { ...BOT_DEFAULTS, securityLevel: 'under-attack', challengeMode: 'human' } })
  const page = { accept: 'text/html', 'user-agent': 'Mozilla/5.0' }
  const drawn = await eventually(() => {
    const [pool] = JSON.parse(fs.readFileSync(edge.agent.layout.captchas, 'utf8')) as { tasks: Drawn[] }[]
    return pool?.tasks ?? []
  })
  const ask = async () => {
    const { text } = await get('/ask', from('203.0.113.9', page))
    const seed = /name="seed" value="([^"]+)"/.exec(text)?.[1] ?? ''
    return { text, seed, right: drawn.find(({ svg }) => text.includes(svg))?.text ?? '' }
  }
  // Workers look for the pictures from time to time; until then they ask for a sum.
  const [seen, heard, wrong] = await eventually(async () => {
    const all = [await ask(), await ask(), await ask()] as const
    for (const { right } of all) assert.match(right, /^[a-z0-9]{4}$/)
    assert.equal(new Set(all.map(({ seed }) => seed)).size, 3, 'no two visitors get the same question')
    return all
  })
  const answer = (seed: string, text: string, address = '203.0.113.9') =>
    get(`/.well-known/cdn/clearance?to=/ask&seed=${seed}&text=${text}`, from(address, page))
  const cookieOf = (won: Awaited<ReturnType<typeof get>>) => won.headers['set-cookie']?.[0]?.split(';')[0]
  assert.equal(cookieOf(await answer(seen.seed, seen.right)), undefined, 'nobody reads so fast')
  const began = Date.now()
  await eventually(() => assert.ok(Date.now() - began > 2100))
  const sound = await get(`/.well-known/cdn/clearance?sound=${heard.seed}`, from('203.0.113.9', page))
  assert.deepEqual([sound.headers['content-type'], sound.text.startsWith('RIFF')], ['audio/wav', true])
  assert.equal(cookieOf(await answer(wrong.seed, 'none')), undefined)
  assert.equal(cookieOf(await answer(wrong.seed, wrong.right)), undefined, 'a wrong answer ends the question')
  assert.equal(cookieOf(await answer(seen.seed, seen.right, '198.51.100.1')), undefined, 'for this network only')
  const cookie = cookieOf(await answer(seen.seed, seen.right.toUpperCase())) ?? ''
  assert.match(cookie, /^fairway_clearance=3\./)
  assert.equal((await get('/ask', from('203.0.113.9', { ...page, cookie }))).status, 200)
  assert.equal(cookieOf(await answer(seen.seed, seen.right)), undefined, 'each is answered once')
  assert.match(cookieOf(await answer(heard.seed, tonesIn(sound.bytes))) ?? '', /^fairway_clearance=3\./)
  await secure(null)
})

test('a crawler passes once its address was looked up in both directions; one that only says so is challenged', async () => {
  const BING = '157.55.39.1'
  const FALSE = '198.18.0.1'
  resolver.answers[pointer(BING)] = ['msnbot-157-55-39-1.search.msn.com']
  resolver.answers['msnbot-157-55-39-1.search.msn.com A'] = [BING]
  resolver.answers[pointer('185.220.101.1')] = ['msnbot.search.msn.com.evil.example']
  resolver.answers[pointer('185.220.101.2')] = 'away'
  const limit = { requests: 1, seconds: 60, blockSeconds: 60, keys: [{ by: 'path' as const }] }
  await secure({
    bots: { ...BOT_DEFAULTS, securityLevel: 'medium' },
    firewall: [rule('few', { type: 'rate-limit', limit }, path('/few'))],
  })
  const agent = 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'
  const as = (address: string, target = '/page') =>
    get(target, from(address, { 'user-agent': agent })).then(({ status }) => status)
  // Until nginx has been told that somebody looks, the name is worth nothing.
  await eventually(async () => assert.equal(await as('185.220.101.2'), 200))
  assert.equal(await as(BING, '/first'), 200, 'on first sight it is neither trusted nor blocked')
  assert.equal(await as(BING, '/few'), 200)
  assert.equal(await as(BING, '/few'), 429, 'and rules are obeyed')
  await eventually(async () => assert.equal(await as('185.220.101.1'), 403))
  await eventually(async () => assert.equal(await as(FALSE), 403))
  assert.equal(await as('185.220.101.2'), 200, 'of whom nothing could be found out is not refused')
  const told = () =>
    fs
      .readFileSync(edge.agent.layout.requestLog, 'utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [readLogLine(line)]))
      .flatMap((line) =>
        line?.threat ? [[line.threat.address, line.threat.ruleId, line.threat.reason].join(' ')] : [],
      )
  await eventually(async () => {
    await as(BING)
    const all = told()
    for (const one of [
      `${BING} bingbot verified-crawler`,
      '185.220.101.1 bingbot false-crawler',
      '185.220.101.2 bingbot unverified-crawler',
    ])
      assert.ok(all.includes(one), one)
  })
  // Where everybody is asked, so is whoever may be a crawler.
  await secure({ bots: { ...BOT_DEFAULTS, securityLevel: 'under-attack' } })
  assert.deepEqual([await as(BING), await as('185.220.101.2')], [200, 403])
  await secure(null)
})

type Drawn = { svg: string; text: string }

/** Counts the tones of each group, as an ear would: groups are parted by a second of silence. */
function tonesIn(wav: Buffer): string {
  const groups: number[] = [0]
  let quiet = 0
  let isLoud = false
  for (const sample of wav.subarray(44)) {
    if (Math.abs(sample - 128) > 3) {
      if (!isLoud && quiet > 6000) groups.push(0)
      if (!isLoud) groups.push((groups.pop() ?? 0) + 1)
      isLoud = true
      quiet = 0
    } else {
      quiet += 1
      if (quiet > 400) isLoud = false
    }
  }
  return groups.join('')
}

test('a website shows its own pages to whom it stops', async () => {
  const texts = {
    blocked: '<!doctype html><p>own block ::REQUEST_ID::',
    limited: '<!doctype html><p>own limit ::STATUS::',
    challenge: '<!doctype html><p>own challenge ::CHALLENGE::',
    captcha: '<!doctype html><p>own captcha ::CAPTCHA_BOX::',
  }
  version += 1
  await edge.publish({
    revision: version,
    kind: 'edge-pages',
    key: 'site',
    version,
    body: {
      organizationId: 'org-1',
      version,
      pages: Object.entries(texts).map(([key, text]) => ({ key, texts: { any: text } })),
    },
  })
  const pages = { errors: null, maintenance: null, brand: null, blocked: 'blocked', 'rate-limited': 'limited' }
  await edge.publish(
    siteOf('site', (version += 1), [
      {
        origin: origin.origin(),
        cdns: elsewhere(),
        pages: { ...pages, challenge: 'challenge', captcha: 'captcha' },
      },
    ]),
  )
  const limit = { requests: 1, seconds: 60, blockSeconds: 60, keys: [{ by: 'path' }] }
  await secure({
    firewall: [
      rule('block', { type: 'block' }, path('/own-block')),
      rule('limit', { type: 'rate-limit', limit }, path('/own-limit')),
      rule('challenge', { type: 'challenge', mode: 'browser-no-delay' }, path('/own-challenge')),
      rule('captcha', { type: 'challenge', mode: 'human' }, path('/own-captcha')),
    ],
  })
  const page = from('203.0.113.9', { accept: 'text/html', 'user-agent': 'Mozilla/5.0' })
  assert.match((await get('/own-block', page)).text, /own block [0-9a-f]{32}/)
  await get('/own-limit', page)
  const limited = await get('/own-limit', page)
  assert.deepEqual([limited.status, limited.text], [429, '<!doctype html><p>own limit 429'])
  assert.match((await get('/own-challenge', page)).text, /own challenge .*solve\("/s)
  assert.match((await get('/own-captcha', page)).text, /own captcha .*name="(?:text|sum)"/s)
  assert.match((await get('/own-block', from('203.0.113.9', { accept: 'application/json' }))).text, /^\{/)
  await secure(null)
})

test('headers are rewritten on both ways, and an origin rule leads elsewhere', async () => {
  await secure({
    headers: [
      {
        id: 'h1',
        name: 'h1',
        expression: null,
        direction: 'request',
        operations: [
          { operation: 'set', header: 'x-country', value: '::HOST::/::METHOD::' },
          { operation: 'remove', header: 'x-gone', value: '' },
        ],
      },
      {
        id: 'h2',
        name: 'h2',
        expression: path('/h'),
        direction: 'response',
        operations: [
          { operation: 'remove', header: 'x-secret', value: '' },
          { operation: 'set', header: 'x-frame-options', value: 'DENY' },
        ],
      },
    ],
    origins: [{ id: 'elsewhere', name: 'o', expression: path('/else'), origin: { port: 1 } }],
  })
  const answer = await get('/h', from('203.0.113.9', { 'x-gone': '1' }))
  assert.deepEqual([answer.headers['x-secret'], answer.headers['x-frame-options']], [undefined, 'DENY'])
  const sent = origin.asked.at(-1)?.headers
  assert.deepEqual([sent?.['x-country'], sent?.['x-gone']], [`${HOST}/GET`, undefined])
  assert.equal((await get('/other')).headers['x-secret'], 'told')
  assert.equal((await get('/else')).text, 'spare')
  await secure(null)
  assert.match((await get('/else')).text, /^origin/)
})

test('rules that mean nothing are refused, and those before stay', async () => {
  await secure({ firewall: [rule('block', { type: 'block' }, path('/block'))] })
  const broken = publication({
    firewall: [rule('x', { type: 'block' }, { field: 'path', operator: 'matches', values: ['('] })],
  })
  await assert.rejects(edge.publish(broken), /validation.pattern/)
  assert.equal((await get('/block')).status, 403)
  await secure(null)
  assert.equal((await get('/block')).status, 200)
})
