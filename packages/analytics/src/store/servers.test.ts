import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import {
  ConfigError,
  Problem,
  configEnvironment,
  loadConfig,
  readClickhouseUrl,
  selfSignedCertificate,
} from '@fairway/platform'
import { inspectServers } from './inspect.ts'
import { StoreAway, StoreRefused } from './store-error.ts'
import { type EventStore, openStore } from './store.ts'

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'store-servers-'))
const stack = new AsyncDisposableStack()
after(async () => {
  await stack.disposeAsync()
  fs.rmSync(home, { recursive: true, force: true })
})

type Asked = { sql: string; body: string; token: string | null; search: URLSearchParams; authorization: string }
type Answers = (asked: Asked, response: http.ServerResponse) => void
/** A server that answers as ClickHouse's HTTP interface is documented to: `answers` is all but /ping. */
async function clickhouse(answers: Answers, { tls }: { tls?: { cert: string; key: string } } = {}) {
  const asked: Asked[] = []
  let pinged = 0
  let isSilent = false
  const listener: http.RequestListener = (request, response) => {
    if (isSilent) return
    if (request.url === '/ping') {
      pinged++
      return void response.end('Ok.\n')
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const search = new URL(request.url ?? '/', 'http://ch').searchParams
      const body = Buffer.concat(chunks).toString('utf8')
      const one = {
        sql: search.get('query') ?? body,
        body,
        token: search.get('insert_deduplication_token'),
        search,
        authorization: request.headers.authorization ?? '',
      }
      asked.push(one)
      answers(one, response)
    })
  }
  const server = tls ? https.createServer(tls, listener) : http.createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  stack.defer(close)
  return {
    url: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    asked,
    close,
    again: () => once(server.listen(port, '127.0.0.1'), 'listening'),
    beSilent: () => (isSilent = true),
    pinged: () => pinged,
  }
}

const rows =
  (name: string): Answers =>
  (_, response) =>
    void response.end(`{"name":"${name}"}\n`)
const nothing: Answers = (_, response) => void response.end()
/** An error before anything was sent: its status, the code in a header, and the text that all clients read. */
const failing =
  (status: number, code: number, name: string, message: string): Answers =>
  (_, response) =>
    void response
      .writeHead(status, { 'x-clickhouse-exception-code': String(code) })
      .end(`Code: ${code}. DB::Exception: ${message}. (${name}) (version 25.8.2.29 (official build))\n`)

const settings = (urls: string[], more: Record<string, string> = {}) => ({
  FAIRWAY_HOME: home,
  FAIRWAY_CLICKHOUSE_URL: urls.join(','),
  ...(urls.length > 1 ? { FAIRWAY_CLICKHOUSE_CLUSTER: 'main' } : {}),
  FAIRWAY_CLICKHOUSE_USER: 'fairway',
  FAIRWAY_CLICKHOUSE_PASSWORD: 'p%w:d',
  ...more,
})
const open = (urls: string[], more?: Record<string, string>): EventStore =>
  stack.use(openStore(loadConfig(settings(urls, more))))
const who = async (store: EventStore) => (await store.query<{ name: string }>('SELECT who'))[0]?.name
const LINE = '{"at":"2026-01-01 00:00:00"}\n'

