import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { readLivePlaylist } from '@fairway/domain'
import {
  type Config,
  type Database,
  freePort,
  loadConfig,
  makeLog,
  mediaFolders,
  migrate,
  openDatabase,
  rtmpUrl,
  startEmbeddedDatabase,
  streamKey,
  streamKeyHash,
} from '@fairway/platform'
import { startMedia } from '../start-media.ts'
import { noteSealed } from './recordings.ts'

// One stream's trouble is that stream's alone.

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-live-trouble-'))
const parts = new AsyncDisposableStack()
const log = makeLog('media', { logLevel: 'silent' })
const settings: Record<string, string> = { FAIRWAY_HOME: home, FAIRWAY_LIVE_MOST: '3' }
let config: Config
let database: Database
let organization = ''
let role: AsyncDisposable
const encoders: ChildProcess[] = []

/** An origin of one segment that never changes, and who asked for it. */
const asked: string[] = []
const piece = path.join(home, 'piece.ts')
const origin = http.createServer((request, response) => {
  const url = request.url ?? ''
  asked.push(url)
  if (url.endsWith('.ts')) return void fs.createReadStream(piece).pipe(response)
  response.end(`#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:1\n#EXTINF:2,\n${path.basename(url)}.ts\n`)
})

before(async () => {
  execFileSync(
    'ffmpeg',
    `-v error -f lavfi -i testsrc2=size=160x90:rate=10:duration=2 -c:v libx264 -f mpegts ${piece}`.split(' '),
  )
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
  settings['FAIRWAY_MEDIA_LISTEN'] = `127.0.0.1:${await freePort()}`
  settings['FAIRWAY_RTMP_LISTEN'] = `127.0.0.1:${await freePort()}`
  settings['FAIRWAY_PRIVATE_NETWORKS'] = `127.0.0.1:${(origin.address() as AddressInfo).port}`
  config = loadConfig(settings)
  parts.use(await startEmbeddedDatabase({ config, log }))
  await migrate(config, log)
  database = parts.use(openDatabase(config, log))
  const [row] = await database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO organization (name, plan_id, code, partner_id) VALUES ('Live', 'enterprise', '', (SELECT id FROM partner WHERE host_name IS NULL)) RETURNING id`,
    ),
  )
  organization = row?.id ?? ''
  role = await startMedia({ config, log })
  parts.defer(() => role[Symbol.asyncDispose]())
})
after(async () => {
  for (const encoder of encoders) encoder.kill('SIGKILL')
  await parts.disposeAsync()
  origin.closeAllConnections()
  origin.close()
  fs.rmSync(home, { recursive: true, force: true })
})

async function sent(): Promise<string> {
  const key = `live_${crypto.randomBytes(24).toString('base64url')}`
  const [row] = await database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO stream_live (organization_id, name, latency, key_frame_seconds, rewind_seconds, key_hash, is_on, created_by) VALUES ($1, $2, 'normal', 1, 60, $2, true, 'x') RETURNING id`,
      [organization, streamKeyHash(key)],
    ),
  )
  const words =
    '-n 10 ffmpeg -v error -re -f lavfi -i testsrc2=size=160x90:rate=10 -c:v libx264 -preset ultrafast -g 10 -pix_fmt yuv420p -f flv'
  encoders.push(spawn('nice', [...words.split(' '), `${rtmpUrl(config)}/${key}`], { stdio: 'ignore' }))
  return row?.id ?? ''
}
const folderOf = (id: string) => path.join(mediaFolders(config).assets, streamKey(organization), id)
function segments(id: string): number {
  const name = fs.readdirSync(folderOf(id)).find((one) => /^\d+p\.m3u8$/.test(one))
  if (name === undefined) return 0
  const list = readLivePlaylist(fs.readFileSync(path.join(folderOf(id), name), 'utf8'))
  return list ? list.sequence + list.segments.length : 0
}
async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (const giveUpAt = Date.now() + 60_000; ; await setTimeout(100)) {
    if (await isSo()) return
    if (Date.now() > giveUpAt) throw new Error('it never came')
  }
}
type Input = { state: string; problem: string } | null
const inputs = async (ids: readonly string[]): Promise<Input[]> =>
  (
    await database.system((tx) =>
      tx.query<{ input: Input }>('SELECT input FROM stream_live WHERE id = ANY ($1) ORDER BY created_at, id', [ids]),
    )
  ).map(({ input }) => input)

test('a stream whose playlist can be written no more is lost; another one on air goes on, and is noted and billed', async () => {
  const [hurt, other] = [await sent(), await sent()]
  await until(() => fs.existsSync(folderOf(hurt)) && fs.existsSync(folderOf(other)))
  await until(() => segments(hurt) >= 2 && segments(other) >= 2)
  // Its playlist can be written no more, as on a disk that is full or broken.
  const list = fs.readdirSync(folderOf(hurt)).find((one) => /^\d+p\.m3u8$/.test(one))
  fs.mkdirSync(path.join(folderOf(hurt), `${list ?? ''}.new`))
  await until(async () => (await inputs([hurt]))[0]?.state === 'lost')
  const before = segments(other)
  await until(() => segments(other) >= before + 3)
  assert.equal((await inputs([other]))[0]?.state, 'live')
  // Neither can what is written when it is switched off.
  await database.system((tx) =>
    tx.query('UPDATE stream_live SET is_on = false, revision = revision + 1 WHERE id = $1', [hurt]),
  )
  await setTimeout(1_500)
  const run = () =>
    database.system((tx) =>
      tx.query<{ seen_at: Date }>('SELECT seen_at FROM stream_run WHERE live_id = $1 AND ended_at IS NULL', [other]),
    )
  const seen = (await run())[0]?.seen_at.getTime() ?? Number.POSITIVE_INFINITY
  await until(async () => ((await run())[0]?.seen_at.getTime() ?? 0) > seen)
})

