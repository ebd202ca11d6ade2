import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import crypto from 'node:crypto'
import dgram from 'node:dgram'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { emptyLivePlaylist, readLivePlaylist } from '@fairway/domain'
import {
  type Config,
  type Database,
  freePort,
  loadConfig,
  makeLog,
  mediaFolders,
  migrate,
  openDatabase,
  publishToken,
  rtmpUrl,
  startEmbeddedDatabase,
  streamHost,
  streamKeyHash,
  whipSecret,
} from '@fairway/platform'
import HLS from 'hls-parser'
import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters } from 'werift'
import { startMedia } from '../start-media.ts'
import { writeAmf } from './rtmp/amf0.ts'
import { DATA, VIDEO } from './rtmp/publisher.ts'
import { Tail } from './tail.ts'
import { connectEncoder, enhanced, enhancedTags } from './testing/enhanced-encoder.ts'

/** What is fetched from lies on one port that may be reached; another one is inner. */
type Answer = { status?: number; location?: string; body?: string | Buffer } | 'endless'
const answers = new Map<string, () => Answer>()
const origin = http.createServer((request, response) => {
  const answer = answers.get(request.url ?? '')?.() ?? { status: 404 }
  if (answer === 'endless') {
    const more = () => void (response.write(Buffer.alloc(1 << 20)) ? setImmediate(more) : response.once('drain', more))
    return more()
  }
  const { status = 200, location, body = '' } = answer
  response.writeHead(status, location === undefined ? {} : { location }).end(body)
})
const innerAsked: string[] = []
const inner = http.createServer((request, response) => {
  innerAsked.push(request.url ?? '')
  response.end('#EXTM3U')
})
const listening = (server: http.Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )
let [originAt, innerAt] = ['', '']

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-live-'))
const parts = new AsyncDisposableStack()
const log = makeLog('media', { logLevel: 'error' })
let config: Config
let database: Database
let organization = ''
let role: AsyncDisposable

before(async () => {
  originAt = await listening(origin)
  innerAt = await listening(inner)
  config = loadConfig({
    FAIRWAY_PRIVATE_NETWORKS: originAt,
    FAIRWAY_HOME: home,
    FAIRWAY_MEDIA_LISTEN: `127.0.0.1:${await freePort()}`,
    FAIRWAY_RTMP_LISTEN: `127.0.0.1:${await freePort()}`,
    FAIRWAY_WEBRTC_LISTEN: `127.0.0.1:${await freePort()}`,
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
  for (const server of [origin, inner]) {
    server.closeAllConnections()
    server.close()
  }
  fs.rmSync(home, { recursive: true, force: true })
})

async function stream({ isRecorded = false, latency = 'low' } = {}): Promise<{ id: string; key: string }> {
  const key = `live_${crypto.randomBytes(24).toString('base64url')}`
  const [row] = await database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO stream_live (organization_id, name, latency, key_frame_seconds, rewind_seconds, key_hash, is_on, is_recorded, created_by) VALUES ($1, $2, $4, 1, 60, $2, true, $3, 'x') RETURNING id`,
      [organization, streamKeyHash(key), isRecorded, latency],
    ),
  )
  return { id: row?.id ?? '', key }
}

/** An encoder of somebody's: moving bars and a tone, in real time. */
function push(key: string, { pace = '-re' } = {}): ChildProcess {
  const words = `-n 10 ffmpeg -v error ${pace} -f lavfi -i testsrc2=size=320x180:rate=25 ${pace} -f lavfi -i sine=frequency=440 -c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a aac -f flv`
  return spawn('nice', [...words.split(' ').filter(Boolean), `${rtmpUrl(config)}/${key}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((resolve) => child.once('exit', () => resolve()))
async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await ended(child)
}

function fetched(url: string): Promise<{ status: number; body: Buffer; headers: http.IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    http
      .get({ ...config.mediaListen, path: url, headers: { host: streamHost(config, organization) } }, (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces), headers: response.headers }),
        )
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
      input: {
        state: string
        fps: number | null
        hasAudio: boolean | null
        problem: string
        isTest: boolean
      } | null
      asked_at: Date | null
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
  // By DASH picture and sound are apart: each has the frames of a second, under the numbers that stand there.
  const manifest = async () => (await fetched(`/${id}/manifest.mpd`)).body.toString()
  const onAir = await manifest()
  const [period = ''] = /<Period id="s\d+" start="PT[\d.]+S"/.exec(onAir) ?? []
  assert.match(onAir, / type="dynamic" availabilityStartTime="1970-01-01T00:00:00Z"/)
  const framesOf = async (letter: 'v' | 'a') => {
    const media = new RegExp(
      `initialization="(.*init${letter}\\.mp4)" media="(.*/${letter})\\$Number%07d\\$\\.m4s" startNumber="(\\d+)"`,
    )
    const [, init = '', name = '', number = ''] = media.exec(onAir) ?? []
    const file = path.join(home, `${letter}.mp4`)
    const answers = [await fetched(`/${id}/${init}`), await fetched(`/${id}/${name}${number.padStart(7, '0')}.m4s`)]
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers['cache-control']?.includes('immutable')]),
      [
        [200, true],
        [200, true],
      ],
    )
    fs.writeFileSync(file, Buffer.concat(answers.map(({ body }) => body)))
    return probed(file, '-count_frames', '-show_entries', 'stream=codec_name,nb_read_frames')
  }
  assert.equal((await framesOf('v')).trim(), 'h264,25')
  assert.match(await framesOf('a'), /^aac,4[4-9]$/m)
  assert.equal((await fetched(`/${id}/180p-1/v9999999.m4s`)).status, 404)
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
  await until(async () => (await manifest()).match(/<Period /g)?.length === 2)
  assert.ok(period !== '' && (await manifest()).includes(`${period} duration="PT`), await manifest())

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
  await until(async () => / type="static" mediaPresentationDuration="PT\d{10}/.test(await manifest()))
  await database.system((tx) => tx.query('UPDATE stream_live SET deleted_at = now() WHERE id = $1', [id]))
  await until(async () => (await fetched(`/${id}/master.m3u8`)).status === 404)
  await until(async () => (await fetched(`/${id}/manifest.mpd`)).status === 404)
})

