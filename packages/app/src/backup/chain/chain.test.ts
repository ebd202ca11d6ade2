import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openStore, startStore } from '@fairway/analytics'
import { FEATURES } from '@fairway/contract'
import {
  type Config,
  configEnvironment,
  loadConfig,
  logState,
  makeLog,
  newestBackups,
  openDatabase,
  proofTrouble,
  seal,
  secret,
  shareGeo,
  startEmbeddedDatabase,
  systemEnvironment,
  unseal,
} from '@fairway/platform'
import { startApi, startWorker } from '@fairway/server'
import S3rver from 's3rver'
import { type Api, apiClient } from '../../api-client.ts'

const MAIN = path.join(import.meta.dirname, '../../main.ts')
const PASSPHRASE = 'a passphrase of the tests'
const ZONE = 'chain.example'

const stack = new AsyncDisposableStack()
let folder: string
let place: string
let config: Config
let api: Api
let site: string
let follower: ChildProcess
let first: string

/** Texts of the zone after each change, with the second from which on everybody has it. */
const said: { at: number; text: string }[] = []

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-chain-'))
  stack.defer(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }))
  place = path.join(folder, 'place')
  const settled = loadConfig({
    FAIRWAY_HOME: path.join(folder, 'home'),
    FAIRWAY_LISTEN: '127.0.0.1:0',
    FAIRWAY_COLLECTOR_LISTEN: '127.0.0.1:1',
    FAIRWAY_LOG_LEVEL: 'error',
    FAIRWAY_NODE_NAME: 'test',
    FAIRWAY_SETUP_CODE: 'off',
    FAIRWAY_BACKUP_FOLDER: place,
    FAIRWAY_BACKUP_PASSPHRASE: PASSPHRASE,
    FAIRWAY_BACKUP_EVERY_HOURS: '24',
    FAIRWAY_BACKUP_LOG_SECONDS: '1',
  })
  fs.mkdirSync(settled.home, { mode: 0o711 })
  shareGeo(settled.home)
  const log = makeLog('test', settled)
  stack.use(await startEmbeddedDatabase({ config: settled, log }))
  stack.use(await startStore({ config: settled, log }))
  const server = stack.use(await startApi({ config: settled, log, consoleFolder: null }))
  config = { ...settled, apiUrl: server.url }
  stack.use(await startWorker({ config, log }))
  api = apiClient(server.url, secret(config, 'cli-token'))
  await api(FEATURES.auth.routes.register, {
    email: 'operator@example.com',
    password: 'Backup-1234',
    firstName: 'Ann',
    lastName: 'Example',
    organizationName: 'Example',
  })
  site = (await api(FEATURES.sites.routes.create, { domainName: ZONE })).data.id
  await change('w IN A 192.0.2.1\n')
  const store = stack.use(openStore(config))
  await store.insert(
    'beacons',
    Array.from({ length: 500 }, (_, i) => ({ ...BEACON, rtt_ms: i + 0.1, network: `AS${i}` })),
  )
  follower = follow()
  stack.defer(() => ended(follower))
})

after(() => stack.disposeAsync())

test('a backup of the chain is proven: restored to the moment whose rows were counted, everything is as it was', async () => {
  const wrote = await fairway(config, 'backup', '--incremental')
  assert.equal(wrote.status, 0, wrote.stderr)
  first = addressIn(wrote.stdout)
  // It began together with what follows the log: both are in one chain.
  assert.deepEqual(fs.readdirSync(place), [path.basename(path.dirname(first))])
  const proven = await fairway(config, 'backup', 'verify', first)
  assert.equal(proven.status, 0, proven.stderr)
  assert.match(proven.stdout, /[1-9]\d* zone documents and 1 audit logs came back as they were; \d+ pieces of the log/)
  assert.equal(newestBackups(config).proven?.file, first)
  const bytes = fs.readdirSync(path.dirname(first)).map((name) => fs.readFileSync(path.join(path.dirname(first), name)))
  for (const name of ['sealing-key', 'database-password'])
    assert.ok(!bytes.some((one) => one.includes(secret(config, name))), name)
})

