import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { loadConfig } from '../config.ts'
import { makeLog } from '../log.ts'
import { databaseFolder, embeddedConnection } from './connection.ts'
import { endOrphanDatabase, startEmbeddedDatabase } from './embedded.ts'

function home(t: { after(fn: () => void): void }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-db-'))
  const config = loadConfig({ FAIRWAY_HOME: folder, FAIRWAY_LOG_LEVEL: 'error' })
  t.after(() => {
    endOrphanDatabase(config)
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  return { config, log: makeLog('database', config) }
}

async function ask(config: Parameters<typeof embeddedConnection>[0], sql: string): Promise<unknown[]> {
  const client = new pg.Client(embeddedConnection(config))
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('what was acknowledged before a kill -9 of the server is there when it starts again', async (t) => {
  const deps = home(t)
  const first = await startEmbeddedDatabase(deps)
  await ask(deps.config, 'CREATE TABLE kept (n int)')
  const busy = new pg.Client(embeddedConnection(deps.config))
  busy.on('error', () => {})
  await busy.connect()
  await busy.query('INSERT INTO kept VALUES (42)')
  const sleeping = assert.rejects(busy.query('SELECT pg_sleep(60)'))
  process.kill(first.pid, 'SIGKILL')
  assert.equal(await first.ended, 'SIGKILL')
  await using second = await startEmbeddedDatabase(deps)
  assert.equal(second.adopted, false)
  assert.deepEqual(await ask(deps.config, 'SELECT n FROM kept'), [{ n: 42 }])
  await sleeping
})

test('a server that is still running is taken over, and stops with its new owner', async (t) => {
  const deps = home(t)
  const first = await startEmbeddedDatabase(deps)
  const second = await startEmbeddedDatabase(deps)
  assert.deepEqual([second.adopted, second.pid], [true, first.pid])
  await second[Symbol.asyncDispose]()
  assert.ok(await first.ended)
  assert.equal(fs.existsSync(path.join(databaseFolder(deps.config), 'postmaster.pid')), false)
})

test('a lock that names a process of somebody else does not stop the start', async (t) => {
  const deps = home(t)
  await (await startEmbeddedDatabase(deps))[Symbol.asyncDispose]()
  fs.writeFileSync(path.join(databaseFolder(deps.config), 'postmaster.pid'), `${process.ppid}\n`)
  await using database = await startEmbeddedDatabase(deps)
  assert.equal(database.adopted, false)
})

test('nobody gets in without the password', async (t) => {
  const deps = home(t)
  await using _database = await startEmbeddedDatabase(deps)
  const client = new pg.Client({ ...embeddedConnection(deps.config), password: 'guess' })
  client.on('error', () => {})
  await assert.rejects(client.connect(), /password authentication failed/)
})

test('a damaged database folder is named in a sentence that says what to do', async (t) => {
  const deps = home(t)
  fs.mkdirSync(databaseFolder(deps.config))
  fs.writeFileSync(path.join(databaseFolder(deps.config), 'base'), 'not a folder')
  await assert.rejects(startEmbeddedDatabase(deps), /PG_VERSION file is missing.*move it away/)
})
