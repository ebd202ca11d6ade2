import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { FEATURES } from '@fairway/contract'
import { dig } from './dig.ts'
import { pace } from './pace.ts'
import { until } from './until.ts'
import { type World, startWorld } from './world.ts'

const { auth, cdnManagement, dnsRecords, dnsSecondaries, dnssec, sites } = FEATURES
const ZONE = 'sealed.example'
const NSD = '/usr/sbin/nsd'
const run = promisify(execFile)

let world: World
let site = ''
let folder = ''

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-sealed-'))
  world = await startWorld()
  await world.api(auth.routes.register, { email: 'owner@example.com', password: 'Owner-1234', firstName: 'Olive', lastName: 'Owner', organizationName: 'Example' })
  site = (await world.api(sites.routes.create, { domainName: ZONE })).data.id
  await world.api(dnsRecords.routes.create, { site, type: 'A', name: 'plain', value: '198.51.100.7' })
  const { domainId } = (await world.api(dnsRecords.routes.create, { site, type: 'A', name: 'www', value: '93.184.215.14', multiCdn: true })).data
  assert.ok(domainId)
  await world.api(cdnManagement.routes.install, { site, domain: domainId, cdnId: 'swiftlane' })
  await until('the name is steered', async () => (await dig(world.dns, `www.${ZONE}`, 'A')).length === 2, 10_000 * pace())
})
after(async () => {
  await world[Symbol.asyncDispose]()
  fs.rmSync(folder, { recursive: true, force: true })
})

test('a site is signed by one call, and a validator that knows its key believes every kind of answer', async () => {
  const { data } = await world.api(dnssec.routes.enable, { site })
  const [key] = data.keys
  assert.ok(key)
  await until('the zone is signed', async () => (await dig(world.dns, ZONE, 'DNSKEY')).length === 1, 10_000 * pace())
  const anchor = path.join(folder, 'anchor')
  fs.writeFileSync(anchor, `trust-anchors {\n  ${ZONE}. static-ds ${key.tag} ${key.algorithm} ${key.digestType} "${key.digest}";\n};\n`)
  const delv = async (name: string, type: string) => (await run('delv', [`@${world.dns.host}`, '-p', String(world.dns.port), '-a', anchor, `+root=${ZONE}`, name, type]).catch((error: { stdout: string; stderr: string }) => error))
  for (const [name, type] of [[`plain.${ZONE}`, 'A'], [`www.${ZONE}`, 'CNAME'], [ZONE, 'SOA'], [`none.${ZONE}`, 'A'], [`plain.${ZONE}`, 'TXT']] as const) {
    const { stdout, stderr } = await delv(name, type)
    assert.match(stdout + stderr, /fully validated/, `${name} ${type}`)
  }
})

test('NSD takes the zone with the key that it was given, and hears of a change', { skip: !fs.existsSync(NSD) }, async () => {
  const at = { host: '127.0.0.1', port: await freePort() }
  const { data, secret } = await world.api(dnsSecondaries.routes.create, { name: 'NSD', notify: `${at.host}:${at.port}` })
  const conf = path.join(folder, 'nsd.conf')
  fs.writeFileSync(conf, [
    `server:\n  server-count: 1\n  ip-address: ${at.host}\n  port: ${at.port}\n  username: ""\n  chroot: ""\n  zonesdir: "${folder}"\n  database: ""\n  pidfile: "${folder}/nsd.pid"\n  xfrdfile: "${folder}/xfrd.state"\n  zonelistfile: "${folder}/zone.list"\n  xfrdir: "${folder}"`,
    `remote-control:\n  control-enable: no\nkey:\n  name: "${data.keyName}"\n  algorithm: hmac-sha256\n  secret: "${secret}"`,
    `zone:\n  name: ${ZONE}\n  request-xfr: ${world.dns.host}@${world.dns.port} ${data.keyName}\n  allow-notify: 127.0.0.1 ${data.keyName}\n`].join('\n'))
  const child = spawn(NSD, ['-d', '-c', conf], { stdio: 'ignore' })
  try {
    const there = (name: string, type: string) => dig(at, name, type).catch(() => [])
    await until('NSD has the zone', async () => (await there(`plain.${ZONE}`, 'A')).length === 1, 20_000 * pace())
    assert.deepEqual(await there(`www.${ZONE}`, 'A'), ['93.184.215.14'], 'what is steered here is its origin there')
    await world.api(dnsRecords.routes.create, { site, type: 'TXT', name: 'news', value: 'fresh' })
    await until('NSD has the change', async () => (await there(`news.${ZONE}`, 'TXT')).join() === '"fresh"', 10_000 * pace())
    const { stdout } = await run('dig', [`@${at.host}`, '-p', String(at.port), '+dnssec', '+noall', '+authority', `none.${ZONE}`, 'A'])
    assert.match(stdout, /RRSIG\s+NSEC 13/, 'it denies with signatures of ours')
  } finally {
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill()
    await gone
  }
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const at = server.address()
      server.close(() => resolve(typeof at === 'object' && at ? at.port : 0))
    })
  })
}
