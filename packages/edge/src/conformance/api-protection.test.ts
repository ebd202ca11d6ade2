import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import zlib from 'node:zlib'
import { type EdgeSecurity, SecurityPolicy } from '@fairway/contract'
import { BOT_DEFAULTS, tokenScript } from '@fairway/domain'
import { importLeakedPasswords, sealForNodes } from '@fairway/platform'
import type { z } from 'zod'
import { readLogLine } from '../requests/log-line.ts'
import {
  type EdgeUnderTest,
  eventually,
  type Origin,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
  temporaryHome,
} from '../testing/edge-under-test.ts'

const HOST = 'www.example.test'
const KEY = `k"'\\$${'x'.repeat(20)}`
let home: string
let edge: EdgeUnderTest
let origin: Origin
let version = 1
before(async () => {
  // A login that knows one password, and says so in three ways.
  origin = await startOrigin((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const isRight = Buffer.concat(chunks).toString().includes('right')
      const leaked = String(request.headers['x-credential-leaked'])
      const isAway = Buffer.concat(chunks).toString().includes('away')
      const isInvalid = Buffer.concat(chunks).toString().includes('invalid')
      response.statusCode = isAway ? 502 : isInvalid ? 422 : request.url === '/login' && !isRight ? 401 : 200
      if (!isRight) response.setHeader('X-Login', 'no')
      response.end(`${isRight ? 'welcome' : 'wrong password'} leaked=${leaked}`)
    })
  })
  home = temporaryHome()
  edge = await startEdgeUnderTest(home)
  await edge.publish(siteOf('site', version, [{ origin: origin.origin() }]))
})
after(async () => {
  await Promise.all([edge, origin].map((one) => one?.[Symbol.asyncDispose]()))
  fs.rmSync(home, { recursive: true, force: true })
})

type Wanted = Partial<z.input<typeof SecurityPolicy>>
async function secure(wanted: Wanted): Promise<void> {
  version += 1
  const bots = { ...BOT_DEFAULTS, securityLevel: 'off' as const }
  const policy = SecurityPolicy.parse({ access: [], bots, firewall: [], headers: [], origins: [], ...wanted })
  const body: EdgeSecurity = {
    siteId: 'site',
    organizationId: 'org-1',
    version,
    domains: [{ domainId: 'site-domain-0', host: HOST, policy }],
  }
  await edge.publish({ revision: version, kind: 'edge-security', key: 'site', version, body })
}
let visitors = 0
/** Each test has visitors of its own. */
const newAddress = () => `203.0.113.${(visitors += 1)}`
const get = (target: string) => edge.get(HOST, target, { headers: { 'x-forwarded-for': newAddress() } })
const apiRule = (more: object = {}) => ({
  id: `r${version}`,
  name: 'api',
  path: '/api/*',
  key: sealForNodes(edge.config, 'api protection key', KEY),
  ...more,
})
const token = (target: string, ageSeconds = 0, key = KEY) => {
  const issued = Math.floor(Date.now() / 1000) - ageSeconds
  return `${issued}-${crypto.createHmac('sha256', key).update(`${target}\n${issued}`).digest('hex')}`
}

test('a protected path answers who carries a token of it, for as long as the token holds', async () => {
  await secure({ api: [apiRule({ tokenSeconds: 60 })] })
  const status = async (target: string) => (await get(target)).status
  assert.equal(await status('/api/orders'), 403)
  assert.equal(await status(`/api/orders?token=${token('/api/orders')}`), 200)
  assert.equal(await status(`/api/orders?page=2&token=${token('/api/orders')}`), 200)
  // Of another path, too old, from the future, made with another key, cut, and one of two.
  assert.equal(await status(`/api/users?token=${token('/api/orders')}`), 403)
  assert.equal(await status(`/api/orders?token=${token('/api/orders', 61)}`), 403)
  assert.equal(await status(`/api/orders?token=${token('/api/orders', -120)}`), 403)
  assert.equal(await status(`/api/orders?token=${token('/api/orders', 0, 'another key of mine')}`), 403)
  assert.equal(await status(`/api/orders?token=${token('/api/orders').slice(0, -1)}`), 403)
  assert.equal(await status(`/api/orders?token=x&token=${token('/api/orders')}`), 403)
  // The same path, written otherwise, is no way around.
  for (const other of ['/%61pi/orders', '//api/orders', '/x/../api/orders', '/api/./orders'])
    assert.equal(await status(other), 403, other)
  assert.equal(await status('/elsewhere'), 200)
  await secure({ api: [apiRule({ mode: 'simulate' })] })
  assert.equal(await status('/api/orders'), 200)
  await secure({})
  assert.equal(await status('/api/orders'), 200)
})

