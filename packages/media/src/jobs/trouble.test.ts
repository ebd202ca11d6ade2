import assert from 'node:assert/strict'
import childProcess, { execFileSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs, { globSync } from 'node:fs'
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import {
  type Config,
  type Database,
  type Tx,
  appendPieces,
  freePort,
  loadConfig,
  makeLog,
  mediaFolders,
  migrate,
  openDatabase,
  openStorage,
  startEmbeddedDatabase,
  streamHost,
  streamKey,
  uploadPrefix,
} from '@fairway/platform'
import { startMedia } from '../start-media.ts'
import { partOf } from './part-of.ts'
import { Served } from './served.ts'
import {
  type JobRow,
  failJob,
  jobsYield,
  nextQueued,
  noteRunner,
  takeDownload,
  takeJobs,
  thumbnailWaits,
  thumbnailWanted,
} from './store.ts'
import { vainAttempts } from './work.ts'

// What is not the fault of a file: a machine without room, a database that is away, one with a thousand films.

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-trouble-'))
const bucket = path.join(home, 'elsewhere')
const parts = new AsyncDisposableStack()
const log = makeLog('media', { logLevel: 'silent' })
let config: Config
let database: Database
let [organization, other, third] = ['', '', '']

before(async () => {
  fs.mkdirSync(bucket)
  config = loadConfig({
    FAIRWAY_HOME: home,
    FAIRWAY_MEDIA_LISTEN: `127.0.0.1:${await freePort()}`,
    FAIRWAY_RTMP_LISTEN: `127.0.0.1:${await freePort()}`,
    FAIRWAY_MEDIA_STORAGE: bucket,
  })
  parts.use(await startEmbeddedDatabase({ config, log }))
  await migrate(config, log)
  database = parts.use(openDatabase(config, log))
  const [one, two, three] = await database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO organization (name, plan_id, code, partner_id) SELECT n, 'enterprise', '', (SELECT id FROM partner WHERE host_name IS NULL) FROM unnest(ARRAY['A', 'B', 'C']) n RETURNING id`,
    ),
  )
  ;[organization, other, third] = [one?.id ?? '', two?.id ?? '', three?.id ?? '']
  parts.use(await startMedia({ config, log, turnMs: 1_000 }))
})
after(async () => {
  await parts.disposeAsync()
  fs.rmSync(home, { recursive: true, force: true })
})

function film(file: string, picture = 'size=320x180:rate=10:duration=1'): void {
  const words = `-v error -y -f lavfi -i testsrc2=${picture} -c:v libx264 -preset ultrafast -f mp4`
  execFileSync('ffmpeg', [...words.split(' '), file])
}
const fileOf = (id: string) => path.join(mediaFolders(config).uploads, id)
type Row = { state: string; reason_code: number | null; reason: string; attempts: number; loaded: number }
async function asset(id: string): Promise<Row | undefined> {
  const [row] = await database.system((tx) => tx.query<Row>('SELECT * FROM stream_asset WHERE id = $1', [id]))
  return row
}
async function settled(id: string): Promise<Row> {
  for (const giveUpAt = Date.now() + 180_000; ; await setTimeout(50)) {
    const row = await asset(id)
    if (row && (row.state === 'ready' || row.state === 'failed')) return row
    if (Date.now() > giveUpAt) throw new Error(`it is ${JSON.stringify(row)}`)
  }
}
async function upload({
  attempts = 0,
  owner = organization,
  picture = undefined as string | undefined,
} = {}): Promise<string> {
  const id = crypto.randomUUID()
  film(fileOf(id), picture)
  await database.system((tx) =>
    tx.query(
      `INSERT INTO stream_asset (id, organization_id, name, size, attempts, created_by) VALUES ($1, $2, $1::uuid::text, $3, $4, 'x')`,
      [id, owner, fs.statSync(fileOf(id)).size, attempts],
    ),
  )
  return id
}

/** Kills the first so many of a program when they have begun, as a machine without memory does. */
function killed(t: TestContext, program: string, times: number): { left: number } {
  const { spawn } = childProcess
  const state = { left: times }
  t.mock.method(childProcess, 'spawn', (...words: Parameters<typeof spawn>) => {
    const child = spawn(...words)
    if (Array.isArray(words[1]) && words[1].includes(program) && state.left > 0) {
      state.left--
      child.kill('SIGKILL')
    }
    return child
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  return state
}

test('a program that is killed while it looks into a film is run again, and the film is there', async (t) => {
  const state = killed(t, 'ffprobe', 1)
  const id = await upload()
  assert.equal((await settled(id)).state, 'ready')
  assert.equal(state.left, 0)
})

test('an encoder that is killed is run again; a film that kills what looks into it every time fails in the end, and stays', async (t) => {
  killed(t, 'ffmpeg', 1)
  const id = await upload()
  assert.deepEqual([(await settled(id)).state, (await asset(id))?.reason], ['ready', ''])
  t.mock.restoreAll()
  killed(t, 'ffprobe', 1000)
  const hostile = await upload({ attempts: 19 })
  const row = await settled(hostile)
  assert.deepEqual([row.state, row.reason_code], ['failed', 30013])
  assert.ok(fs.existsSync(fileOf(hostile)))
})

test('a database that refuses once when a job is finished costs an attempt, and no film', async () => {
  await database.system(async (tx) => {
    await tx.query('RESET ROLE')
    await tx.query(`CREATE SEQUENCE refusals; GRANT USAGE ON SEQUENCE refusals TO PUBLIC;
      CREATE FUNCTION refuse_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF nextval('refusals') = 1 THEN RAISE 'away'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER refuse_once BEFORE UPDATE ON stream_job FOR EACH ROW WHEN (NEW.state = 'done') EXECUTE FUNCTION refuse_once()`)
  })
  const id = await upload()
  assert.equal((await settled(id)).state, 'ready')
  const [job] = await database.system((tx) =>
    tx.query<{ attempts: number }>('SELECT max(attempt) AS attempts FROM stream_job WHERE asset_id = $1', [id]),
  )
  assert.equal(job?.attempts, 2)
})

/** Undone, whatever it did. */
async function tried<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const undo = new Error('undone')
  let found: { value: T } | null = null
  await database
    .system(async (tx) => {
      found = { value: await work(tx) }
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return (found as { value: T } | null)?.value as T
}
async function waiting(tx: Tx, owner: string, count: number): Promise<void> {
  await tx.query(
    `WITH made AS (INSERT INTO stream_asset (organization_id, name, size, state, source, created_by, created_at)
       SELECT $1, gen_random_uuid()::text, 1, 'processing', '{}', 'x', clock_timestamp() FROM generate_series(1, $2) RETURNING id)
     INSERT INTO stream_job (organization_id, asset_id, seq, kind, name, spec, cost) SELECT $1, m.id, s, 'video', s || 'p', '{"width":320,"height":180}', 10 FROM made m, generate_series(0, 1) s`,
    [owner, count],
  )
}

test('who has many films waiting keeps nobody else waiting, and of one organisation each film is playable first', async () => {
  const { owners, numbers } = await tried(async (tx) => {
    // What the tests before this one have encoded.
    await tx.query('UPDATE stream_job SET ended_at = NULL')
    await waiting(tx, organization, 50)
    await waiting(tx, other, 1)
    const jobs: JobRow[] = []
    for (const runner of ['one', 'two', 'three', 'four']) jobs.push(...((await takeJobs(tx, runner))?.jobs ?? []))
    return {
      owners: jobs.map((job) => job.organization_id),
      numbers: jobs.map(({ seq }: JobRow & { seq?: number }) => seq),
    }
  })
  assert.deepEqual(owners.slice(0, 2), [organization, other])
  assert.deepEqual(owners.toSorted(), [organization, organization, other, other].toSorted())
  assert.equal(numbers[0], 0)
})

test('a film that made way is counted by what was made of it, not by its length', async () => {
  const next = await tried(async (tx) => {
    await tx.query('UPDATE stream_job SET ended_at = NULL, turn_ended_at = NULL')
    await waiting(tx, organization, 1)
    await waiting(tx, other, 2)
    await tx.query(`UPDATE stream_job SET cost = 1000 WHERE organization_id = $1 AND state = 'waiting'`, [organization])
    const owners: (string | undefined)[] = []
    for (const share of [0.005, 0.005, 0.02]) {
      const taken = (await takeJobs(tx, 'one'))?.jobs ?? assert.fail()
      owners.push(taken[0].organization_id)
      // What is of others ends; the film has a turn again and again.
      if (taken[0].organization_id === organization) {
        await jobsYield(
          tx,
          taken,
          'one',
          taken.map(() => share),
        )
        await tx.query('UPDATE stream_job SET next_try_at = NULL')
      } else
        await tx.query(
          `UPDATE stream_job SET state = 'done', ended_at = now() WHERE runner = 'one' AND state = 'running'`,
        )
    }
    return owners
  })
  // 5 of a thousand, then another's 10, then the film again, which has had less.
  assert.deepEqual(next, [organization, other, organization])
})

test('a long film of one organisation makes way for another’s, goes on where it was, and is whole', async () => {
  const long = await upload({ picture: 'size=960x540:rate=25:duration=24' })
  const jobs = () =>
    database.system((tx) =>
      tx.query<JobRow>(`SELECT * FROM stream_job WHERE asset_id = $1 AND kind = 'video' ORDER BY seq`, [long]),
    )
  for (const end = Date.now() + 60_000; !(await jobs()).some(({ state }) => state === 'running'); await setTimeout(20))
    assert.ok(Date.now() < end)
  const short = await upload({ owner: third })
  assert.equal((await settled(short)).state, 'ready')
  assert.equal((await asset(long))?.state, 'processing')
  assert.equal((await settled(long)).state, 'ready')
  const made = await jobs()
  assert.ok(made.some(({ attempt }) => attempt > 1))
  for (const job of made) {
    const places = [mediaFolders(config).assets, bucket].flatMap((at) =>
      globSync(`${at}/**/${long}/${partOf(job)}/index.m3u8`),
    )
    const show =
      '-v error -allowed_extensions ALL -select_streams v -count_packets -show_entries stream=nb_read_packets'
    const count = execFileSync('ffprobe', [...show.split(' '), '-of', 'csv=p=0', places[0] ?? ''], { encoding: 'utf8' })
    assert.deepEqual([job.attempt < 30, Number(count.split('\n')[0])], [true, 600])
  }
})

test('attempts at what was given up count no more when somebody asks for others', () => {
  const folder = path.join(home, 'attempts')
  const job: JobRow = {
    id: 1,
    organization_id: organization,
    asset_id: organization,
    kind: 'video',
    name: '180p',
    spec: { name: '180p', width: 320, height: 180, fps: 25, maxBitrate: 1 },
    cost: 1,
    state: 'running',
    attempt: 21,
    vain_from: 0,
    made: null,
  }
  assert.equal(vainAttempts(folder, job), 20)
  assert.equal(vainAttempts(folder, { ...job, attempt: 22, vain_from: 21 }), 0)
  assert.equal(vainAttempts(folder, { ...job, attempt: 41, vain_from: 21 }), 19)
  // What an attempt before the question has made is none of the first after it.
  fs.mkdirSync(path.join(folder, '180p-15'), { recursive: true })
  fs.writeFileSync(path.join(folder, '180p-15', 'index.m3u8'), '#EXTM3U\n#EXTINF:2,\ns00000.m4s\n')
  fs.writeFileSync(path.join(folder, '180p-15', 's00000.m4s'), 'x')
  assert.equal(vainAttempts(folder, { ...job, attempt: 23, vain_from: 21 }), 1)
})

test('files and pictures of one organisation’s thousand videos keep nobody else’s waiting', async () => {
  const found = await tried(async (tx) => {
    await waiting(tx, organization, 50)
    await waiting(tx, other, 2)
    await tx.query(`UPDATE stream_asset SET is_playable = true, source = '{"seconds": 60}' WHERE source = '{}'`)
    await tx.query(
      `INSERT INTO stream_download (organization_id, asset_id, job_id, created_by, created_at) SELECT organization_id, asset_id, id, 'x', clock_timestamp() FROM stream_job j
       WHERE seq = 0 AND state = 'waiting' ORDER BY id`,
    )
    await tx.query(
      `INSERT INTO stream_thumbnail (organization_id, asset_id, kind, at, number, created_by, changed_at) SELECT organization_id, asset_id, 'moment', 1, 1, 'x', clock_timestamp() FROM stream_job j
       WHERE seq = 0 AND state = 'waiting' ORDER BY id`,
    )
    const files: string[] = []
    for (const runner of ['one', 'two', 'three', 'four'])
      files.push((await takeDownload(tx, runner))?.organization_id ?? '')
    const served = new Served()
    const pictures: { asset_id: string; organization_id: string }[] = []
    for (let turn = 0; turn < 6; turn++) {
      const one = await thumbnailWanted(tx, served.ids)
      assert.ok(one)
      pictures.push(one)
      served.note(one.organization_id)
      // One that cannot be made now is left for others.
      await thumbnailWaits(tx, one)
    }
    await tx.query(`UPDATE stream_asset SET state = 'queued' WHERE state = 'processing'`)
    const [looked, seen]: [string[], string[]] = [[], []]
    for (let turn = 0; turn < 4; turn++) {
      const one = await nextQueued(tx, looked, seen)
      looked.push(one?.organization_id ?? '')
      seen.push(one?.id ?? '')
    }
    return { files, pictures, looked, seen: new Set(seen).size }
  })
  assert.deepEqual(found.files.toSorted(), [organization, organization, other, other].toSorted())
  const owners = found.pictures.map((one) => one.organization_id)
  assert.deepEqual(owners.slice(0, 4), [organization, other, organization, other])
  // Those of the other one are made.
  assert.deepEqual(owners.slice(4), [organization, organization])
  assert.equal(new Set(found.pictures.map((one) => one.asset_id)).size, 6)
  assert.deepEqual([found.looked.slice(0, 2), found.seen], [[organization, other], 4])
})

test('a runner whose job is another’s by now does not fail the film', async () => {
  const state = await tried(async (tx) => {
    await noteRunner(tx, 'late', true)
    await tx.query('DELETE FROM stream_job WHERE state <> $1', ['done'])
    await waiting(tx, organization, 1)
    const [job] = (await takeJobs(tx, 'late'))?.jobs ?? []
    assert.ok(job)
    await tx.query(`UPDATE stream_job SET runner = 'next', attempt = attempt + 1 WHERE id = $1`, [job.id])
    await failJob(tx, job, 'late', 'x')
    const [row] = await tx.query<{ state: string }>('SELECT state FROM stream_asset WHERE id = $1', [job.asset_id])
    return row?.state
  })
  assert.equal(state, 'processing')
})

test('a folder that cannot be removed keeps others neither from being removed nor from being taken in', async () => {
  const gone = async (owner: string) => {
    const id = crypto.randomUUID()
    await database.system((tx) =>
      tx.query(
        `INSERT INTO stream_asset (id, organization_id, name, size, state, created_by, deleted_at) VALUES ($1, $2, $1::uuid::text, 1, 'ready', 'x', now())`,
        [id, owner],
      ),
    )
    return id
  }
  const isRemoved = async (id: string) =>
    (
      await database.system((tx) =>
        tx.query('SELECT FROM stream_asset WHERE id = $1 AND files_removed_at IS NOT NULL', [id]),
      )
    ).length > 0
  // Where its folder would be, lies something else.
  const wall = path.join(mediaFolders(config).assets, streamKey(other))
  fs.writeFileSync(wall, '')
  const stuck = await gone(other)
  await setTimeout(1_500)
  const folder = path.join(mediaFolders(config).assets, streamKey(organization))
  const id = await gone(organization)
  for (const part of ['180p-1', '180p-2'])
    for (let file = 0; file < 50; file++) {
      fs.mkdirSync(path.join(folder, id, part), { recursive: true })
      fs.writeFileSync(path.join(folder, id, part, `s${file}.m4s`), 'x')
    }
  assert.equal((await settled(await upload())).state, 'ready')
  while (!(await isRemoved(id))) await setTimeout(50)
  assert.equal(fs.existsSync(path.join(folder, id)), false)
  assert.equal(await isRemoved(stuck), false)
  fs.rmSync(wall)
  while (!(await isRemoved(stuck))) await setTimeout(50)
})

test('an upload that the disk has no room for is not fetched, and a small one behind it is taken in', async (t) => {
  const GB = 2 ** 30
  const [large, small, held] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  const source = path.join(home, 'small.mp4')
  film(source)
  const { size } = fs.statSync(source)
  await using storage = openStorage(bucket, config)
  for (const [id, owner] of [
    [large, organization],
    [small, organization],
    [held, other],
  ] as const) {
    const bytes = fs.createReadStream(source) as AsyncIterable<Buffer>
    await appendPieces(storage, uploadPrefix(owner, id), 0, bytes, async () => {})
  }
  const { statfsSync } = fs
  const free = Math.floor((2.2 * GB) / 4096)
  t.mock.method(fs, 'statfsSync', (...words: Parameters<typeof statfsSync>) => ({
    ...statfsSync(...words),
    bsize: 4096,
    blocks: free * 2,
    bavail: free,
    bfree: free,
  }))
  const insert = `INSERT INTO stream_asset (id, organization_id, name, size, loaded, upload_in, created_by, created_at) VALUES ($1, $2, $1::uuid::text, $3, $3, $4, 'x', now() - make_interval(secs => $5))`
  await database.system((tx) => tx.query(insert, [large, organization, 5 * GB, bucket, 20]))
  await setTimeout(1_500)
  // Of another organisation, that has more here than its share of the disk, though it plays: nothing more is fetched.
  const [full] = await database.system(async (tx) => {
    await tx.query(insert, [held, other, size, bucket, 15])
    await tx.query(insert, [small, organization, size, bucket, 10])
    return tx.query<{ id: string }>(
      `INSERT INTO stream_asset (organization_id, name, size, state, is_playable, has_dash, upload_in, created_by) VALUES ($1, 'full', $2, 'processing', true, true, $3, 'x') RETURNING id`,
      [other, 2 * GB, bucket],
    )
  })
  assert.equal((await settled(small)).reason, '')
  assert.deepEqual([(await asset(held))?.state, fs.existsSync(fileOf(held))], ['uploading', false])
  await database.system((tx) => tx.query('UPDATE stream_asset SET deleted_at = now() WHERE id = $1', [full?.id]))
  assert.equal((await settled(held)).state, 'ready')
  const row = await asset(large)
  assert.deepEqual([row?.state, row?.loaded, fs.existsSync(fileOf(large))], ['uploading', 5 * GB, false])

  // Nor is one that is here encoded, or a file made of a quality, while there is no room for what that makes.
  const here = crypto.randomUUID()
  film(fileOf(here))
  await database.system((tx) =>
    tx.query(
      `WITH made AS (UPDATE stream_job SET made = made || '{"averageBitrate": 10000000000}' WHERE asset_id = $3 AND kind = 'video' RETURNING id)
       , file AS (INSERT INTO stream_download (organization_id, asset_id, job_id, created_by) SELECT $2, $3, id, 'x' FROM made)
       INSERT INTO stream_asset (id, organization_id, name, size, state, created_by) VALUES ($1, $2, 'here', $4, 'queued', 'x')`,
      [here, organization, small, 5 * GB],
    ),
  )
  const putOff = async (table: string, asset: string) =>
    (
      await database.system((tx) =>
        tx.query<{ attempt: number }>(
          `SELECT attempt FROM ${table} WHERE asset_id = $1 AND state = 'waiting' AND next_try_at IS NOT NULL`,
          [asset],
        ),
      )
    )[0]?.attempt
  while ((await putOff('stream_job', here)) !== 0) await setTimeout(50)
  while ((await putOff('stream_download', small)) !== 0) await setTimeout(50)
  await database.system((tx) =>
    tx.query('UPDATE stream_asset SET deleted_at = now() WHERE id = ANY ($1)', [[here, large]]),
  )
})

test('an upload that nothing came of for two days makes room, and one that something came of goes on', async () => {
  const begin = async (uploadIn: string, hours: number, { isKnown = true } = {}) => {
    const [id, at] = [crypto.randomUUID(), new Date(Date.now() - hours * 3600_000)]
    if (uploadIn === '' && isKnown) {
      fs.writeFileSync(fileOf(id), 'ten bytes.')
      fs.utimesSync(fileOf(id), at, at)
    }
    await database.system((tx) =>
      tx.query(
        `INSERT INTO stream_asset (id, organization_id, name, size, loaded, upload_in, created_by, created_at, arrived_at)
         VALUES ($1, $2, $1::uuid::text, 100, 10, $3, 'x', now() - interval '60 hours', $4)`,
        [id, organization, uploadIn, uploadIn === '' || !isKnown ? null : at],
      ),
    )
    return id
  }
  const slow = [await begin('', 47), await begin(bucket, 47)]
  const left = [await begin('', 49), await begin(bucket, 49)]
  // Written by code of before, or on the disk of another home.
  const unknown = [await begin('', 49, { isKnown: false }), await begin(bucket, 49, { isKnown: false })]
  for (const id of left) assert.equal((await settled(id)).reason_code, 30012)
  for (const id of [...slow, ...unknown]) assert.equal((await asset(id))?.state, 'uploading')
  assert.deepEqual(
    [...slow, ...left].map((id) => fs.existsSync(fileOf(id))),
    [true, false, false, false],
  )
})

test('thousands of pages of made-up videos at once leave the role its connections: its lease stays fresh', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 2_500 })
  const page = (id: string) =>
    new Promise<number>((resolve) => {
      const headers = { host: streamHost(config, organization) }
      const request = http.get({ ...config.mediaListen, agent, path: `/embed/${id}`, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      })
      request.on('error', () => resolve(0))
    })
  const leaseAge = async () => {
    const [runner] = await database.system((tx) =>
      tx.query<{ age: number }>(
        'SELECT extract(epoch FROM clock_timestamp() - max(seen_at))::float AS age FROM stream_runner',
      ),
    )
    return runner?.age ?? Number.POSITIVE_INFINITY
  }
  let oldest = 0
  const over = new AbortController()
  const watching = (async () => {
    for (; !over.signal.aborted; await setTimeout(200)) oldest = Math.max(oldest, await leaseAge())
  })()
  const answers = await Promise.all(Array.from({ length: 5_000 }, () => page(crypto.randomUUID())))
  over.abort()
  await watching
  agent.destroy()
  assert.deepEqual(
    [...new Set(answers)].filter((status) => status !== 404 && status !== 503),
    [],
  )
  // Eight seconds and it would be anybody's.
  assert.ok(oldest < 5, `${oldest} s`)
})
