import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import zlib from 'node:zlib'
import { type EdgeSecurity, LIMITS, SecurityPolicy } from '@fairway/contract'
import { BOT_DEFAULTS, CRS_DEFAULTS } from '@fairway/domain'
import { nginxAdmin } from '../apply.ts'
import { readLogLine } from '../requests/log-line.ts'
import {
  type EdgeUnderTest,
  eventually,
  type GetOptions,
  type Origin,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
} from '../testing/edge-under-test.ts'

const HOST = 'www.example.test'
const PER_ADDRESS = 50
let edge: EdgeUnderTest
let origin: Origin
let version = 1
before(async () => {
  origin = await startOrigin((request, response) => {
    response.setHeader('Cache-Control', 'max-age=60')
    response.end(`origin ${request.method} ${request.url}`)
  })
  edge = await startEdgeUnderTest(undefined, undefined, { FAIRWAY_EDGE_REQUESTS_PER_ADDRESS: `${PER_ADDRESS}` })
  await edge.publish(siteOf('site', version, [{ origin: origin.origin() }]))
  await hold({})
  await eventually(() => assert.equal(edge.agent.inspector.state().state, 'running'))
})
after(async () => {
  await Promise.all([edge, origin].map((one) => one?.[Symbol.asyncDispose]()))
})

type Crs = SecurityPolicy['crs']
const OFF = { ...BOT_DEFAULTS, securityLevel: 'off' as const }
/** Puts the defaults, with what is said, in force. */
async function hold(more: Partial<Crs>): Promise<void> {
  version += 1
  const crs = { ...CRS_DEFAULTS, rules: [], exclusions: [], ...more }
  const policy = SecurityPolicy.parse({ access: [], bots: OFF, firewall: [], headers: [], origins: [], crs })
  const body: EdgeSecurity = {
    siteId: 'site',
    organizationId: 'org-1',
    version,
    domains: [{ domainId: 'site-domain-0', host: HOST, policy }],
  }
  await edge.publish({ revision: version, kind: 'edge-security', key: 'site', version, body })
}

const BROWSER = { 'user-agent': 'Mozilla/5.0', accept: '*/*', 'x-forwarded-for': '203.0.113.9' }
const ask = (target: string, { headers = {}, ...more }: GetOptions = {}) =>
  edge.get(HOST, target, { headers: { ...BROWSER, ...headers }, ...more })
const XSS = '/shop?q=%3Cscript%3Ealert(document.cookie)%3C/script%3E'
const SQL = "/item?id=1'%20or%20'1'='1'%20--%20"
const counter = async (name: string) => (await edge.agent.state())?.counters[name] ?? 0

test('an attack is stopped before the cache with an incident number, and the log says what was found', async () => {
  assert.equal((await ask('/shop?q=shoes')).status, 200)
  assert.equal((await ask('/shop?q=shoes')).headers['x-cache'], 'HIT')
  const before = origin.asked.length
  const blocked = await ask(XSS, { headers: { accept: 'text/html' } })
  assert.equal(blocked.status, 403)
  assert.equal(blocked.headers['cache-control'], 'no-store')
  assert.equal(origin.asked.length, before)
  const incident = /[0-9a-f]{32}/.exec(blocked.text)?.[0] ?? ''
  const threat = await eventually(() => {
    const lines = fs.readFileSync(edge.agent.layout.requestLog, 'utf8').split('\n').map(readLogLine)
    const line = lines.find((one) => one?.id === incident)
    assert.ok(line?.threat)
    return line.threat
  })
  assert.deepEqual([threat.part, threat.action, threat.reason], ['crs-rules', 'block', 'score'])
  assert.match(threat.ruleId, /^941\d{3}$/)
  assert.deepEqual([threat.matched?.field, threat.matched?.name], ['parameter', 'q'])
  assert.match(threat.matched?.text ?? '', /script/)
  assert.equal((await ask(SQL)).status, 403)
})

