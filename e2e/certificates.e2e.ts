import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { after, before, test } from 'node:test'
import { FEATURES } from '@fairway/contract'
import { freePorts } from '@fairway/platform'
import { dig } from './dig.ts'
import { pace } from './pace.ts'
import { type Pebble, pebbleMissing, startOutsideDns, startPebble } from './pebble.ts'
import { until } from './until.ts'
import { type World, startWorld } from './world.ts'

const { auth, cdnManagement, certificates, dnsRecords, sites, versions } = FEATURES
const skip = pebbleMissing
const stack = new AsyncDisposableStack()
let world: World
let authority: Pebble
let external: Pebble
let site = ''
let issuer = ''

before(async () => {
  if (skip) return
  // The authorities ask our own name server and our edge, whose addresses have to be known before they are there.
  const [dnsPort = 0, httpPort = 0] = await freePorts(2, ['127.0.0.1', '127.0.0.11', '127.0.0.12', '127.0.0.13'])
  const dns = { host: '127.0.0.1', port: dnsPort }
  const outside = stack.use(await startOutsideDns('127.0.0.1'))
  authority = stack.use(await startPebble({ dns, httpPort }))
  external = stack.use(await startPebble({ dns: outside, httpPort, external: true }))
  const roots = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'roots-')), 'roots.pem')
  fs.writeFileSync(roots, fs.readFileSync(authority.rootsFile, 'utf8') + fs.readFileSync(external.rootsFile, 'utf8'))
  stack.defer(() => fs.rmSync(path.dirname(roots), { recursive: true, force: true }))
  world = stack.use(
    await startWorld({
      settings: {
        FAIRWAY_DNS_LISTEN: `${dns.host}:${dns.port}`,
        FAIRWAY_EDGE_HTTP: `127.0.0.1:${httpPort}`,
        FAIRWAY_ACME_LETS_ENCRYPT_URL: authority.directory,
        FAIRWAY_ACME_ZERO_SSL_URL: external.directory,
        FAIRWAY_ACME_ZERO_SSL_KEY_ID: external.keyId,
        FAIRWAY_ACME_ZERO_SSL_HMAC_KEY: external.hmacKey,
        FAIRWAY_ACME_ROOTS_FILE: roots,
        FAIRWAY_ACME_CONTACT: 'owner@example.com',
      },
    }),
  )
  await world.api(auth.routes.register, {
    email: 'owner@example.com',
    password: 'Owner-1234',
    firstName: 'Olive',
    lastName: 'Owner',
    organizationName: 'Example',
  })
  site = (await world.api(sites.routes.create, { domainName: 'harbour.example' })).data.id
  const domain = (
    await world.api(dnsRecords.routes.create, { site, type: 'A', name: 'www', value: '93.184.215.14', multiCdn: true })
  ).data.domainId
  assert.ok(domain)
  await world.api(cdnManagement.routes.install, { site, domain, cdnId: 'edge' })
  issuer = await authority.issuerRoot()
})
after(() => stack.disposeAsync())

test(
  'a certificate is ordered, proven by our own name server, and served by SNI on every address of the edge',
  { skip },
  async (t) => {
    const began = performance.now()
    const { data: ordered } = await world.api(certificates.routes.issue, {
      site,
      names: ['harbour.example', '*.harbour.example'],
      authority: 'lets-encrypt',
    })
    assert.equal(ordered.status, 'issuing')
    const served = await until(
      'the certificate is served',
      async () => {
        const seen = await handshake('www.harbour.example')
        return seen.valid && seen
      },
      30_000 * pace(),
      50,
    )
    t.diagnostic(`from the order to the handshake: ${Math.round(performance.now() - began)} ms`)
    assert.deepEqual(served.names, ['*.harbour.example', 'harbour.example'])
    for (const address of ['edge', ...world.config.simulatedAddresses] as const)
      assert.ok((await handshake('harbour.example', address === 'edge' ? undefined : address)).valid, address)
    const installed = await until(
      'installed',
      async () => {
        const one = await world.api(certificates.routes.get, { id: ordered.id })
        return one.state === 'installed' && one.step === null && one
      },
      10_000 * pace(),
      200,
    )
    assert.deepEqual(
      [installed.status, installed.nodes.map(({ role, state }) => `${role} ${state}`)],
      ['active', ['edge live']],
    )
    assert.ok(installed.nextAt && new Date(installed.nextAt) < new Date(installed.details?.notAfter ?? 0))
    // The proof is taken back when it has done its work.
    assert.deepEqual(await dig(world.dns, '_acme-challenge.harbour.example', 'TXT'), [])
  },
)

test('a name without a certificate gets the edge’s own, never another customer’s', { skip }, async () => {
  const other = await handshake('www.elsewhere.example')
  assert.deepEqual([other.valid, other.names.some((name) => name.includes('harbour'))], [false, false])
  assert.equal((await handshake('a.b.harbour.example')).valid, false)
})

test('an authority with external accounts signs too; the same names twice are refused', { skip }, async () => {
  const { data } = await world.api(certificates.routes.issue, {
    site,
    names: ['api.harbour.example'],
    authority: 'zero-ssl',
  })
  await until(
    'active',
    async () => (await world.api(certificates.routes.get, { id: data.id })).status === 'active',
    30_000 * pace(),
    200,
  )
  await assert.rejects(
    world.api(certificates.routes.issue, { site, names: ['api.harbour.example'], authority: 'zero-ssl' }),
    /28003/,
  )
})

