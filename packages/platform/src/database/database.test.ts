import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { loadConfig } from '../config.ts'
import { makeLog } from '../log.ts'
import { embeddedConnection } from './connection.ts'
import { openDatabase } from './database.ts'
import { startEmbeddedDatabase } from './embedded.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-tx-'))
const config = loadConfig({ FAIRWAY_HOME: folder, FAIRWAY_LOG_LEVEL: 'error' })
const log = makeLog('test', config)
const embedded = await startEmbeddedDatabase({ config, log })
const database = openDatabase(config, log, { connections: 1 })
after(async () => {
  await database[Symbol.asyncDispose]()
  await embedded[Symbol.asyncDispose]()
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})
const owner = new pg.Client(embeddedConnection(config))
await owner.connect()
await owner.query('CREATE ROLE fairway_system')
await owner.end()

test('questions that are asked of a transaction at once are answered one after the other, and it ends after the last', async () => {
  const begun: string[] = []
  const answers = await database.aside(async (tx) => {
    const slow = tx
      .query<{ at: string }>(`SELECT 'slow' AS at, pg_sleep(0.1)`)
      .then(([row]) => begun.push(row?.at ?? ''))
    const quick = tx.query<{ at: string }>(`SELECT 'quick' AS at`).then(([row]) => begun.push(row?.at ?? ''))
    return Promise.all([slow, quick])
  })
  assert.deepEqual(begun, ['slow', 'quick'])
  assert.equal(answers.length, 2)
})

test("a transaction that has failed answers nobody any more: its connection may be somebody else's", async () => {
  let late: Promise<unknown> | undefined
  const failing = database.aside(async (tx) => {
    late = tx.query('SELECT pg_sleep(0.1)').then(async () => tx.query('SELECT 2'))
    late.catch(() => {})
    await sleep(10)
    throw new Error('meanwhile')
  })
  await assert.rejects(failing, /meanwhile/)
  await assert.rejects(async () => late, /after its end/)
  assert.deepEqual(await database.aside((tx) => tx.query('SELECT 3 AS n')), [{ n: 3 }])
})

test('a question that is asked again and again is planned once, changes under its key, and outlives its connection', async () => {
  const asked = (sql: string) => database.repeated<{ n: number }>('one', sql)
  // What a session has prepared, it tells; without that question it tells nothing of itself.
  const PREPARED = `SELECT count(*)::int AS n FROM pg_prepared_statements WHERE name = 'one'`
  assert.deepEqual([(await asked('SELECT 1 AS n'))?.n, (await asked('SELECT 1 AS n'))?.n], [1, 1])
  assert.equal((await asked('SELECT 2 AS n'))?.n, 2)
  assert.deepEqual([(await asked(PREPARED))?.n, (await asked(PREPARED))?.n], [1, 1])
  const owner = new pg.Client(embeddedConnection(config))
  await owner.connect()
  const ended = await owner.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_prepared_statements%' AND pid <> pg_backend_pid()`,
  )
  await owner.end()
  assert.equal(ended.rowCount, 1)
  // The first may be the one that hears of it.
  await asked('SELECT 3 AS n').catch(() => {})
  assert.equal((await asked('SELECT 3 AS n'))?.n, 3)
  await assert.rejects(asked('SELECT no_such_column'))
  assert.equal((await asked('SELECT 3 AS n'))?.n, 3)
})
