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
  makeLog,
  newestBackups,
  openDatabase,
  openStorage,
  secret,
  seal,
  startEmbeddedDatabase,
  systemEnvironment,
  unseal,
} from '@fairway/platform'
import { startApi, startWorker } from '@fairway/server'
import S3rver from 's3rver'
import { type Api, apiClient } from '../api-client.ts'

const MAIN = path.join(import.meta.dirname, '../main.ts')
const PASSPHRASE = 'a passphrase of the tests'
const ZONE = 'backup.example'
const BEACONS = 500

const stack = new AsyncDisposableStack()
let folder: string
let config: Config
let api: Api
let site: string
let backup: string
let sealed: string

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-backup-'))
  stack.defer(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }))
  const settled = loadConfig({
    FAIRWAY_HOME: path.join(folder, 'home'),
    FAIRWAY_LISTEN: '127.0.0.1:0',
    FAIRWAY_COLLECTOR_LISTEN: '127.0.0.1:1',
    FAIRWAY_LOG_LEVEL: 'error',
    FAIRWAY_NODE_NAME: 'test',
    FAIRWAY_SETUP_CODE: 'off',
    FAIRWAY_BACKUP_PASSPHRASE: PASSPHRASE,
  })
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
  const text = `${Array.from({ length: 300 }, (_, i) => `h${i} 300 IN TXT "text ${i} \\"quoted\\""`).join('\n')}\nw IN A 192.0.2.1\n`
  await api(FEATURES.zoneFiles.routes.apply, { site, format: 'bind', text })
  sealed = seal(config, 'test', 'a secret of a customer')
  const store = stack.use(openStore(config))
  const rows = Array.from({ length: BEACONS }, (_, i) => ({ ...BEACON, rtt_ms: i + 0.1, network: `AS${i}` }))
  await store.insert('beacons', rows)
})

after(() => stack.disposeAsync())

test('a backup of what runs is proven: every row, zone and audit log comes back as it was', async () => {
  const to = path.join(folder, 'proven')
  const wrote = await fairway(config, 'backup', '--to', to)
  assert.equal(wrote.status, 0, wrote.stderr)
  backup = path.join(to, onlyOf(to))
  assert.equal(fs.statSync(backup).mode & 0o077, 0, 'others may not read it')
  assert.ok(!fs.readFileSync(backup).includes(secret(config, 'sealing-key')))
  // What a proof that was killed has left holds everything in clear.
  const left = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-proof-'))
  fs.utimesSync(left, 1_000_000_000, 1_000_000_000)
  const proven = await fairway(config, 'backup', 'verify', backup)
  assert.equal(fs.existsSync(left), false)
  assert.ok((newestBackups({ ...config, backupFolder: path.dirname(backup) }).proven?.provenAt ?? 0) > 0)
  assert.equal(proven.status, 0, proven.stderr)
  assert.match(proven.stdout, /[1-9]\d* zone documents and 1 audit logs came back as they were/)
})

test('restored into an empty home, the zone and what was sealed are as they were when the backup was made', async () => {
  const wanted = await exported(config.apiUrl)
  await api(FEATURES.zoneFiles.routes.apply, { site, format: 'bind', text: 'later IN A 192.0.2.9\n' })
  const home = path.join(folder, 'restored')
  const restored: Config = { ...config, home, apiUrl: '' }
  const ran = await fairway(restored, 'restore', backup)
  assert.equal(ran.status, 0, ran.stderr)
  assert.ok(!fs.existsSync(path.join(home, 'restoring')))
  const log = makeLog('test', config)
  await using _database = await startEmbeddedDatabase({ config: restored, log })
  await using server = await startApi({ config: restored, log, consoleFolder: null })
  assert.equal(await exported(server.url), wanted)
  assert.match(wanted, /h299/)
  assert.match(fs.readFileSync(path.join(home, 'restored.json'), 'utf8'), /"moment":"20\d\d-.*Z"/)
  assert.equal(unseal(restored, 'test', sealed), 'a secret of a customer')
  // What is written next takes the next numbers, and no trigger or reference was left out.
  await apiClient(server.url, secret(restored, 'cli-token'))(FEATURES.sites.routes.create, {
    domainName: 'after.example',
  })
  const [here, there] = [await shapeOf(config), await shapeOf(restored)]
  assert.deepEqual(there, here)
})

test('a home that is not empty is left as it is', async () => {
  const home = path.join(folder, 'filled')
  fs.mkdirSync(home)
  fs.writeFileSync(path.join(home, 'mine'), 'x')
  await refused({ ...config, home }, /is not empty \(mine\)/)
  assert.deepEqual(fs.readdirSync(home), ['mine'])
})

