import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { NameCursor } from '../wire/name-cursor.ts'
import { nameToText, nameToWire } from '../wire/name.ts'
import { cdnOf, policyOf, zoneOf } from '../testing/zone-fixture.ts'
import { compileZone } from './compile.ts'
import { Segment, SegmentError } from './segment.ts'
import { ZoneError } from './zone-tree.ts'
import { Zones } from './zones.ts'

const POLICY = policyOf('p1', [cdnOf('one', 'AA.one.cdn.test'), cdnOf('new', '')], [])
const ZONE = zoneOf('example.test', 'www 300 A 192.0.2.1', {
  version: 41,
  steered: [{ name: 'go.example.test', domainId: 'd', policyId: 'p1' }],
  policies: [POLICY],
})

test("a segment holds the zone's identity and policies, so that a node steers after a start without the API", async () => {
  const segment = await Segment.open(compileZone(ZONE, 1234.5))
  assert.deepEqual(
    [segment.zoneId, segment.organizationId, segment.originText, segment.version, segment.builtAt],
    ['site-example.test', 'org-1', 'example.test', 41, 1234.5],
  )
  const [entry] = segment.steered
  assert.deepEqual(entry?.policy, POLICY)
  assert.deepEqual(
    entry?.cnames.map((name) => name && nameToText(name.lower)),
    ['aa.one.cdn.test', null],
  )
})

test('the same zone gives the same segment', () => {
  assert.deepEqual(compileZone(ZONE, 7), compileZone(structuredClone(ZONE), 7))
})

test('every name of a large zone is found, and no other', async () => {
  const names = Array.from({ length: 5000 }, (_, i) => `host-${i}`)
  const segment = await Segment.open(
    compileZone(zoneOf('large.test', names.map((name) => `${name} 300 A 192.0.2.1`).join('\n')), 1),
  )
  const cursor = new NameCursor()
  const find = (text: string) => {
    const wire = nameToWire(text)
    cursor.read(wire, 0, wire.length)
    return segment.find(cursor.hashes[0] ?? 0, cursor.lower, 0, cursor.length)
  }
  for (const name of names) assert.equal(nameToText(segment.nodeName(find(`${name}.large.test`))), `${name}.large.test`)
  for (const name of ['host-5000', 'host', 'x.host-1']) assert.equal(find(`${name}.large.test`), 0)
})

test('a damaged, shortened or foreign file is refused whole', async () => {
  const file = compileZone(ZONE, 1)
  await fc.assert(
    fc.asyncProperty(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const damaged = file.slice()
      damaged[at] = (damaged[at] ?? 0) ^ flip
      await assert.rejects(Segment.open(damaged), SegmentError)
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.nat(file.length - 1), (length) =>
      assert.rejects(Segment.open(file.slice(0, length)), SegmentError),
    ),
  )
  await assert.rejects(Segment.open(new Uint8Array(4096)), SegmentError)
})

test('a large file is checked as well', async () => {
  const file = compileZone(
    zoneOf('large.test', Array.from({ length: 3000 }, (_, i) => `h${i} 300 A 192.0.2.1`).join('\n')),
    1,
  )
  await Segment.open(file)
  file[file.length >> 1] = (file[file.length >> 1] ?? 0) ^ 1
  await assert.rejects(Segment.open(file), /damaged/)
})

const refused: Record<string, [string, RegExp]> = {
  'a name outside': ['www.other.test. 300 A 192.0.2.1', /www\.other\.test is not in the zone/],
  'a bad address': ['www 300 A 192.0.2.300', /www\.example\.test A: .*no IPv4 address/],
  'a CNAME beside other data': ['www 300 CNAME a.test.\nwww 300 A 192.0.2.1', /a CNAME stands alone/],
  'two CNAMEs': ['www 300 CNAME a.test.\nwww 300 CNAME b.test.', /a CNAME stands alone/],
  'a CNAME at the apex': ['@ 300 CNAME a.test.', /CNAME/],
  'a second SOA': ['sub 300 SOA a. b. 1 2 3 4 5', /one SOA, at the apex only/],
  'a delegated wildcard': ['* 300 NS ns.test.', /a wildcard cannot be delegated/],
  'an RRset larger than a message': [
    Array.from({ length: 5000 }, (_, i) => `www 300 A 10.0.${i >> 8}.${i & 255}`).join('\n'),
    /does not fit into one message/,
  ],
}
for (const [what, [lines, reason]] of Object.entries(refused)) {
  test(`a zone with ${what} is refused with the reason`, () => {
    assert.throws(
      () => compileZone(zoneOf('example.test', lines), 1),
      (error) => error instanceof ZoneError && reason.test(error.message),
    )
  })
}

test('steering that points nowhere or below a delegation is refused', () => {
  const steered =
    (name: string, policyId = 'p1', lines = '') =>
    () =>
      compileZone(
        zoneOf('example.test', lines, { steered: [{ name, domainId: 'd', policyId }], policies: [POLICY] }),
        1,
      )
  assert.throws(steered('www.example.test', 'p2'), /policy p2, which is missing/)
  assert.throws(steered('www.other.test'), /is not in the zone/)
  assert.throws(steered('www.sub.example.test', 'p1', 'sub 300 NS ns.test.'), /is delegated/)
})

test('a zone without SOA is refused', () => {
  assert.throws(() => compileZone({ ...ZONE, rrsets: [] }, 1), /has no SOA/)
})

test('two zones never share an origin, and one that is removed leaves its place', async () => {
  const zones = new Zones()
  const first = await Segment.open(compileZone(ZONE, 1))
  const twin = await Segment.open(compileZone({ ...ZONE, zoneId: 'another' }, 1))
  zones.put(first)
  assert.throws(() => zones.put(twin), /already served for zone site-example\.test/)
  zones.remove('site-example.test')
  zones.put(twin)
  const cursor = new NameCursor()
  const wire = nameToWire('deep.www.example.test')
  cursor.read(wire, 0, wire.length)
  assert.equal(zones.find(cursor, 1)?.zoneId, 'another')
  zones.remove('another')
  assert.equal(zones.find(cursor, 1), null)
})