test(
  'a name whose zone is elsewhere but whose visitors come to our edge is proven there, and nothing of it stays',
  { skip },
  async (t) => {
    const began = performance.now()
    const { data: ordered } = await world.api(certificates.routes.issue, {
      site,
      names: ['blog.harbour.example', 'shop.harbour.example'],
      authority: 'zero-ssl',
    })
    assert.equal(ordered.challenge, 'http-01')
    await until(
      'it is in use at every edge node',
      async () => (await world.api(certificates.routes.get, { id: ordered.id })).state === 'installed',
      30_000 * pace(),
      50,
    )
    t.diagnostic(`from the order to the last node: ${Math.round(performance.now() - began)} ms`)
    assert.deepEqual((await handshake('shop.harbour.example')).names, ['blog.harbour.example', 'shop.harbour.example'])
    // The proof was a version of the edge alone, and its going is one too.
    const history = await until(
      'both are confirmed',
      async () => {
        const { data } = await world.api(versions.routes.list, { site, page_size: 2 })
        return data.every(({ state }) => state === 'live') && data
      },
      10_000 * pace(),
      50,
    )
    assert.deepEqual(
      history.map(({ title, nodes }) => [title, ...nodes.map(({ role }) => role)]),
      [
        ['Certificate for blog.harbour.example', 'edge'],
        ['Proof of control for the certificate of blog.harbour.example', 'edge'],
      ],
    )
    await assert.rejects(
      world.api(certificates.routes.issue, {
        site,
        names: ['*.harbour.example'],
        authority: 'zero-ssl',
        challenge: 'http-01',
      }),
      /challenge/,
    )
  },
)

test('what the authority refuses is told in its own words, and is tried again later', { skip }, async () => {
  // Pebble refuses names of its block list.
  const blocked = (await world.api(sites.routes.create, { domainName: 'blocked-domain.example' })).data.id
  const { data } = await world.api(certificates.routes.issue, {
    site: blocked,
    names: ['blocked-domain.example'],
    authority: 'lets-encrypt',
  })
  const refused = await until(
    'refused',
    async () => {
      const one = await world.api(certificates.routes.get, { id: data.id })
      return one.problem !== null && one
    },
    20_000 * pace(),
    200,
  )
  assert.match(refused.problem ?? '', /blocked-domain/)
  assert.ok(refused.nextAt)
})

for (const [challenge, authorityId] of [
  ['dns-01', 'lets-encrypt'],
  ['http-01', 'zero-ssl'],
] as const)
  test(`the worker killed at every step of an order by ${challenge}: it goes on and ends`, { skip }, async () => {
    const names = Array.from({ length: 40 }, (_, i) => `n${i}.${challenge}.harbour.example`)
    const { data } = await world.api(certificates.routes.issue, { site, names, authority: authorityId, challenge })
    const killedAt = new Set<string>()
    await until(
      'active in spite of everything',
      async () => {
        const { step, status } = await world.api(certificates.routes.get, { id: data.id })
        if (status === 'active') return true
        if (step === null || killedAt.has(step)) return false
        // Refused while the worker killed last is not back: the step is looked at again.
        const worker = (await world.control('worker', 'GET', '/healthz').catch(() => null)) as { pid: number } | null
        if (worker === null) return false
        killedAt.add(step)
        process.kill(worker.pid, 'SIGKILL')
        return false
      },
      90_000 * pace(),
      40,
    )
    assert.ok(killedAt.size > 0)
    await until(
      'served',
      async () => (await handshake(`n39.${challenge}.harbour.example`)).names.length === 40,
      10_000 * pace(),
    )
  })

test('an uploaded certificate goes before an ordered one, and leaves when it is removed', { skip }, async () => {
  const { certificate, privateKey } = uploaded('www.harbour.example')
  const { details } = await world.api(certificates.routes.checkUpload, { site, certificate, privateKey })
  assert.deepEqual([details.commonName, details.publicKey], ['www.harbour.example', 'RSA 2048'])
  const { data } = await world.api(certificates.routes.upload, { site, certificate, privateKey })
  await until(
    'the uploaded one is served',
    async () => (await handshake('www.harbour.example')).fingerprint === details.fingerprint,
    10_000 * pace(),
  )
  await world.api(certificates.routes.remove, { id: data.id })
  await until(
    'the ordered one is served again',
    async () => (await handshake('www.harbour.example')).valid,
    10_000 * pace(),
  )
})

type Seen = { valid: boolean; names: string[]; fingerprint: string }

/** The certificate that a client sees; `valid` when the authority's root vouches for the name. */
function handshake(name: string, host = world.config.edgeHttps.host): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect(
      { host, port: world.config.edgeHttps.port, servername: name, ca: issuer, rejectUnauthorized: false },
      () => {
        const seen = socket.getPeerX509Certificate()
        const names = (seen?.subjectAltName ?? '')
          .split(', ')
          .map((entry) => entry.replace(/^DNS:/, ''))
          .sort()
        resolve({ valid: socket.authorized, names, fingerprint: seen?.fingerprint256 ?? '' })
        socket.destroy()
      },
    )
    socket.once('error', reject)
  })
}

function uploaded(name: string): { certificate: string; privateKey: string } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'upload-'))
  try {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-keyout',
        'key.pem',
        '-out',
        'cert.pem',
        '-days',
        '40',
        '-subj',
        `/CN=${name}`,
        '-addext',
        `subjectAltName=DNS:${name}`,
        '-addext',
        'basicConstraints=CA:FALSE',
      ],
      { cwd: folder, stdio: 'pipe' },
    )
    return {
      certificate: fs.readFileSync(path.join(folder, 'cert.pem'), 'utf8'),
      privateKey: fs.readFileSync(path.join(folder, 'key.pem'), 'utf8'),
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
