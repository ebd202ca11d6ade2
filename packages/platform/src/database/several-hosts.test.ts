import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { loadConfig, type Config } from '../config.ts'
import { freePort } from '../free-ports.ts'
import { makeLog } from '../log.ts'
import { selfSignedCertificate } from '../self-signed.ts'
import { createCluster, spawnPostgres } from './cluster.ts'
import { connectionOf, databaseFolder, databasePassword } from './connection.ts'
import { DatabaseAway } from './database-away.ts'
import { openDatabase } from './database.ts'
import { serverThatWrites } from './server-that-writes.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-hosts-'))
const { certificatePem, keyPem } = selfSignedCertificate(['localhost'], new Date())
const stranger = selfSignedCertificate(['localhost'], new Date())
const file = (name: string, text: string): string => {
  fs.writeFileSync(path.join(folder, name), text, { mode: 0o600 })
  return path.join(folder, name)
}
const [certificate, authority, other] = [
  file('server.pem', certificatePem),
  file('authority.pem', certificatePem),
  file('stranger.pem', stranger.certificatePem),
]
const key = file('server.key', keyPem)

type Server = { config: Config; port: number; child: ChildProcess | null }
const settingsOf = (name: string) => loadConfig({ FAIRWAY_HOME: path.join(folder, name), FAIRWAY_LOG_LEVEL: 'error' })
const log = makeLog('test', settingsOf('a'))
/** `b` begins as a copy of `a` that follows nobody: a server that takes no writes before it is promoted. */
const a: Server = { config: settingsOf('a'), port: await freePort(), child: null }
const b: Server = { config: settingsOf('b'), port: await freePort(), child: null }

async function start(server: Server): Promise<void> {
  server.child = await spawnPostgres(server.config, {
    listen_addresses: '127.0.0.1',
    port: String(server.port),
    wal_level: 'replica',
    fsync: 'off',
    ssl: 'on',
    ssl_cert_file: certificate ?? '',
    ssl_key_file: key,
  })
  for (;;) {
    const answers = await ask(server, 'SELECT 1').catch(() => null)
    if (answers) return
    if (server.child.exitCode !== null) throw new Error('the server ended: see its log')
    await sleep(50)
  }
}

async function stop(server: Server): Promise<void> {
  if (!server.child || server.child.exitCode !== null) return
  const ended = once(server.child, 'exit')
  server.child.kill('SIGINT')
  await ended
}