test('one token has so many requests a minute, another token its own', async () => {
  await secure({ api: [apiRule({ rateLimitQueries: 3 })] })
  const [one, other] = [`/api/a?token=${token('/api/a')}`, `/api/a?token=${token('/api/a', 1)}`]
  const answers = []
  for (let i = 0; i < 4; i++) answers.push((await get(one)).status)
  assert.deepEqual(answers, [200, 200, 200, 429])
  assert.equal((await get(other)).status, 200)
})

test('a program with a token is asked for nothing that only a browser can do', async () => {
  const bots = { ...BOT_DEFAULTS, securityLevel: 'under-attack' as const, integrityCheck: 'strict' as const }
  await secure({ api: [apiRule()], bots })
  const asProgram = async (target: string) =>
    (await edge.get(HOST, target, { headers: { 'x-forwarded-for': newAddress(), 'user-agent': '' } })).status
  assert.equal(await asProgram(`/api/orders?token=${token('/api/orders')}`), 200)
  assert.equal(await asProgram('/api/orders'), 403)
  assert.equal(await asProgram(`/api/orders?token=${token('/api/orders', 0, 'another key of mine')}`), 403)
  // A token opens its own path only.
  assert.equal(await asProgram(`/shop?token=${token('/shop')}`), 403)
})

const RUNS = {
  python: ['python3', '--version'],
  php: ['php', '--version'],
  go: ['go', 'version'],
  node: ['node', '-v'],
}
for (const language of ['python', 'php', 'go', 'node'] as const) {
  const [program, ask] = RUNS[language]
  const isThere = spawnSync(program ?? '', [ask ?? '']).status === 0
  test(
    `the script in ${language} makes tokens that the edge takes`,
    { skip: isThere ? false : `${program} is not installed here (apt-get install php-cli golang-go)` },
    async () => {
      await secure({ api: [apiRule({ parameter: 'tk' })] })
      const script = tokenScript(language, { key: KEY, parameter: 'tk', path: '/api/*' })
      fs.writeFileSync(path.join(home, script.file), script.text)
      const [command = '', ...words] = script.command.split(' ')
      const target = execFileSync(command, [...words, '/api/orders/7'], { cwd: home, encoding: 'utf8' }).trim()
      assert.match(target, /^\/api\/orders\/7\?tk=\d+-[0-9a-f]{64}$/)
      assert.equal((await get(target)).status, 200)
      assert.equal((await get('/api/orders/7')).status, 403)
    },
  )
}

const login = (content: string | Buffer, { at = '/login', from = newAddress(), more = {} } = {}) =>
  edge.get(HOST, at, {
    method: 'POST',
    body: content,
    headers: { 'x-forwarded-for': from, 'content-type': 'application/x-www-form-urlencoded', ...more },
  })
const loginRule = (more: object = {}) => ({
  id: `l${version}`,
  name: 'login',
  path: '/login',
  maxAttempts: 50,
  maxFailed: 3,
  seconds: 600,
  failure: { by: 'status' as const, status: 401 },
  account: { payload: 'form' as const, field: 'user' },
  ...more,
})

test('who guesses from one address is kept out, right password or not; others are not', async () => {
  await secure({ failedLogins: [loginRule({ account: null })] })
  const from = newAddress()
  for (let i = 0; i < 3; i++) assert.equal((await login(`user=u${i}&password=no`, { from })).status, 401)
  assert.equal((await login('user=u&password=right', { from })).status, 403)
  assert.equal((await login('user=u&password=right')).status, 200)
})

