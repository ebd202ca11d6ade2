import assert from 'node:assert/strict'
import dnsPacket from 'dns-packet'
import { Answerer, type Transport } from '../answer/answerer.ts'
import { Cookies } from '../answer/cookies.ts'
import { BuilderKeys } from '../builder/builder-keys.ts'
import { SigningBudget } from '../dnssec/online-signer.ts'
import { compileZone } from '../segment/compile.ts'
import { Segment } from '../segment/segment.ts'
import { Zones } from '../segment/zones.ts'
import { Signers } from '../serving/signers.ts'
import { Xorshift } from '../steering/random.ts'
import { Steering } from '../steering/steering.ts'
import { Peer } from '../wire/peer.ts'
import { geoFixture } from './geo-fixture.ts'
import { openKey, signingBy, zoneKey } from './key-fixture.ts'
import { cdnOf, policyOf, strategyOf, zoneOf } from './zone-fixture.ts'

const PEER = new Peer().setText('198.51.100.9')
const CDNS = [cdnOf('one', 'aa.cdn.example.test'), cdnOf('two', 'bb.vendor.example')]
const POLICY = policyOf('p', CDNS, [
  strategyOf('s', {
    method: 'weighted-distribution',
    targets: [
      { cdnId: 'one', weight: 50 },
      { cdnId: 'two', weight: 50 },
    ],
    filter: { places: [], networks: [], cidrs: ['203.0.113.0/24', '2001:db8::/33'] },
  }),
])
const ZONE = zoneOf(
  'example.test',
  `
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
  ${Array.from({ length: 90 }, (_, i) => `big 300 A 192.0.2.${i}`).join('\n')}`,
  {
    steered: [
      { name: 'steered.example.test', domainId: 'd', policyId: 'p' },
      { name: 'example.test', domainId: 'd', policyId: 'p' },
    ],
    policies: [POLICY],
    signing: signingBy(zoneKey()),
    aliases: [
      { name: 'flat.example.test', target: 'big.example.test', ttlSeconds: 60 },
      { name: 'around.example.test', target: 'around.example.test', ttlSeconds: 60 },
    ],
  },
)
ZONE.rrsets.push({
  name: 'shared.example.test',
  type: 'A',
  ttlSeconds: 60,
  rdata: ['192.0.2.1', '192.0.2.2'],
  weights: [1, 2],
})

const POISONS = [0xa5, 0x5a]
const ROOM = { udp: 1232, tcp: 65535, tls: 65535, https: 65535 } as const
/** What stands behind a packet in its buffer, for a parser that reads too far. */
const BEHIND = 300
const REFUSALS = new Set(['FORMERR', 'NOTIMP'])

/** A server of a zone with everything in it, twice the same, for packets that mean it harm. */
export class HostileWorld {
  readonly #answerers: Answerer[]
  readonly #in = POISONS.map((poison) => Buffer.alloc(65_536 + BEHIND, poison))
  readonly #out = POISONS.map((poison) => Buffer.alloc(ROOM.tcp + 1, poison))

  private constructor(answerers: Answerer[]) {
    this.#answerers = answerers
  }

  static async make(): Promise<HostileWorld> {
    const segment = await Segment.open(compileZone(ZONE, 1, new BuilderKeys(openKey, Date.now).of(ZONE)))
    // One signer for both: a signature is never the same twice.
    new Signers(openKey, new SigningBudget(1e9), () => 1).equip(segment, undefined)
    return new HostileWorld(
      POISONS.map(() => {
        const geo = geoFixture()
        const zones = new Zones()
        const steering = new Steering({ locationOf: geo.location, clock: () => 1, random: new Xorshift(7) })
        zones.put(segment)
        steering.swapped(undefined, segment)
        return new Answerer(zones, steering, geo, new Cookies(new Uint8Array(16), () => 1))
      }),
    )
  }

  /**
   * Answers one packet twice, each time between and into bytes of another value: one that was read behind the packet,
   * or sent without being written, shows as a difference.
   * The answer stays valid until the next packet. @throws AssertionError when they differ or exceed what is allowed
   */
  answerBoth(packet: Uint8Array, transport: Transport): Buffer {
    const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = this.#answerers.map((answerer, i) => {
      const [bytes, whole, poison] = [this.#in[i] ?? assert.fail(), this.#out[i] ?? assert.fail(), POISONS[i] ?? 0]
      bytes.set(packet)
      bytes.fill(poison, packet.length, packet.length + BEHIND)
      const out = whole.subarray(0, ROOM[transport])
      const length = answerer.answer(bytes, packet.length, PEER, transport, out)
      assert.ok(length <= out.length, 'longer than allowed')
      const answer = Buffer.from(out.subarray(0, length))
      assert.equal(whole[out.length], poison, 'written behind the answer')
      whole.fill(poison)
      return answer
    })
    assert.ok(first.equals(second), 'a byte that is not of this packet was read or went out')
    return first
  }

  /**
   * @throws AssertionError when the answer to the packet is not what an answer must be, by our own walk and by another
   * library's reading
   */
  check(packet: Uint8Array, transport: Transport): void {
    const answer = this.answerBoth(packet, transport)
    if (answer.length === 0)
      return assert.ok(packet.length < 12 || ((packet[2] ?? 0) & 0x80) !== 0, 'a query without an answer')
    assert.equal(answer.readUInt16BE(0), ((packet[0] ?? 0) << 8) | (packet[1] ?? 0), 'another id')
    assert.equal((answer[2] ?? 0) & 0x80, 0x80)
    assert.notEqual((answer[3] ?? 0) & 15, 2, 'SERVFAIL')
    assertWhole(answer)
    assertOracle(packet, answer)
  }
}

/** Another implementation reads the answer to its end, and reads the question in it as the one that was asked. */
function assertOracle(packet: Uint8Array, answer: Buffer): void {
  const read = dnsPacket.decode(answer)
  if (REFUSALS.has(read.rcode)) return
  const asked = dnsPacket.decode(
    Buffer.concat([Buffer.from(packet.subarray(0, 4)), Buffer.from([0, 1, 0, 0, 0, 0, 0, 0]), packet.subarray(12)]),
  )
  assert.deepEqual(read.questions, asked.questions, 'another question')
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
