import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../config.ts'
import { makeLog } from '../log.ts'
import { createCluster } from './cluster.ts'
import { type Database, openDatabase } from './database.ts'
import { DatabaseAway } from './database-away.ts'
import { inspectReplicas } from './inspect-replicas.ts'
import { ServerUnderTest, startStreamingPair } from './replica-under-test.ts'
import type { Tx } from './transaction.ts'
import { freePort } from '../free-ports.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-replicas-'))
const pair = await startStreamingPair(folder)
const { primary, replica } = pair
after(async () => {
  await pair[Symbol.asyncDispose]()
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})
const configOf = (...urls: string[]) =>
  loadConfig({
    FAIRWAY_HOME: path.join(folder, 'home'),
    FAIRWAY_LOG_LEVEL: 'error',
    FAIRWAY_DATABASE_URL: primary.urlAs('owner'),
    FAIRWAY_DATABASE_REPLICA_URLS: urls.join(', '),
  })
const log = makeLog('test', configOf())
await primary.ask('CREATE TABLE written (n int); GRANT ALL ON written TO fairway_system')

const open = (...urls: string[]) => openDatabase(configOf(...urls), log, { connections: 4, replicaConnections: 4 })
const positionOf = async (database: Database) => {
  const [row] = await database.system((tx) =>
    tx.query<{ position: string }>(`SELECT ${database.logPosition} AS position`),
  )
  return row?.position ?? null
}
const whoAnswers = (tx: Tx) =>
  tx.query<{ port: number; written: number }>(
    'SELECT inet_server_port() AS port, (SELECT count(*)::int FROM written) AS written',
  )
/** Reads what was committed before, and says which server has answered. */
const read = async (database: Database) => {
  const [row] = await database.read(await positionOf(database), (from) => from.system(whoAnswers))
  return row ?? { port: 0, written: 0 }
}
const write = (database: Database) => database.system((tx) => tx.query('INSERT INTO written VALUES (1)'))
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20)
}
const readsAtReplica = async (database: Database) => until(async () => (await read(database)).port === replica.port)
const problemsOf = (database: Database) => database.replicas()?.replicas.map(({ problem }) => problem?.said)

test(
  'what was committed before is read, at a replica that has it and else at the primary',
  { timeout: 60_000 },
  async () => {
    await using database = open(replica.urlAs('reader'))
    await readsAtReplica(database)
    const before = (await read(database)).written
    for (let at = 1; at <= 50; at++) {
      await write(database)
      assert.equal((await read(database)).written, before + at)
    }
    await replica.ask('SELECT pg_wal_replay_pause()')
    for (let at = 51; at <= 100; at++) {
      await write(database)
      assert.deepEqual(await read(database), { port: primary.port, written: before + at })
    }
    await until(() => (database.replicas()?.replicas[0]?.lagMs ?? 0) > 500)
    assert.match((await inspectReplicas(configOf(replica.urlAs('reader'))))[0]?.problem ?? '', /^is behind: \d+ bytes/)
    await replica.ask('SELECT pg_wal_replay_resume()')
    await readsAtReplica(database)
    const figures = database.replicas()
    assert.ok((figures?.replicas[0]?.reads ?? 0) > 0 && (figures?.primaryReads ?? 0) >= 50)
  },
)

test('a read that a replica leaves without an answer is asked of the primary', { timeout: 60_000 }, async () => {
  await using database = open(replica.urlAs('reader'))
  await readsAtReplica(database)
  const asked: number[] = []
  const [row] = await database.read(await positionOf(database), (from) =>
    from.system(async (tx) => {
      const [answer] = await whoAnswers(tx)
      asked.push(answer?.port ?? 0)
      if (answer?.port === replica.port) await replica.end('SIGKILL')
      return whoAnswers(tx)
    }),
  )
  assert.deepEqual([...asked, row?.port], [replica.port, primary.port, primary.port])
  assert.equal((await read(database)).port, primary.port)
  await until(() => problemsOf(database)?.[0]?.startsWith('does not answer: ') ?? false)
  assert.match(
    (await inspectReplicas(configOf(replica.urlAs('reader'))))[0]?.problem ?? '',
    /^does not answer: .*REFUSED/,
  )
  await replica.start()
  await readsAtReplica(database)
})

test('slow reads take a replica from nobody, and are not repeated at the primary', { timeout: 60_000 }, async () => {
  await using database = openDatabase(configOf(replica.urlAs('reader')), log, {
    connections: 4,
    replicaConnections: 1,
    patienceMs: 2_000,
  })
  await readsAtReplica(database)
  const asked: number[] = []
  const sleeping = async (seconds: number) =>
    database.read(await positionOf(database), (from) =>
      from.system(async (tx) => {
        asked.push((await whoAnswers(tx))[0]?.port ?? 0)
        await tx.query('SELECT pg_sleep($1)', [seconds])
      }),
    )
  const slow = sleeping(1)
  await until(() => asked.length > 0)
  assert.equal((await read(database)).port, primary.port, 'it has no connection left')
  assert.deepEqual(problemsOf(database), [undefined])
  await slow
  asked.length = 0
  await assert.rejects(sleeping(3), DatabaseAway)
  assert.deepEqual(asked, [replica.port])
  assert.deepEqual(problemsOf(database), [undefined])
  assert.equal((await read(database)).port, replica.port)
})