test('an account that is guessed from everywhere is kept out, but not where it has signed in before', async () => {
  await secure({ failedLogins: [loginRule()] })
  const own = newAddress()
  assert.equal((await login('user=ann&password=right', { from: own })).status, 200)
  for (let i = 0; i < 3; i++) assert.equal((await login('user=ANN&password=no')).status, 401)
  assert.equal((await login('user=ann&password=right')).status, 403)
  assert.equal((await login('user=ann&password=right', { from: own })).status, 200)
  assert.equal((await login('user=bob&password=right')).status, 200)
})

test('an origin that is away says nothing of a password: the account is not known there, and the log says so', async () => {
  await secure({ failedLogins: [loginRule()] })
  const own = newAddress()
  assert.equal((await login('user=zoe&password=right&away', { from: own })).status, 502)
  for (let i = 0; i < 3; i++) assert.equal((await login('user=zoe&password=no')).status, 401)
  assert.equal((await login('user=zoe&password=right', { from: own })).status, 403)
  await eventually(() => {
    const text = fs.readFileSync(edge.agent.layout.requestLog, 'utf8')
    assert.ok(text.split('\n').some((line) => readLogLine(line)?.threat?.reason === 'login-unjudged'))
  })
})

test('an answer that is neither the failure nor a success makes no account known there', async () => {
  await secure({ failedLogins: [loginRule()] })
  const own = newAddress()
  assert.equal((await login('user=kim&password=right&invalid', { from: own })).status, 422)
  for (let i = 0; i < 3; i++) assert.equal((await login('user=kim&password=no')).status, 401)
  assert.equal((await login('user=kim&password=right', { from: own })).status, 403)
})

