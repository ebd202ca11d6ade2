import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { FEATURES } from '@fairway/contract'
import { type Config, freePorts, makeLog, openDatabase } from '@fairway/platform'
import { type Installation, startInstallation } from '@fairway/app'
import { pace } from './pace.ts'
import { pebbleMissing, startOutsideDns, startPebble, type Pebble } from './pebble.ts'
import { until } from './until.ts'

const { auth, dnsRecords, sites } = FEATURES
const HOST = 'console.harbour.example'
const skip = pebbleMissing
const stack = new AsyncDisposableStack()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'console-certificate-'))
const roots = path.join(folder, 'roots.pem')
let world: Installation
let authority: Pebble

/** A console that orders its certificate from `authority`, whose ports the authority has to know before. */
const settingsOf = ({ directory, rootsFile }: Pebble, at: { tlsPort: number; httpPort: number }) => ({
  FAIRWAY_LISTEN: `127.0.0.1:${at.httpPort}`,
  FAIRWAY_TLS_LISTEN: `127.0.0.1:${at.tlsPort}`,
  FAIRWAY_TLS_ACME: 'lets-encrypt',
  FAIRWAY_PUBLIC_URL: `https://${HOST}:${at.tlsPort}`,
  FAIRWAY_ACME_LETS_ENCRYPT_URL: directory,
  FAIRWAY_ACME_ROOTS_FILE: rootsFile,
})

before(async () => {
  if (skip) return
  const [tlsPort = 0, httpPort = 0] = await freePorts(2, ['127.0.0.1'])
  const dns = stack.use(await startOutsideDns('127.0.0.1'))
  authority = await startPebble({ dns, tlsPort, httpPort })
  world = stack.use(
    await startInstallation({
      fromTemplate: true,
      command: 'up',
      words: ['--roles', 'database,api'],
      settings: settingsOf(authority, { tlsPort, httpPort }),
    }),
  )
  fs.writeFileSync(roots, await authority.issuerRoot())
})
after(async () => {
  await stack.disposeAsync()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** The serial number of what a client that trusts the authority is shown; null when there is no handshake. */
function shown({ tlsListen }: Config, options: tls.ConnectionOptions = {}): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = tls.connect(
      { host: '127.0.0.1', port: tlsListen?.port ?? 0, servername: HOST, ca: fs.readFileSync(roots), ...options },
      () => {
        resolve(socket.getPeerX509Certificate()?.serialNumber ?? null)
        socket.destroy()
      },
    )
    socket.once('error', () => resolve(null))
  })
}

async function own(config: Config, statement: string): Promise<Record<string, unknown> | undefined> {
  await using database = openDatabase(config, makeLog('test', { logLevel: 'silent' }), { connections: 1 })
  return (await database.system((tx) => tx.query<Record<string, unknown>>(statement)))[0]
}
const becomesDue = (config: Config, more = '') =>
  own(config, `UPDATE console_certificate SET next_attempt_at = now()${more}`)
const reasons = async (one: Installation) =>
  ((await one.control('api', 'GET', '/readyz')) as { reasons: string[] }).reasons.join()
const renewed = (before: string | null) =>
  until(
    'another certificate is shown',
    async () => {
      const now = await shown(world.config)
      return now !== null && now !== before && now
    },
    30_000 * pace(),
    100,
  )