test('what was found is remembered by its exact bytes, and never changes a verdict', async () => {
  const corpus = [
    '/',
    '/a?x=1',
    '/a?x=2',
    XSS,
    SQL,
    '/a?x=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E',
    '/?f=../../../../etc/passwd',
    '/search?q=rock%20%26%20roll',
    '/?q=caf%C3%A9',
    '/?q=%E6%9D%B1%E4%BA%AC',
    '/?cmd=;cat%20/etc/passwd',
  ]
  const headers: Record<string, string>[] = [
    {},
    { cookie: 'a=1' },
    { cookie: "a=1' or '1'='1" },
    { referer: 'https://x.test/<script>alert(1)</script>' },
  ]
  const all = corpus.flatMap((target) => headers.map((one) => ({ target, one })))
  const first = []
  for (const { target, one } of all) first.push((await ask(target, { headers: one })).status)
  const remembered = await counter('inspections_remembered')
  const second = []
  for (const { target, one } of all.toReversed()) second.unshift((await ask(target, { headers: one })).status)
  assert.deepEqual(second, first)
  assert.equal(await counter('inspections_remembered'), remembered + all.length)
  assert.deepEqual([...new Set(first)].toSorted(), [200, 403])
  // One byte more is another request.
  assert.equal((await ask('/a?x=1%27%20union%20select%20password%20from%20users--')).status, 403)
})

test('bodies are inspected in every form, are never remembered, and what is cut off by the limit is no fault', async () => {
  const post = (body: string, type: string) => ask('/form', { method: 'POST', body, headers: { 'content-type': type } })
  const attack = "' union select password from users -- "
  const multipart = (value: string) => `--b\r\nContent-Disposition: form-data; name="q"\r\n\r\n${value}\r\n--b--\r\n`
  const forms: [string, (value: string) => string][] = [
    ['application/x-www-form-urlencoded', (value) => `q=${encodeURIComponent(value)}`],
    ['application/json', (value) => JSON.stringify({ a: [{ b: value }] })],
    ['application/vnd.api+json', (value) => JSON.stringify({ a: [{ b: value }] })],
    ['multipart/form-data; boundary=b', multipart],
    ['text/xml', (value) => `<a><b>${value}</b></a>`],
  ]
  const remembered = await counter('inspections_remembered')
  for (const [type, written] of forms) {
    assert.equal((await post(written('hello'), type)).status, 200, type)
    assert.equal((await post(written(attack), type)).status, 403, type)
    assert.equal((await post(written(attack), type)).status, 403, type)
  }
  assert.equal(await counter('inspections_remembered'), remembered)
  const long = JSON.stringify({ a: 'x'.repeat(200_000), b: attack })
  assert.equal((await post(long, 'application/json')).status, 200)
  await hold({ bodyLimitKb: 512 })
  assert.equal((await post(long, 'application/json')).status, 403)
  await hold({ longBodies: 'block' })
  assert.equal((await post(JSON.stringify({ a: 'x'.repeat(200_000) }), 'application/json')).status, 403)
  await hold({})
})

test('packed bodies are looked at with the three sets alone too; what cannot be opened is by rules that a domain may exclude', async () => {
  const post = (packed: Buffer, coding = 'gzip') =>
    ask('/form', {
      method: 'POST',
      body: packed,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': coding },
    })
  const attack = zlib.gzipSync(`q=${encodeURIComponent("' union select password from users -- ")}`)
  const harmless = zlib.gzipSync('q=hello')
  await hold({ full: false })
  assert.equal((await post(attack)).status, 403)
  assert.equal((await post(harmless)).status, 200)
  assert.equal((await post(harmless, 'aws-chunked')).status, 403)
  // 200010 says that the coding is none that is known.
  await hold({ full: false, exclusions: [{ ruleId: 200010, path: '/form', parameter: '', note: '' }] })
  assert.equal((await post(harmless, 'aws-chunked')).status, 200)
  assert.equal((await post(harmless, 'br')).status, 403, 'another reason is another rule')
  await hold({})
})