test('a replica that is silent keeps nobody for a second', { timeout: 60_000 }, async () => {
  await using database = open(replica.urlAs('reader'))
  await readsAtReplica(database)
  const patient = { ticks: 0 }
  // On a machine that stands still this counts as little as the patience that is tried.
  const clock = setInterval(() => patient.ticks++, 100)
  try {
    // In the middle of a read, and before one.
    const [row] = await database.read(await positionOf(database), (from) =>
      from.system(async (tx) => {
        const [answer] = await whoAnswers(tx)
        if (answer?.port === replica.port) replica.signal('SIGSTOP')
        patient.ticks = 0
        return whoAnswers(tx)
      }),
    )
    assert.equal(row?.port, primary.port)
    for (let at = 0; at < 20; at++) assert.equal((await read(database)).port, primary.port)
    assert.ok(patient.ticks < 15, `it took ${patient.ticks} ticks`)
  } finally {
    clearInterval(clock)
    replica.signal('SIGCONT')
  }
  await readsAtReplica(database)
})

test(
  'what only replaying makes impossible, and what writes, is asked of the primary',
  { timeout: 60_000 },
  async () => {
    await using database = open(replica.urlAs('reader'))
    await readsAtReplica(database)
    const ports = async (sql: string) => {
      const asked: number[] = []
      await database.read(await positionOf(database), (from) =>
        from.system(async (tx) => {
          asked.push((await whoAnswers(tx))[0]?.port ?? 0)
          await tx.query(sql)
        }),
      )
      return asked
    }
    assert.deepEqual(await ports('SELECT 1'), [replica.port])
    assert.deepEqual(await ports('INSERT INTO written VALUES (2)'), [replica.port, primary.port])
    await readsAtReplica(database)
    // A statement that is wrong is wrong there, too.
    await assert.rejects(ports('SELECT nothing'), /column "nothing" does not exist/)
    // A fault of ours is no reason to ask twice.
    let times = 0
    const failing = database.read(await positionOf(database), () => {
      times++
      throw new TypeError('ours')
    })
    await assert.rejects(failing, TypeError)
    assert.equal(times, 1)
  },
)

test(
  'where the primary does not tell how far its log has come, everything is asked of it',
  { timeout: 60_000 },
  async () => {
    await primary.ask('REVOKE EXECUTE ON FUNCTION pg_walfile_name(pg_lsn) FROM PUBLIC')
    await using database = open(replica.urlAs('reader'))
    for (let at = 0; at < 20; at++) {
      assert.equal(await positionOf(database), null)
      assert.equal((await read(database)).port, primary.port)
      await sleep(20)
    }
    await primary.ask('GRANT EXECUTE ON FUNCTION pg_walfile_name(pg_lsn) TO PUBLIC')
    await readsAtReplica(database)
  },
)

test(
  'a server that is no replica of this database is never asked, and it is said why',
  { timeout: 60_000 },
  async () => {
    const home = path.join(folder, 'foreign')
    const config = loadConfig({ FAIRWAY_HOME: home, FAIRWAY_LOG_LEVEL: 'error' })
    fs.mkdirSync(path.join(home, 'secrets'), { recursive: true })
    await createCluster(config, log)
    const foreign = new ServerUnderTest(home, await freePort(), {}, 'postgres')
    const urls = [
      foreign.urlAs('owner'),
      primary.urlAs('reader', '?target_session_attrs=any'),
      'postgres://reader@127.0.0.1:1/fairway',
    ]
    await foreign.start()
    await using database = open(...urls)
    await until(() => problemsOf(database)?.[0]?.startsWith('is no replica') ?? false)
    assert.equal((await read(database)).port, primary.port)
    const said = (await inspectReplicas(configOf(...urls))).map(({ problem }) => problem ?? '')
    assert.match(said[0] ?? '', /^is no replica of this database: its system identifier is \d+, the primary's \d+$/)
    assert.equal(said[1], 'takes writes itself')
    assert.match(said[2] ?? '', /^does not answer: /)
    await foreign.end()
  },
)

test(
  'a replica that was promoted is not asked any more, nor when it follows again what nobody continues',
  { timeout: 60_000 },
  async () => {
    await using database = open(replica.urlAs('reader'))
    await readsAtReplica(database)
    await replica.ask('SELECT pg_promote()')
    assert.equal((await read(database)).port, primary.port)
    await until(() => problemsOf(database)?.[0] === 'takes writes itself')
    for (let at = 0; at < 10; at++) assert.equal((await read(database)).port, primary.port)
    // Its log is now further than the primary's, and another one.
    await replica.ask('CREATE TABLE more AS SELECT n FROM generate_series(1, 10000) AS n')
    await replica.end()
    fs.writeFileSync(path.join(folder, 'replica/database/standby.signal'), '')
    await replica.start()
    await until(() => problemsOf(database)?.[0] === 'has replayed timeline 00000002, and the primary writes 00000001')
    assert.equal((await read(database)).port, primary.port)
  },
)
