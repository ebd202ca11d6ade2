import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readLivePlaylist } from '@fairway/domain'
import {
  type Config,
  type Database,
  loadConfig,
  makeLog,
  migrate,
  openDatabase,
  rtmpUrl,
  startEmbeddedDatabase,
  streamHost,
  streamKeyHash,
  tryTcp,
} from '@fairway/platform'
import { startMedia } from '../start-media.ts'

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-live-'))
const parts = new AsyncDisposableStack()
const log = makeLog('media', { logLevel: 'error' })
let config: Config
let database: Database
let organization = ''
let role: AsyncDisposable

before(async () => {
  const port = async () => (await tryTcp({ host: '127.0.0.1', port: 0 })).port
  config = loadConfig({
    FAIRWAY_HOME: home,
    FAIRWAY_MEDIA_LISTEN: `127.0.0.1:${await port()}`,
    FAIRWAY_RTMP_LISTEN: `127.0.0.1:${await port()}`,
    FAIRWAY_LOG_LEVEL: 'error',
    FAIRWAY_LIVE_MOST: '2',
  })
  parts.use(await startEmbeddedDatabase({ config, log }))
  await migrate(config, log)
  database = parts.use(openDatabase(config, log))
  organization = await database.system(async (tx) => {
    const [row] = await tx.query<{ id: string }>(
      `INSERT INTO organization (name, plan_id, code, partner_id) VALUES ('Live', 'enterprise', '', (SELECT id FROM partner WHERE host_name IS NULL)) RETURNING id`,
    )
    return row?.id ?? ''
  })
  role = await startMedia({ config, log })
  parts.defer(() => role[Symbol.asyncDispose]())
})
after(async () => {
  await parts.disposeAsync()
  fs.rmSync(home, { recursive: true, force: true })
})

