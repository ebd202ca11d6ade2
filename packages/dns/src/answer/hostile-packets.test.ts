import assert from 'node:assert/strict'
import os from 'node:os'
import { before, test } from 'node:test'
import dnsPacket from 'dns-packet'
import * as fc from 'fast-check'
import { BuilderKeys } from '../builder/builder-keys.ts'
import { SigningBudget } from '../dnssec/online-signer.ts'
import { compileZone } from '../segment/compile.ts'
import { Segment } from '../segment/segment.ts'
import { Zones } from '../segment/zones.ts'
import { Signers } from '../serving/signers.ts'
import { Xorshift } from '../steering/random.ts'
import { Steering } from '../steering/steering.ts'
import { geoFixture } from '../testing/geo-fixture.ts'
import { openKey, signingBy, zoneKey } from '../testing/key-fixture.ts'
import { cdnOf, policyOf, strategyOf, zoneOf } from '../testing/zone-fixture.ts'
import { Peer } from '../wire/peer.ts'
import { Cookies } from './cookies.ts'
import { Answerer } from './answerer.ts'

const PEER = new Peer().setText('198.51.100.9')
const CDNS = [cdnOf('one', 'aa.cdn.example.test'), cdnOf('two', 'bb.vendor.example')]
const POLICY = policyOf('p', CDNS, [strategyOf('s', { method: 'weighted-distribution', targets: [{ cdnId: 'one', weight: 50 }, { cdnId: 'two', weight: 50 }], filter: { places: [], networks: [], cidrs: ['203.0.113.0/24', '2001:db8::/33'] } })])
const ZONE = zoneOf('example.test', `
  @ 300 A 192.0.2.1
  www 300 CNAME far.example.test.
  far 300 CNAME steered.example.test.
  *.wild 300 TXT "${'x'.repeat(250)}" "${'y'.repeat(250)}" "${'z'.repeat(250)}"
  *.cdn 300 A 192.0.2.7
  sub 300 NS ns.sub.example.test.
  ns.sub 300 A 192.0.2.8
  deep.down 300 A 192.0.2.9
  plain 300 NS ns.elsewhere.test.
  sub 300 DS 1 13 2 ${'AB'.repeat(32)}
  svc 300 HTTPS 1 . alpn="h2"
  ${Array.from({ length: 90 }, (_, i) => `big 300 A 192.0.2.${i}`).join('\n')}`, {
  steered: [{ name: 'steered.example.test', domainId: 'd', policyId: 'p' }, { name: 'example.test', domainId: 'd', policyId: 'p' }], policies: [POLICY],
  signing: signingBy(zoneKey()), aliases: [{ name: 'flat.example.test', target: 'big.example.test', ttlSeconds: 60 }, { name: 'around.example.test', target: 'around.example.test', ttlSeconds: 60 }],
})
ZONE.rrsets.push({ name: 'shared.example.test', type: 'A', ttlSeconds: 60, rdata: ['192.0.2.1', '192.0.2.2'], weights: [1, 2] })

let answerers: Answerer[]
before(async () => {
  const segment = await Segment.open(compileZone(ZONE, 1, new BuilderKeys(os.tmpdir(), openKey, Date.now).of(ZONE)))
  // One signer for both: a signature is never the same twice.
  new Signers(openKey, new SigningBudget(1e9), () => 1).equip(segment, undefined)
  // Two of the same, so that each packet is answered twice into differently poisoned buffers.
  answerers = [1, 2].map(() => {
    const geo = geoFixture()
    const zones = new Zones()
    const steering = new Steering({ locationOf: geo.location, clock: () => 1, random: new Xorshift(7) })
    zones.put(segment)
    steering.swapped(undefined, segment)
    return new Answerer(zones, steering, geo, new Cookies(new Uint8Array(16), () => 1))
  })
})

/** Answers one packet twice, each time into a buffer full of another byte: a byte that we did not write shows as a difference. */
function answerBoth(packet: Uint8Array, transport: 'udp' | 'tcp'): Buffer {
  const room = transport === 'udp' ? 1232 : 65535
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = answerers.map((answerer, i) => {
    const poison = i === 0 ? 0xa5 : 0x5a
    const out = Buffer.alloc(room + 1, poison).subarray(0, room)
    const length = answerer.answer(packet, packet.length, PEER, transport, out)
    assert.ok(length <= room, 'longer than allowed')
    return out.subarray(0, length)
  })
  assert.ok(first.equals(second), 'a byte of an earlier answer went out')
  return first
}

function assertSound(packet: Uint8Array, answer: Buffer): void {
  if (answer.length === 0) return assert.ok(packet.length < 12 || ((packet[2] ?? 0) & 0x80) !== 0, 'a query without an answer')
  assert.equal(answer.readUInt16BE(0), Buffer.from(packet).readUInt16BE(0), 'another id')
  assert.equal((answer[2] ?? 0) & 0x80, 0x80)
  assert.notEqual((answer[3] ?? 0) & 15, 2, 'SERVFAIL')
  assertWhole(answer)
}