test('of a broadcast nothing is kept when its window and a day are over; of one a little younger all', async () => {
  const made = async (secondsAgo: number, isOn: boolean) => {
    const [row] = await database.system((tx) =>
      tx.query<{ id: string }>(
        `INSERT INTO stream_live (organization_id, name, latency, key_frame_seconds, rewind_seconds, key_hash, is_on, is_playable, created_by, input)
         VALUES ($1, gen_random_uuid(), 'normal', 1, 600, gen_random_uuid(), $2, false, 'x', jsonb_build_object('state', 'ended', 'since', now() - make_interval(secs => $3))) RETURNING id`,
        [organization, isOn, secondsAgo],
      ),
    )
    const id = row?.id ?? ''
    const part = path.join(folderOf(id), '180p-1')
    fs.mkdirSync(part, { recursive: true })
    for (const name of ['init.mp4', 's0000001.m4s']) fs.writeFileSync(path.join(part, name), 'x')
    fs.writeFileSync(path.join(folderOf(id), 'master.m3u8'), '#EXTM3U\n')
    await database.system((tx) => tx.query('UPDATE stream_live SET is_playable = true WHERE id = $1', [id]))
    return id
  }
  const day = 86_400
  const young = await made(day + 500, false)
  const ids = [await made(day + 700, false), await made(day + 700, true)]
  type Kept = { is_playable: boolean; emptied_at: Date | null }
  const rows = (of: string[]) =>
    database.system((tx) => tx.query<Kept>('SELECT is_playable, emptied_at FROM stream_live WHERE id = ANY ($1)', [of]))
  await until(async () => (await rows(ids)).every(({ emptied_at: at, is_playable: is }) => at !== null && !is))
  for (const id of ids)
    assert.ok(!fs.existsSync(path.join(folderOf(id), 'master.m3u8')) && !fs.existsSync(`${folderOf(id)}.gone`))
  assert.deepEqual(await rows([young]), [{ is_playable: true, emptied_at: null }])
  assert.ok(fs.existsSync(path.join(folderOf(young), '180p-1', 's0000001.m4s')))
  await database.system((tx) => tx.query('DELETE FROM stream_live WHERE id = ANY ($1)', [[...ids, young]]))
})

test('a recording that was sealed meanwhile, as its organisation closed, is not sealed, refused or removed once more', async () => {
  const made = { renditions: [], hasAudio: false, seconds: 9, bytes: 9 }
  const states = await database.system(async (tx) => {
    const rows = await tx.query<{ id: string }>(
      `WITH live AS (INSERT INTO stream_live (organization_id, name, latency, key_frame_seconds, rewind_seconds, key_hash, created_by) VALUES ($1, 'closes', 'normal', 1, 60, 'closes', 'x') RETURNING id)
       INSERT INTO stream_recording (organization_id, live_id, state) SELECT $1, id, 'kept' FROM live, generate_series(1, 3) RETURNING id`,
      [organization],
    )
    for (const [at, [sealed, reason]] of (
      [
        [made, ''],
        [null, 'disk-full'],
        [null, ''],
      ] as const
    ).entries())
      await noteSealed(tx, rows[at]?.id ?? '', sealed, reason)
    return tx.query<{ state: string }>('SELECT state FROM stream_recording WHERE id = ANY ($1)', [
      rows.map(({ id }) => id),
    ])
  })
  assert.deepEqual(
    states.map(({ state }) => state),
    ['kept', 'kept', 'kept'],
  )
})

test('of pulled streams for which there is no place nothing is fetched', async () => {
  await role[Symbol.asyncDispose]()
  for (const encoder of encoders.splice(0)) encoder.kill('SIGKILL')
  await database.system((tx) => tx.query('DELETE FROM stream_live'))
  config = loadConfig({ ...settings, FAIRWAY_LIVE_MOST: '1' })
  role = await startMedia({ config, log })
  const first = await sent()
  await until(async () => (await inputs([first]))[0]?.state === 'live')
  const rows = await database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO stream_live (organization_id, name, protocol, origin_url, latency, key_frame_seconds, rewind_seconds, is_on, created_by)
       SELECT $1, 'pulled ' || n, 'hls', $2 || n, 'normal', 1, 60, true, 'x' FROM generate_series(1, 20) n RETURNING id`,
      [organization, `http://${settings['FAIRWAY_PRIVATE_NETWORKS']}/list-`],
    ),
  )
  const ids = rows.map(({ id }) => id)
  await until(async () => (await inputs(ids)).every((input) => input?.problem === 'too-many'))
  assert.deepEqual(asked, [])
  // When the place is free one of them has it.
  for (const encoder of encoders.splice(0)) encoder.kill('SIGKILL')
  await database.system((tx) =>
    tx.query('UPDATE stream_live SET is_on = false, revision = revision + 1 WHERE id = $1', [first]),
  )
  await until(async () => (await inputs(ids)).some((input) => input?.state === 'live' || input?.state === 'lost'))
  assert.ok(asked.join(' ').includes('.ts'))
})