test('a damaged or foreign backup, and another passphrase, are refused in words and leave nothing', async () => {
  const home = path.join(folder, 'never')
  const bytes = fs.readFileSync(backup)
  const changed = Buffer.from(bytes)
  const at = bytes.length >> 1
  changed[at] = (changed[at] ?? 0) ^ 1
  const cases: [string, Buffer, string, RegExp][] = [
    ['changed', changed, PASSPHRASE, /is damaged/],
    ['short', bytes.subarray(0, bytes.length - 1), PASSPHRASE, /cut short/],
    ['foreign', Buffer.from('SQLite format 3\0'.repeat(50)), PASSPHRASE, /not a backup of Fairway/],
    ['other', bytes, 'another passphrase', /passphrase is not the one/],
  ]
  for (const [name, content, passphrase, why] of cases) {
    const file = path.join(folder, `${name}.backup`)
    fs.writeFileSync(file, content)
    await refused({ ...config, home, backupPassphrase: passphrase }, why, file)
    assert.deepEqual(
      fs.readdirSync(folder).filter((one) => one.startsWith('never')),
      [],
      name,
    )
  }
})

test('in the home of a service it is restored by its account or by root, beside what stays, and never over what is there', async (t) => {
  const root = process.getuid?.() === 0
  const account = root ? 65_534 : os.userInfo().uid
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-service-'))
  t.after(() => {
    fs.chmodSync(place, 0o700)
    fs.rmSync(place, { recursive: true, force: true })
  })
  const home = path.join(place, 'home')
  for (const name of ['tmp', 'backups', 'lost+found', 'run']) fs.mkdirSync(path.join(home, name), { recursive: true })
  const settings = path.join(place, 'fairway.conf')
  fs.writeFileSync(settings, '# of this machine\n')
  fs.symlinkSync(settings, path.join(home, 'fairway.conf'))
  const file = path.join(home, 'backups', path.basename(backup))
  fs.copyFileSync(backup, file)
  const owned = () => [
    home,
    ...fs.readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => path.join(home, name)),
  ]
  if (root) for (const name of owned()) fs.lchownSync(name, account, account)
  // Who may write in the home may not beside it.
  fs.chmodSync(place, 0o555)
  const of: Config = { ...config, home, apiUrl: '' }
  const env = { TMPDIR: path.join(home, 'tmp') }
  const first = await fairwayAs({ of, env, uid: root ? account : undefined }, 'restore', file)
  assert.equal(first.status, 0, first.stderr)
  assert.ok(fs.existsSync(path.join(home, 'database', 'PG_VERSION')))
  fs.writeFileSync(path.join(home, 'secrets', 'mine'), 'x')
  if (root) fs.chownSync(path.join(home, 'secrets', 'mine'), account, account)
  const refused = await fairwayAs({ of, env }, 'restore', file)
  assert.match(refused.stderr, /is not empty .*--replace/)
  const again = await fairwayAs({ of, env }, 'restore', file, '--replace')
  assert.equal(again.status, 0, again.stderr)
  const [, replaced = ''] = /^What was there before is in (\S+);/m.exec(again.stdout) ?? []
  assert.equal(fs.readFileSync(path.join(replaced, 'secrets', 'mine'), 'utf8'), 'x')
  assert.ok(!fs.existsSync(path.join(home, 'secrets', 'mine')))
  assert.equal(fs.readlinkSync(path.join(home, 'fairway.conf')), settings)
  assert.equal(fs.readFileSync(settings, 'utf8'), '# of this machine\n')
  assert.deepEqual(
    owned().filter((name) => fs.lstatSync(name).uid !== account),
    [],
  )
  assert.deepEqual(
    fs.readdirSync(home).filter((name) => name.startsWith('restoring')),
    [],
  )
})

test('a restore that is killed leaves no home, and the next one succeeds', async () => {
  const home = path.join(folder, 'killed')
  const child = start({ ...config, home }, 'restore', backup)
  while (!fs.existsSync(path.join(home, 'restoring', 'database', 'postmaster.pid'))) {
    assert.equal(child.exitCode, null, 'it ended before it could be killed')
    await delay(10)
  }
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
  assert.deepEqual(fs.readdirSync(home).sort(), ['restoring', 'supervisor.lock'])
  const again = await fairway({ ...config, home }, 'restore', backup)
  assert.equal(again.status, 0, again.stderr)
  assert.ok(fs.existsSync(path.join(home, 'database', 'PG_VERSION')))
  assert.ok(!fs.existsSync(path.join(home, 'restoring')))
})

