import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import dnsPacket, { type Answer } from 'dns-packet'
import { ask, serve, type Served } from '../testing/server-fixture.ts'
import { signingBy, zoneKey } from '../testing/key-fixture.ts'
import { cdnOf, policyOf, strategyOf, zoneOf } from '../testing/zone-fixture.ts'
import { Peer } from '../wire/peer.ts'

const run = promisify(execFile)
const KEY = zoneKey()
const POLICY = policyOf(
  'p',
  [
    cdnOf('one', 'a.one.cdn.fairway.test'),
    cdnOf('two', 'a.two.cdn.fairway.test'),
    cdnOf('three', 'a.three.cdn.fairway.test'),
  ],
  [
    strategyOf('all', {
      method: 'weighted-distribution',
      targets: [
        { cdnId: 'one', weight: 5 },
        { cdnId: 'two', weight: 3 },
        { cdnId: 'three', weight: 2 },
      ],
    }),
  ],
)
const CDNS = zoneOf(
  'fairway.test',
  '*.one.cdn 60 A 192.0.2.101\n*.two.cdn 60 A 192.0.2.102\n*.three.cdn 60 A 192.0.2.103\n*.three.cdn 60 AAAA 2001:db8::3',
  { zoneId: 'system', signing: signingBy(zoneKey()) },
)
const ZONE = zoneOf(
  'signed.test',
  `
  @ 300 MX 10 mail
  www 300 A 192.0.2.1
  www 300 A 192.0.2.2
  mail 300 A 192.0.2.3
  alias 300 CNAME www.signed.test.
  out 300 CNAME www.unsigned.test.
  *.wild 300 A 192.0.2.4
  *.star 300 CNAME www.signed.test.
  deep.er.name 300 TXT "deep"
  secure 300 NS ns.secure.signed.test.
  secure 300 DS 12345 13 2 ${'AB'.repeat(32)}
  ns.secure 300 A 192.0.2.5
  insecure 300 NS ns.insecure.signed.test.
  ns.insecure 300 A 192.0.2.6
  svc 300 HTTPS 1 . alpn="h2,h3"
  own 300 TYPE65400 \\# 3 010203`.replaceAll('10 mail', '10 mail.signed.test.'),
  {
    signing: signingBy(KEY),
    aliases: [
      { name: 'flat.signed.test', target: 'www.signed.test', ttlSeconds: 120 },
      { name: 'toward.signed.test', target: 'steered.signed.test', ttlSeconds: 60 },
    ],
    steered: [
      { name: 'steered.signed.test', domainId: 'd', policyId: 'p' },
      { name: 'signed.test', domainId: 'd2', policyId: 'p' },
    ],
    policies: [POLICY],
  },
)
const WEIGHTED = {
  name: 'shared.signed.test',
  type: 'A' as const,
  ttlSeconds: 60,
  rdata: ['192.0.2.10', '192.0.2.11'],
  weights: [3, 1],
}

let served: Served
let anchor: string
before(async () => {
  served = await serve([
    CDNS,
    { ...ZONE, rrsets: [...ZONE.rrsets, WEIGHTED] },
    zoneOf('unsigned.test', 'www 300 A 192.0.2.50'),
  ])
  anchor = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'dnssec-')), 'anchor')
  fs.writeFileSync(anchor, `trust-anchors {\n  signed.test. static-key 257 3 13 "${KEY.publicKey}";\n};\n`)
})
after(async () => {
  await served[Symbol.asyncDispose]()
  fs.rmSync(path.dirname(anchor), { recursive: true, force: true })
})

const delv = async (name: string, type: string, ...words: string[]) => {
  const { stdout, stderr } = await run('delv', [
    '@127.0.0.1',
    '-p',
    String(served.at.port),
    '-a',
    anchor,
    '+root=signed.test',
    ...words,
    name,
    type,
  ])
  return stdout + stderr
}

const positive: [string, string][] = [
  ['signed.test', 'SOA'],
  ['signed.test', 'NS'],
  ['signed.test', 'DNSKEY'],
  ['signed.test', 'CDS'],
  ['signed.test', 'CDNSKEY'],
  ['signed.test', 'MX'],
  ['www.signed.test', 'A'],
  ['alias.signed.test', 'A'],
  ['alias.signed.test', 'CNAME'],
  ['deep.er.name.signed.test', 'TXT'],
  ['any.wild.signed.test', 'A'],
  ['a.b.wild.signed.test', 'A'],
  ['x.star.signed.test', 'A'],
  ['secure.signed.test', 'DS'],
  ['svc.signed.test', 'HTTPS'],
  ['own.signed.test', 'TYPE65400'],
  ['steered.signed.test', 'CNAME'],
  ['signed.test', 'A'],
  ['flat.signed.test', 'A'],
  ['toward.signed.test', 'A'],
  ['shared.signed.test', 'A'],
]
for (const [name, type] of positive) {
  test(`delv validates ${name} ${type}`, async () =>
    assert.match(await delv(name, type), /; fully validated\n(?!.*unsigned answer)/s))
}

