import assert from 'node:assert/strict'
import http from 'node:http'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import zlib from 'node:zlib'
import { createClient } from '@clickhouse/client'
import { StoreAway } from '../store/store-error.ts'
import { openStore } from '../store/store.ts'
import { startTestStore } from '../test-store.ts'
import { facadeSocket, storePassword } from './facade-address.ts'

const embedded = await startTestStore()
after(() => embedded[Symbol.asyncDispose]())
const socketPath = facadeSocket(embedded.config)
const password = storePassword(embedded.config)
const authorization = `Basic ${Buffer.from(`fairway:${password}`).toString('base64')}`

type Answer = { status: number; headers: http.IncomingHttpHeaders; body: Buffer; text: string; complete: boolean }
function ask(
  path: string,
  {
    method = 'POST',
    body = '',
    headers = {} as Record<string, string>,
    auth = true,
  }: { method?: string; body?: string | Buffer; headers?: Record<string, string>; auth?: boolean } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { socketPath, method, path, agent: false, headers: { ...(auth ? { authorization } : {}), ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('close', () => {
          const whole = Buffer.concat(chunks)
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: whole,
            text: whole.toString('utf8'),
            complete: response.complete,
          })
        })
        response.on('error', () => {})
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}
const query = (sql: string, more = '') => `/?query=${encodeURIComponent(sql)}${more}`
const client = () =>
  createClient({
    url: 'http://store',
    http_agent: new http.Agent({ socketPath } as http.AgentOptions),
    username: 'fairway',
    password,
  })

test('nobody asks without the password, and anybody may ping', async () => {
  for (const refused of [
    await ask(query('SELECT 1'), { auth: false }),
    await ask(query('SELECT 1'), { auth: false, headers: { authorization: 'Basic eDp5' } }),
    await ask(query('SELECT 1', '&user=x&password=wrong'), { auth: false }),
  ]) {
    assert.equal(refused.status, 401)
    assert.equal(refused.headers['x-clickhouse-exception-code'], '516')
  }
  assert.equal((await ask('/ping', { method: 'GET', auth: false })).text, 'Ok.\n')
  assert.equal(
    (
      await ask(query('SELECT 1'), {
        auth: false,
        headers: { 'x-clickhouse-user': 'any', 'x-clickhouse-key': password },
      })
    ).text,
    '1\n',
  )
})

test('the unmodified client: tables, materialised views, inserts, parameters, formats, summaries', async () => {
  const ch = client()
  await ch.command({
    query: 'CREATE TABLE IF NOT EXISTS visits (at DateTime, cdn String, ms UInt32) ENGINE = MergeTree ORDER BY at',
  })
  await ch.command({
    query: 'CREATE TABLE IF NOT EXISTS visits_by_cdn (cdn String, n UInt64) ENGINE = SummingMergeTree ORDER BY cdn',
  })
  await ch.command({
    query:
      'CREATE MATERIALIZED VIEW IF NOT EXISTS visits_mv TO visits_by_cdn AS SELECT cdn, toUInt64(count()) AS n FROM visits GROUP BY cdn',
  })
  const { summary } = await ch.insert({
    table: 'visits',
    format: 'JSONEachRow',
    values: [
      { at: '2026-01-01 00:00:00', cdn: 'a', ms: 5 },
      { at: '2026-01-01 00:00:01', cdn: 'b', ms: 7 },
    ],
  })
  assert.ok(Number(summary?.written_rows) >= 2)
  const csv = Readable.from([Buffer.from('"2026-01-01 00:00:02","b",9\n')], { objectMode: false })
  await ch.insert({ table: 'visits', format: 'CSV', values: csv, columns: ['at', 'cdn', 'ms'] })
  const rows = await ch.query({
    query: 'SELECT cdn, sum(n) AS n FROM visits_by_cdn WHERE cdn = {cdn:String} GROUP BY cdn',
    query_params: { cdn: 'b' },
    format: 'JSON',
  })
  const json = await rows.json<{ cdn: string; n: string | number }>()
  assert.deepEqual(
    json.data.map((row) => [row.cdn, Number(row.n)]),
    [['b', 2]],
  )
  assert.equal(
    await (await ch.query({ query: 'SELECT number FROM numbers(3)', format: 'CSVWithNames' })).text(),
    '"number"\n0\n1\n2\n',
  )
  assert.deepEqual(await ch.ping(), { success: true })
  assert.equal((await ch.ping({ select: true })).success, true)
  await ch.close()
})

