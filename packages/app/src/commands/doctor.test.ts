import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import {
  identityOf,
  loadConfig,
  makeLog,
  proofOf,
  runDir,
  selfSignedCertificate,
  startControl,
  startStreamingPair,
} from '@fairway/platform'
import { findingsOf } from './doctor.ts'

function newHome(t: { after(fn: () => void): void }): string {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-doctor-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  return home
}

const looksRunning = (home: string) =>
  fs.writeFileSync(path.join(home, 'supervisor.lock'), `${process.pid} ${identityOf(process.pid).birth}\n`)

const line = async (home: string, what: string) => {
  const found = await findingsOf(loadConfig({ FAIRWAY_HOME: home }))
  return found.find((one) => one.what === what)
}

test('a home that is not there, or in which nothing runs, is told with the command that starts it', async (t) => {
  const home = newHome(t)
  assert.match((await line(path.join(home, 'none'), 'home'))?.said ?? '', /does not exist.*\.\/fairway up/)
  assert.deepEqual((await line(home, 'processes'))?.level, 'failing')
})

test('no backup is a warning, so is one that was never proven, one of today is fine, an old one a warning again', async (t) => {
  const home = newHome(t)
  assert.match((await line(home, 'backup'))?.said ?? '', /\.\/fairway backup/)
  const file = path.join(home, 'backups', 'fairway-2026-01-01T00-00-00.000Z.backup')
  fs.mkdirSync(path.dirname(file))
  fs.writeFileSync(file, '')
  assert.match((await line(home, 'backup'))?.said ?? '', /of today; none was ever proven: .*verify .*\.backup$/)
  fs.writeFileSync(proofOf(file), '{}')
  assert.deepEqual(await line(home, 'backup'), { level: 'ok', what: 'backup', said: 'The newest is of today; proven' })
  const old = (Date.now() - 9 * 86_400_000) / 1000
  fs.utimesSync(file, old, old)
  assert.deepEqual((await line(home, 'backup'))?.level, 'warning')
})

test('a disk is fine, low, stops what can wait, and refuses changes, each told with what to do', async (t) => {
  const home = newHome(t)
  const { statfsSync } = fs
  const cases: [freeMb: number, level: string, said: RegExp][] = [
    [50_000, 'ok', /48\.8 GB of 98 are left/],
    [1_500, 'warning', /Free some, or set FAIRWAY_HOME/],
    [800, 'failing', /uploads, samples and logs of requests have stopped/],
    [200, 'failing', /changes are refused/],
  ]
  for (const [bavail, level, said] of cases) {
    t.mock.method(fs, 'statfsSync', (of: string) => ({ ...statfsSync(of), bsize: 2 ** 20, bavail, blocks: 100_000 }))
    const found = await line(home, 'disk')
    t.mock.restoreAll()
    assert.equal(found?.level, level)
    assert.match(found?.said ?? '', said)
  }
})

test('each role speaks for itself, and a supervisor that is silent is told', async (t) => {
  const home = newHome(t)
  const config = loadConfig({ FAIRWAY_HOME: home })
  looksRunning(home)
  assert.match((await line(home, 'supervisor'))?.said ?? '', /serves on/)
  const log = makeLog('test', { logLevel: 'fatal' })
  const ready = async () => ({ ready: true, reasons: [] })
  await using _supervisor = await startControl({
    config,
    role: 'supervisor',
    ready,
    log,
    routes: {
      'GET /roles': () => ({
        roles: { api: { state: 'running' }, dns: { state: 'running' }, edge: { state: 'failed' } },
      }),
    },
  })
  await using _api = await startControl({ config, role: 'api', ready, log })
  await using _dns = await startControl({
    config,
    role: 'dns',
    ready: async () => ({ ready: false, reasons: ['no zones yet'] }),
    log,
  })
  assert.deepEqual(await line(home, 'api'), { level: 'ok', what: 'api', said: 'ready' })
  assert.deepEqual(await line(home, 'dns'), { level: 'failing', what: 'dns', said: 'no zones yet' })
  assert.deepEqual(await line(home, 'edge'), { level: 'failing', what: 'edge', said: 'failed' })
})

