import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import crypto from 'node:crypto'
import dgram from 'node:dgram'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { DnsTransfers, DnsZone } from '@fairway/contract'
import { freePort } from '@fairway/platform'
import { ask, serve, type Served } from '../testing/server-fixture.ts'
import { signingBy, zoneKey } from '../testing/key-fixture.ts'
import { cdnOf, policyOf, strategyOf, zoneOf } from '../testing/zone-fixture.ts'

const run = promisify(execFile)
const SECRET = crypto.randomBytes(32).toString('base64')
const KEY = zoneKey()
const CATALOG = 'catalog-1.fairway.test'
const POLICY = policyOf(
  'p',
  [cdnOf('one', 'a.one.cdn.fairway.test')],
  [strategyOf('all', { targets: [{ cdnId: 'one', weight: 1 }] })],
)

const site = (serial: number, lines: string, extra: Partial<DnsZone> = {}): DnsZone => {
  const zone = zoneOf(
    'moved.test',
    `www 300 A 192.0.2.1\nalias 300 CNAME www.moved.test.\n*.wild 300 TXT "any"\nsub 300 NS ns.sub.moved.test.\nns.sub 300 A 192.0.2.9\n${lines}`,
    { version: serial, ...extra },
  )
  const rrsets = zone.rrsets.map((set) =>
    set.type === 'SOA' ? { ...set, rdata: [`ns1.moved.test. admin.moved.test. ${serial} 3600 600 604800 60`] } : set,
  )
  return {
    ...zone,
    rrsets,
    steered: [
      { name: 'go.moved.test', domainId: 'd', policyId: 'p' },
      { name: 'moved.test', domainId: 'e', policyId: 'p' },
    ],
    policies: [POLICY],
    transfer: { flattened: [{ name: 'moved.test', a: ['192.0.2.80'], aaaa: ['2001:db8::80'] }] },
  }
}
const SIGNED = zoneOf(
  'signed.test',
  'www 300 A 192.0.2.1\nwww 300 A 192.0.2.2\ndeep.er 300 TXT "x"\n*.wild 300 A 192.0.2.4\nsecure 300 NS ns.secure.signed.test.\nsecure 300 DS 12345 13 2 ' +
    'AB'.repeat(32) +
    '\nns.secure 300 A 192.0.2.5\nplain 300 NS ns.elsewhere.test.',
  {
    signing: signingBy(KEY),
    aliases: [{ name: 'flat.signed.test', target: 'www.signed.test', ttlSeconds: 60 }],
    transfer: { flattened: [{ name: 'flat.signed.test', a: ['192.0.2.1', '192.0.2.2'], aaaa: [] }] },
  },
)
const catalog = (serial: number, members: string[]): DnsZone => {
  const zone = zoneOf(
    CATALOG,
    `version 0 TXT "2"\n${members.map((name, i) => `m${i}.zones 0 PTR ${name}.`).join('\n')}`,
    { version: serial },
  )
  return {
    ...zone,
    rrsets: zone.rrsets.map((set) =>
      set.type === 'SOA' ? { ...set, rdata: [`invalid. invalid. ${serial} 3600 600 604800 0`] } : set,
    ),
  }
}

let served: Served
let folder: string
let notifyPort: number
const port = () => String(served.at.port)
const transfers = (notify: string | null): DnsTransfers => ({
  organizationId: 'org-1',
  version: 1,
  peers: [{ keyName: 'mine', sealedSecret: SECRET, notify }],
})

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'transfer-'))
  notifyPort = await freePort()
  served = await serve([])
  served.setTransfers('org-1', transfers(`127.0.0.1:${notifyPort}`))
  for (const zone of [site(1, ''), SIGNED, catalog(1, ['moved.test'])]) await served.put(zone)
})
after(async () => {
  await served[Symbol.asyncDispose]()
  fs.rmSync(folder, { recursive: true, force: true })
})

const dig = async (...words: string[]) =>
  (await run('dig', ['@127.0.0.1', '-p', port(), '+nocmd', '+nostats', '+tries=1', ...words])).stdout
const KEYED = `hmac-sha256:mine:${SECRET}`

test("a zone goes to who signs with its owner's key, whole, with the records that steering stands for", async () => {
  const zone = await dig('-y', KEYED, 'moved.test', 'AXFR')
  const lines = zone
    .split('\n')
    .filter((line) => line && !line.startsWith(';'))
    .map((line) => line.replaceAll(/\s+/g, ' '))
  assert.match(lines[0] ?? '', /^moved\.test\. 3600 IN SOA/)
  assert.ok(lines.includes('go.moved.test. 300 IN CNAME go._steer.moved.test.'), 'what is steered goes to who steers')
  assert.ok(lines.includes('_steer.moved.test. 300 IN NS ns1.moved.test.'), 'and that is delegated to us')
  assert.ok(lines.includes('moved.test. 60 IN A 192.0.2.80') && lines.includes('moved.test. 60 IN AAAA 2001:db8::80'))
  assert.ok(lines.includes('ns.sub.moved.test. 300 IN A 192.0.2.9'), 'glue goes along')
  assert.equal(lines.filter((line) => line.includes(' SOA ')).length, 2)
  assert.doesNotMatch(zone, /WARNING|bad|failed/i)
})