test('the console is given its certificate at its own TLS port, and tells browsers to come so', { skip }, async () => {
  await renewed(null)
  const { stdout } = await promisify(execFile)('curl', [
    '-si',
    '--cacert',
    roots,
    '--resolve',
    `${HOST}:${world.config.tlsListen?.port}:127.0.0.1`,
    `${world.config.publicUrl}/healthz`,
  ])
  assert.match(stdout, /^HTTP\/1.1 200/)
  assert.match(stdout, /strict-transport-security: max-age=31536000/)
  assert.equal((await own(world.config, 'SELECT challenge FROM console_certificate'))?.['challenge'], 'tls-alpn-01')
  assert.doesNotMatch(await reasons(world), /TLS/)
  const { stdout: found } = await world.fairway('doctor')
  assert.match(found, /^ok +certificate +The console's is good until \d{4}-.* renewed by itself$/m)
  // The proof is no certificate that anybody else is ever shown.
  const proof = { ALPNProtocols: ['acme-tls/1'], rejectUnauthorized: false }
  assert.equal(await shown(world.config, proof), null)
})

test('a renewal is shown without a restart, by HTTP at the plain port where that is the way', { skip }, async () => {
  const first = await shown(world.config)
  const pid = world.roles()['api']?.pid
  await becomesDue(world.config, `, challenge = 'http-01'`)
  await renewed(first)
  assert.equal((await own(world.config, 'SELECT challenge FROM console_certificate'))?.['challenge'], 'http-01')
  assert.equal(world.roles()['api']?.pid, pid)
  // Nothing of the proof stays, and no key is in the clear.
  const row = await own(world.config, 'SELECT challenges, order_key, sealed_key FROM console_certificate')
  assert.deepEqual([row?.['challenges'], row?.['order_key']], [[], null])
  assert.doesNotMatch(String(row?.['sealed_key']), /PRIVATE KEY/)
})

test('an authority that is away leaves the certificate that is shown, and is told of', { skip }, async () => {
  const now = await shown(world.config)
  await authority[Symbol.asyncDispose]()
  await becomesDue(world.config)
  await until('it is told', async () => /TLS: .* is not renewed/.test(await reasons(world)), 20_000 * pace(), 100)
  assert.equal(await shown(world.config), now)
  const ready = (await (await fetch(`${world.url}/readyz`)).json()) as { ready: boolean; degraded: string[] }
  assert.deepEqual([ready.ready, ready.degraded.includes('tls')], [true, true])
  const { stdout } = await world.fairway('doctor')
  assert.match(stdout, /^warning +certificate +.* is not renewed/m)
})

test(
  'a first order that fails is told in the authority’s words, and a zone that comes here proves the name by DNS',
  { skip },
  async () => {
    const [tlsPort = 0, httpPort = 0, dnsPort = 0] = await freePorts(3, ['127.0.0.1'])
    // It asks our own name server, which knows nothing of the name yet.
    await using strict = await startPebble({ dns: { host: '127.0.0.1', port: dnsPort }, tlsPort, httpPort })
    await using one = await startInstallation({
      fromTemplate: true,
      command: 'up',
      words: ['--roles', 'database,api,worker,dns'],
      settings: { ...settingsOf(strict, { tlsPort, httpPort }), FAIRWAY_DNS_LISTEN: `127.0.0.1:${dnsPort}` },
    })
    fs.writeFileSync(roots, await strict.issuerRoot())
    assert.match(one.output(), new RegExp(`certificate of ${HOST}.*nobody can connect by TLS.*http://127.0.0.1:`))
    await one.api(auth.routes.register, {
      email: 'owner@example.com',
      password: 'Owner-1234',
      firstName: 'Olive',
      lastName: 'Owner',
      organizationName: 'Example',
    })
    await until('both ways failed', async () => (await attempts(one.config)) >= 2, 60_000 * pace(), 200)
    assert.match(await reasons(one), /TLS: Let’s Encrypt has not signed .* yet, .*console\.harbour\.example/)
    assert.equal(await shown(one.config, { rejectUnauthorized: false }), null)
    // Whoever became an operator meanwhile is told when it has failed in both ways once more.
    await becomesDue(one.config)
    const told = await until(
      'the operator is told',
      () => own(one.config, `SELECT fields FROM notification WHERE event = 'console-certificate-failed'`),
      60_000 * pace(),
      500,
    )
    assert.match(JSON.stringify(told), /"host":"console\.harbour\.example"/)
    const { data: site } = await one.api(sites.routes.create, { domainName: 'harbour.example' })
    // Before the name leads anywhere: an order that is tried again meanwhile could prove it by TLS.
    await own(one.config, `UPDATE site SET dns_state = 'verified'`)
    await one.api(dnsRecords.routes.create, { site: site.id, type: 'A', name: 'console', value: '127.0.0.1' })
    await becomesDue(one.config)
    await until('it is shown', async () => (await shown(one.config)) !== null, 40_000 * pace(), 200)
    const row = await own(one.config, 'SELECT challenge, challenges, site_id FROM console_certificate')
    assert.deepEqual([row?.['challenge'], row?.['challenges']], ['dns-01', []])
    const over = await own(
      one.config,
      `SELECT FROM notification WHERE ended_at IS NULL AND incident LIKE 'console-cert%'`,
    )
    assert.equal(over, undefined)
  },
)

const attempts = async (config: Config) =>
  Number((await own(config, 'SELECT attempts FROM console_certificate'))?.['attempts'])