for (const name of ['signed.test', 'www.signed.test', 'alias.signed.test', 'steered.signed.test', 'flat.signed.test']) {
  test(`the NSEC of ${name} is the answer to a question for it, signed, and its signature that to one for RRSIG`, async () => {
    assert.match(await delv(name, 'NSEC'), /; fully validated\n(?!.*unsigned answer)/s)
    const types = async (type: string) =>
      (await ask(served.at, name, { type, dnssecOk: true })).answers.map((record) => record.type)
    assert.deepEqual(await types('NSEC'), ['NSEC', 'RRSIG'])
    assert.deepEqual(await types('RRSIG'), ['RRSIG'])
  })
}

test('a name that does not exist says so to who asks for its NSEC', async () => {
  assert.match(await delv('nothing.signed.test', 'NSEC'), /; fully validated\n.*NXNAME|TYPE128/s)
})

const negative: [string, string, string][] = [
  ['a type that a name has not', 'www.signed.test', 'TXT'],
  ['a name that does not exist', 'nothing.signed.test', 'A'],
  ['a name below one that exists', 'x.y.www.signed.test', 'A'],
  ['an empty non-terminal', 'er.name.signed.test', 'A'],
  ['a wildcard without the type', 'x.wild.signed.test', 'TXT'],
  ['a flattened name without the type', 'flat.signed.test', 'AAAA'],
  ['the missing DS of a delegation', 'insecure.signed.test', 'DS'],
  ['the target of an alias without the type', 'alias.signed.test', 'TXT'],
]
for (const [what, name, type] of negative) {
  test(`delv validates the denial of ${what}`, async () =>
    assert.match(await delv(name, type), /^(?!.*unsigned).*fully validated(?!.*unsigned).*ncache nxrrset/s))
}

test('ten thousand steered answers all have a signature that holds, whichever CDN they are', async () => {
  const out = Buffer.alloc(65_535)
  const query = dnsPacket.encode({
    type: 'query',
    id: 1,
    questions: [{ type: 'CNAME', name: 'steered.signed.test' }],
    additionals: [{ type: 'OPT', name: '.', udpPayloadSize: 1232, flags: dnsPacket.DNSSEC_OK, options: [] }],
  })
  const seen = new Map<string, number>()
  for (let i = 0; i < 10_000; i++) {
    const length = served.answerer.answer(query, query.length, new Peer().setText(`203.0.113.${i % 256}`), 'udp', out)
    const { answers } = dnsPacket.decode(out.subarray(0, length))
    assert.equal(holds(answers), true)
    const target = String(answers[0]?.data)
    seen.set(target, (seen.get(target) ?? 0) + 1)
  }
  assert.equal(seen.size, 3)
})

type Signature = {
  typeCovered: string
  labels: number
  originalTTL: number
  expiration: number
  inception: number
  keyTag: number
  signature: Buffer
}

/** The signature of one CNAME, checked by what the standard says and not by our own code. */
function holds([cname, rrsig]: Answer[]): boolean {
  const { labels, originalTTL, expiration, inception, keyTag, signature } = (rrsig ?? { data: {} }).data as Signature
  const name = (text: string) =>
    Buffer.concat([
      ...text.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
      Buffer.from([0]),
    ])
  const target = name(String(cname?.data))
  const number = (value: number, bytes: number) => Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex')
  const signed = Buffer.concat([
    number(5, 2),
    number(13, 1),
    number(labels, 1),
    number(originalTTL, 4),
    number(expiration, 4),
    number(inception, 4),
    number(keyTag, 2),
    name('signed.test'),
    name('steered.signed.test'),
    number(5, 2),
    number(1, 2),
    number(originalTTL, 4),
    number(target.length, 2),
    target,
  ])
  const point = Buffer.from(KEY.publicKey, 'base64')
  const key = crypto.createPublicKey({
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(0, 32).toString('base64url'),
      y: point.subarray(32).toString('base64url'),
    },
    format: 'jwk',
  })
  return keyTag === KEY.tag && crypto.verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

test('who does not ask for signatures gets none, and the response code of old', async () => {
  const plain = await ask(served.at, 'nothing.signed.test')
  assert.deepEqual([plain.rcode, plain.authorities.map((record) => record.type)], ['NXDOMAIN', ['SOA']])
  const signed = await ask(served.at, 'nothing.signed.test', { dnssecOk: true })
  assert.deepEqual(
    [signed.rcode, signed.authorities.map((record) => record.type)],
    ['NOERROR', ['SOA', 'RRSIG', 'NSEC', 'RRSIG']],
  )
})

test('a delegation says whether the zone below is signed', async () => {
  const types = async (name: string) =>
    (await ask(served.at, name, { dnssecOk: true })).authorities.map((record) => record.type)
  assert.deepEqual(await types('www.secure.signed.test'), ['NS', 'DS', 'RRSIG'])
  assert.deepEqual(await types('www.insecure.signed.test'), ['NS', 'NSEC', 'RRSIG'])
})

test('shares of a weighted set are what its weights say, one record an answer', async () => {
  let first = 0
  for (let i = 0; i < 2000; i++) {
    const { answers } = await ask(served.at, 'shared.signed.test')
    assert.equal(answers.length, 1)
    if (answers[0]?.data === '192.0.2.10') first++
  }
  assert.ok(first > 1400 && first < 1600, String(first))
})
