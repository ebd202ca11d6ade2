import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import dnsPacket from 'dns-packet'
import * as fc from 'fast-check'
import { HostileWorld } from '../testing/hostile-world.ts'

let world: HostileWorld
before(async () => {
  world = await HostileWorld.make()
})

const label = fc.constantFrom(
  'www',
  'far',
  'steered',
  'wild',
  'cdn',
  'sub',
  'ns',
  'deep',
  'down',
  'big',
  'flat',
  'shared',
  'plain',
  'svc',
  'example',
  'test',
  '*',
  'x',
  'EXAMPLE',
  'a'.repeat(63),
)
const name = fc
  .array(label, { maxLength: 6 })
  .map((labels) => [...labels, 'example.test'].join('.'))
  .filter((text) => text.length < 250)
const subnet = fc.record({ family: fc.constantFrom(1, 2), bits: fc.integer({ min: 0, max: 128 }) })
const query = fc
  .record({
    name,
    type: fc.constantFrom(
      'A',
      'AAAA',
      'CNAME',
      'MX',
      'TXT',
      'NS',
      'SOA',
      'ANY',
      'DS',
      'AXFR',
      'DNSKEY',
      'UNKNOWN_65',
      'UNKNOWN_128',
    ),
    id: fc.nat(65535),
    rd: fc.boolean(),
    edns: fc.boolean(),
    size: fc.nat(65535),
    signed: fc.constantFrom(0, 0x8000, 0xc000),
    cookie: fc.option(fc.uint8Array({ maxLength: 41 })),
    subnet: fc.option(subnet),
  })
  .map(({ name: owner, type, id, rd, edns, size, signed, cookie, subnet: ecs }) => {
    const ip = ecs?.family === 2 ? '2001:db8::' : '203.0.113.0'
    const options: object[] = ecs
      ? [
          {
            code: 'CLIENT_SUBNET',
            family: ecs.family,
            ip,
            sourcePrefixLength: Math.min(ecs.bits, ecs.family === 1 ? 24 : 33),
            scopePrefixLength: 0,
          },
        ]
      : []
    if (cookie) options.push({ code: 'COOKIE', data: Buffer.from(cookie) })
    return dnsPacket.encode({
      type: 'query',
      id,
      flags: rd ? 256 : 0,
      questions: [{ type, name: owner }],
      additionals: edns ? [{ type: 'OPT', name: '.', udpPayloadSize: size, flags: signed, options }] : [],
    })
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
const runs = { numRuns: 10_000 }

test('a well-formed query gets a sound answer that fits', () => {
  fc.assert(
    fc.property(query, transport, (packet, over) => world.check(packet, over)),
    runs,
  )
})

test('a mutated query gets a sound answer or none', () => {
  fc.assert(
    fc.property(mutated, transport, (packet, over) => world.check(packet, over)),
    runs,
  )
})

test('noise gets a sound answer or none', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), transport, (packet, over) => world.check(packet, over)),
    runs,
  )
})

test('an answer never exceeds what the client takes', () => {
  fc.assert(
    fc.property(name, fc.integer({ min: 1, max: 4096 }), fc.boolean(), (owner, size, edns) => {
      const packet = dnsPacket.encode({
        type: 'query',
        id: 1,
        questions: [{ type: 'TXT', name: owner }],
        additionals: edns ? [{ type: 'OPT', name: '.', udpPayloadSize: size, flags: 0, options: [] }] : [],
      })
      assert.ok(world.answerBoth(packet, 'udp').length <= (edns ? Math.min(1232, Math.max(512, size)) : 512))
    }),
    { numRuns: 3000 },
  )
})