test('a call is a POST with user and password in its header, and settings in its address', async () => {
  const file = path.join(home, 'password')
  fs.writeFileSync(file, 'from a file\nnot this\n')
  const server = await clickhouse(rows('a'))
  const store = open([`${server.url}/events`], {
    FAIRWAY_CLICKHOUSE_PASSWORD: '',
    FAIRWAY_CLICKHOUSE_PASSWORD_FILE: file,
    FAIRWAY_CLICKHOUSE_CLUSTER: 'main',
  })
  assert.equal(await who(store), 'a')
  const [asked] = server.asked
  assert.equal(
    Buffer.from(asked?.authorization.replace('Basic ', '') ?? '', 'base64').toString(),
    'fairway:from a file',
  )
  assert.equal(asked?.search.get('database'), 'events')
  assert.deepEqual(
    [
      'wait_end_of_query',
      'async_insert',
      'distributed_foreground_insert',
      'distributed_product_mode',
      'parallel_distributed_insert_select',
      'load_balancing',
    ].map((name) => asked?.search.get(name)),
    ['1', '0', '1', 'global', '0', 'in_order'],
  )
  assert.equal(asked?.search.has('password'), false)
  assert.throws(
    () => open([server.url], { FAIRWAY_CLICKHOUSE_PASSWORD_FILE: `${file}-none` }),
    (error) => error instanceof Problem && /FAIRWAY_CLICKHOUSE_PASSWORD_FILE/.test(error.message),
  )
})