const refusals: Record<string, string[]> = {
  'without a key': ['moved.test', 'AXFR'],
  'with another secret': ['-y', `hmac-sha256:mine:${crypto.randomBytes(32).toString('base64')}`, 'moved.test', 'AXFR'],
  'with an unknown key': ['-y', `hmac-sha256:yours:${SECRET}`, 'moved.test', 'AXFR'],
  'of a zone that is not ours': ['-y', KEYED, 'elsewhere.test', 'AXFR'],
  'of a name inside a zone': ['-y', KEYED, 'www.moved.test', 'AXFR'],
}
for (const [how, words] of Object.entries(refusals)) {
  test(`a transfer ${how} is refused`, async () => {
    const answer = await run('dig', ['@127.0.0.1', '-p', port(), '+tries=1', ...words]).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    )
    assert.match(answer, /Transfer failed|REFUSED|NOTAUTH/)
    assert.doesNotMatch(answer, /192\.0\.2\.1/)
  })
}

test('a signed question gets a signed answer, over both transports; one with a wrong signature the error', async () => {
  for (const transport of ['+notcp', '+tcp']) {
    const good = await dig('+norec', transport, '-y', KEYED, 'moved.test', 'SOA')
    assert.match(good, /NOERROR[\s\S]*TSIG PSEUDOSECTION[\s\S]*NOERROR/)
    assert.doesNotMatch(good, /WARNING|verify failure/)
    const bad = await dig(
      transport,
      '-y',
      `hmac-sha256:mine:${crypto.randomBytes(32).toString('base64')}`,
      'moved.test',
      'SOA',
    )
    assert.match(bad, /NOTAUTH[\s\S]*BADSIG/)
  }
})

test('who has a version that is still known gets what has changed, another one everything, and the same version nothing', async () => {
  await served.put(site(2, 'new 300 A 192.0.2.77'))
  const changed = (await dig('-y', KEYED, 'moved.test', 'IXFR=1'))
    .split('\n')
    .filter((line) => /IN\s+(?:SOA|A)\b/.test(line))
    .map((line) => line.split(/\s+/).slice(0, 1).concat(line.split(/\s+/).slice(3, 7)).join(' '))
  assert.deepEqual(changed, [
    'moved.test. SOA ns1.moved.test. admin.moved.test. 2',
    'moved.test. SOA ns1.moved.test. admin.moved.test. 1',
    'moved.test. SOA ns1.moved.test. admin.moved.test. 2',
    'new.moved.test. A 192.0.2.77',
    'moved.test. SOA ns1.moved.test. admin.moved.test. 2',
  ])
  const unknown = await dig('-y', KEYED, 'moved.test', 'IXFR=77')
  assert.match(unknown, /alias\.moved\.test/)
  assert.equal(
    (await dig('-y', KEYED, 'moved.test', 'IXFR=2')).split('\n').filter((line) => /\sSOA\s/.test(line)).length,
    1,
  )
  assert.equal(
    (await ask(served.at, 'moved.test', { type: 'IXFR' })).answers.length,
    1,
    'over UDP the SOA says to come again',
  )
})

test('a secondary hears of a change by a signed notice, again until it answers', async () => {
  const socket = dgram.createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(notifyPort, '127.0.0.1', resolve))
  const heard: Buffer[] = []
  const twice = new Promise<void>((resolve) => {
    socket.on('message', (message, from) => {
      if (!message.includes(Buffer.from('moved'))) return
      heard.push(message)
      if (heard.length < 2) return
      const answer = Buffer.from(message.subarray(0, 12))
      answer[2] = 0xa0
      socket.send(answer, from.port, from.address)
      resolve()
    })
  })
  await served.put(site(3, 'newer 300 A 192.0.2.78'))
  await twice
  assert.deepEqual([(heard[0]?.[2] ?? 0) >> 3, heard[0]?.readUInt16BE(10)], [4, 1], 'NOTIFY, with a TSIG record')
  await new Promise<void>((resolve) => socket.close(() => resolve()))
})

