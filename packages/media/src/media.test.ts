import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import HLS from 'hls-parser'
import S3rver from 's3rver'
import {
  type Config,
  type Database,
  appendPieces,
  loadConfig,
  makeLog,
  mediaFolders,
  migrate,
  openDatabase,
  openStorage,
  piecesEnd,
  startEmbeddedDatabase,
  freePort,
  streamHost,
  uploadPrefix,
} from '@fairway/platform'
import { balancePolicy } from '@fairway/domain'
import { sourceOf } from './ffmpeg/probe.ts'
import { codecsOf, segmentsOf } from './ffmpeg/measure.ts'
import { lastWords } from './ffmpeg/run.ts'
import { noteRunner, takeBack } from './jobs/store.ts'
import { startMedia } from './start-media.ts'

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-media-'))
const parts = new AsyncDisposableStack()
let config: Config
let database: Database
let organization = ''
let role: AsyncDisposable
HLS.setOptions({ strictMode: true })
const log = makeLog('media', { logLevel: 'error' })

before(async () => {
  const port = await freePort()
  config = loadConfig({ FAIRWAY_HOME: home, FAIRWAY_MEDIA_LISTEN: `127.0.0.1:${port}`, FAIRWAY_LOG_LEVEL: 'error' })
  parts.use(await startEmbeddedDatabase({ config, log }))
  await migrate(config, log)
  database = parts.use(openDatabase(config, log))
  organization = await database.system(async (tx) => {
    const [row] = await tx.query<{ id: string }>(
      `INSERT INTO organization (name, plan_id, code, partner_id) VALUES ('Film', 'enterprise', '', (SELECT id FROM partner WHERE host_name IS NULL)) RETURNING id`,
    )
    return row?.id ?? ''
  })
  for (const folder of Object.values(mediaFolders(config))) fs.mkdirSync(folder, { recursive: true })
  role = await startMedia({ config, log })
})
after(async () => {
  await role[Symbol.asyncDispose]()
  await parts.disposeAsync()
  fs.rmSync(home, { recursive: true, force: true })
})

/** A film of ours: moving bars and a tone. */
function film(file: string, seconds = 3): void {
  const inputs = ['-f', 'lavfi', '-i', `testsrc2=size=640x480:rate=25:duration=${seconds}`]
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]
  const out = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-shortest', '-f', 'mp4', file]
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...inputs, ...sound, ...out])
}

async function upload(make: (file: string) => void): Promise<string> {
  const id = crypto.randomUUID()
  const file = path.join(mediaFolders(config).uploads, id)
  make(file)
  await database.system((tx) =>
    tx.query('INSERT INTO stream_asset (id, organization_id, name, size, created_by) VALUES ($1, $2, $3, $4, $5)', [
      id,
      organization,
      `${id}.mp4`,
      fs.statSync(file).size,
      'test',
    ]),
  )
  return id
}

type Row = { state: string; reason_code: number | null; reason: string; has_poster: boolean; is_playable: boolean }
async function settled(id: string): Promise<Row> {
  for (;;) {
    const [row] = await database.system((tx) => tx.query<Row>('SELECT * FROM stream_asset WHERE id = $1', [id]))
    if (row && (row.state === 'ready' || row.state === 'failed')) return row
    await setTimeout(50)
  }
}

const folderOf = (id: string) =>
  path.join(mediaFolders(config).assets, streamHost(config, organization).slice(0, 16), id)

type Answer = { status: number; body: Buffer; headers: http.IncomingHttpHeaders }
function fetched(url: string, host = streamHost(config, organization), more: http.OutgoingHttpHeaders = {}) {
  return new Promise<Answer>((resolve, reject) => {
    http
      .get({ ...config.mediaListen, path: url, headers: { host, ...more } }, (response) => {
        const { statusCode: status = 0, headers } = response
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => resolve({ status, headers, body: Buffer.concat(parts) }))
      })
      .once('error', reject)
  })
}