test('a body is read by what it looks like where its type says nothing', async () => {
  const post = (type: string | null, body: string) =>
    ask('/form', { method: 'POST', body, headers: type === null ? {} : { 'content-type': type } })
  const attack = "' union select password from users -- "
  const many = JSON.stringify(Array.from({ length: 900 }, (_, i) => ({ id: i, name: 'shirt', price: 5 })))
  const bodies: [what: string, type: string | null, form: (value: string) => string][] = [
    ['JSON as text', 'text/plain', (value) => JSON.stringify({ a: value })],
    ['JSON without a type', null, (value) => JSON.stringify([value])],
    ['JSON of a type nobody knows', 'x/json', (value) => JSON.stringify({ a: value })],
    ['JSON as bytes, behind blanks', 'application/octet-stream', (value) => ` \n{"a":${JSON.stringify(value)}}`],
    ['JSON by lines', 'application/x-ndjson', (value) => `{"a":1}\n{"a":${JSON.stringify(value)}}\n`],
    ['GraphQL', 'application/graphql', (value) => `{ user(name: ${JSON.stringify(value)}) { id } }`],
    ['a form as text', 'text/plain', (value) => `q=${encodeURIComponent(value)}&r=1`],
    ['XML as text', 'text/plain', (value) => `<?xml version="1.0"?><a>${value}</a>`],
    ['a long JSON as text', 'text/plain', (value) => `[${many},${JSON.stringify(value)}]`],
  ]
  for (const [what, type, form] of bodies) {
    assert.equal((await post(type, form(attack))).status, 403, what)
    assert.equal((await post(type, form('hello world'))).status, 200, what)
  }
  const entities = '<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]><l>&x;</l>'
  assert.equal((await post('text/plain', entities)).status, 403)
  for (const [type, text] of [
    ['text/plain', `A note about SQL: ${attack}`],
    ['text/plain', '{ this is no JSON: select one from them }'],
    ['text/html', '<!DOCTYPE html><p>Tea & cake<br></p>'],
    ['application/octet-stream', '\0\x01={}'],
  ] as const)
    assert.equal((await post(type, text)).status, 200, text)
  // Only we say how a body is read.
  const said = { 'content-type': 'application/json', 'x-fairway-read-as': 'URLENCODED' }
  const body = JSON.stringify({ a: attack })
  assert.equal((await ask('/form', { method: 'POST', body, headers: said })).status, 403)
})

test('neither many fields, many attacks nor depth is a way around', async () => {
  const post = (body: string, type = 'application/x-www-form-urlencoded') =>
    ask('/form', { method: 'POST', body, headers: { 'content-type': type } })
  const fields = (count: number, value: string) =>
    Array.from({ length: count }, (_, i) => `f${i}=${encodeURIComponent(value)}`).join('&')
  const attack = "' or 1=1 union select password from users -- <script>alert(1)</script>"
  const failed = await counter('inspections_failed')
  // Harmless up to the limit; beyond it refused whatever it says, also where the threshold is out of reach.
  assert.equal((await post(fields(LIMITS.crs.arguments, 'hello'))).status, 200)
  for (const count of [10, 60, 300, 1500]) assert.equal((await post(fields(count, attack))).status, 403, `${count}`)
  await hold({ threshold: 1000 })
  const many = JSON.stringify({ a: Array.from({ length: 1200 }, (_, i) => `<${i}>`), z: attack })
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`
  assert.equal((await post(many, 'application/json')).status, 403)
  assert.equal((await post(deep, 'application/json')).status, 403)
  assert.equal((await post('[[[1]]]', 'application/json')).status, 200)
  const excluded = [200002, 200007].map((ruleId) => ({ ruleId, path: '/form', parameter: '', note: '' }))
  await hold({ exclusions: excluded })
  for (const body of [many, deep]) assert.equal((await post(body, 'application/json')).status, 200)
  await hold({ mode: 'simulate' })
  assert.equal((await post(fields(1500, attack))).status, 200)
  await hold({})
  assert.equal(await counter('inspections_failed'), failed)
})

test('a long list of JSON is no attack, and hides none', async () => {
  const failed = await counter('inspections_failed')
  const post = async (body: string, type = 'application/json') =>
    (await ask('/import', { method: 'POST', body, headers: { 'content-type': type } })).status
  const row = (i: number) => ({
    id: i,
    sku: `AB-${i}/x`,
    name: `Blue shirt, size ${i}`,
    mail: `person.${i}@example.com`,
    page: `https://shop.example.com/items/${i}`,
    price: i * 1.25,
    made: '2025-11-03T10:00:00+02:00',
    title: `商品 ${i}`,
    sold: i % 2 === 0,
  })
  const rows = (count: number) => Array.from({ length: count }, (_, i) => row(i))
  assert.equal(await post(JSON.stringify(rows(400))), 200)
  assert.equal(await post(JSON.stringify({ points: Array.from({ length: 5000 }, (_, i) => [i / 7, -i / 3]) })), 200)
  // Cut off by the limit too.
  assert.equal(await post(JSON.stringify(rows(2000))), 200)
  const attacks = ["' union select password from users -- ", '<script>alert(1)</script>', '../../../../etc/passwd']
  for (const attack of attacks)
    for (const at of [0, 200, 399]) {
      const all: object[] = rows(400)
      all[at] = { ...row(at), name: attack }
      assert.equal(await post(JSON.stringify(all)), 403, `${attack} at ${at}`)
    }
  // One that says the same name twice, for whoever reads the first.
  const twice = JSON.stringify(rows(400)).replace('"sku":"AB-0/x"', `"name":${JSON.stringify(attacks[1])}`)
  assert.equal(await post(twice), 403)
  assert.equal(await counter('inspections_failed'), failed)
})

