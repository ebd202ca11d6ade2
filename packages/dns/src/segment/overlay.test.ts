import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsZone, DnsZonePatch } from '@fairway/contract'
import * as fc from 'fast-check'
import { SetSignatures } from '../dnssec/set-signatures.ts'
import { ZoneSigner } from '../dnssec/zone-signer.ts'
import { openKey, signingBy, zoneKey } from '../testing/key-fixture.ts'
import { cdnOf, policyOf, zoneOf } from '../testing/zone-fixture.ts'
import { NameCursor } from '../wire/name-cursor.ts'
import { lowerName, nameToText, nameToWire } from '../wire/name.ts'
import { compileZone } from './compile.ts'
import { FLAG } from './format.ts'
import { foldedSegment } from './fold.ts'
import type { Signing } from './node-blocks.ts'
import { compileOverlay } from './overlay.ts'
import { Segment, SegmentError, overlayBehind } from './segment.ts'
import { WholeZone } from './whole-zone.ts'
import { ZoneError } from './zone-tree.ts'

const ORIGIN = 'example.test'
const NAMES = ['@', 'a', 'b', 'mail', 'x.a', 'y.x.a', 'deep.er.b', 'z.er.b', '*.b', 'ns.sub', 'zz', 'A-b']
const SETS = [
  '300 A 192.0.2.1',
  '60 A 192.0.2.2',
  '300 AAAA 2001:db8::1',
  '300 TXT "x"',
  '300 MX 10 mail.example.test.',
  '300 HTTPS 1 a.example.test.',
]
const line = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...SETS)).map((pair) => pair.join(' ')) },
  { weight: 1, arbitrary: fc.constantFrom('zz 300 CNAME a.example.test.', 'cut 300 NS ns.cut.example.test.') },
)
const states = fc.array(fc.uniqueArray(line, { maxLength: 14 }), { minLength: 2, maxLength: 4 })
const key = zoneKey()
const STEERED: Partial<DnsZone> = {
  steered: [
    { name: `go.${ORIGIN}`, domainId: 'd', policyId: 'p' },
    { name: `below.b.${ORIGIN}`, domainId: 'e', policyId: 'p' },
  ],
  policies: [policyOf('p', [cdnOf('one', 'one.cdn.test')], [])],
  aliases: [{ name: `alias.${ORIGIN}`, target: `a.${ORIGIN}`, ttlSeconds: 60 }],
}

const zoneAt = (version: number, lines: readonly string[], extra: Partial<DnsZone>): DnsZone => {
  const zone = zoneOf(ORIGIN, [...lines, 'stays 300 A 192.0.2.9', 'stays 300 MX 5 b.example.test.'].join('\n'), extra)
  const isApex = ({ name, type }: DnsZone['rrsets'][number]) => name === ORIGIN && (type === 'SOA' || type === 'NS')
  const [soa, ns, ...rest] = [...zone.rrsets.filter(isApex), ...zone.rrsets.filter((set) => !isApex(set))]
  if (!soa || !ns) assert.fail()
  soa.rdata = [`ns1.${ORIGIN}. admin.${ORIGIN}. ${version} 3600 600 604800 60`]
  const order = (a: (typeof rest)[number], b: (typeof rest)[number]) =>
    a.name < b.name || (a.name === b.name && a.type < b.type) ? -1 : 1
  return { ...zone, version, rrsets: [soa, ns, ...rest.toSorted(order)] }
}

/** Everything that is other in `to` than in any of `all`, as the publisher tells it. */
const patchOf = (all: readonly DnsZone[], to: DnsZone): DnsZonePatch => {
  const own = (zone: DnsZone) => zone.rrsets.slice(2)
  const text = (zone: DnsZone, name: string) => JSON.stringify(own(zone).filter((set) => set.name === name))
  const names = new Set(all.flatMap((zone) => own(zone).map(({ name }) => name)))
  const changed = [...names].filter((name) => all.some((zone) => text(zone, name) !== text(to, name)))
  return {
    zoneId: to.zoneId,
    since: all[0]?.version ?? 0,
    version: to.version,
    apex: to.rrsets.slice(0, 2),
    names: changed,
    rrsets: own(to).filter(({ name }) => changed.includes(name)),
  }
}

const together = (whole: Uint8Array, overlay: Uint8Array): Segment => {
  const at = overlayBehind(whole.length)
  const bytes = new Uint8Array(at + overlay.length)
  bytes.set(whole)
  bytes.set(overlay, at)
  return Segment.openOverNow(bytes, whole.length, at)
}

