import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openStore, startStore } from '@fairway/analytics'
import { pulse } from '@fairway/contract'
import {
  freePort,
  type Config,
  configEnvironment,
  connectionOf,
  controlText,
  embeddedConnection,
  loadConfig,
  collectorAuthorization,
  runDir,
  secret,
  shareGeo,
  urlOf,
} from '@fairway/platform'
import { type ApiUnderTest, type Client, startApiUnderTest } from './testing/api-under-test.ts'
import { until } from './testing/until.ts'

/** A promise in seconds is for a machine that has its time to itself. */
const PATIENCE = 10
const ROUNDS = 2
const LINES_MS = 4_000

/** Of no console: its keys are those that the test tells. */
const ORGANIZATION = crypto.randomUUID()

type Collector = { config: Config; child: ChildProcess | null }

let api: ApiUnderTest
let client: Client
let collectors: Collector[] = []
const stack = new AsyncDisposableStack()

/** As an event store elsewhere is reached: the embedded one listens on a socket of its home only. */
async function overTcp(config: Config): Promise<string> {
  const door = net.createServer((here) => {
    const there = net.connect(path.join(runDir(config), 'store-http.sock'))
    for (const [from, to] of [
      [here, there],
      [there, here],
    ] as const)
      from.on('error', () => to.destroy()).pipe(to)
  })
  await once(door.listen(0, '127.0.0.1'), 'listening')
  stack.defer(() => void door.close())
  const { port } = door.address() as net.AddressInfo
  return `http://fairway:${secret(config, 'store-password')}@127.0.0.1:${port}`
}

/** A machine that has nothing of the first but its secrets and its addresses. */
function machine(name: string, port: number, all: string, store: string): Collector {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), `fairway-${name}-`))
  stack.defer(() => fs.rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  shareGeo(home)
  fs.cpSync(path.join(api.config.home, 'secrets'), path.join(home, 'secrets'), { recursive: true })
  const { host, user, password } = connectionOf(api.config)
  const { database } = embeddedConnection(api.config)
  const config = loadConfig({
    FAIRWAY_HOME: home,
    FAIRWAY_NODE_NAME: name,
    FAIRWAY_COLLECTOR_LISTEN: `127.0.0.1:${port}`,
    FAIRWAY_COLLECTORS: all,
    FAIRWAY_TRUSTED_PROXIES: '127.0.0.1',
    FAIRWAY_API_URL: api.url,
    FAIRWAY_CLICKHOUSE_URL: store,
    FAIRWAY_DATABASE_URL: `postgres://${user}:${encodeURIComponent(String(password))}@/${database}?host=${encodeURIComponent(String(host))}`,
    FAIRWAY_LOG_LEVEL: 'error',
  })
  return { config, child: null }
}

const SCRIPT = `
  import { startCollector } from '@fairway/analytics'
  import { loadConfig, makeLog } from '@fairway/platform'
  const config = loadConfig()
  await startCollector({ config, log: makeLog('collector', config) })`

async function start(collector: Collector): Promise<void> {
  collector.child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', SCRIPT],
    {
      cwd: import.meta.dirname,
      env: { PATH: process.env['PATH'], ...configEnvironment(collector.config) },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  await until(async () => (await figure(collector, 'fairway_collector_elected')) !== null, 120_000)
}

async function kill(collector: Collector): Promise<void> {
  const { child } = collector
  collector.child = null
  if (!child || child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function figure({ config }: Collector, name: string): Promise<number | null> {
  const text = await controlText(`unix:${path.join(runDir(config), 'collector.sock')}`, 'GET', '/metrics').catch(
    () => '',
  )
  const values = [...text.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'gm'))].map(([, value]) => Number(value))
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
}

const isElected = async (collector: Collector) => (await figure(collector, 'fairway_collector_elected')) === 1
const elected = async (among = collectors): Promise<Collector | undefined> => {
  const are = await Promise.all(among.map(isElected))
  assert.ok(are.filter(Boolean).length < 2, 'two are elected')
  return among.find((_, at) => are[at])
}

before(async () => {
  const ports = [await freePort(), await freePort()]
  const all = ports.map((port) => `127.0.0.1:${port}`).join()
  api = stack.use(
    await startApiUnderTest({ FAIRWAY_COLLECTORS: all, FAIRWAY_COLLECTOR_LISTEN: `127.0.0.1:${ports[0]}` }),
  )
  stack.use(await startStore({ config: api.config, log: api.log }))
  const store = await overTcp(api.config)
  collectors = ports.map((port, at) => machine(`collector-${at}`, port, all, store))
  client = await api.newClient()
  stack.defer(async () => {
    await Promise.all(collectors.map(kill))
  })
  await Promise.all(collectors.map(start))
})
after(() => stack.disposeAsync())

const register = (collector: Collector, key: string) =>
  fetch(`${urlOf(collector.config.collectorListen)}/pulse/`, {
    method: 'PUT',
    headers: { authorization: collectorAuthorization(api.config), 'content-type': 'application/json' },
    body: JSON.stringify({
      organizationId: ORGANIZATION,
      keys: [{ key, until: null }],
      settings: {
        startDelaySeconds: 2,
        repeatDelaySeconds: 10,
        batchNumber: 1,
        targets: [{ c: 'cdn', u: 'http://cdn.example/' }],
      },
    }),
  })

async function post(to: Collector, key: string, n: number): Promise<boolean> {
  const response = await fetch(`${urlOf(to.config.collectorListen)}/b/`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'x-forwarded-for': `198.51.${n % 100}.7` },
    body: JSON.stringify({ v: 1, k: key, i: `page-view-${n}`, s: [{ c: 'cdn', r: n, ok: 1 }] }),
    signal: AbortSignal.timeout(5_000),
  }).catch(() => null)
  return response?.status === 204
}

