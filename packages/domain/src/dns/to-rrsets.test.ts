import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rrset } from '@fairway/contract'
import * as fc from 'fast-check'
import { canonicalIpv6 } from './addresses.ts'
import { toRdata, toRrsets, zoneFileLine, type WireRecord } from './to-rrsets.ts'
import { quoteTxt, txtStrings } from './txt.ts'

const record = (
  type: WireRecord['type'],
  name: string,
  value: string,
  change: Partial<WireRecord> = {},
): WireRecord => ({ type, name, value, preference: null, ttlSeconds: null, multiCdn: false, ...change })

test('records become RRsets with absolute names, sorted, Auto as 300 seconds', () => {
  const sets = toRrsets(
    [
      record('A', 'www', '198.51.100.2'),
      record('A', 'www', '198.51.100.1'),
      record('MX', '@', 'Mail.Example.net', { preference: 10, ttlSeconds: 600 }),
      record('CNAME', '*.shop', 'www.example.com.'),
      record('NS', 'sub', 'ns1.example.net'),
      record('AAAA', '@', '2001:DB8:0:0:0::1'),
    ],
    'Example.com',
  )
  assert.deepEqual(sets, [
    { name: '*.shop.example.com', type: 'CNAME', ttlSeconds: 300, rdata: ['www.example.com.'] },
    { name: 'example.com', type: 'AAAA', ttlSeconds: 300, rdata: ['2001:db8::1'] },
    { name: 'example.com', type: 'MX', ttlSeconds: 600, rdata: ['10 mail.example.net.'] },
    { name: 'sub.example.com', type: 'NS', ttlSeconds: 300, rdata: ['ns1.example.net.'] },
    { name: 'www.example.com', type: 'A', ttlSeconds: 300, rdata: ['198.51.100.2', '198.51.100.1'] },
  ])
  for (const set of sets) Rrset.parse(set)
})

test('an RRset holds each value once and the smallest of its TTLs', () => {
  const sets = toRrsets(
    [record('AAAA', 'a', '::1', { ttlSeconds: 60 }), record('AAAA', 'a', '0:0::1', { ttlSeconds: 30 })],
    'example.com',
  )
  assert.deepEqual(sets, [{ name: 'a.example.com', type: 'AAAA', ttlSeconds: 30, rdata: ['::1'] }])
})

test('a CNAME at the apex is left out', () =>
  assert.deepEqual(toRrsets([record('CNAME', '@', 'x.example.net')], 'example.com'), []))

test('text is quoted, escaped and cut to strings of 255 bytes', () => {
  assert.equal(toRdata(record('TXT', '@', 'say "hi" \\ é')), '"say \\"hi\\" \\\\ \\195\\169"')
  assert.equal(toRdata(record('TXT', '@', 'x'.repeat(300))), `"${'x'.repeat(255)}" "${'x'.repeat(45)}"`)
  assert.equal(toRdata(record('TXT', '@', '"a; b" "\\000\\"c"')), '"a; b" "\\000\\"c"')
  assert.equal(toRdata(record('TXT', '@', '""')), '""')
})

test('quoted text is read back as the same bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(255), { maxLength: 255 }), { minLength: 1, maxLength: 4 }), (strings) => {
      assert.deepEqual(txtStrings(quoteTxt(strings)), strings)
    }),
  )
})

test('any text is read to its end', () => {
  for (const hostile of [`"${'\\'.repeat(4095)}`, `"${'a'.repeat(4095)}`, '" '.repeat(2048), '""'.repeat(2048)])
    assert.doesNotThrow(() => txtStrings(hostile))
})

test('IPv6 addresses have one form', () => {
  const forms: [string, string][] = [
    ['2001:0DB8::0001', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['1::', '1::'],
    ['::1.2.3.4', '::102:304'],
  ]
  for (const [text, canonical] of forms) assert.equal(canonicalIpv6(text), canonical)
})

test('the form shows the line of the zone file, with the TTL of steering while multi-CDN is on', () => {
  assert.equal(
    zoneFileLine(record('MX', '@', 'mail.example.net', { preference: 5 }), 'example.com'),
    'example.com. 300 IN MX 5 mail.example.net.',
  )
  assert.equal(
    zoneFileLine(record('A', 'www', '198.51.100.1', { multiCdn: true }), 'example.com'),
    'www.example.com. 30 IN A 198.51.100.1',
  )
})