async function ask(server: Server, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ ...connectionOf(server.config), port: server.port, database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

fs.mkdirSync(path.join(folder, 'a/secrets'), { recursive: true })
await createCluster(a.config, log)
await start(a)
await ask(a, 'CREATE ROLE fairway_system')
// What a connection is like is told to who may read the statistics.
await ask(a, 'GRANT pg_read_all_stats TO fairway_system')
await ask(a, 'CREATE TABLE written (n int)')
await ask(a, 'GRANT ALL ON written TO fairway_system')
await stop(a)
fs.cpSync(path.join(folder, 'a'), path.join(folder, 'b'), { recursive: true })
fs.writeFileSync(path.join(databaseFolder(b.config), 'standby.signal'), '')
await Promise.all([start(a), start(b)])
after(async () => {
  for (const { child } of [a, b]) signalAll(child, 'SIGCONT')
  await Promise.all([stop(a), stop(b)])
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

/** A server with everything that it has started. */
function signalAll(server: ChildProcess | null, signal: NodeJS.Signals): void {
  if (!server?.pid || server.exitCode !== null) return
  const children = fs.readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim().split(' ')
  for (const pid of [server.pid, ...children.filter(Boolean).map(Number)]) process.kill(pid, signal)
}

const at = (hosts: string, parameters = '') =>
  loadConfig({
    FAIRWAY_HOME: path.join(folder, 'a'),
    FAIRWAY_LOG_LEVEL: 'error',
    FAIRWAY_DATABASE_URL: `postgres://fairway:${databasePassword(a.config)}@${hosts}/postgres?${parameters}`,
  })
const both = `127.0.0.1:${b.port},127.0.0.1:${a.port}`

test('a certificate is checked: by whom, and for which name', async () => {
  const count = async (parameters: string, host = 'localhost') => {
    await using database = openDatabase(at(`${host}:${a.port}`, parameters), log, { connections: 1 })
    return database.system((tx) =>
      tx.query<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'),
    )
  }
  assert.deepEqual(await count(`sslmode=verify-full&sslrootcert=${authority}`), [{ ssl: true }])
  assert.deepEqual(await count(`sslmode=verify-ca&sslrootcert=${authority}`, '127.0.0.1'), [{ ssl: true }])
  assert.deepEqual(await count(`sslmode=disable`), [{ ssl: false }])
  await assert.rejects(count(`sslmode=verify-full&sslrootcert=${authority}`, '127.0.0.1'), /altnames|does not match/)
  await assert.rejects(count(`sslmode=verify-full&sslrootcert=${other}`), /self-signed/)
  await assert.rejects(count('sslmode=require'), /self-signed/)
  await assert.rejects(count(`sslmode=verify-full&sslrootcert=${folder}/none.pem`), /sslrootcert.*cannot be read/)
})

test('of several servers the one that takes writes is used, and another as soon as that one is', async () => {
  const config = at(both)
  assert.equal((await serverThatWrites(config, { isDirect: true })).port, a.port)
  await using database = openDatabase(config, log, { connections: 2 })
  const write = (n: number) => database.system((tx) => tx.query('INSERT INTO written VALUES ($1)', [n]))
  await write(1)
  const heard: string[] = []
  await using _listener = database.listen('news', (payload) => void heard.push(payload))
  while (heard.length < 1) await sleep(20)
  await stop(a)
  await assert.rejects(write(2), DatabaseAway)
  await assert.rejects(
    write(3),
    /no database server takes writes: 127\.0\.0\.1:\d+ takes none; 127\.0\.0\.1:\d+ .*REFUSED/,
  )
  assert.match((await database.problem()) ?? '', /no database server takes writes/)
  await ask(b, 'SELECT pg_promote()')
  await write(4)
  assert.deepEqual(await ask(b, 'SELECT n FROM written ORDER BY n'), [{ n: 4 }])
  // Heard again from the new one: some may have been missed.
  while (heard.length < 2) await sleep(20)
  await start(a)
})

test('a connection that was left at a server which now only follows reads nothing stale from it', async () => {
  await using database = openDatabase(at(`127.0.0.1:${b.port},127.0.0.1:1`), log, { connections: 1 })
  await database.system((tx) => tx.query('SELECT 1'))
  await stop(b)
  fs.writeFileSync(path.join(databaseFolder(b.config), 'standby.signal'), '')
  await start(b)
  await assert.rejects(
    database.system((tx) => tx.query('SELECT 1')),
    DatabaseAway,
  )
  await assert.rejects(
    database.system((tx) => tx.query('SELECT 1')),
    DatabaseAway,
  )
  // One host alone is not chosen, but a write there is a server that is away and not a fault of ours.
  await using alone = openDatabase(at(`127.0.0.1:${b.port}`), log, { connections: 1 })
  await assert.rejects(
    alone.system((tx) => tx.query('INSERT INTO written VALUES (5)')),
    DatabaseAway,
  )
})

test('a server that is silent is told so long before the five seconds that a call may wait for its turn', async () => {
  await using database = openDatabase(at(`127.0.0.1:${a.port}`), log, { connections: 2 })
  await database.system((tx) => tx.query('SELECT 1'))
  signalAll(a.child, 'SIGSTOP')
  try {
    const patient = { ticks: 0 }
    // On a machine that stands still this counts as little as the patience that is tried.
    const clock = setInterval(() => patient.ticks++, 100)
    const silent = async (work: () => Promise<unknown>) => {
      patient.ticks = 0
      await assert.rejects(work, /no answer in time/)
      assert.ok(patient.ticks < 20, `it took ${patient.ticks} ticks`)
    }
    // A connection that was there, and one that has to be made.
    await silent(() => database.system((tx) => tx.query('SELECT 1')))
    await silent(() => database.system((tx) => tx.query('SELECT 1')))
    assert.match((await database.problem()) ?? '', /no answer in time/)
    clearInterval(clock)
  } finally {
    signalAll(a.child, 'SIGCONT')
  }
  assert.deepEqual(await database.system((tx) => tx.query('SELECT 1 AS n')), [{ n: 1 }])
})
