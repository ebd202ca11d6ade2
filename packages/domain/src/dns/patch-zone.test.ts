import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsZone, Rrset } from '@fairway/contract'
import * as fc from 'fast-check'
import { patchedZone } from './patch-zone.ts'
import { toRrsets } from './to-rrsets.ts'

const ORIGIN = 'example.com'
type Records = Record<string, string[]>

const apexAt = (version: number): Rrset[] => [
  { name: ORIGIN, type: 'SOA', ttlSeconds: 3600, rdata: [`ns1. host. ${version} 1 1 1 1`] },
  { name: ORIGIN, type: 'NS', ttlSeconds: 3600, rdata: ['ns1.'] },
]
const setsOf = (records: Records): Rrset[] =>
  toRrsets(
    Object.entries(records).flatMap(([name, values]) =>
      values.map((value) => ({
        type: value.startsWith('t') ? ('TXT' as const) : ('A' as const),
        name,
        value,
        preference: null,
        ttlSeconds: null,
        multiCdn: false,
      })),
    ),
    ORIGIN,
  )
const zoneOf = (version: number, records: Records): DnsZone => ({
  zoneId: 'z',
  organizationId: 'o',
  origin: ORIGIN,
  version,
  rrsets: [...apexAt(version), ...setsOf(records)],
  steered: [],
  policies: [],
})
const patchOf = (since: number, version: number, names: readonly string[], records: Records) => ({
  zoneId: 'z',
  since,
  version,
  apex: apexAt(version),
  names: names.map((name) => (name === '@' ? ORIGIN : `${name}.${ORIGIN}`)),
  rrsets: setsOf(Object.fromEntries(names.flatMap((name) => (records[name] ? [[name, records[name]]] : [])))),
})

const owner = fc.constantFrom('@', '*', 'a', 'a-b', 'a.b', 'b', 'b.a', 'zz', '_t.a')
const records = fc.dictionary(
  owner,
  fc.uniqueArray(fc.constantFrom('192.0.2.1', '192.0.2.2', 't1', 't2'), { minLength: 1 }),
)

test('a patched zone is the zone as it would be published whole, from whichever version since it is patched', () => {
  fc.assert(
    fc.property(fc.array(records, { minLength: 2, maxLength: 5 }), fc.nat(), (states, pick) => {
      const last = states.length - 1
      const from = pick % states.length
      const names = [...new Set(states.flatMap((state) => Object.keys(state)))]
      const patch = patchOf(0, last, names, states[last] ?? {})
      const patched = patchedZone(zoneOf(from, states[from] ?? {}), patch)
      assert.deepEqual(patched, zoneOf(last, states[last] ?? {}))
      assert.deepEqual(patched && patchedZone(patched, patch), patched)
    }),
  )
})

test('what a patch does not name stays, as the same objects', () => {
  const zone = zoneOf(1, { a: ['192.0.2.1'], b: ['192.0.2.2'] })
  const patched = patchedZone(zone, patchOf(1, 2, ['a'], {}))
  assert.deepEqual(patched, zoneOf(2, { b: ['192.0.2.2'] }))
  assert.equal(patched?.rrsets.at(-1), zone.rrsets.at(-1))
})

test('a patch that starts later, ends earlier, is of another zone or at another step does not fit', () => {
  const zone = zoneOf(5, {})
  assert.equal(patchedZone(zone, patchOf(6, 7, [], {})), null)
  assert.equal(patchedZone(zone, patchOf(3, 4, [], {})), null)
  assert.equal(patchedZone(zone, { ...patchOf(5, 6, [], {}), zoneId: 'y' }), null)
  assert.equal(patchedZone(zone, { ...patchOf(5, 6, [], {}), step: 1 }), null)
})