test('a film is made into every rendition up to its own size, whole, with sound, poster and sprite', async () => {
  const id = await upload(film)
  const row = await settled(id)
  assert.equal(row.reason, '')
  assert.equal(row.state, 'ready')
  const master = (await fetched(`/${id}/master.m3u8`)).body.toString()
  const renditions = [...master.matchAll(/RESOLUTION=(\d+x\d+).*\n(\S+)/g)]
  assert.deepEqual(
    renditions.map(([, size]) => size),
    ['480x360', '640x480'],
  )
  for (const [, size, uri] of renditions) {
    const playlist = (await fetched(`/${id}/${uri}`)).body.toString()
    assert.match(playlist, /#EXT-X-ENDLIST/)
    const seconds = segmentsOf(playlist).reduce((sum, segment) => sum + segment.seconds, 0)
    assert.ok(Math.abs(seconds - 3) < 0.05, `${size} lasts ${seconds} s`)
    const folder = path.posix.dirname(uri ?? '')
    const init = (await fetched(`/${id}/${folder}/init.mp4`)).body
    assert.match(codecsOf(init), /^avc1\.64/)
    const whole = path.join(home, `${size}.mp4`)
    const bodies = await Promise.all(
      segmentsOf(playlist).map(({ name }) => fetched(`/${id}/${folder}/${name}`).then(({ body }) => body)),
    )
    // Beside each segment is its sum, for viewers who got it from somebody else.
    const [named] = segmentsOf(playlist)
    const sum = await fetched(`/${id}/${folder}/${named?.name}.sha256`)
    const digest = crypto
      .createHash('sha256')
      .update(bodies[0] ?? '')
      .digest('hex')
    assert.deepEqual([sum.status, sum.body.toString()], [200, digest])
    for (const none of ['init.mp4.sha256', 's99999.m4s.sha256', '../master.m3u8.sha256'])
      assert.equal((await fetched(`/${id}/${folder}/${none}`)).status, 404, none)
    fs.writeFileSync(whole, Buffer.concat([init, ...bodies]))
    const counted = execFileSync('ffprobe', [
      '-v',
      'error',
      '-count_frames',
      '-show_entries',
      'stream=nb_read_frames',
      '-of',
      'csv=p=0',
      whole,
    ])
    assert.equal(Number(counted.toString().trim().split('\n')[0]), 75)
  }
  assert.match(master, /TYPE=AUDIO/)
  assert.match(master, /AVERAGE-BANDWIDTH/)
  // The same files by DASH, as ffmpeg reads it.
  const manifest = await fetched(`/${id}/manifest.mpd`)
  assert.deepEqual(
    [manifest.status, manifest.headers['content-type'], manifest.headers['cache-control']],
    [200, 'application/dash+xml', 'public, max-age=1'],
  )
  assert.match(manifest.body.toString(), / mediaPresentationDuration="PT3\.0\d\dS"/)
  const framesOf = (file: string, stream: string) => {
    const asked = [
      '-v',
      'error',
      '-select_streams',
      stream,
      '-count_frames',
      '-show_entries',
      'stream=width,nb_read_frames',
    ]
    const said = execFileSync('ffprobe', [...asked, '-of', 'csv=p=0', path.join(folderOf(id), file)])
    return said.toString().trim().split('\n')[0]
  }
  assert.deepEqual(
    ['v:0', 'v:1'].map((stream) => framesOf('manifest.mpd', stream)),
    ['480,75', '640,75'],
  )
  assert.equal(framesOf('manifest.mpd', 'a:0'), framesOf('audio-1/index.m3u8', 'a:0'))
  assert.ok(Number(framesOf('manifest.mpd', 'a:0')) > 140)
  // A quality that is not whole is none that DASH tells of, and without one there is nothing.
  const unmade = (name: string) =>
    database.system(async (tx) => {
      await tx.query(`UPDATE stream_job SET state = 'waiting' WHERE asset_id = $1 AND name = $2`, [id, name])
      await tx.query('UPDATE stream_asset SET chapters_applied = false WHERE id = $1', [id])
    })
  const hasDash = async () =>
    (await rowOf<{ has_dash: boolean }>('SELECT * FROM stream_asset WHERE id = $1', id))?.has_dash
  assert.equal(await hasDash(), true)
  await unmade('480p')
  await until(async () => !(await text(`/${id}/manifest.mpd`)).includes('id="480p-1"'))
  assert.match(await text(`/${id}/manifest.mpd`), /id="360p-1"/)
  await unmade('360p')
  await until(async () => (await fetched(`/${id}/manifest.mpd`)).status === 404)
  await until(async () => (await hasDash()) === false)
  assert.equal((await text(`/${id}/master.m3u8`)).match(/RESOLUTION/g)?.length, 2)
  assert.deepEqual((await fetched(`/${id}/poster.jpg`)).body.subarray(0, 2), Buffer.from([0xff, 0xd8]))
  assert.match((await fetched(`/${id}/sprite.vtt`)).body.toString(), /sprite\.jpg#xywh=0,0,160,120/)
})

test('captions come into the playlist without anything being encoded anew, and go with their files', async () => {
  const id = await upload(film)
  const caption = (number: number, label: string, language: string, more: object = {}) =>
    database.system((tx) =>
      tx.query(
        `INSERT INTO stream_caption (organization_id, asset_id, number, language, label, kind, is_default, body, cues, ends_at, created_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, 2, 'x')`,
        [
          organization,
          id,
          number,
          language,
          label,
          ...Object.values({ kind: 'subtitles', isDefault: false, ...more }),
          `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${label}\n`,
        ],
      ),
    )
  // One that was there before there was anything to play, and two after.
  await caption(1, 'Deutsch', 'de', { kind: 'subtitles', isDefault: true })
  assert.equal((await settled(id)).state, 'ready')
  const master = async () => (await fetched(`/${id}/master.m3u8`)).body.toString()
  const made = () =>
    database.system((tx) => tx.query('SELECT name, attempt FROM stream_job WHERE asset_id = $1 ORDER BY seq', [id]))
  const encoded = await made()
  assert.match(await master(), /TYPE=SUBTITLES.*NAME="Deutsch",LANGUAGE="de",DEFAULT=YES.*URI="text-1\/index\.m3u8"/)
  await caption(2, 'English, AUDIO=', 'en', { kind: 'captions' })
  await caption(3, 'Signs', 'en', { kind: 'forced' })
  while (!(await master()).includes('text-3/')) await setTimeout(50)
  const list = HLS.parse(await master())
  assert.ok(list.isMasterPlaylist)
  for (const variant of list.variants)
    assert.deepEqual(
      variant.subtitles.map(({ name, language, isDefault, forced, uri }) => [
        name,
        language,
        isDefault,
        forced === true,
        uri,
      ]),
      [
        ['Deutsch', 'de', true, false, 'text-1/index.m3u8'],
        ['English, AUDIO=', 'en', false, false, 'text-2/index.m3u8'],
        ['Signs', 'en', false, true, 'text-3/index.m3u8'],
      ],
    )
  const manifest = (await fetched(`/${id}/manifest.mpd`)).body.toString()
  assert.deepEqual(
    [...manifest.matchAll(/ lang="(\w+)">\n\s*<Label>(.*)<\/Label>[^]*?<BaseURL>(.*)<\/BaseURL>/g)].map(
      ([, ...said]) => said,
    ),
    [
      ['de', 'Deutsch', 'text-1/text.vtt'],
      ['en', 'English, AUDIO=', 'text-2/text.vtt'],
      ['en', 'Signs', 'text-3/text.vtt'],
    ],
  )
  const playlist = HLS.parse((await fetched(`/${id}/text-1/index.m3u8`)).body.toString())
  assert.ok(!playlist.isMasterPlaylist)
  assert.deepEqual(
    playlist.segments.map(({ uri, duration }) => [uri, Math.round(duration)]),
    [['text.vtt', 3]],
  )
  assert.ok(playlist.endlist)
  const text = await fetched(`/${id}/text-1/text.vtt`)
  assert.equal(
    text.body.toString(),
    'WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n00:00:01.000 --> 00:00:02.000\nDeutsch\n',
  )
  await database.system(async (tx) => {
    await tx.query('DELETE FROM stream_caption WHERE asset_id = $1 AND number = 1', [id])
    await tx.query(`INSERT INTO stream_gone (organization_id, asset_id, folder) VALUES ($1, $2, 'text-1')`, [
      organization,
      id,
    ])
  })
  while ((await fetched(`/${id}/text-1/text.vtt`)).status !== 404) await setTimeout(50)
  assert.doesNotMatch(await master(), /text-1\//)
  const [gone] = await database.system((tx) =>
    tx.query<{ files_removed_at: Date | null }>('SELECT files_removed_at FROM stream_gone WHERE asset_id = $1', [id]),
  )
  assert.ok(gone?.files_removed_at)
  await database.system((tx) =>
    tx.query(
      `UPDATE stream_asset SET chapters = '[{"start":0,"title":"Casting off"},{"start":2,"title":"Port"}]', chapters_number = 4, chapters_applied = false WHERE id = $1`,
      [id],
    ),
  )
  while (!(await master()).includes('chapters-4/')) await setTimeout(50)
  const chaptered = HLS.parse(await master())
  assert.ok(chaptered.isMasterPlaylist)
  assert.deepEqual(
    chaptered.sessionDataList.map(({ id: name, uri }) => [name, uri]),
    [['com.apple.hls.chapters', 'chapters-4/chapters.json']],
  )
  const json = (await fetched(`/${id}/chapters-4/chapters.json`)).body.toString()
  assert.match(json, /"start-time":2,"titles":\[\{"language":"und","title":"Port"\}\]/)
  assert.match(
    (await fetched(`/${id}/chapters-4/chapters.vtt`)).body.toString(),
    /00:00:02\.000 --> 00:00:03\.\d+\nPort/,
  )
  assert.deepEqual(await made(), encoded)
})

test('a file that names other files or addresses, or is damaged, is refused with words and not kept', async () => {
  const secret = path.join(home, 'secret.mp4')
  film(secret)
  for (const text of [
    `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${secret}\n#EXT-X-ENDLIST\n`,
    `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nhttp://127.0.0.1:9/\n#EXT-X-ENDLIST\n`,
    `ffconcat version 1.0\nfile '${secret}'\n`,
    'no video at all',
  ]) {
    const id = await upload((file) => fs.writeFileSync(file, text))
    const row = await settled(id)
    assert.deepEqual([row.state, row.reason_code], ['failed', 30010])
    assert.doesNotMatch(row.reason, /fairway-media/)
    assert.equal(fs.existsSync(path.join(mediaFolders(config).uploads, id)), false)
  }
})

test('nothing but an organisation’s own videos is answered under its host', async () => {
  const id = crypto.randomUUID()
  const folder = path.join(mediaFolders(config).assets, streamHost(config, organization).slice(0, 16), id)
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'master.m3u8'), '#EXTM3U\n')
  assert.equal((await fetched(`/${id}/master.m3u8`)).status, 200)
  assert.equal((await fetched(`/${id}/master.m3u8`, streamHost(config, crypto.randomUUID()))).status, 404)
  assert.equal((await fetched(`/${id}/master.m3u8`, 'localhost')).status, 404)
  for (const bad of ['/', `/${id}/`, `/${id}/../../../secrets/x.mp4`, `/${id}/%2e%2e/x.mp4`, `/${id}/master.m3u8/`])
    assert.equal((await fetched(bad)).status, 404, bad)
})

test('a source is told from what lies beside it, turned pictures upright, and bounded', () => {
  const video = { codec_type: 'video', codec_name: 'h264', width: 1920, height: 1080, avg_frame_rate: '30000/1001' }
  const cover = { codec_type: 'video', codec_name: 'mjpeg', width: 9, height: 9, disposition: { attached_pic: 1 } }
  const found = sourceOf({
    streams: [cover, { ...video, side_data_list: [{ rotation: -90 }] }],
    format: { duration: '7.5' },
  })
  assert.deepEqual([found.width, found.height, found.seconds, found.audioCodec], [1080, 1920, 7.5, null])
  assert.ok(Math.abs((found.fps ?? 0) - 29.97) < 0.01)
  for (const [facts, code] of [
    [{ streams: [cover], format: { duration: '1' } }, 30010],
    [{ streams: [video], format: {} }, 30010],
    [{ streams: [{ ...video, width: 20_000, height: 20_000 }], format: { duration: '1' } }, 30011],
    [{ streams: [video], format: { duration: '90000' } }, 30011],
  ] as const)
    assert.throws(() => sourceOf({ streams: [...facts.streams], format: facts.format }), { code })
})

test('reasons name neither where a file lies nor what it is called here', () => {
  const id = crypto.randomUUID()
  assert.equal(lastWords(`/home/x/uploads/${id}: Invalid data found\n`, '/home/x/uploads'), 'Invalid data found')
})

test('another process of the role leaves a living one’s jobs alone, and takes over those of a dead one', async () => {
  const id = await upload(film)
  await settled(id)
  const runs = (runner: string) =>
    database.system(async (tx) => {
      await noteRunner(tx, 'alive', false)
      await tx.query(
        `INSERT INTO stream_runner (node, can_encode, seen_at) VALUES ('dead', false, now() - interval '1 minute') ON CONFLICT DO NOTHING`,
      )
      await tx.query(`UPDATE stream_job SET state = 'running', runner = $2 WHERE asset_id = $1 AND seq = 0`, [
        id,
        runner,
      ])
      await takeBack(tx)
      const [job] = await tx.query<{ state: string }>('SELECT state FROM stream_job WHERE asset_id = $1 AND seq = 0', [
        id,
      ])
      // Put back before anybody can see it.
      await tx.query(`UPDATE stream_job SET state = 'done', runner = NULL WHERE asset_id = $1`, [id])
      return job?.state
    })
  assert.equal(await runs('alive'), 'running')
  assert.equal(await runs('dead'), 'waiting')
})

/** As if attempts up to this one had been ended by the role's death, none of the last with more than one segment. */
async function cutBack(id: string, attempts: number): Promise<string> {
  const home = path.join(mediaFolders(config).assets, streamHost(config, organization).slice(0, 16), id)
  const jobs = await database.system((tx) =>
    tx.query<{ name: string; attempt: number }>(
      `SELECT name, attempt FROM stream_job WHERE asset_id = $1 AND kind = 'video'`,
      [id],
    ),
  )
  for (const { name, attempt } of jobs) {
    const folder = path.join(home, `${name}-${attempt}`)
    const index = path.join(folder, 'index.m3u8')
    const text = fs.readFileSync(index, 'utf8')
    const [first] = segmentsOf(text)
    fs.writeFileSync(index, `${text.slice(0, text.indexOf(first?.name ?? ''))}${first?.name}\n`)
    for (let next = attempt + 1; next <= attempts; next++)
      fs.cpSync(folder, path.join(home, `${name}-${next}`), { recursive: true })
  }
  await database.system(async (tx) => {
    await tx.query(
      `UPDATE stream_job SET state = 'waiting', made = NULL, attempt = $2 WHERE asset_id = $1 AND kind = 'video'`,
      [id, attempts],
    )
    await tx.query(`UPDATE stream_asset SET state = 'processing' WHERE id = $1`, [id])
  })
  return home
}

test('what was encoded when the role died is kept, file by file; only attempts in a row that bring nothing are given up', async () => {
  const id = await upload((file) => film(file, 9))
  assert.equal((await settled(id)).state, 'ready')
  const home = await cutBack(id, 5)
  assert.equal((await settled(id)).reason, '')
  for (const name of ['360p', '480p']) {
    const made = segmentsOf(fs.readFileSync(path.join(home, `${name}-6`, 'index.m3u8'), 'utf8'))
    assert.deepEqual(
      made.map(({ seconds }) => seconds),
      [4, 4, 1],
      name,
    )
    const [kept, before] = [6, 5].map((attempt) => fs.statSync(path.join(home, `${name}-${attempt}`, 's00000.m4s')).ino)
    assert.equal(kept, before)
    assert.equal((await fetched(`/${id}/${name}-6/s00002.m4s`)).status, 200)
  }
  const master = (await fetched(`/${id}/master.m3u8`)).body.toString()
  assert.deepEqual(master.match(/^\w+-\d+(?=\/index)/gm), ['360p-6', '480p-6'])
  // Of twenty in a row none brought any.
  await cutBack(id, 26)
  const { state, reason } = await settled(id)
  assert.deepEqual([state, reason], ['failed', 'given up after 20 attempts'])
})

test('while a balancer is on, the main playlist names each quality on each CDN, and a plain one stays', async () => {
  const id = await upload(film)
  assert.equal((await settled(id)).state, 'ready')
  const balancerId = crypto.randomUUID()
  const pathways = [
    { id: 'edge', host: streamHost(config, organization), weight: 20, isHouse: true },
    { id: 'cdn.other.example', host: 'cdn.other.example', weight: 80, isHouse: false },
  ]
  const entries = pathways.map((one) => ({
    pathway: one.id,
    name: one.id,
    host: one.host,
    weight: one.weight,
    enabled: true,
  }))
  const of = { balancerId, organizationId: organization }
  const body = {
    ...of,
    liveId: null,
    version: 1,
    ttlSeconds: 10,
    pathways,
    policy: balancePolicy({ ...of, mode: 'weights' }, entries),
  }
  const publish = (text: string | null) =>
    database.system(async (tx) => {
      const [row] = await tx.query<{ revision: number }>(
        'UPDATE publication_counter SET revision = revision + 1 RETURNING revision',
      )
      await tx.query(
        `INSERT INTO publication (kind, key, organization_id, revision, version, body) VALUES ('stream-balance', $1, $2, $3, 1, $4) ON CONFLICT (kind, key) DO UPDATE SET revision = $3, body = $4`,
        [balancerId, organization, row?.revision, text],
      )
    })
  const master = async (name = 'master') => (await fetched(`/${id}/${name}.m3u8`)).body.toString()
  const before = await master()
  await publish(JSON.stringify(body))
  while ((await master()) === before) await setTimeout(50)
  const steered = await master()
  assert.ok(
    steered.includes(
      `#EXT-X-CONTENT-STEERING:SERVER-URI="${config.collectorUrl}/steer/${balancerId}?p=edge,cdn.other.example",PATHWAY-ID="cdn.other.example"`,
    ),
  )
  assert.equal(steered.match(/#EXT-X-STREAM-INF/g)?.length, 2 * (before.match(/#EXT-X-STREAM-INF/g)?.length ?? 0))
  const uris = steered.split('\n').filter((line) => line.startsWith('//'))
  assert.equal(new Set(uris.map((uri) => new URL(uri, 'http://x').pathname)).size, uris.length / 2)
  for (const uri of uris) assert.equal((await fetched(new URL(uri, 'http://x').pathname)).status, 200)
  assert.equal(await master('plain'), before)
  const manifest = async (at = '') => (await fetched(`${at}/${id}/manifest.mpd`)).body.toString()
  const plain = fs.readFileSync(path.join(folderOf(id), 'manifest.mpd'), 'utf8')
  const { port } = config.edgeHttp
  const question = `${config.collectorUrl}/steer/${balancerId}?p=edge,cdn.other.example&#38;port=${port}`
  assert.ok((await manifest()).includes(`queryBeforeStart="false">${question}</ContentSteering>\n  <Period`))
  assert.deepEqual(
    [...(await manifest()).matchAll(/<BaseURL serviceLocation="(.*)">(.*)<\/BaseURL>\n/g)].map(([, ...said]) => said),
    [
      ['edge', `http://${streamHost(config, organization)}:${port}/${id}/`],
      ['cdn.other.example', `https://cdn.other.example/${id}/`],
    ],
    'who runs another CDN has it answer by TLS',
  )
  // A CDN whose viewers carry their signature in the query is told of no other, and every address takes it along.
  const signature = 'Policy=p&Signature=s&Key-Pair-Id=k'
  const readAs = (text: string) =>
    text.replaceAll(/\{\$(?:Policy|Signature|Key-Pair-Id)\}/g, (name) => name[2]?.toLowerCase() ?? '')
  const queried = async (name: string) => (await fetched(`/queried/${id}/${name}`)).body.toString()
  assert.equal((await manifest('/queried')).replaceAll(/ *<EssentialProperty[^]*?<\/EssentialProperty>\n/g, ''), plain)
  assert.equal((await manifest('/queried')).match(/useMPDUrlQuery="true"/g)?.length, 2)
  const entry = readAs(await queried('master.m3u8'))
  assert.ok(!entry.includes('STEERING'))
  assert.ok(entry.startsWith('#EXTM3U\n#EXT-X-VERSION:11\n#EXT-X-DEFINE:QUERYPARAM="Policy"\n'))
  assert.equal(
    entry.replaceAll(`?${signature}`, '').replaceAll(/#EXT-X-(?:DEFINE|VERSION).*\n/g, ''),
    before.replaceAll(/#EXT-X-VERSION.*\n/g, ''),
  )
  for (const uri of entry.match(/^[^#\n].*$|(?<=URI=")[^"]+/gm) ?? []) {
    assert.ok(uri.endsWith(`?${signature}`), uri)
    const list = readAs(await queried(uri.replace(/\?.*$/, '')))
    for (const inside of list.match(/^[^#\n].*$|(?<=URI=")[^"]+/gm) ?? []) {
      assert.ok(inside.endsWith(`?${signature}`), inside)
      const { pathname, search } = new URL(inside, `http://x/${id}/${uri}`)
      assert.equal((await fetched(`${pathname}${search}`)).status, 200, inside)
    }
  }
  assert.equal((await fetched(`/queried/${id}/../../x.m3u8`)).status, 404)
  // Where addresses are signed they stay relative, and the same for all viewers.
  await publish(JSON.stringify({ ...body, signed: true }))
  while ((await master()) === steered) await setTimeout(50)
  const entered = await master()
  const asks = `#EXT-X-CONTENT-STEERING:SERVER-URI="${config.collectorUrl}/steer/${balancerId}?p=.",PATHWAY-ID="."\n`
  assert.ok(entered.includes(asks))
  assert.equal(entered.replace(asks, ''), before)
  assert.ok(HLS.parse(entered.replace(asks, '')).isMasterPlaylist)
  const own = await manifest()
  assert.ok(
    own.includes(`<BaseURL serviceLocation=".">./</BaseURL>\n`) && own.includes(`?p=.&#38;port=${port}</Content`),
  )
  await publish(null)
  while ((await master()) !== before) await setTimeout(50)
  assert.equal(await manifest(), plain)
})

/** Another file for a video, as the API writes it down. */
async function replace(id: string, make: (file: string) => void, more: { atOnce?: boolean } = {}): Promise<string> {
  const upload = crypto.randomUUID()
  const file = path.join(mediaFolders(config).uploads, upload)
  make(file)
  await database.system((tx) =>
    tx.query(
      `WITH counted AS (UPDATE stream_asset SET folders = folders + 1 WHERE id = $3 RETURNING folders)
       INSERT INTO stream_asset (id, organization_id, name, size, created_by, replaces, edition, at_once) SELECT $1, $2, 'new.mp4', $4, 'x', $3, folders, $5 FROM counted`,
      [upload, organization, id, fs.statSync(file).size, more.atOnce ?? false],
    ),
  )
  return upload
}

const rowOf = async <Row>(sql: string, id: string): Promise<Row | undefined> =>
  (await database.system((tx) => tx.query(sql, [id])))[0] as Row | undefined
const until = async <Value>(look: () => Promise<Value | undefined | false | null>): Promise<Value> => {
  for (;;) {
    const found = await look()
    if (found) return found
    await setTimeout(50)
  }
}
const text = async (url: string): Promise<string> => (await fetched(url)).body.toString()
/** Three seconds become two, in another shape. */
function shorter(file: string): void {
  const inputs = ['-f', 'lavfi', '-i', 'color=red:size=320x180:rate=25:duration=2']
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...inputs, '-c:v', 'libx264', '-preset', 'ultrafast', '-f', 'mp4', file])
}

test('a replaced video keeps its address, plays the old file until the new one is whole, and mixes nothing', async () => {
  const id = await upload(film)
  assert.equal((await settled(id)).state, 'ready')
  await database.system(async (tx) => {
    await tx.query(
      `UPDATE stream_asset SET chapters = '[{"start":0,"title":"a"}]', chapters_number = 1, chapters_applied = false, folders = 2 WHERE id = $1`,
      [id],
    )
    await tx.query(
      `INSERT INTO stream_caption (organization_id, asset_id, number, language, label, kind, body, cues, ends_at, created_by) VALUES ($1, $2, 2, 'de', 'Deutsch', 'subtitles', 'WEBVTT', 1, 2, 'x')`,
      [organization, id],
    )
  })
  const before = await until(async () => {
    const master = await text(`/${id}/master.m3u8`)
    return master.includes('text-2') && master
  })
  const poster = (await fetched(`/${id}/poster.jpg`)).body
  // Whatever the playlist says while the new file is encoded, it says of one file alone.
  const seen = new Set<string>()
  const upload2 = await replace(id, shorter)
  const master = await until(async () => {
    const now = await text(`/${id}/master.m3u8`)
    const videos = [...now.matchAll(/^(\d+p-\d+)\/index/gm)].map(([, part]) => part)
    seen.add(videos.join())
    return videos.every((part) => part?.endsWith('p-301')) && now
  })
  assert.deepEqual([...seen].toSorted(), ['180p-301', '360p-1,480p-1'])
  assert.doesNotMatch(master, /AUDIO/)
  const manifest = await text(`/${id}/manifest.mpd`)
  assert.deepEqual(
    [...manifest.matchAll(/initialization="(.*?)\//g)].map(([, part]) => part),
    ['180p-301'],
  )
  assert.match(before, /AUDIO/)
  const { segments } = HLS.parse(await text(`/${id}/180p-301/index.m3u8`)) as { segments: { duration: number }[] }
  assert.equal(Math.round(segments.reduce((sum, { duration }) => sum + duration, 0)), 2)
  assert.match(await text(`/${id}/text-2/index.m3u8`), /EXTINF:2/)
  assert.match(master, /chapters-4\/chapters\.json/)
  assert.notDeepEqual((await fetched(`/${id}/poster.jpg`)).body, poster)
  // Who watches the old one may finish it.
  assert.equal((await fetched(`/${id}/360p-1/index.m3u8`)).status, 200)
  const row = await rowOf<{
    state: string
    size: string
    file_name: string
    replaced_at: Date | null
    source: { seconds: number }
  }>('SELECT * FROM stream_asset WHERE id = $1', id)
  assert.deepEqual([row?.state, row?.file_name, row?.source.seconds], ['ready', 'new.mp4', 2])
  // Both files: the old one goes, the new one is had under the video's own id.
  await until(async () => !fs.existsSync(path.join(mediaFolders(config).uploads, id)))
  assert.equal(fs.statSync(path.join(mediaFolders(config).uploads, upload2)).size, Number(row?.size))
  // When the old film would have ended, nothing of it is left.
  await database.system((tx) => tx.query('UPDATE stream_gone SET deleted_at = now() WHERE asset_id = $1', [id]))
  await until(async () => (await fetched(`/${id}/360p-1/index.m3u8`)).status === 404)
  const left = () =>
    fs
      .readdirSync(path.join(mediaFolders(config).assets, streamHost(config, organization).slice(0, 16), id))
      .filter((name) => /-\d+$/.test(name))
      .toSorted()
  // One folder is removed after the other.
  await until(async () => !left().includes('chapters-1'))
  assert.deepEqual(left(), ['180p-301', 'chapters-4', 'pictures-301', 'text-2'])
  // What was encoded stays counted.
  const counted = await rowOf<{ jobs: number }>(
    `SELECT count(*)::int AS jobs FROM stream_job j JOIN stream_asset a ON a.id = j.asset_id WHERE j.kind = 'video' AND j.state = 'done' AND a.ready_at IS NOT NULL AND (a.id = $1 OR a.replaces = $1)`,
    id,
  )
  assert.equal(counted?.jobs, 3)
})

test('a replacement that cannot be read, or dies between its last rendition and the playlist, hurts nothing', async () => {
  const id = await upload(film)
  assert.equal((await settled(id)).state, 'ready')
  const before = await text(`/${id}/master.m3u8`)
  const bad = await replace(id, (file) => fs.writeFileSync(file, 'no film'))
  assert.equal((await settled(bad)).reason_code, 30010)
  assert.equal(await text(`/${id}/master.m3u8`), before)
  await database.system((tx) => tx.query('UPDATE stream_asset SET deleted_at = now() WHERE id = $1', [bad]))
  const good = await replace(id, shorter, { atOnce: true })
  await until(async () => rowOf('SELECT FROM stream_asset WHERE id = $1 AND deleted_at IS NOT NULL', good))
  // As a process leaves it that was killed after the exchange: the playlist is written by whoever comes next.
  const home = path.join(mediaFolders(config).assets, streamHost(config, organization).slice(0, 16), id)
  await until(async () => (await text(`/${id}/master.m3u8`)).includes('180p-201'))
  fs.writeFileSync(path.join(home, 'master.m3u8'), before)
  await database.system((tx) => tx.query('UPDATE stream_asset SET chapters_applied = false WHERE id = $1', [id]))
  await until(async () => (await text(`/${id}/master.m3u8`)).includes('180p-201'))
  await until(async () => (await fetched(`/${id}/360p-1/index.m3u8`)).status === 404)
})

/** Average of the red and the blue of a picture. */
function colours(file: string): [number, number] {
  const raw = execFileSync('ffmpeg', [
    '-v',
    'error',
    '-i',
    file,
    '-vf',
    'scale=1:1',
    '-pix_fmt',
    'rgb24',
    '-f',
    'rawvideo',
    '-',
  ])
  return [raw[0] ?? 0, raw[2] ?? 0]
}

/** Red for two seconds, then blue. */
function redThenBlue(file: string): void {
  const colour = (name: string) => ['-f', 'lavfi', '-i', `color=${name}:size=320x180:rate=25:duration=2`]
  const both = ['-filter_complex', 'concat=n=2:v=1', '-c:v', 'libx264', '-preset', 'ultrafast', '-f', 'mp4', file]
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...colour('red'), ...colour('blue'), ...both])
}

test('the picture of a video is a moment of it, one of its owner’s, or the automatic one again', async () => {
  const id = await upload(redThenBlue)
  assert.equal((await settled(id)).state, 'ready')
  const shown = path.join(home, 'shown.jpg')
  const poster = async () => {
    fs.writeFileSync(shown, (await fetched(`/${id}/poster.jpg`)).body)
    return colours(shown)
  }
  await until(async () => (await fetched(`/${id}/poster.jpg`)).status === 200)
  const [red, blue] = await poster()
  assert.ok(red > 200 && blue < 50, `${red} ${blue}`)
  const choose = async (number: number, more: { at?: number; picture?: Buffer } = {}) => {
    const { at = null, picture = null } = more
    await database.system((tx) =>
      tx.query(
        `INSERT INTO stream_thumbnail (organization_id, asset_id, kind, at, picture, number, created_by) VALUES ($1, $2, $3, $4, $5, $6, 'x')
         ON CONFLICT (asset_id) DO UPDATE SET kind = $3, at = $4, picture = $5, number = $6, applied_at = NULL, reason_code = NULL, reason = ''`,
        [organization, id, picture ? 'picture' : at === null ? 'automatic' : 'moment', at, picture, number],
      ),
    )
    type Made = { applied_at: Date | null; reason_code: number | null; picture: Buffer | null }
    return until(async () => {
      const now = await rowOf<Made>('SELECT * FROM stream_thumbnail WHERE asset_id = $1', id)
      return now && (now.applied_at !== null || now.reason_code !== null) && now
    })
  }
  await choose(1, { at: 3 })
  await until(async () => (await poster())[1] > 200)
  assert.equal((await fetched(`/${id}/poster-1/poster.jpg`)).status, 200)
  const green = path.join(home, 'green.png')
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'color=green:size=64x64:duration=1',
    '-frames:v',
    '1',
    '-c:v',
    'png',
    '-f',
    'image2',
    green,
  ])
  const made = await choose(2, { picture: fs.readFileSync(green) })
  assert.equal(made.picture, null)
  await until(async () => Math.max(...(await poster())) < 60)
  await until(async () => (await fetched(`/${id}/poster-1/poster.jpg`)).status === 404)
  // Hostile ones change nothing: what is no picture, one that says to be huge, one that names a file, a film.
  const huge = Buffer.from(fs.readFileSync(green))
  huge.writeUInt32BE(60_000, 16)
  huge.writeUInt32BE(60_000, 20)
  for (const [number, picture] of [
    Buffer.from('\xff\xd8\xff no picture', 'latin1'),
    huge,
    Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'),
    fs.readFileSync(path.join(mediaFolders(config).uploads, id)),
  ].entries()) {
    assert.equal((await choose(3 + number, { picture })).reason_code, 30024)
    assert.ok(Math.max(...(await poster())) < 60)
  }
  await choose(9)
  await until(async () => (await poster())[0] > 200)
})

test('a rendition becomes one file with its sound, is made anew when its runner dies, and goes with its video', async () => {
  const id = await upload(film)
  assert.equal((await settled(id)).state, 'ready')
  const [row] = await database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO stream_download (organization_id, asset_id, job_id, state, runner, attempt, created_by)
       SELECT $1, $2, id, 'running', 'dead', 1, 'x' FROM stream_job WHERE asset_id = $2 AND name = '360p' RETURNING id`,
      [organization, id],
    ),
  )
  const file = path.join(mediaFolders(config).uploads, row?.id ?? '')
  const done = await until(() =>
    rowOf<{ size: string }>(`SELECT * FROM stream_download WHERE id = $1 AND state = 'done'`, row?.id ?? ''),
  )
  assert.equal(fs.statSync(file).size, Number(done.size))
  const streams = execFileSync('ffprobe', [
    '-v',
    'error',
    '-count_frames',
    '-show_entries',
    'stream=codec_type,height,nb_read_frames:format=duration',
    '-of',
    'json',
    file,
  ])
  const found = JSON.parse(streams.toString()) as {
    streams: { codec_type: string; height?: number; nb_read_frames: string }[]
    format: { duration: string }
  }
  assert.deepEqual(
    found.streams.map(({ codec_type, height }) => [codec_type, height]),
    [
      ['video', 360],
      ['audio', undefined],
    ],
  )
  assert.equal(found.streams[0]?.nb_read_frames, '75')
  assert.ok(Math.abs(Number(found.format.duration) - 3) < 0.1, found.format.duration)
  assert.deepEqual(
    fs.readdirSync(mediaFolders(config).uploads).filter((name) => name.startsWith('joining-')),
    [],
  )
  await database.system((tx) => tx.query('UPDATE stream_asset SET deleted_at = now() WHERE id = $1', [id]))
  await until(async () => !fs.existsSync(file))
})

/** A bucket that can be away, or slow to take anything, and tells what it was asked. */
async function bucket() {
  const folder = path.join(home, 's3')
  fs.mkdirSync(folder)
  const service = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'films', configs: [] }],
  })
  const { port: behind } = await service.run()
  const state = { isAway: false, asked: [] as string[], held: null as Promise<void> | null }
  const front = http.createServer(async (request, response) => {
    if (state.isAway) return void request.socket.destroy()
    state.asked.push(`${request.method} ${request.url}`)
    if (request.method === 'PUT' && state.held) await state.held
    const { method = 'GET', headers } = request
    const on = http.request({ host: '127.0.0.1', port: behind, path: request.url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    on.on('error', () => response.destroy())
    request.pipe(on)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  parts.defer(async () => {
    front.closeAllConnections()
    front.close()
    await service.close()
  })
  const { port } = front.address() as { port: number }
  const settings = { FAIRWAY_S3_ENDPOINT: `http://127.0.0.1:${port}`, FAIRWAY_S3_KEY: 'S3RVER:S3RVER' }
  return { state, settings }
}

test('finished videos move into a bucket and play from there; a lost disk, a bucket that is away and removal are survived', async () => {
  const { state, settings } = await bucket()
  const again = async (more: Record<string, string>) => {
    await role[Symbol.asyncDispose]()
    config = loadConfig({
      FAIRWAY_HOME: home,
      FAIRWAY_MEDIA_LISTEN: `127.0.0.1:${config.mediaListen.port}`,
      FAIRWAY_LOG_LEVEL: 'error',
      ...settings,
      ...more,
    })
    role = await startMedia({ config, log: makeLog('media', config) })
  }
  const inBucket = { FAIRWAY_MEDIA_STORAGE: 's3://films/all' }
  const id = await upload(film)
  assert.equal((await settled(id)).state, 'ready')
  await until(async () => (await text(`/${id}/master.m3u8`)).match(/RESOLUTION/g)?.length === 2)
  const names = async () => {
    const lists = [...(await text(`/${id}/master.m3u8`)).matchAll(/(?:URI="|\n)([\w-]+)\/index\.m3u8/g)]
    const below = lists.map(async ([, part]) =>
      segmentsOf(await text(`/${id}/${part}/index.m3u8`)).map(({ name }) => `${part}/${name}`),
    )
    return ['master.m3u8', 'manifest.mpd', 'poster.jpg', 'sprite.vtt', ...(await Promise.all(below)).flat()]
  }
  const all = async () => {
    const bodies = (await names()).map(async (name) => [name, (await fetched(`/${id}/${name}`)).body.toString('hex')])
    return Object.fromEntries(await Promise.all(bodies)) as Record<string, string>
  }
  const before = await all()
  const isStored = async (asset: string) =>
    (await rowOf<{ n: number }>(
      `SELECT 1 AS n FROM stream_asset WHERE id = $1 AND stored_revision = files_revision AND storer IS NULL`,
      asset,
    )) !== undefined
  const key = streamHost(config, organization).slice(0, 16)
  const disk = path.join(mediaFolders(config).assets, key, id)
  const segmentsHere = (folder = disk) =>
    (fs.readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('.m4s'))
  assert.ok(segmentsHere().length > 0)

  // What was there when the setting came moves as well, whole; and what was made before there was DASH has it then.
  fs.rmSync(path.join(disk, 'manifest.mpd'))
  await database.system((tx) => tx.query('UPDATE stream_asset SET has_dash = NULL WHERE id = $1', [id]))
  await again(inBucket)
  await until(async () => (await fetched(`/${id}/manifest.mpd`)).status === 200)
  await until(() => isStored(id))
  assert.deepEqual(segmentsHere(), [])
  assert.deepEqual(await all(), before)
  const segment = (await names()).find((name) => name.endsWith('.m4s')) ?? ''
  const whole = Buffer.from(before[segment] ?? '', 'hex')
  const part = (range: string) => fetched(`/${id}/${segment}`, undefined, { range })
  const middle = await part('bytes=10-19')
  assert.deepEqual(
    [middle.status, middle.headers['content-range'], middle.body],
    [206, `bytes 10-19/${whole.length}`, whole.subarray(10, 20)],
  )
  assert.deepEqual((await part('bytes=-5')).body, whole.subarray(-5))
  assert.equal((await part(`bytes=${whole.length}-`)).status, 416)
  const sum = crypto.createHash('sha256').update(whole).digest('hex')
  assert.equal(await text(`/${id}/${segment}.sha256`), sum)
  // Names that nobody has made up a video for are not asked for there.
  state.asked = []
  const nobodys = crypto.randomUUID()
  const madeUp = Array.from({ length: 100 }, (_, index) => `/${id}/${path.posix.dirname(segment)}/none${index}.m4s`)
  for (const none of [`/${nobodys}/360p-1/s00000.m4s`, `/${id}/144p-9/s00000.m4s`, `/${id}/none.jpg`, ...madeUp])
    assert.equal((await fetched(none)).status, 404)
  // Other videos may be moving there meanwhile.
  const isOfThose = (one: string) => [nobodys, '144p-9', 'none'].some((name) => one.includes(name))
  assert.deepEqual(state.asked.filter(isOfThose), [])

  // A file of a quality is made of what lies there.
  const job = await rowOf<{ id: string }>(`SELECT id FROM stream_job WHERE asset_id = $1 AND name = '360p'`, id)
  const download = await database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO stream_download (organization_id, asset_id, job_id, created_by) VALUES ($1, $2, $3, 'x') RETURNING id`,
      [organization, id, job?.id],
    ),
  )
  const made = () => rowOf<{ state: string }>('SELECT state FROM stream_download WHERE id = $1', download[0]?.id ?? '')
  state.isAway = true
  await setTimeout(50)
  state.isAway = false
  await until(async () => (await made())?.state === 'done')

  // The disk of the machine is new.
  await role[Symbol.asyncDispose]()
  fs.rmSync(mediaFolders(config).assets, { recursive: true, force: true })
  await again(inBucket)
  await until(async () => (await fetched(`/${id}/master.m3u8`)).status === 200)
  assert.deepEqual(await all(), before)
  assert.deepEqual(segmentsHere(), [])
  await database.system((tx) =>
    tx.query(
      `UPDATE stream_asset SET chapters = '[{"start":0,"title":"a"}]', chapters_number = 1, chapters_applied = false WHERE id = $1`,
      [id],
    ),
  )
  await until(async () => (await text(`/${id}/master.m3u8`)).includes('chapters-1/'))
  await using storage = openStorage('s3://films/all', config)
  const stored = async (asset: string) => {
    const keys: string[] = []
    for await (const one of storage.list(`videos/${key}/${asset}/`)) keys.push(one.key)
    return keys
  }
  await until(async () => (await stored(id)).some((one) => one.endsWith('chapters-1/chapters.json')))
  await until(() => isStored(id))

  // The bucket is away: what lies there waits, all else goes on.
  state.isAway = true
  const away = await fetched(`/${id}/${segment}`)
  assert.deepEqual([away.status, away.headers['cache-control']], [503, 'no-store'])
  assert.equal((await fetched(`/${id}/master.m3u8`)).status, 200)
  const other = await upload(film)
  assert.equal((await settled(other)).state, 'ready')
  await until(async () => (await fetched(`/${other}/360p-1/s00000.m4s`)).status === 200)
  assert.equal(await isStored(other), false)
  // Removed while it is away: viewers do not get it any more, and it goes there when that is back.
  const doomed = await upload(film)
  assert.equal((await settled(doomed)).state, 'ready')
  state.isAway = false
  await until(() => isStored(other))
  await until(() => isStored(doomed))
  state.isAway = true
  await database.system((tx) => tx.query('UPDATE stream_asset SET deleted_at = now() WHERE id = $1', [doomed]))
  await until(async () => (await fetched(`/${doomed}/360p-1/s00000.m4s`)).status === 404)
  state.isAway = false
  await until(async () => (await stored(doomed)).length === 0)

  // Removed while it is put there.
  let release = () => {}
  state.held = new Promise((resolve) => (release = resolve))
  const moving = await upload(film)
  assert.equal((await settled(moving)).state, 'ready')
  state.asked = []
  await until(async () => state.asked.some((one) => one.startsWith('PUT') && one.includes(moving)))
  await database.system((tx) => tx.query('UPDATE stream_asset SET deleted_at = now() WHERE id = $1', [moving]))
  await until(async () => (await fetched(`/${moving}/master.m3u8`)).status === 404)
  state.held = null
  release()
  const isGone = `SELECT 1 FROM stream_asset WHERE id = $1 AND stored_in = '' AND storer IS NULL`
  await until(async () => (await rowOf(isGone, moving)) !== undefined)
  assert.deepEqual(await stored(moving), [])

  // A file that was uploaded there is brought here when it is whole, leaves the disk with its video, and comes again
  // when a picture is made of it.
  const [sent, source] = [crypto.randomUUID(), path.join(home, 'sent.mp4')]
  film(source)
  const { size } = fs.statSync(source)
  const [prefix, here] = [uploadPrefix(organization, sent), path.join(mediaFolders(config).uploads, sent)]
  const bytes = fs.createReadStream(source) as AsyncIterable<Buffer>
  await appendPieces(storage, prefix, 0, bytes, async () => {})
  await database.system((tx) =>
    tx.query(
      `INSERT INTO stream_asset (id, organization_id, name, size, loaded, upload_in, created_by) VALUES ($1, $2, 'sent.mp4', $3, $3, 's3://films/all', 'x')`,
      [sent, organization, size],
    ),
  )
  assert.equal((await settled(sent)).state, 'ready')
  await until(() => isStored(sent))
  await until(async () => !fs.existsSync(here))
  await database.system((tx) =>
    tx.query(
      `INSERT INTO stream_thumbnail (organization_id, asset_id, kind, at, number, created_by) VALUES ($1, $2, 'moment', 1, 7, 'x')`,
      [organization, sent],
    ),
  )
  await until(async () => (await fetched(`/${sent}/poster-7/poster.jpg`)).status === 200)
  await until(async () => !fs.existsSync(here))
  await database.system((tx) => tx.query('UPDATE stream_asset SET deleted_at = now() WHERE id = $1', [sent]))
  await until(async () => (await piecesEnd(storage, prefix)) === 0)

  // A setting that is taken back leaves what lies there where it is; new ones stay here.
  await again({})
  assert.deepEqual(Buffer.from((await all())[segment] ?? '', 'hex'), whole)
  const stays = await upload(film)
  assert.equal((await settled(stays)).state, 'ready')
  await database.system((tx) => tx.query('UPDATE stream_asset SET deleted_at = now() WHERE id = $1', [id]))
  await until(async () => (await stored(id)).length === 0)
  assert.ok(segmentsHere(path.join(mediaFolders(config).assets, key, stays)).length > 0)
  assert.deepEqual(await stored(stays), [])
})
