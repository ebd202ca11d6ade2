import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { type Config, loadConfig, makeLog } from '@fairway/platform'
import { facadeServer } from '../facade/facade-server.ts'
import { openSessionPool } from '../facade/session-pool.ts'
import { runStep } from '../rollups/steps.ts'
import { inspectServers } from './inspect.ts'
import { keepFor } from './keep-for.ts'
import { fillNewServers, migrateStore } from './migrate.ts'
import { storeConformance } from './store.conformance.ts'
import { openStore } from './store.ts'
import { storeTime } from './tables.ts'
import { emptyEventTables, eventRows, eventTables, orderedRows } from './whole-tables.ts'

// A cluster of one server that is the embedded engine: it knows clusters, macros and tables over shards as a server
// does, from a server's configuration, but has no Keeper. So what needs one is left out of the statements on the way:
// ON CLUSTER, and that tables are replicated.
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'store-cluster-'))
process.once('exit', () => fs.rmSync(home, { recursive: true, force: true }))
const configFile = path.join(home, 'server.xml')
fs.writeFileSync(
  configFile,
  `<clickhouse>
  <tcp_port>9000</tcp_port>
  <macros><shard>1</shard><replica>ch1</replica></macros>
  <remote_servers>
    <main><shard><internal_replication>true</internal_replication><replica><host>127.0.0.1</host><port>9000</port></replica></shard></main>
    <careless><shard><replica><host>127.0.0.1</host><port>9000</port></replica></shard></careless>
    <grown>
      <shard><internal_replication>true</internal_replication><replica><host>127.0.0.1</host><port>9000</port></replica></shard>
      <shard><internal_replication>true</internal_replication><replica><host>127.0.0.2</host><port>9000</port></replica></shard>
    </grown>
  </remote_servers>
</clickhouse>`,
)
const PASSWORD = 'wholly secret'
const log = makeLog('store', { logLevel: 'error' })
const pool = openSessionPool(path.join(home, 'store'), 4, configFile)
const engine = facadeServer({ pool, password: PASSWORD, version: '26.7', log })
/** Statements as they came. */
const heard: string[] = []

function withoutKeeper(sql: string): string {
  return sql
    .replaceAll(/ ON CLUSTER '\w+'/g, '')
    .replace(/Replicated(\w*MergeTree)\('[^']+', '[^']+'(?:, (\w+))?\)/, (_, family: string, version?: string) =>
      version ? `${family}(${version})` : family,
    )
    .replace('replicated_deduplication_window = ', 'non_replicated_deduplication_window = ')
    .replace(/, replicated_deduplication_window_seconds = \d+/, '')
    .replace(/^SYSTEM SYNC REPLICA (\w+) LIGHTWEIGHT/, 'EXISTS TABLE $1')
}

/** Stands before the engine as one of several servers. */
async function door(): Promise<{ port: number; server: http.Server; lose: { answers: number } }> {
  const lose = { answers: 0 }
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://ch')
      const body = Buffer.concat(chunks)
      const inUrl = url.searchParams.get('query')
      if (request.url !== '/ping') heard.push(inUrl ?? body.toString('utf8'))
      const { 'content-length': _, 'transfer-encoding': __, ...headers } = request.headers
      const inner = http.request(
        { port: (engine.address() as AddressInfo).port, method: request.method, path: request.url, headers },
        (answer) => {
          if (inUrl?.startsWith('INSERT') && lose.answers-- > 0) return void response.destroy()
          response.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(response)
        },
      )
      inner.on('error', () => response.destroy())
      inner.end(inUrl === null ? withoutKeeper(body.toString('utf8')) : body)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { port: (server.address() as AddressInfo).port, server, lose }
}
await once(engine.listen(0, '127.0.0.1'), 'listening')
const [first, second] = [await door(), await door()]
after(async () => {
  for (const { server } of [first, second]) server.closeAllConnections()
  engine.closeAllConnections()
  for (const server of [first.server, second.server, engine]) server.close()
  await pool[Symbol.asyncDispose]()
})

const configWith = (more: Record<string, string> = {}): Config =>
  loadConfig({
    FAIRWAY_HOME: home,
    FAIRWAY_LOG_LEVEL: 'error',
    FAIRWAY_CLICKHOUSE_URL: `http://127.0.0.1:${first.port},http://127.0.0.1:${second.port}`,
    FAIRWAY_CLICKHOUSE_CLUSTER: 'main',
    FAIRWAY_CLICKHOUSE_USER: 'fairway',
    FAIRWAY_CLICKHOUSE_PASSWORD: PASSWORD,
    ...more,
  })
const config = configWith()
const problemOf = async (more: Record<string, string>) => (await inspectServers(configWith(more)))[0]?.problem

test('a cluster is found fit, and what it lacks is said before any table is made', async () => {
  assert.deepEqual(
    (await inspectServers(config)).map(({ problem }) => problem),
    [null, null],
  )
  assert.match(
    String(await problemOf({ FAIRWAY_CLICKHOUSE_CLUSTER: 'nobody' })),
    /no cluster nobody.*it knows careless, grown, main/,
  )
  assert.match(String(await problemOf({ FAIRWAY_CLICKHOUSE_CLUSTER: 'careless' })), /internal_replication/)
  assert.match(String(await problemOf({ FAIRWAY_CLICKHOUSE_STORAGE_POLICY: 'tiered' })), /no storage policy tiered/)
  assert.match(String(await problemOf({ FAIRWAY_CLICKHOUSE_COLD_DAYS: '7' })), /has no volume cold .*it has default/)
  const wrong = String(await problemOf({ FAIRWAY_CLICKHOUSE_PASSWORD: 'guessed' }))
  assert.match(wrong, /user fairway or its password is wrong/)
  assert.doesNotMatch(wrong, /guessed|secret/)
})

