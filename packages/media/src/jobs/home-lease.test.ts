import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import {
  type Config,
  type Database,
  Places,
  controlText,
  databasePassword,
  diskGauge,
  freePort,
  loadConfig,
  makeLog,
  mediaFolders,
  migrate,
  openDatabase,
  runDir,
  socketFolder,
  startEmbeddedDatabase,
} from '@fairway/platform'
import { startMedia } from '../start-media.ts'
import { HomeLease } from './home-lease.ts'
import { takeIn } from './intake.ts'
import { Served } from './served.ts'

const homes = ['one', 'two'].map((name) => fs.mkdtempSync(path.join(os.tmpdir(), `fairway-${name}-`)))
const parts = new AsyncDisposableStack()
const log = makeLog('media', { logLevel: 'silent' })
let [one, two]: [Config, Config] = [loadConfig({}), loadConfig({})]
let database: Database

before(async () => {
  const ports = async () => ({
    FAIRWAY_MEDIA_LISTEN: `127.0.0.1:${await freePort()}`,
    FAIRWAY_RTMP_LISTEN: `127.0.0.1:${await freePort()}`,
  })
  one = loadConfig({ FAIRWAY_HOME: homes[0], ...(await ports()) })
  parts.use(await startEmbeddedDatabase({ config: one, log }))
  await migrate(one, log)
  database = parts.use(openDatabase(one, log))
  const url = `postgres://fairway:${databasePassword(one)}@/fairway?host=${encodeURIComponent(socketFolder(one))}`
  two = loadConfig({ FAIRWAY_HOME: homes[1], FAIRWAY_DATABASE_URL: url, ...(await ports()) })
  for (const config of [one, two])
    for (const folder of Object.values(mediaFolders(config))) fs.mkdirSync(folder, { recursive: true })
})
after(async () => {
  await parts.disposeAsync()
  for (const home of homes) fs.rmSync(home, { recursive: true, force: true })
})

test('a home keeps its place until it was silent for long; who comes back meanwhile has it at once', async () => {
  const [first, second] = [new HomeLease(one, database, 300), new HomeLease(two, database, 300)]
  const look = async (lease: HomeLease) => (await lease.look(), lease.isHeld)
  assert.deepEqual([await look(first), await look(second)], [true, false])
  for (let heard = 0; heard < 5; heard++) {
    await setTimeout(100)
    assert.deepEqual([await look(first), await look(second)], [true, false])
  }
  assert.equal(await look(new HomeLease(one, database, 300)), true)
  assert.equal(await look(second), false)
  await setTimeout(350)
  assert.deepEqual([await look(second), await look(first)], [true, false])
  await database.system((tx) => tx.query('DELETE FROM stream_home'))
})

test('a home that has lost its place meanwhile gives up no upload', async () => {
  const id = crypto.randomUUID()
  await using places = new Places(one)
  const place = { config: one, database, log, disk: diskGauge(one), places, isHome: () => false }
  const state = async () =>
    (
      await database.system((tx) => tx.query<{ state: string }>('SELECT state FROM stream_asset WHERE id = $1', [id]))
    )[0]?.state
  await database.system((tx) =>
    tx.query(
      `WITH owner AS (INSERT INTO organization (name, plan_id, code, partner_id) VALUES ('Left', 'enterprise', '', (SELECT id FROM partner WHERE host_name IS NULL)) RETURNING id)
       INSERT INTO stream_asset (id, organization_id, name, size, created_by, created_at) SELECT $1, id, 'left', 9, 'x', now() - interval '8 days' FROM owner`,
      [id],
    ),
  )
  await takeIn(place, false, new Served(), new AbortController().signal)
  assert.equal(await state(), 'uploading')
  await takeIn({ ...place, isHome: () => true }, false, new Served(), new AbortController().signal)
  assert.equal(await state(), 'failed')
  await database.system((tx) => tx.query('DELETE FROM stream_asset WHERE id = $1', [id]))
})

test('of two homes on one database one looks into films, encodes and has live streams; the other delivers, and says so', async () => {
  await using _first = await startMedia({ config: one, log })
  await using _second = await startMedia({ config: two, log })
  const [organization] = await database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO organization (name, plan_id, code, partner_id) VALUES ('Film', 'enterprise', '', (SELECT id FROM partner WHERE host_name IS NULL)) RETURNING id`,
    ),
  )
  const [live] = await database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO stream_live (organization_id, name, latency, key_frame_seconds, rewind_seconds, key_hash, is_on, created_by) VALUES ($1, 'l', 'low', 1, 60, 'k', true, 'x') RETURNING id`,
      [organization?.id],
    ),
  )
  for (let films = 0; films < 3; films++) {
    const id = crypto.randomUUID()
    const file = path.join(mediaFolders(one).uploads, id)
    const words = '-v error -f lavfi -i testsrc2=size=160x90:rate=10:duration=1 -c:v libx264 -preset ultrafast -f mp4'
    execFileSync('ffmpeg', [...words.split(' '), file])
    await database.system((tx) =>
      tx.query(
        `INSERT INTO stream_asset (id, organization_id, name, size, created_by) VALUES ($1, $2, $1::uuid::text, $3, 'x')`,
        [id, organization?.id, fs.statSync(file).size],
      ),
    )
  }
  for (const giveUpAt = Date.now() + 60_000; Date.now() < giveUpAt; await setTimeout(100)) {
    const states = await database.system((tx) => tx.query<{ state: string }>('SELECT state FROM stream_asset'))
    assert.ok(states.every(({ state }) => state !== 'failed'))
    if (states.every(({ state }) => state === 'ready')) break
  }
  const [done] = await database.system((tx) =>
    tx.query<{ ready: number; runners: number; live: number }>(
      `SELECT (SELECT count(*)::int FROM stream_asset WHERE state = 'ready') AS ready, (SELECT count(*)::int FROM stream_runner WHERE can_encode) AS runners,
         (SELECT count(*)::int FROM stream_live l JOIN stream_runner r ON r.node = l.runner WHERE l.id = $1 AND r.can_encode) AS live`,
      [live?.id],
    ),
  )
  assert.deepEqual(done, { ready: 3, runners: 1, live: 1 })
  assert.deepEqual(fs.readdirSync(mediaFolders(two).assets), [])
  const socket = path.join(runDir(two), 'media.sock')
  assert.match(await controlText(`unix:${socket}`, 'GET', '/readyz'), /another home/)
})