/**
 * Sends beacons as pages do behind a balancer: one after the other to either collector; again, to the next, when no
 * word came; and every fifth to both, as a balancer does that gave up too early.
 */
function startBeacons() {
  const stop = new AbortController()
  const taken = new Set<number>()
  const doubtful = new Set<number>()
  let next = 0
  const send = async () => {
    while (!stop.signal.aborted) {
      const n = ++next
      for (let at = n; !(await post(collectors[at % 2] as Collector, 'several', n)); at++) {
        if (stop.signal.aborted) return void doubtful.add(n)
        await delay(20)
      }
      taken.add(n)
      if (n % 5 === 0) await post(collectors[(n + 1) % 2] as Collector, 'several', n)
      await delay(50)
    }
  }
  const senders = Array.from({ length: 3 }, send)
  return {
    taken,
    doubtful,
    async stop() {
      stop.abort()
      await Promise.all(senders)
      return taken
    },
  }
}

/** How old the newest scores that nodes were given are, at worst, while it watches. */
function watchScores() {
  const stop = new AbortController()
  let oldestMs = 0
  const watching = (async () => {
    while (!stop.signal.aborted) {
      const [row] = await api.database.system((tx) =>
        tx.query<{ built: number }>(
          `SELECT (body->>'builtAt')::float8 AS built FROM publication WHERE kind = 'scores' AND key = $1`,
          [ORGANIZATION],
        ),
      )
      if (row) oldestMs = Math.max(oldestMs, Date.now() - row.built)
      await delay(100)
    }
  })()
  return {
    async stop() {
      stop.abort()
      await watching
      return oldestMs
    },
  }
}

test('whichever of two collectors is killed, no beacon is lost or counted twice, and the other goes on with the scores', async (t) => {
  await Promise.all(collectors.map((collector) => register(collector, 'several')))
  const beacons = startBeacons()
  t.after(() => beacons.stop())
  await until(async () => await elected())
  const published = () =>
    api.database.system((tx) => tx.query(`SELECT FROM publication WHERE kind = 'scores' AND key = $1`, [ORGANIZATION]))
  await until(async () => (await published()).length > 0)
  const scores = watchScores()
  t.after(() => scores.stop())
  for (let round = 0; round < ROUNDS; round++) {
    const before = beacons.taken.size
    const first = await until(async () => await elected())
    const other = collectors.find((one) => one !== first) as Collector
    await kill(first)
    const killedAt = performance.now()
    await until(() => isElected(other))
    const tookMs = performance.now() - killedAt
    assert.ok(tookMs < 3_000 * PATIENCE, `handed over after ${tookMs} ms`)
    await until(async () => beacons.taken.size > before + 30)
    await start(first)
    // Then the one that only takes beacons.
    await kill(first)
    await until(async () => beacons.taken.size > before + 50)
    assert.equal(await isElected(other), true)
    await start(first)
  }
  const taken = await beacons.stop()
  const oldestMs = await scores.stop()
  assert.ok(oldestMs < 5_000 * PATIENCE, `scores were ${oldestMs} ms old`)
  await using store = openStore(api.config)
  const rows = () =>
    store.query<{ n: number; times: number }>(
      `SELECT toUInt32(rtt_ms) AS n, count() AS times FROM beacons WHERE organization = {o:String} GROUP BY n`,
      { o: ORGANIZATION },
    )
  await until(async () => {
    const waiting = await Promise.all(collectors.map((one) => figure(one, 'fairway_collector_spool_bytes')))
    return waiting.every((bytes) => bytes === 0)
  })
  const stored = new Map((await rows()).map(({ n, times }) => [n, times]))
  assert.deepEqual(
    [...taken].filter((n) => stored.get(n) !== 1).map((n) => [n, stored.get(n)]),
    [],
  )
  assert.deepEqual(
    [...stored].filter(([n, times]) => times !== 1 || !(taken.has(n) || beacons.doubtful.has(n))),
    [],
  )
  const repeated = await Promise.all(collectors.map((one) => figure(one, 'fairway_collector_repeated_batches_total')))
  assert.ok(repeated.some((count) => Number(count) > 0))
})

test('a key that is made in the console is known to both, and what both saw is one', async () => {
  const { key } = await client.call(pulse.routes.get, {})
  const knows = (at: Collector) =>
    fetch(`${urlOf(at.config.collectorListen)}/b/settings?k=${key}`).then(({ status }) => status === 200)
  for (const collector of collectors) await until(() => knows(collector))
  // Nothing of it is measured here; that it came twice is seen, by each.
  for (const collector of collectors) for (let times = 0; times < 2; times++) assert.ok(await post(collector, key, 1))
  const end = new AbortController()
  const response = await fetch(`${api.url}${pulse.routes.live.path}`, {
    headers: { authorization: `Bearer ${client.token}` },
    signal: AbortSignal.any([end.signal, AbortSignal.timeout(LINES_MS * PATIENCE)]),
  })
  let heard = ''
  const reading = (async () => {
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) heard += piece
  })().catch(() => {})
  await until(async () => heard.includes('"repeated":2,'))
  end.abort()
  await reading
})