// The tables of a cluster, and every promise of a store over them.
storeConformance('cluster', () => openStore(config))

test('tables are made once, and kept for as long as the settings say, in as few statements', async () => {
  await using store = openStore(config)
  await migrateStore(store)
  await keepFor(store)
  await fillNewServers(store)
  heard.length = 0
  await migrateStore(store)
  await keepFor(store)
  await fillNewServers(store)
  assert.deepEqual(
    heard.filter((sql) => /^ALTER|^CREATE TABLE IF NOT EXISTS (?!default\.fairway_migrations )/.test(sql)),
    [],
  )

  await using shorter = openStore(
    configWith({
      FAIRWAY_EVENT_DAYS: '7',
      FAIRWAY_DAY_ROLLUP_DAYS: '800',
      FAIRWAY_CLICKHOUSE_COLD_DAYS: '5',
      FAIRWAY_CLICKHOUSE_COLD_VOLUME: 'default',
    }),
  )
  heard.length = 0
  await keepFor(shorter)
  assert.ok(
    heard.includes(
      "ALTER TABLE default.beacons_local ON CLUSTER 'main' MODIFY TTL toDateTime(at) + toIntervalDay(5) TO VOLUME 'default', toDateTime(at) + toIntervalDay(7)",
    ),
  )
  assert.ok(
    heard.includes(
      "ALTER TABLE default.measures_day_local ON CLUSTER 'main' MODIFY TTL at + toIntervalDay(5) TO VOLUME 'default', at + toIntervalDay(800)",
    ),
  )
  heard.length = 0
  await keepFor(shorter)
  assert.deepEqual(
    heard.filter((sql) => sql.startsWith('ALTER')),
    [],
  )
  await keepFor(store)
})

test('tables of one server are not taken for those of a cluster, nor its shards for others', async () => {
  await using one = openStore(
    configWith({ FAIRWAY_CLICKHOUSE_URL: `http://127.0.0.1:${first.port}`, FAIRWAY_CLICKHOUSE_CLUSTER: '' }),
  )
  await assert.rejects(migrateStore(one), /are of a cluster.*FAIRWAY_CLICKHOUSE_CLUSTER/)
  await using grown = openStore(configWith({ FAIRWAY_CLICKHOUSE_CLUSTER: 'grown' }))
  await assert.rejects(migrateStore(grown), /shards 1:1 2:1 .*made for shards 1:1/)
})

const beacon = (organization: string, at: number) => ({
  at: storeTime(at),
  organization,
  cdn: 'c1',
  continent: 'AS',
  country: 'JP',
  region: '',
  city: '',
  network: 'AS1',
  subnet: 1,
  ok: 1,
  rtt_ms: 10,
})

test('sums are of all that was measured, and a newer build replaces the older', async () => {
  await using store = openStore(config)
  const now = Math.floor(Date.now() / 3_600_000) * 3_600_000
  await store.insert(
    'beacons',
    Array.from({ length: 50 }, (_, n) => beacon('summed', now + n)),
  )
  for (const built of [1, 2])
    for (const grain of ['minute', 'hour', 'day'] as const)
      await runStep(store, grain, now / 1000, now / 1000 + 60, built)
  for (const table of ['measures_minute', 'measures_hour', 'measures_day'])
    assert.deepEqual(
      await store.query(`SELECT samples, successes, built FROM ${table} FINAL WHERE organization = 'summed'`),
      [{ samples: 50, successes: 50, built: 2 }],
    )
})

test('an insert whose answer was lost is made again at the next server, and counted once', async () => {
  await using store = openStore(config)
  const count = async () =>
    (await store.query<{ n: number }>(`SELECT count() AS n FROM beacons WHERE organization = 'lost'`))[0]?.n
  first.lose.answers = 1
  await store.insertLines('beacons', `${JSON.stringify(beacon('lost', Date.now()))}\n`, 'lost-1')
  assert.equal(await count(), 1)
  // Rows without a name of their own are counted once too.
  await using another = openStore(config)
  first.lose.answers = 1
  await another.insert('beacons', [beacon('lost', Date.now())])
  assert.equal(await count(), 2)
  assert.ok(first.lose.answers <= 0)
})

test('a backup reads every row of a cluster once, and an emptied one has none', async () => {
  await using store = openStore(config)
  const linesOf = async (rows: AsyncIterable<Uint8Array>) => {
    let text = ''
    for await (const chunk of rows) text += Buffer.from(chunk).toString('utf8')
    return text.split('\n').filter(Boolean)
  }
  for (const table of ['beacons', 'measures_hour', 'taken_batches'] as const) {
    const [unordered, ordered] = [await linesOf(eventRows(store, table)), await linesOf(orderedRows(store, table))]
    assert.deepEqual(unordered.toSorted(), ordered.toSorted())
    assert.ok(ordered.length > 0 || table === 'taken_batches')
  }
  await emptyEventTables(store)
  for (const table of eventTables()) assert.deepEqual(await linesOf(eventRows(store, table)), [])
})
