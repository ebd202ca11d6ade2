import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { FEATURES } from '@fairway/contract'
import { type HostPort, freePort } from '@fairway/platform'
import { dig } from './dig.ts'
import { pace } from './pace.ts'
import { PRIMARY, startPrimary } from './primary-server.ts'
import { RESOLVERS, type RecursiveResolver, startResolver } from './recursive-resolvers.ts'
import { SECONDARIES, startSecondary } from './secondary-servers.ts'
import { until } from './until.ts'
import { type World, startWorld } from './world.ts'

const { auth, cdnManagement, dnsPrimary, dnsRecords, dnsSecondaries, dnssec, sites } = FEATURES
const ZONE = 'sealed.example'
/** What no answer may have: steered names go to CDNs. */
const ORIGINS = ['93.184.215.14', '93.184.215.15'] as const
const run = promisify(execFile)

let world: World
let encrypted: { tls: HostPort; https: HostPort }
let site = ''
let folder = ''
/** What the parent would say of the key. */
let ds = ''

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-sealed-'))
  encrypted = {
    tls: { host: '127.0.0.1', port: await freePort() },
    https: { host: '127.0.0.1', port: await freePort() },
  }
  world = await startWorld({
    settings: {
      FAIRWAY_PRIVATE_NETWORKS: '127.0.0.0/8',
      FAIRWAY_DNS_TLS_LISTEN: `127.0.0.1:${encrypted.tls.port}`,
      FAIRWAY_DNS_HTTPS_LISTEN: `127.0.0.1:${encrypted.https.port}`,
    },
  })
  await world.api(auth.routes.register, {
    email: 'owner@example.com',
    password: 'Owner-1234',
    firstName: 'Olive',
    lastName: 'Owner',
    organizationName: 'Example',
  })
  site = (await world.api(sites.routes.create, { domainName: ZONE })).data.id
  await world.api(dnsRecords.routes.create, { site, type: 'A', name: 'plain', value: '198.51.100.7' })
  const { domainId } = (
    await world.api(dnsRecords.routes.create, { site, type: 'A', name: 'www', value: ORIGINS[0], multiCdn: true })
  ).data
  assert.ok(domainId)
  await world.api(dnsRecords.routes.create, { site, type: 'ALIAS', name: 'flat', value: `www.${ZONE}` })
  const { domainId: apexId } = (
    await world.api(dnsRecords.routes.create, { site, type: 'A', name: '@', value: ORIGINS[1], multiCdn: true })
  ).data
  assert.ok(apexId)
  for (const domain of [domainId, apexId])
    await world.api(cdnManagement.routes.install, { site, domain, cdnId: 'swiftlane' })
  await until(
    'the names are steered',
    async () =>
      (await dig(world.dns, `www.${ZONE}`, 'A')).length === 2 &&
      !(await dig(world.dns, ZONE, 'A')).join().includes(ORIGINS[1]),
    20_000 * pace(),
  )
})
after(async () => {
  await world[Symbol.asyncDispose]()
  fs.rmSync(folder, { recursive: true, force: true })
})

test('a site is signed by one call, and a validator that knows its key believes every kind of answer', async () => {
  const { data } = await world.api(dnssec.routes.enable, { site })
  const [key] = data.keys
  assert.ok(key)
  ds = `${key.tag} ${key.algorithm} ${key.digestType} ${key.digest}`
  await until('the zone is signed', async () => (await dig(world.dns, ZONE, 'DNSKEY')).length === 1, 10_000 * pace())
  const anchor = path.join(folder, 'anchor')
  fs.writeFileSync(
    anchor,
    `trust-anchors {\n  ${ZONE}. static-ds ${key.tag} ${key.algorithm} ${key.digestType} "${key.digest}";\n};\n`,
  )
  const delv = async (name: string, type: string) =>
    await run('delv', [
      `@${world.dns.host}`,
      '-p',
      String(world.dns.port),
      '-a',
      anchor,
      `+root=${ZONE}`,
      name,
      type,
    ]).catch((error: { stdout: string; stderr: string }) => error)
  for (const [name, type] of [
    [`plain.${ZONE}`, 'A'],
    [`www.${ZONE}`, 'CNAME'],
    [ZONE, 'SOA'],
    [`none.${ZONE}`, 'A'],
    [`plain.${ZONE}`, 'TXT'],
  ] as const) {
    const { stdout, stderr } = await delv(name, type)
    assert.match(stdout + stderr, /fully validated/, `${name} ${type}`)
  }
})