test('an edge that has little room for what customers set is told with the setting that gives it more', async (t) => {
  const home = newHome(t)
  const config = loadConfig({ FAIRWAY_HOME: home })
  looksRunning(home)
  const log = makeLog('test', { logLevel: 'fatal' })
  const ready = async () => ({ ready: true, reasons: [] })
  let free = 100
  const metrics = async () =>
    [`free_bytes{role="edge"} ${free * 2 ** 20}`, `size_bytes{role="edge"} ${128 * 2 ** 20}`]
      .map((one) => `fairway_edge_policies_${one}\n`)
      .join('')
  await using _edge = await startControl({ config, role: 'edge', ready, log, metrics })
  assert.deepEqual(await line(home, 'edge room'), {
    level: 'ok',
    what: 'edge room',
    said: '100 of 128 MB for what customers set are left',
  })
  free = 20
  const found = await line(home, 'edge room')
  assert.equal(found?.level, 'warning')
  assert.match(found?.said ?? '', /FAIRWAY_EDGE_POLICIES_MB/)
})

test('videos that edges of other machines would fetch from themselves are told, and not where there is one edge', async (t) => {
  const home = newHome(t)
  const config = loadConfig({ FAIRWAY_HOME: home })
  looksRunning(home)
  const log = makeLog('test', { logLevel: 'fatal' })
  const ready = async () => ({ ready: true, reasons: [] })
  let there = 1
  const metrics = async () =>
    [
      `fairway_worker_nodes{role="edge",state="there"} ${there}\n`,
      `fairway_worker_nodes{role="edge",state="away"} 0\nfairway_worker_nodes{role="dns",state="there"} 3\n`,
    ].join('')
  await using _worker = await startControl({ config, role: 'worker', ready, log, metrics })
  assert.equal(await line(home, 'videos'), undefined)
  there = 3
  assert.equal(await line(home, 'videos'), undefined, 'nobody has a video')
  fs.mkdirSync(path.join(home, 'media', 'assets', 'one'), { recursive: true })
  assert.match((await line(home, 'videos'))?.said ?? '', /^3 edges .* 127\.0\.0\.1:8060.*FAIRWAY_MEDIA_ADDRESS/)
})

test('the certificate of the console is fine, ends soon, is over, or is none, each told with what to do', async (t) => {
  const home = newHome(t)
  const [cert, key] = [path.join(home, 'cert.pem'), path.join(home, 'key.pem')]
  const settings = { FAIRWAY_TLS_LISTEN: '127.0.0.1:8443', FAIRWAY_TLS_CERT: cert, FAIRWAY_TLS_KEY: key }
  const found = async () => {
    const findings = await findingsOf(loadConfig({ FAIRWAY_HOME: home, ...settings }))
    return findings.find(({ what }) => what === 'certificate')
  }
  assert.match((await found())?.said ?? '', /cert\.pem cannot be read/)
  const { certificatePem, keyPem } = selfSignedCertificate(['console.example'], new Date())
  fs.writeFileSync(cert, certificatePem)
  fs.writeFileSync(key, keyPem)
  const end = Date.parse(new crypto.X509Certificate(certificatePem).validTo)
  const cases: [daysLeft: number, level: string, said: RegExp][] = [
    [60, 'ok', /is good until \d{4}-/],
    [5, 'warning', /expires on .*Renew it/],
    [-1, 'failing', /expired on .*Put a new one/],
  ]
  for (const [days, level, said] of cases) {
    t.mock.timers.enable({ apis: ['Date'], now: end - days * 86_400_000 })
    const finding = await found()
    t.mock.timers.reset()
    assert.equal(finding?.level, level)
    assert.match(finding?.said ?? '', said)
  }
  fs.writeFileSync(key, selfSignedCertificate(['console.example'], new Date()).keyPem)
  assert.match((await found())?.said ?? '', /no certificate with its key.*still shown/)
  assert.equal(await line(home, 'certificate'), undefined)
})