test('settings of a domain decide what findings come to, from the next request on', async () => {
  await hold({ mode: 'simulate' })
  assert.equal((await ask(XSS)).status, 200)
  await hold({ full: false, sets: { xss: false, sqlInjection: true, genericInjection: true } })
  assert.deepEqual([(await ask(XSS)).status, (await ask(SQL)).status], [200, 403])
  await hold({ exclusions: [{ ruleId: null, path: '/shop', parameter: 'q', note: '' }] })
  assert.equal((await ask(XSS)).status, 200)
  assert.equal((await ask(XSS.replace('/shop', '/shop/../other'))).status, 403)
  assert.equal((await ask(XSS.replace('q=', 'p='))).status, 403)
  await hold({ threshold: 1000 })
  assert.equal((await ask(XSS)).status, 200)
  // Ordinary at level 1, and nothing that level 4 lets pass.
  const odd = '/a?q=%28x%29%20%7By%7D%20%5Bz%5D%20%3B%20%27%27%20%22'
  await hold({ paranoiaLevel: 1 })
  const calm = (await ask(odd)).status
  await hold({ paranoiaLevel: 4 })
  assert.deepEqual([calm, (await ask(odd)).status], [200, 403])
  await hold({ enabled: false })
  assert.equal((await ask(XSS)).status, 200)
  await hold({})
  assert.equal((await ask(XSS)).status, 403)
})