for (const resolver of RESOLVERS)
  test(
    `${resolver.name} believes every kind of answer of a signed and steered zone`,
    { skip: !fs.existsSync(resolver.program) },
    () => believesAll(resolver, world.dns, 'ours'),
  )

/** Every kind of answer, and whether all of it is signed: the CDNs' own names are not. */
const KINDS: readonly [name: string, type: string, isSecure: boolean][] = [
  [`plain.${ZONE}`, 'A', true],
  [ZONE, 'SOA', true],
  [ZONE, 'NS', true],
  [ZONE, 'DNSKEY', true],
  [ZONE, 'A', true],
  [`flat.${ZONE}`, 'A', true],
  [`www.${ZONE}`, 'CNAME', true],
  [`www.${ZONE}`, 'A', false],
  [`_steer.${ZONE}`, 'DS', true],
  [`www._steer.${ZONE}`, 'CNAME', true],
  [`none.${ZONE}`, 'A', true],
  [`a.b.none.${ZONE}`, 'TXT', true],
  [`plain.${ZONE}`, 'TXT', true],
  [`plain.${ZONE}`, 'NSEC', true],
  // A resolver that has its CNAME may follow it for any other type.
  [`www.${ZONE}`, 'NSEC', false],
]

/** Asks a resolver that knows the zone's key, and asks for the zone there, for every kind of answer. */
async function believesAll(resolver: RecursiveResolver, zoneAt: HostPort, id: string): Promise<void> {
  if (!fs.existsSync(resolver.program)) return
  const at = { host: '127.0.0.1', port: await freePort() }
  await using _ = startResolver(resolver, {
    folder: path.join(folder, `${resolver.id}-${id}`),
    at,
    zones: { [ZONE]: zoneAt, [`_steer.${ZONE}`]: world.dns, 'fairway.test': world.dns },
    anchor: { zone: ZONE, ds },
  })
  const asked = async (name: string, type: string) =>
    (
      await run('dig', [`@${at.host}`, '-p', String(at.port), '+dnssec', '+time=3', '+tries=2', name, type]).catch(
        () => ({ stdout: '' }),
      )
    ).stdout
  await until(
    `${resolver.name} answers`,
    async () => (await asked(`plain.${ZONE}`, 'A')).includes('198.51.100.7'),
    20_000 * pace(),
  )
  // It can only be told to forward, and then takes a delegation at the end of an answer for a failure.
  const followsDelegations = resolver.id !== 'knot-resolver' || id === 'ours'
  for (const [name, type, isSecure] of KINDS) {
    // What steers for secondaries is there when there are some.
    if (id === 'ours' && name.includes('_steer')) continue
    if (!followsDelegations && name === `www.${ZONE}` && type !== 'CNAME') continue
    const answer = await asked(name, type)
    const what = `${name} ${type} by ${resolver.name} through ${id}:\n${answer}`
    assert.match(answer, /status: (?:NOERROR|NXDOMAIN)/, what)
    if (isSecure) assert.match(answer, /flags:[^;]* ad[ ;]/, what)
    for (const origin of ORIGINS) assert.ok(!answer.includes(origin), what)
  }
  if (followsDelegations)
    assert.match(await asked(`www.${ZONE}`, 'A'), /\sA\s127\.0\.0\./, 'who follows the names comes to a CDN')
}

test('dig over TLS and over HTTPS gets what it gets over UDP, steered names and proofs included', async () => {
  for (const [name, type] of [
    [`plain.${ZONE}`, 'A'],
    [`www.${ZONE}`, 'CNAME'],
    [ZONE, 'DNSKEY'],
  ] as const) {
    const overUdp = async () => (await dig(world.dns, name, type, '+dnssec')).map(unsigned)
    // What is measured meanwhile may change a steered answer, then all are asked once more.
    await until(
      `${name} ${type} stays the same for a while`,
      async () => {
        const before = await overUdp()
        assert.ok(before.length >= 2)
        const encryptedOnes = []
        for (const [at, ...options] of [
          [encrypted.tls, '+tls'],
          [encrypted.https, '+https'],
          [encrypted.https, '+https-get'],
        ] as const)
          encryptedOnes.push((await dig(at, name, type, '+dnssec', ...options)).map(unsigned))
        if (String(await overUdp()) !== String(before)) return false
        assert.deepEqual(encryptedOnes, [before, before, before])
        return true
      },
      60_000,
    )
  }
})

/** A signature made for this answer differs from the next one's. */
const unsigned = (line: string): string => line.replace(/(\S+ \d+ \d+ \d+) \d{14} \d{14} .*/, '$1')