/** Walks over the whole message: names, pointers backwards only, record lengths; it must end exactly at its end. */
function assertWhole(message: Buffer): void {
  const name = (at: number): number => {
    for (;;) {
      const length = message[at]
      assert.ok(length !== undefined, 'a name runs out of the message')
      if (length >= 0xc0) {
        const to = message.readUInt16BE(at) & 0x3fff
        assert.ok(to >= 12 && to < at, 'a pointer does not point back')
        name(to)
        return at + 2
      }
      assert.ok(length < 64)
      at += length + 1
      if (length === 0) return at
    }
  }
  let at = 12
  for (let i = 0; i < message.readUInt16BE(4); i++) at = name(at) + 4
  const records = message.readUInt16BE(6) + message.readUInt16BE(8) + message.readUInt16BE(10)
  for (let i = 0; i < records; i++) {
    at = name(at)
    at += 10 + message.readUInt16BE(at + 8)
  }
  assert.equal(at, message.length)
}

const label = fc.constantFrom('www', 'far', 'steered', 'wild', 'cdn', 'sub', 'ns', 'deep', 'down', 'big', 'flat', 'shared', 'plain', 'svc', 'example', 'test', '*', 'x', 'EXAMPLE', 'a'.repeat(63))
const name = fc.array(label, { maxLength: 6 }).map((labels) => [...labels, 'example.test'].join('.')).filter((text) => text.length < 250)
const subnet = fc.record({ family: fc.constantFrom(1, 2), bits: fc.integer({ min: 0, max: 128 }) })
const query = fc.record({ name, type: fc.constantFrom('A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SOA', 'ANY', 'DS', 'AXFR', 'DNSKEY', 'UNKNOWN_65', 'UNKNOWN_128'), id: fc.nat(65535), rd: fc.boolean(), edns: fc.boolean(), size: fc.nat(65535), signed: fc.constantFrom(0, 0x8000, 0xc000), cookie: fc.option(fc.uint8Array({ minLength: 8, maxLength: 40 })), subnet: fc.option(subnet) }).map(({ name: owner, type, id, rd, edns, size, signed, cookie, subnet: ecs }) => {
  const ip = ecs?.family === 2 ? '2001:db8::' : '203.0.113.0'
  const options: object[] = ecs ? [{ code: 'CLIENT_SUBNET', family: ecs.family, ip, sourcePrefixLength: Math.min(ecs.bits, ecs.family === 1 ? 24 : 33), scopePrefixLength: 0 }] : []
  if (cookie) options.push({ code: 'COOKIE', data: Buffer.from(cookie) })
  return dnsPacket.encode({ type: 'query', id, flags: rd ? 256 : 0, questions: [{ type, name: owner }], additionals: edns ? [{ type: 'OPT', name: '.', udpPayloadSize: size, flags: signed, options }] : [] })
})
const mutation = fc.record({ at: fc.nat(400), value: fc.nat(255), kind: fc.constantFrom('set', 'cut', 'insert') })
const mutated = fc.tuple(query, fc.array(mutation, { minLength: 1, maxLength: 6 })).map(([packet, mutations]) =>
  mutations.reduce<Buffer>((bytes, { at, value, kind }) => {
    const place = at % (bytes.length + 1)
    if (kind === 'cut') return bytes.subarray(0, place)
    if (kind === 'insert') return Buffer.concat([bytes.subarray(0, place), Buffer.from([value]), bytes.subarray(place)])
    const copy = Buffer.from(bytes)
    if (place < copy.length) copy[place] = value
    return copy
  }, packet),
)
const transport = fc.constantFrom('udp' as const, 'tcp' as const)
const runs = { numRuns: 20_000 }

test('a well-formed query gets a sound answer that fits', () => {
  fc.assert(fc.property(query, transport, (packet, over) => assertSound(packet, answerBoth(packet, over))), runs)
})

test('a mutated query gets a sound answer or none', () => {
  fc.assert(fc.property(mutated, transport, (packet, over) => assertSound(packet, answerBoth(packet, over))), runs)
})

test('noise gets a sound answer or none', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), transport, (packet, over) => assertSound(packet, answerBoth(packet, over))), runs)
})

test('an answer never exceeds what the client takes', () => {
  fc.assert(fc.property(name, fc.integer({ min: 1, max: 4096 }), fc.boolean(), (owner, size, edns) => {
    const packet = dnsPacket.encode({ type: 'query', id: 1, questions: [{ type: 'TXT', name: owner }], additionals: edns ? [{ type: 'OPT', name: '.', udpPayloadSize: size, flags: 0, options: [] }] : [] })
    assert.ok(answerBoth(packet, 'udp').length <= (edns ? Math.min(1232, Math.max(512, size)) : 512))
  }), { numRuns: 3000 })
})