test('old backups go by number, what was left of a killed one goes too, and nothing else of the folder', async () => {
  const to = path.join(folder, 'kept')
  fs.mkdirSync(to)
  for (const name of ['.fairway-2026-01-01T00-00-00.000Z.backup.partial', 'notes.txt'])
    fs.writeFileSync(path.join(to, name), '')
  for (let i = 0; i < 3; i++) {
    const { status, stderr } = await fairway(config, 'backup', '--to', to, '--keep', '2', '--without-events')
    assert.equal(status, 0, stderr)
  }
  const found = fs.readdirSync(to).sort()
  assert.equal(found.filter((name) => name.endsWith('.backup')).length, 2)
  assert.deepEqual(
    found.filter((name) => !name.endsWith('.backup')),
    ['notes.txt'],
  )
})

test('in a bucket it is written, proven, restored and counted like in a folder, and a damaged one is refused', async () => {
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
    const wanted = await exported(config.apiUrl)
    const wrote = await fairway(away, 'backup', '--keep', '1')
    assert.equal(wrote.status, 0, wrote.stderr)
    const address = /^wrote (s3:\/\/backups\/one\/fairway-\S+\.backup): \d+ rows/m.exec(wrote.stdout)?.[1] ?? ''
    assert.deepEqual([newestBackups(away).newest?.file, newestBackups(away).proven], [address, null])
    const proven = await fairway(away, 'backup', 'verify', address)
    assert.equal(proven.status, 0, proven.stderr)
    assert.equal(newestBackups(away).proven?.file, address)
    const home = path.join(folder, 'from-bucket')
    const ran = await fairway({ ...away, home, apiUrl: '' }, 'restore', address)
    assert.equal(ran.status, 0, ran.stderr)
    const log = makeLog('test', config)
    {
      const restored: Config = { ...config, home, apiUrl: '' }
      await using _database = await startEmbeddedDatabase({ config: restored, log })
      await using server = await startApi({ config: restored, log, consoleFolder: null })
      assert.equal(await exported(server.url), wanted)
    }
    const none = { ...away, home: path.join(folder, 'from-nowhere') }
    await refused(none, /There is no s3:\/\/backups\/one\/other/, 's3://backups/one/other')
    const stored = openStorage('s3://backups/one', away)
    const bytes = fs.readFileSync(backup)
    await stored.put('cut.backup', [bytes.subarray(0, bytes.length - 1)])
    await refused(none, /cut short/, 's3://backups/one/cut.backup')
    const again = await fairway(away, 'backup', '--keep', '1', '--without-events')
    assert.equal(again.status, 0, again.stderr)
    assert.doesNotMatch(again.stdout, /^removed/m, 'the only one that was proven stays')
    assert.equal(newestBackups(away).proven?.file, address)
  } finally {
    await service.close()
  }
})

test('without a passphrase no backup is made', async () => {
  const { status, stderr } = await fairway({ ...config, backupPassphrase: '' }, 'backup', '--to', folder)
  assert.equal(status, 1)
  assert.match(stderr, /FAIRWAY_BACKUP_PASSPHRASE_FILE/)
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

async function exported(url: string): Promise<string> {
  const response = await fetch(new URL(`/mdns/v2/zones/${site}/zone-file/?format=bind`, url), {
    headers: { authorization: `Bearer ${secret(config, 'cli-token')}` },
  })
  assert.equal(response.status, 200)
  // A restored zone goes on beyond every serial that secondaries may have.
  return (await response.text()).replace(/( IN SOA \S+ \S+) \d+/, '$1 serial')
}

/** Keys, checks and triggers of the whole schema. */
async function shapeOf(of: Config): Promise<unknown> {
  await using database = openDatabase(of, makeLog('test', config), { connections: 1 })
  return database.system((tx) =>
    tx.query(
      `SELECT conrelid::regclass::text AS place, conname AS name, pg_get_constraintdef(oid) AS is FROM pg_constraint WHERE connamespace = 'public'::regnamespace
       UNION ALL SELECT tgrelid::regclass::text, tgname, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2, 3`,
    ),
  )
}

async function refused(of: Config, why: RegExp, file = backup): Promise<void> {
  const { status, stderr } = await fairway(of, 'restore', file)
  assert.equal(status, 1, stderr)
  assert.match(stderr, why)
}

function onlyOf(place: string): string {
  const [name, ...more] = fs.readdirSync(place)
  assert.ok(name && more.length === 0, `one file in ${place}`)
  return name
}

function start(of: Config, ...words: string[]): ChildProcess {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...words], {
    env: { ...systemEnvironment(), ...configEnvironment(of) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

const fairway = (of: Config, ...words: string[]) => outcomeOf(start(of, ...words))

const fairwayAs = (
  { of, env, uid }: { of: Config; env: Record<string, string>; uid?: number | undefined },
  ...words: string[]
) =>
  outcomeOf(
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...words], {
      env: { ...systemEnvironment(), ...configEnvironment(of), ...env },
      ...(uid === undefined ? {} : { uid, gid: uid }),
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )

async function outcomeOf(child: ChildProcess) {
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => (said[name] += text))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, ...said }
}
