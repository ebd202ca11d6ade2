import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import crypto from 'node:crypto'
import dgram from 'node:dgram'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type HostPort, freePort } from '@fairway/platform'
import dnsPacket, { type Answer, type Decoded } from 'dns-packet'
import { Xorshift } from '../steering/random.ts'
import { serve, type Served } from '../testing/server-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'

/** `./fairway bench dns-differential` asks many more, about random zones. */
const QUERIES = 2_000
const SECRET = crypto.randomBytes(32).toString('base64')
const ORIGIN = 'oracle.test'
/**
 * Everything that names can be to each other: aliases in chains and circles, wildcards over and beside names, cuts with
 * and without glue, names that are only above others.
 */
const ZONE = zoneOf(
  ORIGIN,
  `
  @ 300 MX 10 mail.oracle.test.
  @ 300 TXT "apex"
  mail 300 A 192.0.2.1
  mail 300 AAAA 2001:db8::1
  www 300 CNAME web.oracle.test.
  web 300 CNAME mail.oracle.test.
  out 300 CNAME www.elsewhere.test.
  gone 300 CNAME nothing.oracle.test.
  toward 300 CNAME x.wild.oracle.test.
  into 300 CNAME host.cut.oracle.test.
  *.wild 300 A 192.0.2.2
  *.wild 300 TXT "wild"
  exact.wild 300 AAAA 2001:db8::2
  below.ent.wild 300 A 192.0.2.3
  *.alias 300 CNAME mail.oracle.test.
  a.b.c.d 300 A 192.0.2.4
  cut 300 NS ns.cut.oracle.test.
  cut 300 NS mail.oracle.test.
  cut 300 DS 12345 13 2 ${'AB'.repeat(32)}
  ns.cut 300 A 192.0.2.5
  far 300 NS ns.elsewhere.test.
  _sip._tcp 300 SRV 1 2 5060 mail.oracle.test.
  svc 300 HTTPS 1 . alpn="h3,h2"
  _443._tcp.www2 300 TLSA 3 1 1 ${'CD'.repeat(32)}
  ssh 300 SSHFP 4 2 ${'EF'.repeat(32)}
  naptr 300 NAPTR 10 20 "S" "SIP+D2U" "" _sip._tcp.oracle.test.
  caa 300 CAA 0 issue "ca.example"
  own 300 TYPE65400 \\# 2 0102`,
)
const LABELS = [
  'mail',
  'www',
  'web',
  'out',
  'gone',
  'toward',
  'into',
  'wild',
  'exact',
  'ent',
  'below',
  'alias',
  'a',
  'b',
  'c',
  'd',
  'cut',
  'ns',
  'far',
  '_sip',
  '_tcp',
  'svc',
  '_443',
  'www2',
  'ssh',
  'naptr',
  'caa',
  'own',
  'x',
  '*',
  'MaIl',
  'zz',
]
const TYPES = [
  'A',
  'AAAA',
  'CNAME',
  'MX',
  'TXT',
  'NS',
  'SOA',
  'SRV',
  'DS',
  'CAA',
  'SSHFP',
  'TLSA',
  'NAPTR',
  'PTR',
  'UNKNOWN_65',
  'UNKNOWN_65400',
  'UNKNOWN_99',
]

const SERVERS = {
  Knot: {
    program: '/usr/sbin/knotd',
    conf: (folder: string, listen: number, master: number) =>
      `server:\n  listen: 127.0.0.1@${listen}\n  rundir: ${folder}\n  user: root:root\nlog:\n  - target: stderr\n    any: warning\ndatabase:\n  storage: ${folder}\nkey:\n  - id: mine\n    algorithm: hmac-sha256\n    secret: ${SECRET}\nremote:\n  - id: fairway\n    address: 127.0.0.1@${master}\n    key: mine\nzone:\n  - domain: ${ORIGIN}\n    storage: ${folder}\n    master: fairway\n`,
    words: (conf: string) => ['-c', conf],
  },
  NSD: {
    program: '/usr/sbin/nsd',
    conf: (folder: string, listen: number, master: number) =>
      `server:\n  server-count: 1\n  ip-address: 127.0.0.1\n  port: ${listen}\n  username: ""\n  chroot: ""\n  zonesdir: "${folder}"\n  database: ""\n  pidfile: "${folder}/nsd.pid"\n  xfrdfile: "${folder}/xfrd.state"\n  zonelistfile: "${folder}/zone.list"\n  xfrdir: "${folder}"\n  rrl-ratelimit: 0\nremote-control:\n  control-enable: no\nkey:\n  name: "mine"\n  algorithm: hmac-sha256\n  secret: "${SECRET}"\nzone:\n  name: ${ORIGIN}\n  request-xfr: 127.0.0.1@${master} mine\n`,
    words: (conf: string) => ['-d', '-c', conf],
  },
  BIND: {
    program: '/usr/sbin/named',
    conf: (folder: string, listen: number, master: number) =>
      `options { directory "${folder}"; listen-on port ${listen} { 127.0.0.1; }; listen-on-v6 { none; }; pid-file none; session-keyfile "${folder}/session.key"; recursion no; allow-transfer { none; }; zero-no-soa-ttl no; };\ncontrols { };\nkey "mine" { algorithm hmac-sha256; secret "${SECRET}"; };\nserver 127.0.0.1 { keys { mine; }; };\nzone "${ORIGIN}" { type secondary; primaries port ${master} { 127.0.0.1 key mine; }; file "zone"; };\n`,
    words: (conf: string) => ['-g', '-n', '1', '-c', conf],
  },
}