test('of several collectors each is asked, and one that is silent or knows another token is told', async (t) => {
  const home = newHome(t)
  looksRunning(home)
  const statuses: number[] = []
  const urls = await Promise.all(
    [0, 1].map(async (at) => {
      const server = http.createServer((_, response) => void response.writeHead(statuses[at] ?? 500).end('[]'))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      t.after(() => server.close())
      return `127.0.0.1:${(server.address() as AddressInfo).port}`
    }),
  )
  const found = async (...answers: number[]) => {
    statuses.splice(0, 2, ...answers)
    const all = await findingsOf(loadConfig({ FAIRWAY_HOME: home, FAIRWAY_COLLECTORS: urls.join() }))
    return all.find(({ what }) => what === 'collectors')
  }
  assert.deepEqual(await found(200, 200), { level: 'ok', what: 'collectors', said: 'all 2 answer' })
  const other = await found(200, 401)
  assert.equal(other?.level, 'warning')
  assert.match(other?.said ?? '', new RegExp(`^http://${urls[1]} has another node token`))
  assert.equal((await found(503, 401))?.level, 'failing')
  assert.equal(await line(home, 'collectors'), undefined)
})

test('a machine without the collector asks the one of another machine, too, and tells of tokens that go in clear', async (t) => {
  const home = newHome(t)
  looksRunning(home)
  const found = async (listen: string, what: string) =>
    (await findingsOf(loadConfig({ FAIRWAY_HOME: home, FAIRWAY_COLLECTOR_LISTEN: listen }))).find(
      (finding) => finding.what === what,
    )
  const server = http.createServer((_, response) => void response.end('[]'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`
  assert.equal(await found(at, 'collectors'), undefined)
  const sockets = runDir(loadConfig({ FAIRWAY_HOME: home }))
  fs.mkdirSync(sockets, { recursive: true })
  fs.writeFileSync(path.join(sockets, 'edge.sock'), '')
  assert.equal((await found(at, 'collectors'))?.said, 'It answers')
  assert.equal((await found('127.0.0.1:9', 'collectors'))?.level, 'failing')
  assert.equal(await found(at, 'encryption'), undefined)
  assert.match((await found('8.8.8.8:8090', 'encryption'))?.said ?? '', /in clear to http:\/\/8\.8\.8\.8:8090/)
})

test('servers of an outside ClickHouse are asked, and what is wrong there is said; the embedded engine has none', async (t) => {
  const home = newHome(t)
  const server = http.createServer((_, response) =>
    response.writeHead(403).end('Code: 516. DB::Exception: fairway: Authentication failed. (AUTHENTICATION_FAILED)'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const asked = async (url: string, more: Record<string, string> = {}) => {
    const config = loadConfig({ FAIRWAY_HOME: home, FAIRWAY_CLICKHOUSE_URL: url, ...more })
    return (await findingsOf(config)).find(({ what }) => what === 'clickhouse')
  }
  assert.equal(await asked(''), undefined)
  const wrong = await asked(`http://fairway:guessed@127.0.0.1:${(server.address() as AddressInfo).port}`)
  assert.equal(wrong?.level, 'failing')
  assert.match(wrong?.said ?? '', /user fairway or its password is wrong/)
  assert.doesNotMatch(wrong?.said ?? '', /guessed/)
  assert.match((await asked('http://127.0.0.1:9'))?.said ?? '', /does not answer/)
  const file = { FAIRWAY_CLICKHOUSE_PASSWORD_FILE: path.join(home, 'none') }
  assert.match((await asked('http://127.0.0.1:9', file))?.said ?? '', /FAIRWAY_CLICKHOUSE_PASSWORD_FILE/)
})

test('a replica of the database that follows is fine, one that does not answer is told with why', async (t) => {
  const home = newHome(t)
  await using pair = await startStreamingPair(path.join(home, 'pair'))
  const config = loadConfig({
    FAIRWAY_HOME: home,
    FAIRWAY_DATABASE_URL: pair.primary.urlAs('owner'),
    FAIRWAY_DATABASE_REPLICA_URLS: pair.replica.urlAs('reader'),
  })
  const found = async () => (await findingsOf(config)).find(({ what }) => what === 'replicas')
  assert.deepEqual(await found(), { level: 'ok', what: 'replicas', said: 'It follows' })
  await pair.replica.end()
  const missed = await found()
  assert.equal(missed?.level, 'warning')
  assert.match(missed.said, /^127\.0\.0\.1:\d+ does not answer: .*REFUSED.*in its place\.$/)
})