test('the signed zone that goes out is one that validators of zones accept', async () => {
  const file = path.join(folder, 'signed.zone')
  // dig prints the signatures of the messages as if they were records.
  fs.writeFileSync(
    file,
    (await dig('+onesoa', '-y', KEYED, 'signed.test', 'AXFR'))
      .split('\n')
      .filter((line) => !line.includes('\tTSIG\t'))
      .join('\n'),
  )
  await run('ldns-verify-zone', [file])
  const checked = await run('dnssec-verify', ['-z', '-o', 'signed.test', file]).then(
    ({ stdout, stderr }) => stdout + stderr,
    (error: { stdout: string; stderr: string }) => assert.fail(error.stderr),
  )
  assert.match(checked, /fully signed|Zone fully signed/i)
})

describe('other servers follow', { concurrency: false }, () => {
  const knot = (listen: number) =>
    `server:\n  listen: 127.0.0.1@${listen}\n  rundir: ${folder}\n  user: root:root\nlog:\n  - target: stderr\n    any: info\ndatabase:\n  storage: ${folder}/knot\nkey:\n  - id: mine\n    algorithm: hmac-sha256\n    secret: ${SECRET}\nremote:\n  - id: fairway\n    address: 127.0.0.1@${port()}\n    key: mine\nacl:\n  - id: notify\n    address: 127.0.0.1\n    key: mine\n    action: notify\ntemplate:\n  - id: default\n    storage: ${folder}/knot\n  - id: member\n    storage: ${folder}/knot\n    master: fairway\n    acl: notify\nzone:\n  - domain: ${CATALOG}\n    master: fairway\n    acl: notify\n    catalog-role: interpret\n    catalog-template: member\n`
  const nsd = (listen: number) =>
    `server:\n  server-count: 1\n  ip-address: 127.0.0.1\n  port: ${listen}\n  username: ""\n  chroot: ""\n  zonesdir: "${folder}"\n  database: ""\n  pidfile: "${folder}/nsd.pid"\n  xfrdfile: "${folder}/xfrd.state"\n  zonelistfile: "${folder}/zone.list"\n  xfrdir: "${folder}"\nremote-control:\n  control-enable: no\nkey:\n  name: "mine"\n  algorithm: hmac-sha256\n  secret: "${SECRET}"\nzone:\n  name: moved.test\n  request-xfr: 127.0.0.1@${port()} mine\n  allow-notify: 127.0.0.1 mine\n`
  const until = async (what: () => Promise<boolean>) => {
    for (const end = Date.now() + 20_000; !(await what()); await sleep(50)) assert.ok(Date.now() < end, 'it never came')
  }
  const answers = async (at: number, name: string, type = 'A') =>
    (
      await run('dig', ['@127.0.0.1', '-p', String(at), '+short', '+tries=1', '+time=1', name, type]).catch(() => ({
        stdout: '',
      }))
    ).stdout.trim()

  test(
    'Knot: by the catalog, by AXFR and by IXFR after a notice',
    { skip: !fs.existsSync('/usr/sbin/knotd') },
    async () => {
      fs.mkdirSync(path.join(folder, 'knot'))
      const conf = path.join(folder, 'knot.conf')
      fs.writeFileSync(conf, knot(notifyPort))
      const log: Buffer[] = []
      const child = spawn('/usr/sbin/knotd', ['-c', conf], { stdio: ['ignore', 'ignore', 'pipe'] })
      child.stderr.on('data', (chunk: Buffer) => log.push(chunk))
      try {
        await until(async () => (await answers(notifyPort, 'moved.test')) === '192.0.2.80')
        await served.put(site(4, 'knot 300 A 192.0.2.44'))
        await until(async () => (await answers(notifyPort, 'knot.moved.test')) === '192.0.2.44')
        assert.match(Buffer.concat(log).toString(), /IXFR, incoming[^\n]*finished/)
        await served.put(catalog(2, ['moved.test', 'signed.test']))
        await until(async () => (await answers(notifyPort, 'www.signed.test')).includes('192.0.2.1'))
      } catch (error) {
        assert.fail(`${error instanceof Error ? error.message : ''}\n${Buffer.concat(log).toString().slice(-3000)}`)
      } finally {
        await ended(child)
      }
    },
  )

  test('NSD: by AXFR and by IXFR after a notice', { skip: !fs.existsSync('/usr/sbin/nsd') }, async () => {
    const conf = path.join(folder, 'nsd.conf')
    fs.writeFileSync(conf, nsd(notifyPort))
    const child = spawn('/usr/sbin/nsd', ['-d', '-c', conf], { stdio: 'ignore' })
    try {
      await until(async () => (await answers(notifyPort, 'moved.test')) === '192.0.2.80')
      await served.put(site(5, 'nsd 300 A 192.0.2.55'))
      await until(async () => (await answers(notifyPort, 'nsd.moved.test')) === '192.0.2.55')
    } finally {
      await ended(child)
    }
  })
})

async function ended(child: ReturnType<typeof spawn>): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill()
  await gone
}