/** Of a quality, as a player of low latency asks for it. */
const asked = async (id: string, query: string) => {
  const { status, body, headers } = await fetched(`/${id}/180p.m3u8${query}`)
  return { status, text: body.toString(), headers }
}
const end = (text: string) => {
  const parts = [...text.matchAll(/#EXT-X-PART:DURATION=([\d.]+),URI="([^"]+)"/g)].map(([, , uri]) => uri ?? '')
  const sequence = Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1])
  const whole = [...text.matchAll(/^#EXTINF/gm)].length
  const hint = /#EXT-X-PRELOAD-HINT:TYPE=PART,URI="([^"]+)"/.exec(text)?.[1] ?? ''
  const [, number, index] = /s(\d+)p(\d+)\.m4s$/.exec(hint) ?? []
  return { parts, hint, next: sequence + whole, number: Number(number), index: Number(index) }
}
const isWaited = (text: string) => text.includes('CAN-BLOCK-RELOAD=YES')

test('with low latency parts come before their segment is whole, are waited for, and survive the role’s death', async () => {
  await nobodySends()
  const { id, key } = await stream()
  let encoder = await sends(id, key)
  const first = await until(async () => {
    const { text } = await asked(id, '')
    return end(text).parts.length > 3 && text
  })
  HLS.setOptions({ strictMode: true })
  assert.doesNotThrow(() => HLS.parse(first), first)
  // What is waited for is there when the answer comes, and so is the file that was hinted at.
  const [waits, file] = [end(first), await fetched(`/${id}/${end(first).hint}`)]
  assert.equal(file.status, 200)
  assert.equal(file.body.toString('latin1', 4, 8), 'moof')
  const answered = await asked(id, `?_HLS_msn=${waits.next}&_HLS_part=${waits.index}`)
  assert.deepEqual([answered.status, answered.headers['cache-control']], [200, 'public, max-age=6'])
  assert.ok(answered.text.includes(waits.hint))
  const ahead = end(answered.text)
  const later = await asked(id, `?_HLS_msn=${ahead.next + 1}`)
  assert.ok(end(later.text).next > ahead.next + 1)
  // A segment is its parts.
  const number = `s${String(waits.number).padStart(7, '0')}`
  const folder = path.posix.dirname(waits.hint)
  const pieces: Buffer[] = []
  for (let index = 0; ; index++) {
    const piece = await fetched(`/${id}/${folder}/${number}p${index}.m4s`)
    if (piece.status !== 200) break
    pieces.push(piece.body)
  }
  assert.equal(pieces.length, 3)
  assert.deepEqual((await fetched(`/${id}/${folder}/${number}.m4s`)).body, Buffer.concat(pieces))
  const next = await until(async () => {
    const at = end((await asked(id, '')).text).next
    return at > 8 && at
  })
  for (const [query, status] of [
    [`?_HLS_msn=${next + 9}`, 400],
    [`?_HLS_msn=${'9'.repeat(18)}`, 400],
    ['?_HLS_part=1', 400],
    ['?_HLS_msn=0&_HLS_part=0', 302],
  ] as const)
    assert.equal((await asked(id, query)).status, status, query)
  // Files far ahead, of other sessions and behind a segment's last part are not waited for.
  const far = `s${String(waits.number + 50).padStart(7, '0')}p0.m4s`
  for (const one of [far, '../180p-1/x.m4s', `${number}p9.m4s`])
    assert.equal((await fetched(`/${id}/${folder}/${one}`)).status, 404, one)
  const update = (await asked(id, '?_HLS_skip=YES')).text
  assert.match(update, /#EXT-X-SKIP:SKIPPED-SEGMENTS=\d+/)
  // Where viewers carry their signature in the query, every address takes it along, and nobody is sent elsewhere.
  const carried = (query: string) => fetched(`/queried/${id}/180p.m3u8${query}`)
  const signed = (await carried(`?_HLS_msn=${end((await asked(id, '')).text).next}`)).body.toString()
  assert.ok(isWaited(signed) && signed.includes('#EXT-X-PART:') && signed.includes('#EXT-X-PRELOAD-HINT:'))
  for (const uri of signed.match(/^[^#\n].*$|(?<=URI=")[^"]+/gm) ?? [])
    assert.ok(uri.endsWith('?Policy={$Policy}&Signature={$Signature}&Key-Pair-Id={$Key-Pair-Id}'), uri)
  assert.equal((await carried('?_HLS_msn=0&_HLS_part=0')).status, 200)
  assert.equal((await carried(`?_HLS_msn=${'9'.repeat(18)}`)).status, 400)

  // Frames that stop in the middle of a part: who waits is answered, and told that waiting is of no use now.
  encoder.kill('SIGSTOP')
  const silent = await until(async () => {
    const { next: at, index } = end((await asked(id, '')).text)
    const said = await asked(id, `?_HLS_msn=${at}&_HLS_part=${Number.isNaN(index) ? 0 : index}`)
    return said.status === 200 && !isWaited(said.text) && said
  })
  assert.deepEqual([silent.status, silent.headers['cache-control']], [200, 'public, max-age=1'])
  encoder.kill('SIGCONT')
  await until(async () => isWaited((await asked(id, '')).text))

  // A role that dies while a segment is made leaves it to the next one, under its number.
  await role[Symbol.asyncDispose]()
  await ended(encoder)
  const disk = path.join(mediaFolders(config).assets, streamHost(config, organization).slice(0, 16), id)
  const written = fs.readFileSync(path.join(disk, '180p.m3u8'), 'utf8')
  const last = readLivePlaylist(written)?.segments.at(-1)
  assert.ok(last)
  fs.rmSync(path.join(disk, last.uri))
  fs.writeFileSync(
    path.join(disk, '180p.m3u8'),
    written.split('#EXT-X-PROGRAM-DATE-TIME').slice(0, -1).join('#EXT-X-PROGRAM-DATE-TIME'),
  )
  role = await startMedia({ config, log })
  encoder = await sends(id, key)
  const again = await until(async () => {
    const { text } = await asked(id, '')
    const list = readLivePlaylist(text)
    return isWaited(text) && list?.segments.some(({ breaks }) => breaks) && list
  })
  const at = again.segments.findIndex(({ uri }) => uri === last.uri)
  assert.ok(at >= 0)
  assert.ok(Math.abs((again.segments[at]?.seconds ?? 0) - last.seconds) < 0.001)
  assert.equal((await fetched(`/${id}/${last.uri}`)).status, 200)
  assert.ok(again.segments[at + 1]?.breaks)
  await switchOff(id)
  await until(async () => (await asked(id, '')).text.includes('#EXT-X-ENDLIST'))
})

test('an encoder whose clock jumps an hour is put out, and goes on after it in the same stream', async () => {
  await nobodySends()
  const { id, key } = await stream()
  const words =
    '-n 10 ffmpeg -v error -re -f lavfi -i testsrc2=size=320x180:rate=25 -vf setpts=PTS+gte(N\\,150)*3600/TB -fps_mode passthrough -c:v libx264 -preset ultrafast -tune zerolatency -g 25 -pix_fmt yuv420p -f flv'
  const jumping = spawn('nice', [...words.split(' '), `${rtmpUrl(config)}/${key}`], { stdio: 'ignore' })
  await ended(jumping)
  await until(async () => (await row(id))?.input?.state === 'lost')
  const seconds = ((await playlist(id))?.segments ?? []).reduce((sum, one) => sum + one.seconds, 0)
  assert.ok(seconds > 3 && seconds < 10, `${seconds}`)
  const encoder = await sends(id, key)
  await until(async () => (await playlist(id))?.segments.some(({ breaks }) => breaks))
  await stop(encoder)
})

test('an encoder that sends faster than the clock is held to it, and its picture is dated no later than now', async () => {
  const { id, key } = await stream()
  const began = Date.now()
  const encoder = push(key, { pace: '' })
  const list = await until(async () => {
    const now = await playlist(id)
    return Date.now() - began > 8_000 && now !== null && now.segments.length > 3 && now
  })
  const seconds = list.segments.reduce((sum, one) => sum + one.seconds, 0)
  assert.ok(seconds < (Date.now() - began) / 1000 + 15, `${seconds} s are there`)
  await stop(encoder)
  // What it sent is still to come, and keeps its place until the stream is switched off.
  await database.system((tx) =>
    tx.query('UPDATE stream_live SET is_on = false, revision = revision + 1 WHERE id = $1', [id]),
  )
  await until(async () => (await row(id))?.input?.state === 'ended')
})

test('requests that wait are bounded, and leave nothing behind when they go', async () => {
  const tail = new Tail()
  const list = { ...emptyLivePlaylist(1), segments: [{ uri: 'a', map: 'm', seconds: 1, at: 0, breaks: false }] }
  const open = { map: 'm', at: 1000, breaks: false, parts: [] }
  const edge = { partSeconds: 0.33, partCount: 3, finished: [], open, hint: '180p-1/s0000001p0.m4s' }
  tail.move('180p', { list, edge })
  const gone = new AbortController()
  const crowd = Array.from({ length: 1_000 }, () => tail.playlist('180p', '_HLS_msn=1&_HLS_part=0', gone.signal))
  const refused = await Promise.all(crowd.slice(300))
  assert.ok(refused.every((answer) => answer?.status === 503))
  gone.abort()
  await Promise.all(crowd)
  const [waits, other] = [new AbortController(), tail.playlist('360p', '', new AbortController().signal)]
  assert.equal(await other, null)
  const next = tail.playlist('180p', '_HLS_msn=1&_HLS_part=0', waits.signal)
  tail.move('180p', {
    list,
    edge: { ...edge, open: { ...open, parts: [{ uri: 'p', seconds: 0.33, isIndependent: true }] } },
  })
  assert.equal((await next)?.status, 200)
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

type Recorded = {
  id: string
  state: string
  reason: string
  seconds: number
  facts: { renditions: { made: object }[] }
}
const recordings = (id: string): Promise<Recorded[]> =>
  database.system((tx) => tx.query('SELECT * FROM stream_recording WHERE live_id = $1 ORDER BY started_at', [id]))
const recorded = (id: string, isWanted: (one: Recorded) => boolean) =>
  until(async () => (await recordings(id)).find(isWanted)).catch(async (error: unknown) => {
    const seen = JSON.stringify([await recordings(id), (await row(id))?.input])
    throw new Error(`not among ${seen}`, { cause: error })
  })
/** One place is all that an organisation has here. */
const nobodySends = () =>
  until(async () => {
    const live = await database.system((tx) => tx.query(`SELECT FROM stream_live WHERE input->>'state' = 'live'`))
    return live.length === 0
  })
/** An encoder that is told that no place is left tries again, as people's do. */
async function sends(id: string, key: string): Promise<ChildProcess> {
  for (;;) {
    const encoder = push(key)
    const isLive = await until(async () => {
      if (encoder.exitCode !== null) return 'refused'
      return (await row(id))?.input?.state === 'live' && 'live'
    })
    if (isLive === 'live') return encoder
  }
}
const switchRecording = (id: string, on: boolean) =>
  database.system((tx) => tx.query('UPDATE stream_live SET is_recorded = $2 WHERE id = $1', [id, on]))
/** As the worker does with what is sealed. */
const keep = (one: Recorded) =>
  database.system(async (tx) => {
    await tx.query(
      `INSERT INTO stream_asset (id, organization_id, name, size, state, source, created_by) VALUES ($1::uuid, $2, $1::uuid::text, 1, 'processing', $3, 'x')`,
      [one.id, organization, JSON.stringify({ width: 320, height: 180, seconds: one.seconds })],
    )
    const job =
      'INSERT INTO stream_job (organization_id, asset_id, seq, kind, name, spec, cost, state, attempt, made) VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8, $9)'
    await tx.query(job, [organization, one.id, 0, 'recording', 'recording', '{}', 'waiting', 0, null])
    for (const [index, { made, ...spec }] of one.facts.renditions.entries()) {
      const name = (spec as { name?: string }).name
      await tx.query(job, [organization, one.id, index + 1, 'video', name, spec, 'done', 1, JSON.stringify(made)])
    }
  })
const probed = async (file: string, ...words: string[]) =>
  (await promisify(execFile)('ffprobe', ['-v', 'error', ...words, '-of', 'csv=p=0', file])).stdout

test('a broadcast is kept over a break and the role’s death, and is one video of what was sent, encoded once', async () => {
  await nobodySends()
  const { id, key } = await stream({ isRecorded: true })
  let encoder = await sends(id, key)
  await recorded(id, ({ seconds }) => seconds >= 2)
  await stop(encoder)
  await until(async () => (await row(id))?.input?.state === 'lost')
  await role[Symbol.asyncDispose]()
  // What a process leaves behind that died while it wrote.
  const [half] = await recordings(id)
  const folder = path.join(mediaFolders(config).assets, streamHost(config, organization).slice(0, 16), half?.id ?? '')
  fs.appendFileSync(path.join(folder, 'recorded.txt'), '180p 1 99')
  role = await startMedia({ config, log })
  encoder = await sends(id, key)
  const seconds = half?.seconds ?? 0
  await recorded(id, (one) => one.seconds >= seconds + 2)
  await switchRecording(id, false)
  const whole = await recorded(id, ({ state }) => state === 'sealed')
  assert.deepEqual([whole.id, whole.reason], [half?.id, ''])
  assert.equal((await recordings(id)).length, 1)
  // The broadcast itself goes on.
  assert.equal((await row(id))?.input?.state, 'live')
  await stop(encoder)
  await keep(whole)
  const state = async () =>
    (
      await database.system((tx) =>
        tx.query<{ state: string; reason: string; size: number; has_poster: boolean }>(
          'SELECT * FROM stream_asset WHERE id = $1',
          [whole.id],
        ),
      )
    )[0]
  const asset = await until(async () => {
    const now = await state()
    return now?.state !== 'processing' && now
  })
  assert.deepEqual([asset.state, asset.reason, asset.has_poster], ['ready', '', true])
  const master = (await fetched(`/${whole.id}/master.m3u8`)).body.toString()
  assert.match(master, /RESOLUTION=320x180.*CODECS="avc1\.64\w+,mp4a\.40\.2"\n180p-1\/index\.m3u8/)
  const list = readLivePlaylist((await fetched(`/${whole.id}/180p-1/index.m3u8`)).body.toString())
  assert.equal(list?.hasEnded, true)
  assert.equal(list?.segments.filter(({ breaks }) => breaks).length, 1)
  for (const { uri, map } of list?.segments ?? [])
    for (const one of [uri, map]) assert.equal((await fetched(`/${whole.id}/180p-1/${one}`)).status, 200, one)
  const file = path.join(mediaFolders(config).uploads, whole.id)
  assert.equal(asset.size, fs.statSync(file).size)
  const length = Number((await probed(file, '-show_entries', 'format=duration')).trim())
  assert.ok(Math.abs(length - whole.seconds) < 0.3, `${length} s of ${whole.seconds}`)
  // Every frame that viewers got, in order, with no hole where the break was.
  const times = (await probed(file, '-select_streams', 'v', '-show_entries', 'packet=pts_time'))
    .split('\n')
    .map(Number.parseFloat)
    .filter((time) => !Number.isNaN(time))
    .toSorted((a, b) => a - b)
  assert.equal(times.length, Math.round(whole.seconds * 25))
  const far = Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))
  assert.ok(far < 0.3, `${far} s between two frames`)
})

test('a full disk ends the recording and not the broadcast; one that has no room among the sources is refused', async (t) => {
  await nobodySends()
  const { id, key } = await stream({ isRecorded: true })
  const encoder = await sends(id, key)
  await recorded(id, ({ seconds }) => seconds >= 1)
  const { statfsSync } = fs
  t.mock.method(fs, 'statfsSync', (of: string) => ({ ...statfsSync(of), bavail: 1000 }))
  const cut = await recorded(id, ({ state }) => state === 'sealed')
  assert.equal(cut.reason, 'disk-full')
  const before = (await playlist(id))?.segments.length ?? 0
  await until(async () => ((await playlist(id))?.segments.length ?? 0) > before + 1)
  t.mock.restoreAll()
  assert.equal((await recordings(id)).length, 1)
  await database.system((tx) =>
    tx.query(
      `INSERT INTO stream_asset (organization_id, name, size, created_by) SELECT $1, 'v' || n, 1, 'x' FROM generate_series(1, 1024) n`,
      [organization],
    ),
  )
  await stop(encoder)
  await nobodySends()
  const other = await stream({ isRecorded: true })
  const second = await sends(other.id, other.key)
  assert.equal((await recorded(other.id, ({ state }) => state === 'refused')).reason, 'no-source')
  assert.equal((await row(other.id))?.input?.state, 'live')
  await stop(second)
  await database.system((tx) => tx.query(`DELETE FROM stream_asset WHERE name LIKE 'v%'`))
})

test('HEVC, AV1 and VP9 by enhanced RTMP become the same H.264 playlist; another codec is refused in words', async () => {
  const said = writeAmf('@setDataFrame', 'onMetaData', { width: 320, height: 180, framerate: 25 })
  for (const fourCc of ['hvc1', 'av01', 'vp09'] as const) {
    await nobodySends()
    const { id, key } = await stream()
    const tags = await enhancedTags(fourCc, 6)
    const encoder = await connectEncoder(config.rtmpListen, key, ['vvc1', fourCc])
    const [, , about] = encoder.heard.find(([name]) => name === '_result') ?? []
    assert.deepEqual(Object.entries(about ?? {}).find(([name]) => name === 'fourCcList')?.[1], [fourCc])
    encoder.send([{ type: DATA, time: 0, body: said }, ...tags])
    const list = await until(async () => {
      const now = await playlist(id)
      return now && now.segments.length >= 4 && now
    })
    const { state, hasAudio, problem } = await until(async () => (await row(id))?.input)
    assert.deepEqual([state, hasAudio, problem], ['live', true, ''], fourCc)
    encoder.socket.destroy()
    assert.match(
      (await fetched(`/${id}/master.m3u8`)).body.toString(),
      /RESOLUTION=320x180.*CODECS="avc1\.64\w+,mp4a\.40\.2"/,
    )
    const pieces = [list.segments[0]?.map, ...list.segments.slice(0, 4).map(({ uri }) => uri)]
    const bytes = await Promise.all(pieces.map(async (piece) => (await fetched(`/${id}/${piece}`)).body))
    const whole = path.join(home, `${fourCc}.mp4`)
    fs.writeFileSync(whole, Buffer.concat(bytes))
    const entries = ['-count_frames', '-select_streams', 'v', '-show_entries', 'stream=codec_name,nb_read_frames']
    assert.equal((await probed(whole, ...entries)).trim(), 'h264,100', fourCc)
    // It is what was sent: a grey picture has some 10 dB beside these bars, which stand still.
    const beside = '[0:v]settb=1/25,setpts=N[a];[1:v]format=yuv420p,settb=1/25,setpts=N[b];[a][b]psnr'
    const bars = 'smptebars=size=320x180:rate=25:duration=4'
    const compared = `-i ${whole} -f lavfi -i ${bars} -lavfi ${beside} -f null -`.split(' ')
    const { stderr } = await promisify(execFile)('ffmpeg', compared)
    const decibels = Number(/PSNR.* average:([\d.]+)/.exec(stderr)?.[1])
    assert.ok(decibels > 25, `${fourCc}: ${decibels} dB`)
  }
  await nobodySends()
  const { id, key } = await stream()
  const encoder = await connectEncoder(config.rtmpListen, key, ['vvc1'])
  encoder.send([{ type: VIDEO, time: 0, body: enhanced('vvc1', 0, true, Buffer.alloc(20)) }])
  const refused = await until(async () => (await row(id))?.input)
  assert.deepEqual([refused.state, refused.problem], ['ended', 'video-codec'])
  encoder.socket.destroy()
})

async function pulled(address: string): Promise<string> {
  const [made] = await database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO stream_live (organization_id, name, protocol, origin_url, latency, key_frame_seconds, rewind_seconds, is_on, created_by) VALUES ($1, $2, 'hls', $3, 'low', 1, 60, true, 'x') RETURNING id`,
      [organization, crypto.randomUUID(), address],
    ),
  )
  return made?.id ?? ''
}
const switchOff = (id: string) =>
  database.system((tx) => tx.query('UPDATE stream_live SET is_on = false, revision = revision + 1 WHERE id = $1', [id]))

test('a stream that is fetched from an origin is there as one that is sent; when the origin is back it goes on', async () => {
  await nobodySends()
  const folder = path.join(home, 'origin')
  fs.mkdirSync(folder)
  const words =
    '-v error -f lavfi -i testsrc2=size=320x180:rate=25:duration=20 -f lavfi -i sine=duration=20 -c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a aac -f hls -hls_time 1 -hls_list_size 0 -hls_segment_filename s%d.ts list.m3u8'
  await promisify(execFile)('ffmpeg', words.split(' '), { cwd: folder })
  for (let number = 0; number < 20; number++)
    answers.set(`/live/s${number}.ts`, () => ({ body: fs.readFileSync(path.join(folder, `s${number}.ts`)) }))
  // Who asks again sees one segment more.
  let [newest, isUp] = [3, true]
  answers.set('/main.m3u8', () => ({ status: 302, location: '/live/main.m3u8' }))
  answers.set('/live/main.m3u8', () => ({
    body: '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000,RESOLUTION=320x180\nlist.m3u8?token=hush\n',
  }))
  answers.set('/live/list.m3u8?token=hush', () => {
    if (!isUp) return { status: 503 }
    newest = Math.min(19, newest + 1)
    const from = Math.max(0, newest - 4)
    const lines = Array.from({ length: newest - from + 1 }, (_, index) => `#EXTINF:1.0,\ns${from + index}.ts\n`)
    return { body: `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:${from}\n${lines.join('')}` }
  })
  const id = await pulled(`http://${originAt}/main.m3u8`)
  await until(async () => ((await playlist(id))?.segments.length ?? 0) >= 3)
  const input = (await row(id))?.input
  assert.deepEqual([input?.state, input?.hasAudio, input?.problem, input?.fps], ['live', true, '', 25])
  const [first] = (await playlist(id))?.segments ?? []
  isUp = false
  await until(async () => (await row(id))?.input?.state === 'lost')
  isUp = true
  newest = Math.min(newest, 14)
  const later = await until(async () => {
    const now = await playlist(id)
    return now?.segments.some(({ breaks }) => breaks) && now
  })
  assert.deepEqual(later.segments[0], first)
  await switchOff(id)
  await until(async () => (await playlist(id))?.hasEnded)
})

test('an origin leads nowhere else: not inside, not to files, not round in circles, not on without end', async () => {
  const media = (...lines: string[]) => ({ body: ['#EXTM3U', '#EXT-X-TARGETDURATION:2', ...lines, ''].join('\n') })
  const cases: Record<string, [Answer, string]> = {
    inner: [media('#EXTINF:2,', `http://${innerAt}/inner.ts`), 'origin-address'],
    map: [media(`#EXT-X-MAP:URI="http://${innerAt}/map.mp4"`, '#EXTINF:2,', 'endless-not.m4s'), 'origin-address'],
    redirect: [{ status: 302, location: `http://${innerAt}/redirect` }, 'origin-address'],
    main: [{ body: `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://${innerAt}/main\n` }, 'origin-address'],
    file: [media('#EXTINF:2,', 'file:///etc/passwd'), 'origin-playlist'],
    loop: [{ status: 302, location: '/loop' }, 'origin-playlist'],
    nested: [{ body: '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nnested\n' }, 'origin-playlist'],
    key: [media(`#EXT-X-KEY:METHOD=AES-128,URI="http://${innerAt}/key"`, '#EXTINF:2,', 'a.ts'), 'origin-encrypted'],
    endless: [media('#EXTINF:2,', 'endless.ts'), 'origin-large'],
    list: ['endless', 'origin-large'],
    noise: [media('#EXTINF:2,', 'noise.ts'), 'origin-playlist'],
    gone: [{ status: 404 }, 'origin-silent'],
  }
  answers.set('/endless.ts', () => 'endless')
  answers.set('/endless-not.m4s', () => ({ body: 'x' }))
  answers.set('/noise.ts', () => ({ body: '#EXTM3U\nfile:///etc/passwd' }))
  const made = new Map<string, string>()
  for (const [name, [answer]] of Object.entries(cases)) {
    answers.set(`/${name}`, () => answer)
    made.set(name, await pulled(`http://${originAt}/${name}`))
  }
  made.set('direct', await pulled(`http://${innerAt}/direct`))
  for (const [name, id] of made)
    assert.equal(
      await until(async () => (await row(id))?.input?.problem),
      name === 'direct' ? 'origin-address' : cases[name]?.[1],
      name,
    )
  assert.deepEqual(innerAsked, [])
  for (const id of made.values()) await switchOff(id)
})

test('what is billed is when a stream ran: no second twice, none of a dead process, none that is not on', async () => {
  const { id } = await stream()
  type Run = { runner: string; started_at: Date; seen_at: Date; ended_at: Date | null }
  const runs = () =>
    database.system((tx) => tx.query<Run>('SELECT * FROM stream_run WHERE live_id = $1 ORDER BY id', [id]))
  await until(async () => (await runs()).length === 1)
  await until(async () => {
    const [one] = await runs()
    return one && one.seen_at > one.started_at
  })
  await role[Symbol.asyncDispose]()
  // A process that was killed: it was last heard of ten minutes ago.
  await database.system((tx) =>
    tx.query(
      `UPDATE stream_run SET started_at = started_at - interval '20 minutes', seen_at = now() - interval '10 minutes' WHERE live_id = $1`,
      [id],
    ),
  )
  role = await startMedia({ config, log })
  const [dead, next] = await until(async () => {
    const all = await runs()
    return all.length === 2 && all
  })
  assert.ok(dead?.ended_at && next && !next.ended_at)
  assert.notEqual(dead.runner, next.runner)
  assert.ok(next.started_at.getTime() - dead.seen_at.getTime() > 9 * 60_000)
  // One that hung for an hour did not run meanwhile.
  await database.system((tx) =>
    tx.query(
      `UPDATE stream_run SET started_at = started_at - interval '2 hours', seen_at = now() - interval '1 hour' WHERE live_id = $1 AND ended_at IS NULL`,
      [id],
    ),
  )
  await until(async () => (await runs()).length === 3)
  await database.system((tx) =>
    tx.query('UPDATE stream_live SET is_on = false, revision = revision + 1 WHERE id = $1', [id]),
  )
  const all = await until(async () => {
    const now = await runs()
    return now.every((run) => run.ended_at) && now
  })
  assert.equal(all.length, 3)
  const [, hung, last] = all
  assert.ok(hung && last && last.started_at.getTime() - hung.seen_at.getTime() > 59 * 60_000)
})

test('a test picture is on air by itself and over at once; whoever has the key takes its place; that it is asked for is noted', async () => {
  await nobodySends()
  const { id, key } = await stream({ latency: 'normal' })
  const picture = (name: string | null) =>
    database.system((tx) => tx.query('UPDATE stream_live SET test_picture = $2 WHERE id = $1', [id, name]))
  await picture('waves')
  // Viewers are let in with two segments: with one they would be out of pictures at every delay of the next.
  await until(async () => (await fetched(`/${id}/master.m3u8`)).status === 200)
  assert.ok(((await playlist(id))?.segments.length ?? 0) >= 2)
  assert.equal((await row(id))?.input?.isTest, true)
  // Without parts, too, who asks for the next segment has the playlist as soon as that is there.
  const list = await playlist(id)
  const next = (list?.sequence ?? 0) + (list?.segments.length ?? 0)
  const waited = await asked(id, `?_HLS_msn=${next}`)
  const read = readLivePlaylist(waited.text)
  assert.ok(isWaited(waited.text) && read && read.sequence + read.segments.length > next, waited.text)
  assert.doesNotMatch(waited.text, /PART/)
  await until(async () => (await row(id))?.asked_at)
  await picture(null)
  await until(async () => (await playlist(id))?.hasEnded)
  await until(async () => (await row(id))?.input?.state === 'ended')
  await picture('waves')
  await until(async () => (await row(id))?.input?.isTest)
  const encoder = push(key)
  await until(async () => (await row(id))?.input?.isTest === false && (await row(id))?.input?.fps)
  assert.ok(((await row(id))?.input?.fps ?? 0) > 15)
  await stop(encoder)
})

/** What a browser does: offers a picture and sound, and sends packets that ffmpeg has made. */
async function publish(
  bearer: string,
  { encoder, codec }: { encoder: string; codec: RTCRtpCodecParameters },
): Promise<{ status: number; close: () => Promise<void>; location: string; state: () => string }> {
  const pc = new RTCPeerConnection({
    iceServers: [],
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
    // Others leave sockets open.
    bundlePolicy: 'max-bundle',
    codecs: {
      video: [codec],
      audio: [new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2 })],
    },
  })
  const tracks = { video: new MediaStreamTrack({ kind: 'video' }), audio: new MediaStreamTrack({ kind: 'audio' }) }
  for (const track of Object.values(tracks)) pc.addTransceiver(track, { direction: 'sendonly' })
  await pc.setLocalDescription(await pc.createOffer())
  const answer = await whip('POST', '/whip', bearer, pc.localDescription?.sdp)
  const closing: (() => void)[] = []
  if (answer.status === 201) {
    await pc.setRemoteDescription({ type: 'answer', sdp: answer.body })
    const sockets = await Promise.all([udp(tracks.video), udp(tracks.audio)])
    const [video = 0, audio = 0] = sockets.map((socket) => socket.address().port)
    const words = `-n 10 ffmpeg -v error -re -f lavfi -i testsrc2=size=320x180:rate=10 -re -f lavfi -i sine=frequency=440 -map 0:v ${encoder} -threads 1 -pix_fmt yuv420p -f rtp rtp://127.0.0.1:${video} -map 1:a -c:a libopus -ar 48000 -ac 2 -f rtp rtp://127.0.0.1:${audio}`
    await until(async () => pc.connectionState === 'connected')
    const child = spawn('nice', words.split(' '), { stdio: ['ignore', 'ignore', 'inherit'] })
    closing.push(() => void child.kill('SIGKILL'), ...sockets.map((socket) => () => void socket.close()))
  }
  return {
    status: answer.status,
    location: String(answer.headers.location ?? ''),
    state: () => pc.connectionState,
    async close() {
      for (const one of closing.splice(0)) one()
      await pc.close()
    },
  }
}
function udp(track: MediaStreamTrack): Promise<dgram.Socket> {
  const socket = dgram.createSocket('udp4')
  socket.on('message', (bytes) => track.writeRtp(bytes))
  return new Promise((resolve) => socket.bind(0, '127.0.0.1', () => resolve(socket)))
}
/** As the API passes it on. */
function whip(
  method: string,
  target: string,
  bearer: string,
  body?: string,
  headers: Record<string, string> = { 'x-fairway-node': whipSecret(config) },
): Promise<{ status: number; body: string; headers: http.IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        ...config.mediaListen,
        method,
        path: target,
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/sdp', ...headers },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }))
      },
    )
    request.once('error', reject)
    request.end(body)
  })
}