test('the second one of a home that has hardly changed adds a small part of it', async () => {
  await change('second IN A 192.0.2.2\n')
  const wrote = await fairway(config, 'backup', '--incremental')
  assert.equal(wrote.status, 0, wrote.stderr)
  const [, added, whole] = /([\d.]+) MB added for ([\d.]+) MB/.exec(wrote.stdout) ?? []
  assert.ok(Number(added) < Number(whole) * 0.1, wrote.stdout)
})

test('it can be restored to any second in between, with the secrets that were made later', async () => {
  const sealed = seal(config, 'test', 'a secret of a customer')
  for (const n of [3, 4, 5]) await change(`h${n} IN A 192.0.2.${n}\n`)
  await carried()
  const [, , third] = said
  assert.ok(third)
  const home = path.join(folder, 'third')
  const restored: Config = { ...config, home, apiUrl: '' }
  const ran = await fairway(restored, 'restore', '--at', new Date(third.at).toISOString())
  assert.equal(ran.status, 0, ran.stderr)
  assert.match(ran.stdout, /with measurements up to 20/)
  assert.equal(await recordsIn(home), third.text)
  assert.equal(unseal(restored, 'test', sealed), 'a secret of a customer')
})

test('a second that no backup covers is refused with those that can be had, and one without a zone is not guessed at', async () => {
  const home = path.join(folder, 'never')
  for (const [at, why] of [
    ['2020-01-01T00:00:00Z', /is not covered: nothing else can be restored from .* but 20\d\d-.* to 20\d\d/],
    ['2099-01-01T00:00:00+02:00', /is not covered/],
    ['2026-01-01T00:00:00', /no second with its zone/],
    ['yesterday', /no second with its zone/],
  ] as const) {
    const { status, stderr } = await fairway({ ...config, home }, 'restore', '--at', at)
    assert.notEqual(status, 0)
    assert.match(stderr, why, at)
  }
  assert.ok(!fs.existsSync(home))
  const { stdout } = await fairway(config, 'backups')
  assert.match(stdout, /any second from 20\S+ to 20\S+/)
})

test('a place that is away stops nothing, and what was written meanwhile is there when it is back', async () => {
  const away = `${place}.away`
  fs.renameSync(place, away)
  fs.writeFileSync(place, 'not a folder')
  await until('it is told', () => logState(config.home, place)?.stoppedAt !== null)
  await change('meanwhile IN A 192.0.2.9\n')
  assert.ok((logState(config.home, place)?.problem ?? '') !== '')
  fs.rmSync(place)
  fs.renameSync(away, place)
  await carried()
  assert.equal(logState(config.home, place)?.stoppedAt, null)
  const home = path.join(folder, 'after-away')
  const restored: Config = { ...config, home, apiUrl: '' }
  const ran = await fairway(restored, 'restore', '--at', 'latest')
  assert.equal(ran.status, 0, ran.stderr)
  assert.equal(await recordsIn(home), said.at(-1)?.text)
})

test('one that is killed in the middle is none, and the next one goes on from what it left', async () => {
  const bases = () => fs.readdirSync(path.dirname(first)).filter((name) => /^base-.*Z$/.test(name)).length
  const before = bases()
  await api(FEATURES.zoneFiles.routes.apply, { site, format: 'bind', text: 'killed IN A 192.0.2.10\n' })
  const parts = new Set(fs.readdirSync(path.dirname(first)))
  const child = start(config, 'backup', '--incremental')
  await until('it has begun', () =>
    fs.readdirSync(path.dirname(first)).some((name) => name.startsWith('part-') && !parts.has(name)),
  )
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('close', resolve))
  assert.equal(bases(), before)
  const again = await fairway(config, 'backup', '--incremental', '--keep', '2')
  assert.equal(again.status, 0, again.stderr)
  assert.equal(bases(), 3)
  assert.equal(newestBackups(config).proven?.file, first, 'the only one that was proven stays')
})