test('an account is counted however a login names it beside others, of which the origin may take any', async () => {
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  const part = (head: string, text: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`
  const ways: [payload: 'form' | 'json', more: object, (n: number) => string][] = [
    ['form', {}, (n) => `user=x${n}&user=eve&password=no`],
    ['form', {}, (n) => `user=eve&user=x${n}&password=no`],
    ['form', {}, (n) => `user=${'+'.repeat(n)}Eve%20%09&password=no`],
    ['form', {}, (n) => `${'user=z&'.repeat(30)}us%65r=x${n}&user=eve&password=no`],
    ['form', form, (n) => `${part('name="user"', `x${n}`)}${part('name=user', 'eve')}--x--\r\n`],
    ['json', json, (n) => `{"user":"x${n}","user":"eve","password":"no"}`],
    ['json', json, (n) => `{"us\\u0065r":"eve","user":"x${n}","password":"no"}`],
  ]
  for (const [payload, more, content] of ways) {
    await secure({ failedLogins: [loginRule({ account: { payload, field: 'user' } })] })
    for (let i = 0; i < 3; i++) assert.equal((await login(content(i), { more })).status, 401, content(i))
    const right = payload === 'json' ? '{"user":"eve","password":"right"}' : 'user=eve&password=right'
    assert.equal((await login(right, payload === 'json' ? { more } : {})).status, 403, content(0))
  }
})

test('a login is read in whatever coding it comes', async () => {
  const codings: [coding: string, pack: (text: string) => Buffer][] = [
    ['gzip', zlib.gzipSync],
    ['zstd', zlib.zstdCompressSync],
    ['gzip, br', (text) => zlib.brotliCompressSync(zlib.gzipSync(text))],
  ]
  for (const [coding, pack] of codings) {
    await secure({ failedLogins: [loginRule()] })
    const more = { 'content-encoding': coding }
    for (let i = 0; i < 3; i++) assert.equal((await login(pack('user=ida&password=no'), { more })).status, 401, coding)
    assert.equal((await login('user=ida&password=right')).status, 403, coding)
  }
})

test('a failure is told by words of the answer, or by a header, as well as by its status', async () => {
  for (const failure of [
    { by: 'body' as const, keywords: ['no such thing', 'wrong password'] },
    { by: 'header' as const, name: 'x-login', operator: 'equals' as const, value: 'no' },
  ]) {
    await secure({ failedLogins: [loginRule({ path: '/signin', failure })] })
    const from = newAddress()
    const to = { at: '/signin', from, more: { 'accept-encoding': 'gzip' } }
    for (let i = 0; i < 3; i++) assert.equal((await login('user=a&password=no', to)).status, 200, failure.by)
    assert.equal((await login('user=a&password=right', to)).status, 403, failure.by)
  }
})

test('the origin is told of a leaked password, by nobody but the edge, and none is written down', async () => {
  const sha1 = (text: string) => crypto.createHash('sha1').update(text).digest('hex').toUpperCase()
  const list = path.join(home, 'list.txt')
  const digests = Array.from({ length: 5000 }, (_, i) => sha1(`p${i}`)).concat(sha1('hunter2-right'))
  fs.writeFileSync(
    list,
    digests
      .toSorted()
      .map((digest) => `${digest}:3\r\n`)
      .join(''),
  )
  assert.equal(await importLeakedPasswords(edge.config, list), 5001)
  fs.writeFileSync(list, `${'F'.repeat(40)}:1\n${'0'.repeat(40)}:1\n`)
  await assert.rejects(importLeakedPasswords(edge.config, list), /line 2 .* out of order/)
  const stuffing = { id: 's', name: 's', path: '/login', accountField: 'user', passwordField: 'password' }
  await secure({ failedLogins: [loginRule()], credentialStuffing: [stuffing] })
  const told = async (content: string, more: object = {}) => (await login(content, more)).text.split('leaked=')[1]
  await eventually(async () => assert.equal(await told('user=a&password=hunter2-right'), '1'))
  assert.equal(await told('user=a&password=unheard-of-right', { more: { 'x-credential-leaked': '1' } }), 'undefined')
  // Beside another one: the origin may take either.
  for (const both of ['password=hunter2-right&password=unheard-of', 'password=unheard-of&password=hunter2-right'])
    assert.equal(await told(`user=a&${both}`), '1')
  const parts = '--x\r\ncontent-disposition: form-data; name="password"\r\n\r\nhunter2-right\r\n--x--\r\n'
  assert.equal(await told(parts, { more: { 'content-type': 'multipart/form-data; boundary=x' } }), '1')
  await secure({ credentialStuffing: [{ ...stuffing, payload: 'json', passwordField: 'login.password' }] })
  const json = { 'content-type': 'application/json' }
  assert.equal(await told('{"login":{"password":"hunter2-right"}}', { more: json }), '1')
  assert.equal(await told('{"login":{"password":"fine-right"}}', { more: json }), 'undefined')
  assert.equal(await told('{"login":', { more: json }), 'undefined')
  const log = await eventually(() => {
    const text = fs.readFileSync(edge.agent.layout.requestLog, 'utf8')
    const reasons = new Set(text.split('\n').map((line) => readLogLine(line)?.threat?.reason))
    assert.ok(reasons.has('login-failed') && reasons.has('leaked-login-succeeded'))
    return text
  })
  assert.doesNotMatch(log, /hunter2|unheard-of/)
})

const endpoint = {
  id: 'e1',
  method: 'POST',
  path: '/api/users/{userId}',
  kinds: ['json' as const],
  maxBytes: 100_000,
  open: false,
  edited: false,
  parameters: [
    { in: 'path' as const, name: 'userId', type: 'integer' as const },
    { in: 'body' as const, name: '', type: 'object' as const },
    { in: 'body' as const, name: 'name', type: 'text' as const, required: true },
  ],
}
const send = (target: string, body: string | Buffer, type = 'application/json', method = 'POST', more = {}) =>
  edge.get(HOST, target, {
    method,
    body,
    headers: {
      'x-forwarded-for': newAddress(),
      'content-type': type,
      'content-length': String(Buffer.byteLength(body)),
      ...more,
    },
  })
const lines = () =>
  fs
    .readFileSync(edge.agent.layout.requestLog, 'utf8')
    .split('\n')
    .flatMap((line) => readLogLine(line) ?? [])

test('a request that does not fit its schema is stopped, or only written down, with the field and without its value', async () => {
  const schema = { learning: false, paths: ['/api/*'], endpoints: [endpoint] }
  await secure({ schema: { ...schema, mode: 'block' } })
  const statusOf = async (...sent: Parameters<typeof send>) => (await send(...sent)).status
  assert.equal(await statusOf('/api/users/5', '{"name":"Ada"}'), 200)
  assert.equal(await statusOf('/api/users/5', '{"name":"Ada","adm\\u0069n":"hunter2"}'), 403)
  assert.equal(await statusOf('/api/users/five', '{"name":"Ada"}'), 403)
  assert.equal(await statusOf('/api/users/5', '{"name":5}'), 403)
  assert.equal(await statusOf('/api/users/5', '{"name":"Ada"', 'application/json'), 403)
  assert.equal(await statusOf('/api/users/5', '{"name":"Ada"}', 'text/plain'), 403)
  // nginx keeps so much in a file.
  assert.equal(await statusOf('/api/users/5', `{"name":"Ada"${' '.repeat(40_000)}}`), 200)
  assert.equal(await statusOf('/api/users/5', `{"name":"Ada",${' '.repeat(40_000)}"admin":true}`), 403)
  // Behind what is read there may be anything.
  assert.equal(await statusOf('/api/users/5', `{"name":"Ada",${' '.repeat(70_000)}"admin":true}`), 403)
  assert.equal(await statusOf('/elsewhere', 'x', 'text/plain'), 200)
  const packed = (text: string, coding = 'gzip') =>
    send('/api/users/5', zlib.gzipSync(text), 'application/json', 'POST', { 'content-encoding': coding })
  assert.equal((await packed('{"name":"Ada"}')).status, 200)
  assert.equal((await packed('{"name":"Ada","adm\\u0069n":"hunter2"}')).status, 403)
  assert.equal((await packed('{"name":"Ada"}', 'br')).status, 403)
  assert.equal((await get('/api/nothing')).status, 403)
  await secure({ schema: { ...schema, mode: 'simulate' } })
  assert.equal(await statusOf('/api/users/5', '{"name":"Ada","role":"hunter2"}'), 200)
  await eventually(() => {
    const told = lines().flatMap(({ threat }) => threat ?? [])
    const of = (name: string) => told.find(({ matched }) => matched?.name === name)
    assert.deepEqual(
      [of('admin')?.action, of('admin')?.reason, of('admin')?.ruleId, of('admin')?.part],
      ['block', 'unknown-parameter', 'e1', 'api-protection'],
    )
    assert.deepEqual([of('role')?.action, of('role')?.matched?.field], ['simulate', 'body'])
    assert.ok(told.some(({ reason }) => reason === 'unknown-endpoint'))
  })
  assert.equal(fs.readFileSync(edge.agent.layout.requestLog, 'utf8').includes('hunter2'), false)
})

test('forms of answered requests are written down where a schema is learned, and of no others', async () => {
  await secure({ schema: { learning: true, paths: ['/learn/*', '/login'], mode: 'off', endpoints: [] } })
  // One network is not drawn twice in a second.
  const sent = async (target: string, more: Parameters<typeof edge.get>[2] = {}, network = 0) =>
    edge.get(HOST, target, {
      ...more,
      headers: { 'x-forwarded-for': `198.51.${network}.7`, ...(more.headers as object | undefined) },
    })
  const body = '{"name":"hunter2","tags":["a"],"age":7}'
  const asJson = { 'content-type': 'application/json', 'content-length': String(body.length) }
  await sent('/learn/users/77/9f86d081884c7d659a2f?page=12&q=hunter2', {}, 1)
  await sent('/learn/users', { method: 'POST', body, headers: asJson }, 2)
  await sent('/login', { method: 'POST', body: 'wrong', headers: { 'content-length': '5' } }, 3)
  await sent('/other', {}, 4)
  await eventually(() => {
    const shapes = lines().flatMap(({ shape, method }) => (shape ? [{ method, ...shape }] : []))
    const [read, written] = [
      shapes.find(({ method }) => method === 'GET'),
      shapes.find(({ method }) => method === 'POST'),
    ]
    assert.deepEqual(read?.segments, ['learn', 'users', '{integer}', '{id}'])
    assert.deepEqual(
      read.fields.map(({ where, name, type }) => [where, name, type]),
      [
        ['query', 'page', 'integer'],
        ['query', 'q', 'text'],
      ],
    )
    assert.deepEqual(
      written?.fields.map(({ name, type, length }) => [name, type, length]),
      [
        ['', 'object', 0],
        ['name', 'text', 7],
        ['tags[]', 'text', 1],
        ['tags', 'array', 1],
        ['age', 'integer', 1],
      ],
    )
    assert.equal(shapes.length, 2, 'neither what failed nor what is elsewhere')
  })
})