const VP8 = {
  encoder: '-c:v libvpx -deadline realtime -cpu-used 8 -b:v 200k -g 10',
  codec: new RTCRtpCodecParameters({ mimeType: 'video/VP8', clockRate: 90_000, payloadType: 96 }),
}
const H264 = {
  encoder: '-c:v libx264 -preset ultrafast -tune zerolatency -profile:v baseline -g 10 -bsf:v dump_extra',
  codec: new RTCRtpCodecParameters({
    mimeType: 'video/H264',
    clockRate: 90_000,
    payloadType: 96,
    parameters: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  }),
}

test('what is sent by WebRTC becomes the same stream, by key or token, with VP8 or H.264 and Opus; DELETE ends it', async () => {
  await nobodySends()
  const { id, key } = await stream()
  for (const [bearer, sent] of [
    [key, VP8],
    [publishToken(config, { id, keyHash: streamKeyHash(key), until: Date.now() + 600_000 }), H264],
  ] as const) {
    const before = (await playlist(id))?.segments.length ?? 0
    const publisher = await publish(bearer, sent)
    assert.equal(publisher.status, 201)
    assert.match(publisher.location, /^\/whip\/[0-9a-f-]{36}$/)
    await until(async () => ((await playlist(id))?.segments.length ?? 0) >= before + 2)
    const input = await until(async () => {
      const { input: found } = (await row(id)) ?? {}
      return found?.state === 'live' && found.hasAudio === true ? found : null
    })
    assert.equal(input.problem, '')
    assert.match((await fetched(`/${id}/master.m3u8`)).body.toString(), /RESOLUTION=320x180.*CODECS="avc1\.64\w+,mp4a/)
    assert.equal((await whip('DELETE', publisher.location, 'another')).status, 404)
    assert.equal((await whip('PATCH', publisher.location, bearer)).status, 405)
    assert.equal((await whip('DELETE', publisher.location, bearer)).status, 200)
    await until(async () => (await row(id))?.input?.state === 'lost')
    await publisher.close()
  }
})

test('who may not send by WebRTC is told why, and only the API is answered', async () => {
  const { id, key } = await stream()
  const offer = 'v=0\r\n'
  const why = async (answer: ReturnType<typeof whip>) => {
    const { status, body } = await answer
    return [status, body === '' ? '' : (JSON.parse(body) as { why: string }).why]
  }
  assert.deepEqual(await why(whip('POST', '/whip', key, offer, {})), [404, ''])
  assert.deepEqual(await why(whip('POST', '/whip', key, offer)), [400, 'offer'])
  assert.deepEqual(await why(whip('POST', '/whip', key, 'v'.repeat(70_000))), [413, 'offer'])
  assert.deepEqual(await why(whip('POST', '/whip', `live_${'x'.repeat(32)}`, offer)), [401, 'key'])
  const keyHash = streamKeyHash(key)
  const late = publishToken(config, { id, keyHash, until: Date.now() - 1 })
  const other = publishToken(config, { id, keyHash: streamKeyHash('other'), until: Date.now() + 60_000 })
  for (const token of [late, other, '']) assert.deepEqual(await why(whip('POST', '/whip', token, offer)), [401, 'key'])
  await database.system((tx) => tx.query('UPDATE stream_live SET is_on = false WHERE id = $1', [id]))
  assert.deepEqual(await why(whip('POST', '/whip', key, offer)), [409, 'off'])
})