test('a part that is not as it was written is told, and the next backup writes it anew', async () => {
  const chain = path.dirname(first)
  for (const name of fs.readdirSync(chain).filter((one) => one.startsWith('part-'))) {
    const file = path.join(chain, name)
    const bytes = fs.readFileSync(file)
    const at = bytes.length >> 1
    bytes[at] = (bytes[at] ?? 0) ^ 1
    fs.writeFileSync(file, bytes)
  }
  const failed = await fairway(config, 'backup', 'verify', chain)
  assert.equal(failed.status, 1)
  assert.match(failed.stderr, /is damaged/)
  assert.match(proofTrouble(config)?.failed?.problem ?? '', /is damaged/)
  const wrote = await fairway(config, 'backup', '--incremental')
  assert.equal(wrote.status, 0, wrote.stderr)
  const proven = await fairway(config, 'backup', 'verify', addressIn(wrote.stdout))
  assert.equal(proven.status, 0, proven.stderr)
  assert.equal(proofTrouble(config), null)
})

test('pruning writes nothing, and takes old ones of every kind: whole files, those of the chain, and chains that were left', async () => {
  const [left, strange] = ['chain-aaaaaaaaaaaaaaaa', 'chain-bbbbbbbbbbbbbbbb']
  for (const chain of [left, strange]) {
    fs.mkdirSync(path.join(place, chain))
    for (const name of ['key', 'part-1']) {
      fs.writeFileSync(path.join(place, chain, name), '')
      fs.utimesSync(path.join(place, chain, name), 1_000_000_000, 1_000_000_000)
    }
  }
  const own = path.join(config.home, 'chain-of-backups')
  const remembered = JSON.parse(fs.readFileSync(own, 'utf8')) as object
  fs.writeFileSync(own, JSON.stringify({ ...remembered, former: ['aaaaaaaaaaaaaaaa'] }))
  const whole = [2024, 2025, 2999].map((year) => `fairway-${year}-01-01T00-00-00.000Z.backup`)
  for (const name of whole) fs.writeFileSync(path.join(place, name), '')
  const pruned = await fairway(config, 'backups', 'prune', '--keep', '1')
  assert.equal(pruned.status, 0, pruned.stderr)
  const chain = path.basename(path.dirname(first))
  assert.deepEqual(
    fs.readdirSync(place).sort(),
    [chain, strange, whole[1]].sort(),
    'what says it is of 2999 goes first',
  )
  assert.equal(fs.readdirSync(path.join(place, chain)).filter((name) => /^base-.*Z$/.test(name)).length, 1)
  for (const name of [strange, whole[1] ?? '']) fs.rmSync(path.join(place, name), { recursive: true })
  const proven = await fairway(config, 'backup', 'verify', path.join(place, chain))
  assert.equal(proven.status, 0, proven.stderr)
})

test('a piece of the log that is missing or damaged is named, and what can still be had is said', async () => {
  await carried()
  const copy = path.join(folder, 'torn')
  fs.cpSync(place, copy, { recursive: true })
  const chain = path.join(copy, path.basename(path.dirname(first)))
  const pieces = fs
    .readdirSync(chain)
    .filter((name) => name.startsWith('wal-'))
    .sort()
  // Of the newest segment there may be pieces and, since the copy was made meanwhile, the whole that replaces them.
  const segment = pieces.at(-1)?.slice(0, 'wal-'.length + 24) ?? ''
  for (const name of pieces.filter((one) => one.startsWith(segment))) {
    const bytes = fs.readFileSync(path.join(chain, name))
    const at = bytes.length >> 1
    bytes[at] = (bytes[at] ?? 0) ^ 1
    fs.writeFileSync(path.join(chain, name), bytes)
  }
  const torn = { ...config, home: path.join(folder, 'never'), backupFolder: copy }
  const damaged = await fairway(torn, 'restore', '--at', 'latest')
  assert.equal(damaged.status, 1)
  assert.match(damaged.stderr, new RegExp(`${segment}\\S* is damaged`))
  const proof = await fairway(torn, 'backup', 'verify', chain)
  assert.match(proof.stderr, new RegExp(`${segment}\\S* is damaged`))
  for (const piece of pieces) fs.rmSync(path.join(chain, piece))
  const missing = await fairway(
    torn,
    'restore',
    path.join(chain, fs.readdirSync(chain).findLast((name) => /^base-.*Z$/.test(name)) ?? ''),
  )
  assert.equal(missing.status, 1)
  assert.match(missing.stderr, /has a gap: .*wal-\w+ is missing/)
  const nothing = await fairway(torn, 'restore', '--at', 'latest')
  assert.match(nothing.stderr, /nothing can be restored to a second/)
  assert.ok(!fs.existsSync(torn.home))
})