async function stream(): Promise<{ id: string; key: string }> {
  const key = `live_${crypto.randomBytes(24).toString('base64url')}`
  const [row] = await database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO stream_live (organization_id, name, latency, key_frame_seconds, rewind_seconds, key_hash, is_on, created_by) VALUES ($1, $2, 'low', 1, 60, $2, true, 'x') RETURNING id`,
      [organization, streamKeyHash(key)],
    ),
  )
  return { id: row?.id ?? '', key }
}

/** An encoder of somebody's: moving bars and a tone, in real time. */
function push(key: string): ChildProcess {
  const words =
    '-n 10 ffmpeg -v error -re -f lavfi -i testsrc2=size=320x180:rate=25 -re -f lavfi -i sine=frequency=440 -c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a aac -f flv'
  return spawn('nice', [...words.split(' '), `${rtmpUrl(config)}/${key}`])
}
const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((resolve) => child.once('exit', () => resolve()))
async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await ended(child)
}

function fetched(url: string): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    http
      .get({ ...config.mediaListen, path: url, headers: { host: streamHost(config, organization) } }, (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces) }))
      })
      .once('error', reject)
  })
}
const playlist = async (id: string) => readLivePlaylist((await fetched(`/${id}/180p.m3u8`)).body.toString())
async function until<T>(ask: () => Promise<T | null | undefined | false>): Promise<T> {
  for (const giveUpAt = Date.now() + 90_000; ; await setTimeout(100)) {
    const found = await ask()
    if (found) return found
    if (Date.now() > giveUpAt) throw new Error('it never came')
  }
}
const row = async (id: string) => {
  const [found] = await database.system((tx) =>
    tx.query<{
      input: { state: string; fps: number | null; hasAudio: boolean | null; problem: string } | null
      applied_revision: number | null
    }>('SELECT * FROM stream_live WHERE id = $1', [id]),
  )
  return found
}

test('what an encoder sends is there as HLS; after a break, and after the role’s death, it goes on in the same playlist', async () => {
  const { id, key } = await stream()
  let encoder = push(key)
  await until(async () => ((await playlist(id))?.segments.length ?? 0) >= 3)
  const master = (await fetched(`/${id}/master.m3u8`)).body.toString()
  assert.match(master, /RESOLUTION=320x180.*CODECS="avc1\.64\w+,mp4a\.40\.2"/)
  assert.doesNotMatch(master, /EXT-X-START/)
  const list = await playlist(id)
  const [first] = list?.segments ?? []
  assert.ok(first)
  const whole = path.join(home, 'piece.mp4')
  fs.writeFileSync(
    whole,
    Buffer.concat([(await fetched(`/${id}/${first.map}`)).body, (await fetched(`/${id}/${first.uri}`)).body]),
  )
  const { stdout } = await promisify(execFile)('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'stream=codec_name,width',
    '-of',
    'csv=p=0',
    whole,
  ])
  assert.match(stdout, /h264,320[\s\S]*aac/)
  const measured = await until(async () => {
    const input = (await row(id))?.input
    return input?.fps && input.hasAudio !== null ? input : null
  })
  assert.equal(measured.state, 'live')
  assert.ok(Math.abs((measured.fps ?? 0) - 25) < 3, `${measured.fps}`)
  assert.equal(measured.hasAudio, true)

  await stop(encoder)
  await until(async () => (await row(id))?.input?.state === 'lost')
  assert.equal((await playlist(id))?.hasEnded, false)
  encoder = push(key)
  const later = await until(async () => {
    const now = await playlist(id)
    return now?.segments.some(({ breaks }) => breaks) && now
  })
  assert.deepEqual(later.segments.slice(0, 2), list?.segments.slice(0, 2))

  await role[Symbol.asyncDispose]()
  await ended(encoder)
  role = await startMedia({ config, log })
  encoder = push(key)
  const last = await until(async () => {
    const now = await playlist(id)
    return (now?.segments.filter(({ breaks }) => breaks).length ?? 0) >= 2 && now
  })
  assert.deepEqual(last.segments.slice(0, 2), list?.segments.slice(0, 2))

  await database.system((tx) =>
    tx.query('UPDATE stream_live SET is_on = false, revision = revision + 1 WHERE id = $1', [id]),
  )
  await ended(encoder)
  await until(async () => (await playlist(id))?.hasEnded)
  await database.system((tx) => tx.query('UPDATE stream_live SET deleted_at = now() WHERE id = $1', [id]))
  await until(async () => (await fetched(`/${id}/master.m3u8`)).status === 404)
})

test('who has no valid key gets nothing; a key that was replaced is cut off', async () => {
  const { id, key } = await stream()
  const stranger = push('live_wrong')
  await ended(stranger)
  assert.notEqual(stranger.exitCode, 0)
  assert.equal((await row(id))?.input, null)
  const encoder = push(key)
  await until(async () => (await row(id))?.input?.state === 'live')
  await database.system((tx) =>
    tx.query(`UPDATE stream_live SET key_hash = 'another', revision = revision + 1 WHERE id = $1`, [id]),
  )
  await ended(encoder)
  await until(async () => (await row(id))?.applied_revision === 2)
  const again = push(key)
  await ended(again)
  assert.notEqual(again.exitCode, 0)
})

test('nobody takes every place: one more than an organisation may have is refused in words, the others go on', async () => {
  const [first, second] = [await stream(), await stream()]
  const encoder = push(first.key)
  await until(async () => (await row(first.id))?.input?.state === 'live')
  const other = push(second.key)
  await ended(other)
  assert.notEqual(other.exitCode, 0)
  await until(async () => (await row(second.id))?.input?.problem === 'too-many')
  assert.equal((await row(first.id))?.input?.state, 'live')
  await stop(encoder)
  await until(async () => (await row(first.id))?.input?.state === 'lost')
  const again = push(second.key)
  const input = await until(async () => {
    const now = (await row(second.id))?.input
    return now?.state === 'live' && now
  })
  assert.equal(input.problem, '')
  await stop(again)
})