for (const secondary of SECONDARIES) {
  test(
    `${secondary.name}, set up as the console says, takes the zone with its key and hears of a change`,
    { skip: !fs.existsSync(secondary.program) },
    async (t) => {
      const at = { host: '127.0.0.1', port: await freePort() }
      const { data, secret } = await world.api(dnsSecondaries.routes.create, {
        name: secondary.name,
        notify: `${at.host}:${at.port}`,
      })
      const { catalog } = await world.api(dnsSecondaries.routes.list, {})
      await using _ = await startSecondary(secondary, {
        folder: path.join(folder, secondary.id),
        at,
        primary: world.dns,
        keyName: data.keyName,
        secret,
        catalog,
        zones: [ZONE],
      })
      const there = (name: string, type: string, ...options: string[]) =>
        dig(at, name, type, '+time=1', ...options).catch(() => [])
      await until(
        `${secondary.name} has the zone`,
        async () => (await there(`plain.${ZONE}`, 'A')).length === 1,
        20_000 * pace(),
      )
      assert.deepEqual(
        await there(`www.${ZONE}`, 'CNAME'),
        [`www._steer.${ZONE}`],
        'what is steered goes to who steers',
      )
      for (const name of [ZONE, `flat.${ZONE}`])
        assert.deepEqual(await there(name, 'A'), await dig(world.dns, name, 'A'), 'the rest has the same addresses')
      for (const resolver of RESOLVERS) await believesAll(resolver, at, secondary.id)
      const name = `news-${secondary.id}`
      await world.api(dnsRecords.routes.create, { site, type: 'TXT', name, value: 'fresh' })
      const changedAt = performance.now()
      await until(
        `${secondary.name} has the change`,
        async () => (await there(`${name}.${ZONE}`, 'TXT')).join() === '"fresh"',
        10_000 * pace(),
      )
      t.diagnostic(`the change was there after ${Math.round(performance.now() - changedAt)} ms`)
      const { stdout } = await run('dig', [
        `@${at.host}`,
        '-p',
        String(at.port),
        '+dnssec',
        '+noall',
        '+authority',
        `none.${ZONE}`,
        'A',
      ])
      assert.match(stdout, /RRSIG\s+NSEC 13/, 'it denies with signatures of ours')
      const wrong = await dig(
        world.dns,
        ZONE,
        'AXFR',
        '-y',
        `hmac-sha256:${data.keyName}:${Buffer.alloc(32).toString('base64')}`,
      ).catch((error: Error) => [error.message])
      assert.ok(!wrong.join().includes('198.51.100.7'), 'with another secret nothing is given')
      await world.api(dnsSecondaries.routes.remove, { id: data.id })
    },
  )
}

test(
  'a zone that is kept at another primary is fetched, and what changes there is answered here',
  { skip: !fs.existsSync(PRIMARY) },
  async (t) => {
    const at = { host: '127.0.0.1', port: await freePort() }
    const key = { name: 'hidden', secret: Buffer.alloc(32, 7).toString('base64') }
    const text = (serial: number, lines: string) =>
      `$TTL 60\n@ IN SOA ns.far.test. admin.far.test. ${serial} 3600 600 604800 60\n@ IN NS ns1.fairway.test.\n${lines}\n`
    await using primary = startPrimary({
      at,
      folder: path.join(folder, 'primary'),
      zone: 'fetched.example',
      text: text(1, 'www IN A 192.0.2.1'),
      key,
      notify: world.dns,
    })
    const fetched = (await world.api(sites.routes.create, { domainName: 'fetched.example' })).data.id
    await world.api(dnsPrimary.routes.set, {
      site: fetched,
      servers: [`${at.host}:${at.port}`],
      key: { ...key, algorithm: 'hmac-sha256' },
    })
    const here = (type: string) => dig(world.dns, 'www.fetched.example', type)
    await until('the zone is answered', async () => (await here('A')).join() === '192.0.2.1', 20_000 * pace())
    assert.match((await dig(world.dns, 'fetched.example', 'SOA')).join(), /^ns\.far\.test\. admin\.far\.test\. 1 /)
    primary.replace(text(2, 'www IN A 192.0.2.2'))
    const changedAt = performance.now()
    await until('the change is answered', async () => (await here('A')).join() === '192.0.2.2', 20_000 * pace())
    t.diagnostic(`the change was here after ${Math.round(performance.now() - changedAt)} ms`)
    assert.ok((await world.api(dnsPrimary.routes.get, { site: fetched })).data?.noticedAt, 'its notice was heard')
  },
)