/** In place of the process with the rule sets: finds nothing, after so long; null answers nobody. */
async function standIn(answerMs: number | null) {
  const { inspectorSockets, adminSocket } = edge.agent.layout
  const sockets = `${inspectorSockets}-${crypto.randomUUID().slice(0, 8)}`
  const file = `${sockets}.${CRS_DEFAULTS.full ? 'f' : 's'}${CRS_DEFAULTS.paranoiaLevel}`
  let now = 0
  let most = 0
  const server = http.createServer((_, response) => {
    most = Math.max(most, ++now)
    response.on('close', () => (now -= 1))
    if (answerMs !== null)
      setTimeout(() => response.writeHead(403, { Location: 'found:0,,,', 'Content-Length': '0' }).end(), answerMs)
  })
  await new Promise<void>((resolve) => server.listen(file, resolve))
  fs.chmodSync(file, 0o777)
  const admin = nginxAdmin(adminSocket)
  await admin.apply({ inspector: `${sockets}\n${sockets}` })
  return {
    /** So many were asked at once. */ most: () => most,
    async [Symbol.asyncDispose]() {
      await admin.apply({ inspector: edge.agent.inspector.address() })
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

let floods = 0
const flood = (addresses: string[]) => {
  floods += 1
  return Promise.all(
    addresses.map((from, i) => ask(`/flood?q=${floods}-${i}`, { headers: { 'x-forwarded-for': from } })),
  )
}
const network = (size: number) => Array.from({ length: size }, (_, i) => `198.51.100.${i}`)
const WORKERS = Math.min(2, os.availableParallelism())

test('an inspection that does not answer is decided by the setting, however many wait for it', async () => {
  await using _ = await standIn(null)
  const failed = Number(await counter('inspections_failed'))
  assert.deepEqual([...new Set((await flood(network(40))).map(({ status }) => status))], [200])
  await hold({ onFailure: 'block' })
  assert.deepEqual([...new Set((await flood(network(40))).map(({ status }) => status))], [403])
  await hold({ onFailure: 'block', mode: 'simulate' })
  assert.equal((await ask('/slow?q=3')).status, 200)
  assert.equal(Number(await counter('inspections_failed')), failed + 81)
  await hold({})
})

test('a visitor has two inspections at once at a worker, a customer eight; no more is let through', async () => {
  await using slow = await standIn(300)
  const mine = flood(Array.from({ length: 3 * PER_ADDRESS }, () => '203.0.113.77'))
  await eventually(() => assert.ok(slow.most() > 0))
  assert.equal((await ask('/flood?another')).status, 200)
  const statuses = new Set((await mine).map(({ status }) => status))
  assert.deepEqual([...statuses].toSorted(), [200, 429, 503])
  assert.ok(slow.most() <= 2 * WORKERS + 1, `${slow.most()}`)
  const many = await flood(network(150))
  const crowded = many.filter(({ status }) => status === 503)
  assert.ok(crowded.length > 0)
  assert.match(crowded[0]?.text ?? '', /Too much is waiting/)
  assert.ok(slow.most() > 2 * WORKERS && slow.most() <= 8 * WORKERS, `${slow.most()}`)
  assert.ok(Number(await counter('inspections_crowded')) >= crowded.length)
})

test('the files of a page that a visitor asks for at once all have their turn', async () => {
  await using _ = await standIn(5)
  const statuses = (await flood(Array.from({ length: 24 }, () => '203.0.113.78'))).map(({ status }) => status)
  assert.deepEqual([...new Set(statuses)], [200])
})

test('an inspection that is too busy to answer its agent goes on while it answers visitors', async () => {
  const all = JSON.parse(fs.readFileSync(`${edge.agent.layout.inspection}/nginx.json`, 'utf8')) as { pid: number }[]
  const pid = all.at(-1)?.pid ?? 0
  assert.ok(pid > 0)
  const ended = () => edge.log.lines.filter(({ event }) => event === 'inspection.ended').length
  const before = ended()
  await using _ = await standIn(5)
  process.kill(-pid, 'SIGSTOP')
  try {
    for (const until = performance.now() + 6_000; performance.now() < until; await sleep(50)) await flood(network(1))
    assert.equal(ended(), before)
  } finally {
    try {
      process.kill(-pid, 'SIGCONT')
    } catch {
      // It was ended.
    }
  }
  assert.equal(edge.agent.inspector.state().state, 'running')
})

test('when the inspection dies requests go on by the setting, it is counted, and it comes back', async () => {
  const { inspector } = edge.agent
  const kill = () => {
    for (const one of JSON.parse(fs.readFileSync(`${edge.agent.layout.inspection}/nginx.json`, 'utf8')) as {
      pid: number
    }[])
      process.kill(-one.pid, 'SIGKILL')
  }
  kill()
  const failed = await counter('inspections_failed')
  assert.equal((await ask('/never/seen?q=1')).status, 200)
  assert.ok((await counter('inspections_failed')) > failed)
  await eventually(() => assert.equal(inspector.state().state, 'running'))
  await eventually(async () => assert.equal((await ask(`${XSS}&again`)).status, 403))
  await hold({ onFailure: 'block' })
  kill()
  assert.equal((await ask('/never/seen?q=2')).status, 403)
  await eventually(async () => assert.equal((await ask('/never/seen?q=3')).status, 200))
  await hold({})
})
