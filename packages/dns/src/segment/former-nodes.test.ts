import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsZone } from '@fairway/contract'
import * as fc from 'fast-check'
import { SetSignatures } from '../dnssec/set-signatures.ts'
import { ZoneSigner } from '../dnssec/zone-signer.ts'
import { openKey, signingBy, zoneKey } from '../testing/key-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'
import { lowerName, nameToWire } from '../wire/name.ts'
import { compileZone } from './compile.ts'
import { FormerNodes } from './former-nodes.ts'
import type { Signing } from './node-blocks.ts'
import { ZoneError } from './zone-tree.ts'

const ORIGIN = 'example.test'
const NAMES = ['a', 'b', 'mail', 'x.a', 'y.x.a', 'deep.er.b', '*.b', 'sub', 'ns.sub', 'zz']
/** Sets that go together and ones that do not, with addresses that go along and delegations that hide names. */
const SETS = [
  '300 A 192.0.2.1',
  '60 A 192.0.2.2',
  '300 AAAA 2001:db8::1',
  '300 TXT "x"',
  '300 MX 10 mail.example.test.',
]
const line = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...SETS)).map((pair) => pair.join(' ')) },
  { weight: 1, arbitrary: fc.constantFrom('sub 300 NS ns.sub.example.test.', 'zz 300 CNAME a.example.test.') },
)
const zones = fc.array(fc.uniqueArray(line, { maxLength: 12 }), { minLength: 2, maxLength: 6 })

/** The zone with the sets that it has in common with the one before as the same objects, as a patch leaves them. */
function following(former: DnsZone | null, zone: DnsZone): DnsZone {
  const known = new Map(former?.rrsets.map((set) => [JSON.stringify(set), set]))
  return { ...zone, rrsets: zone.rrsets.map((set) => known.get(JSON.stringify(set)) ?? set) }
}

const compiled = (zone: DnsZone, signing: Signing | null, former: FormerNodes | null): Uint8Array | string => {
  try {
    return compileZone(zone, 1, signing, former)
  } catch (error) {
    if (error instanceof ZoneError) return error.message
    throw error
  }
}

for (const isSigned of [false, true])
  test(`after any changes a ${isSigned ? 'signed ' : ''}zone is compiled to the same bytes with what it was before as without`, () => {
    const key = zoneKey()
    const signer = new ZoneSigner(lowerName(nameToWire(ORIGIN)), [key], openKey)
    fc.assert(
      fc.property(zones, (states) => {
        const former = new FormerNodes(() => 0)
        const signatures = new SetSignatures(() => 0)
        let last: DnsZone | null = null
        for (const [version, lines] of states.entries()) {
          const whole = zoneOf(ORIGIN, lines.join('\n'), { version, ...(isSigned ? { signing: signingBy(key) } : {}) })
          const zone = following(last, whole)
          const signing = isSigned ? { signer, signatures } : null
          const copied = compiled(zone, signing, former)
          // A signature is made of chance too: the other compilation has those of this one.
          signatures.built(true)
          assert.deepEqual(copied, compiled(structuredClone(whole), signing, null))
          if (typeof copied !== 'string') last = zone
        }
      }),
      { numRuns: isSigned ? 40 : 200 },
    )
  })

test('signatures that are three days old are looked at again, under another key all are made anew', () => {
  let now = 0
  const former = new FormerNodes(() => now)
  const signatures = new SetSignatures(() => now)
  const compileBy = (key = zoneKey()) => {
    const zone = { ...ZONE, signing: signingBy(key) }
    const signer = new ZoneSigner(lowerName(nameToWire(ORIGIN)), [key], openKey)
    const bytes = compileZone(zone, 1, { signer, signatures }, former)
    signatures.built(true)
    return bytes
  }
  const ZONE = zoneOf(ORIGIN, 'a 300 A 192.0.2.1')
  const key = zoneKey()
  const day = 86_400_000
  const first = compileBy(key)
  now = 2 * day
  assert.deepEqual(compileBy(key), first)
  now = 8 * day
  assert.notDeepEqual(compileBy(key), first)
  const second = compileBy(key)
  assert.notDeepEqual(compileBy(zoneKey()), second)
})