let served: Served
let root: string
before(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'oracle-'))
  served = await serve([ZONE])
  served.transfers.set('org-1', {
    organizationId: 'org-1',
    version: 1,
    peers: [{ keyName: 'mine', sealedSecret: SECRET, notify: null }],
  })
})
after(async () => {
  await served[Symbol.asyncDispose]()
  fs.rmSync(root, { recursive: true, force: true })
})

for (const [name, { program, conf, words }] of Object.entries(SERVERS)) {
  test(
    `${QUERIES} questions about a zone of every kind of name are answered as ${name} does that took it by transfer`,
    { skip: !fs.existsSync(program) },
    async () => {
      const folder = path.join(root, name)
      fs.mkdirSync(folder)
      const at = { host: '127.0.0.1', port: await freePort() }
      fs.writeFileSync(path.join(folder, 'conf'), conf(folder, at.port, served.at.port))
      const child = spawn(program, words(path.join(folder, 'conf')), { stdio: 'ignore' })
      try {
        await using theirs = asker(at)
        await using ours = asker(served.at)
        for (
          const end = Date.now() + 20_000;
          (await theirs.ask(`mail.${ORIGIN}`, 'A'))?.answers.length !== 1;
          await sleep(50)
        )
          assert.ok(Date.now() < end, `${name} has not taken the zone`)
        const random = new Xorshift(7)
        const differences: string[] = []
        const pick = <T>(of: readonly T[]): T => of[Math.floor(random.next() * of.length)] as T
        for (let asked = 0; asked < QUERIES; asked += 100) {
          await Promise.all(
            Array.from({ length: 100 }, async () => {
              const labels = Array.from({ length: Math.floor(random.next() * 5) }, () => pick(LABELS))
              const question = [...labels, ORIGIN].join('.')
              const type = pick(TYPES)
              const [mine, other] = await Promise.all([ours.ask(question, type), theirs.ask(question, type)])
              const difference =
                JSON.stringify(told(mine)) === JSON.stringify(told(other))
                  ? null
                  : `${question} ${type}: ${JSON.stringify(told(mine))} but ${name} ${JSON.stringify(told(other))}`
              if (difference !== null) differences.push(difference)
            }),
          )
        }
        assert.deepEqual(differences.slice(0, 5), [], `${differences.length} differences`)
      } finally {
        const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
        child.kill()
        await gone
      }
    },
  )
}

/**
 * What an answer says. Additional records, and the zone's own servers beside an answer, are each server's own idea of
 * being helpful, and so is the order.
 */
function told(answer: Decoded | null) {
  const set = (records: Answer[]) =>
    records
      .map(
        (record) =>
          `${record.name.toLowerCase()} ${record.type} ${record.ttl} ${JSON.stringify(record.data).toLowerCase()}`,
      )
      .sort()
  return (
    answer && {
      rcode: answer.rcode,
      aa: answer.flag_aa,
      tc: answer.flag_tc,
      answers: set(answer.answers),
      authority: set(
        answer.authorities.filter(({ name, type }) => answer.answers.length === 0 || type !== 'NS' || name !== ORIGIN),
      ),
    }
  )
}

function asker(at: HostPort): AsyncDisposable & { ask(name: string, type: string): Promise<Decoded | null> } {
  const socket = dgram.createSocket('udp4')
  const waiting = new Map<number, (answer: Decoded | null) => void>()
  let last = 0
  socket.on('message', (message) => {
    const answer = dnsPacket.decode(message)
    waiting.get(answer.id)?.(answer)
  })
  return {
    ask: (name, type) =>
      new Promise((resolve) => {
        const id = (last = (last + 1) & 0xffff)
        const packet = dnsPacket.encode({
          type: 'query',
          id,
          flags: 0,
          questions: [{ type, class: 'IN', name }],
          additionals: [{ type: 'OPT', name: '.', udpPayloadSize: 1232, flags: 0, options: [] }],
        })
        const again = setInterval(() => socket.send(packet, at.port, at.host), 2000)
        const end = setTimeout(() => settle(null), 10_000)
        const settle = (answer: Decoded | null) => {
          clearInterval(again)
          clearTimeout(end)
          waiting.delete(id)
          resolve(answer)
        }
        waiting.set(id, settle)
        socket.send(packet, at.port, at.host)
      }),
    async [Symbol.asyncDispose]() {
      for (const settle of waiting.values()) settle(null)
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
}