test('pieces of another chain, and another passphrase, are refused', async () => {
  const home = path.join(folder, 'never')
  const other = await fairway({ ...config, home, backupPassphrase: 'another passphrase' }, 'restore', '--at', 'latest')
  assert.match(other.stderr, /passphrase is not the one/)
  const copy = path.join(folder, 'foreign')
  fs.cpSync(place, copy, { recursive: true })
  const chain = path.join(copy, path.basename(path.dirname(first)))
  const names = fs.readdirSync(chain).filter((name) => name.startsWith('part-'))
  const [one, two] = names
  assert.ok(one && two)
  for (const name of names) fs.copyFileSync(path.join(chain, name === two ? one : two), path.join(chain, name))
  const mixed = await fairway({ ...config, home, backupFolder: copy }, 'restore', '--at', 'latest')
  assert.equal(mixed.status, 1)
  assert.match(mixed.stderr, /is damaged, or belongs to another chain/)
  assert.ok(!fs.existsSync(home))
})

test('in a bucket it is written and restored like in a folder', async () => {
  const bucket = path.join(folder, 'bucket')
  fs.mkdirSync(bucket)
  const service = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: bucket,
    configureBuckets: [{ name: 'backups', configs: [] }],
  })
  const { port } = await service.run()
  try {
    const away: Config = {
      ...config,
      s3Endpoint: `http://127.0.0.1:${port}`,
      s3Key: 'S3RVER:S3RVER',
      backupFolder: 's3://backups/one',
    }
    const wrote = await fairway(away, 'backup', '--incremental')
    assert.equal(wrote.status, 0, wrote.stderr)
    const home = path.join(folder, 'from-bucket')
    const ran = await fairway({ ...away, home, apiUrl: '' }, 'restore', '--at', 'latest')
    assert.equal(ran.status, 0, ran.stderr)
    assert.equal(await recordsIn(home), await records(config))
  } finally {
    await service.close()
  }
})

test('without the log a second is none, and an outside database is not ours to copy', async () => {
  const outside = await fairway({ ...config, databaseUrl: 'postgres://u@127.0.0.1:1/x' }, 'backup', '--incremental')
  assert.equal(outside.status, 1)
  assert.match(outside.stderr, /outside PostgreSQL is backed up by its own means/)
})

const BEACON = {
  at: '2026-11-20 10:00:00.123',
  organization: 'o',
  cdn: 'c',
  continent: 'EU',
  country: 'DE',
  region: '',
  city: 'Köln',
  subnet: 7,
  ok: 1,
}

/** Changes the zone, and notes from when on it is so. */
async function change(text: string): Promise<void> {
  await api(FEATURES.zoneFiles.routes.apply, { site, format: 'bind', text })
  said.push({ at: Date.now() + 1, text: await records(config) })
  // Two that are as good as at once are one second.
  await delay(20)
}

/** Everything acknowledged so far is in the chain. */
async function carried(): Promise<void> {
  const now = Date.now()
  await until('the log is carried', () => (logState(config.home, place)?.until ?? 0) > now)
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (let i = 0; i < 6_000 && !holds(); i++) await delay(10)
  assert.ok(holds(), what)
}

const addressIn = (stdout: string): string => /^wrote (\S+): \d+ rows/m.exec(stdout)?.[1] ?? ''

/** Records of a home whose database is not running. */
async function recordsIn(home: string): Promise<string> {
  const of = { ...config, home }
  await using _ = await startEmbeddedDatabase({ config: of, log: makeLog('test', config) })
  return await records(of)
}

async function records(of: Config): Promise<string> {
  await using database = openDatabase(of, makeLog('test', config), { connections: 1 })
  const rows = await database.system((tx) =>
    tx.query<{ line: string }>(`SELECT name || ' ' || type || ' ' || value AS line FROM dns_record ORDER BY 1`),
  )
  return rows.map(({ line }) => line).join('\n')
}

function follow(): ChildProcess {
  return start(config, 'backup', 'follow')
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await closed
}

function start(of: Config, ...words: string[]): ChildProcess {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...words], {
    env: { ...systemEnvironment(), ...configEnvironment(of) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

async function fairway(of: Config, ...words: string[]) {
  const child = start(of, ...words)
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (some: string) => (text[name] += some))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, ...text }
}