test('a setting is honoured for its request only; an unknown one and what is not offered are refused', async () => {
  assert.equal(
    (await ask(query(`SELECT value FROM system.settings WHERE name = 'max_threads'`, '&max_threads=1'))).text,
    '1\n',
  )
  assert.notEqual((await ask(query(`SELECT value FROM system.settings WHERE name = 'max_threads'`))).text, '1\n')
  assert.equal(
    (await ask(query('SELECT count() FROM numbers(1000000)', '&max_rows_to_read=10'))).headers[
      'x-clickhouse-exception-code'
    ],
    '158',
  )
  assert.equal((await ask(query('SELECT 1', '&no_such_setting=1'))).headers['x-clickhouse-exception-code'], '115')
  for (const path of ['&session_id=x', '&role=x', '&compress=1', '&decompress=1'])
    assert.equal((await ask(query('SELECT 1', path))).headers['x-clickhouse-exception-code'], '48', path)
  assert.equal(
    (await ask(query('INSERT INTO visits FORMAT RowBinary'), { body: Buffer.from([1, 2, 3]) })).headers[
      'x-clickhouse-exception-code'
    ],
    '48',
  )
})

test('a bound of a question ends it, and stays with it', async () => {
  await using store = openStore(embedded.config)
  const endless = 'SELECT count() AS n FROM numbers(10000000000000) WHERE sipHash64(number) = 1'
  await assert.rejects(
    store.query(endless, {}, { seconds: 0.2 }),
    (error) => error instanceof StoreAway && /Timeout/i.test(error.message),
  )
  const left = "SELECT value FROM system.settings WHERE name = 'max_execution_time'"
  const all = await Promise.all(Array.from({ length: 8 }, () => store.query<{ value: string }>(left)))
  assert.deepEqual([...new Set(all.flat().map(({ value }) => value))], ['60'])
})

test('GET only reads', async () => {
  const refused = await ask(query('DROP TABLE IF EXISTS visits'), { method: 'GET' })
  assert.equal(refused.headers['x-clickhouse-exception-code'], '164')
  assert.equal((await ask(query('SELECT 2'), { method: 'GET' })).text, '2\n')
})

test('compressed requests are read and answers compressed when asked for', async () => {
  await ask(query('CREATE TABLE IF NOT EXISTS zipped (n UInt32) ENGINE = MergeTree ORDER BY n'))
  const sent = await ask(query('INSERT INTO zipped FORMAT JSONEachRow'), {
    body: zlib.gzipSync('{"n":1}\n{"n":2}\n'),
    headers: { 'content-encoding': 'gzip' },
  })
  assert.equal(sent.status, 200)
  const got = await ask(
    query('SELECT number + {from:UInt32} AS n FROM numbers(5000)', '&enable_http_compression=1&param_from=10'),
    { headers: { 'accept-encoding': 'gzip' } },
  )
  assert.equal(got.headers['content-encoding'], 'gzip')
  assert.ok(zlib.gunzipSync(got.body).toString().startsWith('10\n11\n'))
  assert.equal(
    (
      await ask(query('INSERT INTO zipped FORMAT JSONEachRow'), {
        body: 'not gzip',
        headers: { 'content-encoding': 'gzip' },
      })
    ).status,
    400,
  )
  assert.equal((await ask(query('SELECT count() FROM zipped'))).text, '2\n')
})

test('an error after rows were sent breaks the answer instead of ending it', async () => {
  const broken = await ask(query('SELECT throwIf(number = 3000000) FROM numbers(4000000) FORMAT JSONEachRow'))
  assert.ok(broken.status !== 200 || !broken.complete)
  assert.equal((await ask(query('SELECT 1'))).text, '1\n')
})

test('a reader that leaves early, and many that ask at once, do not disturb others', async () => {
  await new Promise<void>((resolve) => {
    const request = http.request(
      {
        socketPath,
        method: 'POST',
        path: query('SELECT number FROM numbers(50000000) FORMAT JSONEachRow'),
        headers: { authorization },
      },
      (response) => {
        response.once('data', () => {
          request.destroy()
          resolve()
        })
        response.on('error', () => {})
      },
    )
    request.on('error', () => {})
    request.end()
  })
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(query(`SELECT ${n}`))))
  assert.deepEqual(
    answers.map((answer) => answer.text),
    Array.from({ length: 40 }, (_, n) => `${n}\n`),
  )
})

test('garbage is refused, and the store goes on', async () => {
  for (const [path, body] of [
    ['/?query=', ''],
    ['/?%00=1&query=SELECT+1', ''],
    ['/x', 'SELECT 1'],
    ['/?default_format=a%20b&query=SELECT+1', ''],
    [query('INSERT INTO no_such (a) FORMAT JSONEachRow'), '{"a":1}'],
  ] as const) {
    assert.ok((await ask(path, { body })).status >= 400, path)
  }
  assert.equal((await ask('/', { method: 'PUT', body: 'x' })).status, 501)
  assert.equal((await ask('/', { body: '-- a comment\n/* another */ SELECT 7' })).text, '7\n')
})