/** What a segment has at each name, wherever it stands. */
function contentOf(segment: Segment): Record<string, unknown> {
  const cursor = new NameCursor()
  const content: Record<string, unknown> = {}
  for (const node of segment.nodes()) {
    const name = segment.nodeName(node)
    const entries = [...segment.entries(node)].map((entry) => {
      const isAnswered = (segment.flags(node) & FLAG.occluded) === 0
      const end = isAnswered ? segment.allEnd(entry) : segment.answersEnd(entry)
      return [
        segment.typeOf(entry),
        segment.answers(entry),
        isAnswered && [segment.mandatory(entry), segment.optional(entry)],
        Buffer.from(segment.bytes.subarray(segment.recordsAt(entry), end)).toString('hex'),
      ]
    })
    assert.equal(content[nameToText(name)], undefined)
    content[nameToText(name)] = [segment.flags(node), segment.steeredIndex(node), entries]
    cursor.read(name, 0, name.length)
    const found = segment.find(cursor.hashes[0] ?? 0, cursor.lower, 0, cursor.length)
    assert.equal(found, (segment.flags(node) & FLAG.occluded) === 0 ? node : 0)
  }
  for (const text of [...NAMES, 'er.b', 'x', 'cut', 'sub']) {
    const wire = lowerName(nameToWire(text === '@' ? ORIGIN : `${text}.${ORIGIN}`))
    if (content[nameToText(wire)] !== undefined) continue
    cursor.read(wire, 0, wire.length)
    assert.equal(segment.find(cursor.hashes[0] ?? 0, cursor.lower, 0, cursor.length), 0, text)
  }
  return {
    ...content,
    negative: [
      segment.negativeTtlSeconds,
      Buffer.from(segment.bytes.subarray(segment.negativeAt, segment.negativeAt + segment.negativeBytes)).toString(
        'hex',
      ),
    ],
    apex: nameToText(segment.nodeName(segment.apexAt)),
    rest: [
      segment.version,
      segment.originText,
      segment.keys,
      segment.steered,
      segment.aliasTargets,
      segment.transferable,
    ],
  }
}

for (const isSigned of [false, true])
  test(`whatever changes in a ${isSigned ? 'signed ' : ''}zone, an overlay on what it was answers as the zone compiled whole`, () => {
    const signer = new ZoneSigner(lowerName(nameToWire(ORIGIN)), [key], openKey)
    const counts = { overlaid: 0, whole: 0 }
    fc.assert(
      fc.property(states, fc.boolean(), fc.nat(), (lines, isSteered, pick) => {
        const extra = { ...(isSteered ? STEERED : {}), ...(isSigned ? { signing: signingBy(key) } : {}) }
        const signatures = new SetSignatures(() => 0)
        const signing: Signing | null = isSigned ? { signer, signatures } : null
        const compiled = (zone: DnsZone) => {
          const bytes = compileZone(zone, 1, signing)
          signatures.built(true)
          return bytes
        }
        const zones = lines.map((state, index) => zoneAt(index + 1, state, extra))
        const last = zones.at(-1) ?? assert.fail()
        const from = zones[pick % zones.length] ?? assert.fail()
        let whole
        let expected
        try {
          whole = compiled(from)
          expected = compiled(last)
        } catch (error) {
          if (error instanceof ZoneError) return
          throw error
        }
        const patch = patchOf(zones, last)
        const overlay = compileOverlay(new WholeZone(Segment.openNow(whole)), patch, 2, signing)
        signatures.built(true)
        const isPlain = !lines.flat().some((text) => text.includes('cut'))
        if (overlay === null) {
          counts.whole++
          return assert.equal(isPlain, false)
        }
        counts.overlaid++
        const overlaid = together(whole, overlay)
        assert.deepEqual(contentOf(overlaid), contentOf(Segment.openNow(expected)))
        const folded = Segment.openNow(foldedSegment(overlaid, 3))
        assert.deepEqual(contentOf(folded), contentOf(overlaid))
        assert.deepEqual([folded.builtAt, folded.madeAt, folded.sourceHash], [3, 1, overlaid.sourceHash])
      }),
      { numRuns: isSigned ? 150 : 600 },
    )
    assert.ok(counts.overlaid > counts.whole, JSON.stringify(counts))
  })

const FROM = zoneAt(1, ['a 300 A 192.0.2.1'], {})
const TO = zoneAt(2, ['a 300 A 192.0.2.2', 'b 300 A 192.0.2.3'], {})

test('an overlay is refused by another segment, and where it is damaged or cut short', () => {
  const whole = compileZone(FROM, 1)
  const overlay = compileOverlay(new WholeZone(Segment.openNow(whole)), patchOf([FROM, TO], TO), 2, null)
  if (!overlay) assert.fail()
  assert.equal(together(whole, overlay).version, 2)
  assert.throws(() => together(compileZone(FROM, 3), overlay), SegmentError)
  assert.throws(() => together(compileZone(TO, 1), overlay), SegmentError)
  for (let at = 0; at < overlay.length; at += 7) {
    const damaged = overlay.slice()
    damaged[at] = (damaged[at] ?? 0) ^ 1
    assert.throws(() => together(whole, damaged), SegmentError)
    assert.throws(() => together(whole, overlay.subarray(0, at - (at % 4))), SegmentError)
  }
})

test('a patch of another zone, step, key or time than the segment is none for it', () => {
  const whole = new WholeZone(Segment.openNow(compileZone(FROM, 1)))
  const patch = patchOf([FROM, TO], TO)
  const signer = new ZoneSigner(lowerName(nameToWire(ORIGIN)), [key], openKey)
  assert.notEqual(compileOverlay(whole, patch, 2, null), null)
  for (const other of [{ zoneId: 'y' }, { step: 1 }, { since: 2 }, { since: 0, version: 0 }])
    assert.equal(compileOverlay(whole, { ...patch, ...other }, 2, null), null)
  assert.equal(compileOverlay(whole, patch, 2, { signer, signatures: new SetSignatures(() => 0) }), null)
})

test('what cannot be served is refused by an overlay for the same reason as whole', () => {
  const whole = new WholeZone(Segment.openNow(compileZone(FROM, 1)))
  const wrong = zoneAt(2, ['a 300 CNAME b.test.', 'a 300 A 192.0.2.1'], {})
  assert.throws(
    () => compileOverlay(whole, patchOf([FROM, wrong], wrong), 2, null),
    /a\.example\.test: a CNAME stands alone/,
  )
})