test('the first server is used; when it has gone the next one is, at once, and the first again when it is back', async () => {
  const [first, second] = [await clickhouse(rows('first')), await clickhouse(rows('second'))]
  const store = open([first.url, second.url])
  assert.equal(await who(store), 'first')
  await first.close()
  const began = performance.now()
  assert.equal(await who(store), 'second')
  await store.command('ALTER …')
  assert.ok(performance.now() - began < 1000, 'nobody waits for a server that refuses')
  await first.again()
  for (let tries = 0; (await who(store)) !== 'first' && tries < 100; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(await who(store), 'first')
  assert.ok(first.pinged() > 0)
  await Promise.all([first.close(), second.close()])
  await assert.rejects(who(store), StoreAway)
  assert.equal(await store.isAnswering(), false)
})

test('an insert whose answer was lost is repeated elsewhere with the same token; other inserts have another', async () => {
  const cut: Answers = (_, response) => void response.destroy()
  const [first, second] = [await clickhouse(cut), await clickhouse(nothing)]
  const store = open([first.url, second.url])
  await store.insertLines('beacons', LINE, 'beacons-segment-1')
  assert.deepEqual(
    [first, second].map((server) => server.asked.map(({ token, body }) => [token, body])),
    [[['beacons-segment-1', LINE]], [['beacons-segment-1', LINE]]],
  )
  await store.insert('beacons', [{ n: 1 }])
  await store.insert('beacons', [{ n: 1 }])
  const tokens = second.asked.slice(1).map(({ token }) => token)
  assert.ok(tokens.every((token) => token !== null && token.length > 20) && new Set(tokens).size === 2)
})

test('what was perhaps begun and has no token is not repeated; what was not begun is', async () => {
  const cut: Answers = (_, response) => void response.destroy()
  const [first, second] = [await clickhouse(cut), await clickhouse(nothing)]
  const store = open([first.url, second.url])
  await assert.rejects(store.command('INSERT INTO fairway_migrations SELECT 1'), StoreAway)
  assert.equal(second.asked.length, 0)
  const lone = open([first.url])
  await assert.rejects(lone.insertLines('beacons', LINE), StoreAway)
  assert.equal(first.asked.filter(({ sql }) => sql.startsWith('INSERT INTO beacons')).length, 1)

  const busy = await clickhouse(failing(503, 202, 'TOO_MANY_SIMULTANEOUS_QUERIES', 'Too many simultaneous queries'))
  const readOnly = await clickhouse(
    failing(500, 242, 'TABLE_IS_READ_ONLY', 'Table is in readonly mode (replica path: …)'),
  )
  const other = open([busy.url, readOnly.url, second.url])
  await other.command('INSERT INTO measures_hour SELECT 1')
  assert.deepEqual(
    [busy, readOnly, second].map(({ asked }) => asked.length),
    [1, 1, 1],
  )
})

test('a statement that is wrong is wrong everywhere; a proxy without a server behind it is not the last word', async () => {
  const wrong = await clickhouse(failing(404, 60, 'UNKNOWN_TABLE', 'Table default.x does not exist'))
  const [proxy, second] = [
    await clickhouse((_, response) => void response.writeHead(503).end('<html>no backend</html>')),
    await clickhouse(rows('second')),
  ]
  await assert.rejects(
    who(open([wrong.url, second.url])),
    (error) => error instanceof StoreRefused && error.code === 60,
  )
  assert.equal(second.asked.length, 0)
  assert.equal(await who(open([proxy.url, second.url])), 'second')
})

test('an error that comes after the status is an error', async () => {
  const late =
    'Code: 252. DB::Exception: Too many parts (300). Merges are processing significantly slower than inserts. (TOO_MANY_PARTS) (version 25.8.2.29 (official build))\n'
  const inserting = await clickhouse((_, response) => void response.end(late))
  await assert.rejects(
    open([inserting.url]).insertLines('beacons', LINE, 't'),
    (error) => error instanceof StoreAway && /Too many parts/.test(error.message),
  )
  const refusing = await clickhouse(
    (_, response) => void response.end(late.replaceAll('252', '117').replace('TOO_MANY_PARTS', 'INCORRECT_DATA')),
  )
  await assert.rejects(
    open([refusing.url]).insertLines('beacons', LINE, 't'),
    (error) => error instanceof StoreRefused && error.code === 117,
  )

  const linesOf = async (answer: string | Buffer) => {
    const server = await clickhouse((_, response) => void response.end(answer))
    let text = ''
    for await (const chunk of open([server.url]).lines('SELECT * FROM beacons'))
      text += Buffer.from(chunk).toString('utf8')
    return text
  }
  const row = '{"a":"Code: 1. DB::Exception: a text of a visitor"}\n'
  for (const whole of ['', row, row.repeat(3000), `{"a":"${'x'.repeat(200_000)}"}\n`])
    assert.equal(await linesOf(whole), whole)
  for (const broken of [
    row + late,
    row.slice(0, 12) + late,
    `${row}\r\n__exception__\r\nqcsjevhvbtkjtkdb\r\n${late}143 qcsjevhvbtkjtkdb\r\n__exception__\r\n`,
    row.slice(0, 12),
    `{"a":"${'x'.repeat(200_000)}`,
  ])
    await assert.rejects(linesOf(broken), StoreAway)
})

test('a server is believed by its certificate only, and why not is said', async () => {
  const { certificatePem: cert, keyPem: key } = selfSignedCertificate(['localhost'], new Date())
  const [ca, other, none] = ['ca', 'other', 'none'].map((name) => path.join(home, `${name}.pem`)) as [
    string,
    string,
    string,
  ]
  fs.writeFileSync(ca, cert)
  fs.writeFileSync(other, selfSignedCertificate(['localhost'], new Date()).certificatePem)
  fs.writeFileSync(none, 'no certificate')
  const server = await clickhouse(rows('tls'), { tls: { cert, key } })
  for (const file of ['', other]) {
    const more = { FAIRWAY_CLICKHOUSE_CA_FILE: file }
    await assert.rejects(who(open([server.url], more)), StoreAway)
    const [found] = await inspectServers(loadConfig(settings([server.url], more)))
    assert.match(found?.problem ?? '', /certificate is not believed.*FAIRWAY_CLICKHOUSE_CA_FILE/)
  }
  assert.equal(server.asked.length, 0, 'nothing was said to a server that is not believed')
  assert.throws(
    () => open([server.url], { FAIRWAY_CLICKHOUSE_CA_FILE: none }),
    /holds no certificate.*FAIRWAY_CLICKHOUSE_CA_FILE/,
  )
  assert.equal(await who(open([server.url], { FAIRWAY_CLICKHOUSE_CA_FILE: ca })), 'tls')
  const spare = await clickhouse(rows('spare'))
  assert.equal(await who(open([server.url, spare.url])), 'spare')
})

test('what a user lacks is said with the statement that gives it, without the password, and is waited for', async () => {
  const cases: [Answers, RegExp][] = [
    [
      failing(
        403,
        516,
        'AUTHENTICATION_FAILED',
        'fairway: Authentication failed: password is incorrect, or there is no user with such name',
      ),
      /user fairway or its password is wrong/,
    ],
    [
      failing(500, 164, 'READONLY', "Cannot modify 'async_insert' setting in readonly mode"),
      /ALTER USER fairway SETTINGS readonly = 0/,
    ],
    [
      failing(
        403,
        497,
        'ACCESS_DENIED',
        "fairway: Not enough privileges. To execute this query, it's necessary to have the grant CREATE TABLE ON events.beacons",
      ),
      /GRANT CREATE TABLE ON events\.beacons TO fairway$/,
    ],
    [
      failing(
        403,
        497,
        'ACCESS_DENIED',
        "fairway: Not enough privileges. To execute this query, it's necessary to have the grant SELECT(name, engine) ON system.tables",
      ),
      /GRANT SELECT ON system\.tables TO fairway$/,
    ],
    [failing(404, 81, 'UNKNOWN_DATABASE', 'Database events does not exist'), /CREATE DATABASE/],
    [(_, response) => void response.end('{"version":"22.8.1.1"}\n'), /22\.8\.1\.1; 24\.3 is the oldest/],
  ]
  for (const [answers, words] of cases) {
    const server = await clickhouse(answers)
    const [found] = await inspectServers(loadConfig(settings([server.url])))
    assert.match(found?.problem ?? '', words)
    assert.ok(!(found?.problem ?? '').includes('p%w:d'))
  }
  const locked = await clickhouse(cases[0]?.[0] ?? nothing)
  await assert.rejects(open([locked.url]).insertLines('beacons', LINE, 't'), StoreAway)
})

test('a server that has fallen silent is left for the next one within six seconds', async () => {
  const [first, second] = [await clickhouse(() => {}), await clickhouse(rows('second'))]
  const store = open([first.url, second.url])
  first.beSilent()
  const began = performance.now()
  assert.equal(await who(store), 'second')
  const took = performance.now() - began
  assert.ok(took > 3000 && took < 15_000, `${took} ms`)
  assert.equal(await who(store), 'second')
})

test('an address that cannot be is refused by its setting, without the password', () => {
  const refused = (more: Record<string, string>) => {
    try {
      loadConfig({ FAIRWAY_HOME: home, ...more })
    } catch (error) {
      assert.ok(error instanceof ConfigError)
      return error.message
    }
    return ''
  }
  for (const url of [
    'ch1:8123',
    'ftp://ch1',
    'http://ch1:99999',
    'http://ch1:8123/a/b',
    'http://ch1/?x=1',
    'http://u:secret@ch1,http://u:other@ch2',
    'http://ch1,http://ch1:8123',
    'http://u:%zz@ch1',
  ]) {
    const said = refused({ FAIRWAY_CLICKHOUSE_URL: url, FAIRWAY_CLICKHOUSE_CLUSTER: 'main' })
    assert.match(said, /FAIRWAY_CLICKHOUSE_URL/)
    assert.doesNotMatch(said, /secret|other@/)
  }
  assert.match(
    refused({ FAIRWAY_CLICKHOUSE_URL: 'http://ch1,http://ch2' }),
    /of one cluster: name it by FAIRWAY_CLICKHOUSE_CLUSTER/,
  )
  assert.match(refused({ FAIRWAY_CLICKHOUSE_CLUSTER: 'main' }), /FAIRWAY_CLICKHOUSE_URL has to name/)
  assert.deepEqual(readClickhouseUrl('https://a:p%40ss@ch1/events, https://ch2:9443/events'), {
    servers: ['https://ch1:8443', 'https://ch2:9443'],
    user: 'a',
    password: 'p@ss',
    database: 'events',
  })
  const config = loadConfig(settings(['http://[::1]:8123']))
  assert.deepEqual(loadConfig(configEnvironment(config)), config)
})
