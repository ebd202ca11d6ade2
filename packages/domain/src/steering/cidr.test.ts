import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { test } from 'node:test'
import * as fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { contains, decidingBits, parseAddress, parseCidr, parseVisitorAddress, type IpNetwork } from './cidr.ts'

const read = (text: string): IpNetwork => parseCidr(text) ?? assert.fail(`${text} is not read`)

test('addresses and blocks are read, host bits cut', () => {
  assert.deepEqual(read('192.0.2.9/24'), { family: 4, words: [0xc0000200], prefixLength: 24 })
  assert.deepEqual(read('255.255.255.255'), { family: 4, words: [0xffffffff], prefixLength: 32 })
  assert.deepEqual(read('2001:db8:ffff::1/33'), { family: 6, words: [0x20010db8, 0x80000000, 0, 0], prefixLength: 33 })
  assert.deepEqual(read('::'), { family: 6, words: [0, 0, 0, 0], prefixLength: 128 })
  assert.deepEqual(read('1:2:3:4:5:6:7::'), {
    family: 6,
    words: [0x10002, 0x30004, 0x50006, 0x70000],
    prefixLength: 128,
  })
  assert.deepEqual(read('0.0.0.0/0'), { family: 4, words: [0], prefixLength: 0 })
})

test('what is no address or block is not read', () => {
  for (const text of [
    '',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '01.2.3.4',
    '1..2.3',
    '1.2.3.',
    ' 1.2.3.4',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/+8',
    '1.2.3.4/08',
    '1.2.3.4/1e1',
    '1.2.3.4/8/8',
    '0x1.2.3.4',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '12345::',
    'g::',
    'fe80::1%eth0',
    '::1/129',
    '1.2.3.4::',
    '::1.2.3',
    ':1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:',
  ]) {
    assert.equal(parseCidr(text), null, text)
  }
})

test('a mapped IPv4 address counts as IPv4, its prefix too', () => {
  assert.deepEqual(read('::ffff:192.0.2.0/120'), read('192.0.2.0/24'))
  assert.deepEqual(read('::FFFF:c000:201'), read('192.0.2.1'))
  assert.equal(read('::ffff:0:0/95').family, 6)
  assert.deepEqual(parseVisitorAddress('::ffff:192.0.2.1', 24), { family: 4, words: [0], prefixLength: 0 })
  assert.deepEqual(parseVisitorAddress('::ffff:192.0.2.1', 128), read('192.0.2.1'))
})

test('a visitor’s prefix longer than its family has is cut', () => {
  assert.deepEqual(parseVisitorAddress('192.0.2.1', 128), read('192.0.2.1'))
  assert.equal(parseAddress('192.0.2.1', 33), null)
})

test('a text is an address exactly when Node says so, and has the bytes that ipaddr.js reads', () => {
  const hextets = fc
    .array(fc.constantFrom('0', '1', 'ffff', 'AbCd', '00f', '10000', 'g', '', '1.2.3.4', '1.2.3'), { maxLength: 10 })
    .map((parts) => parts.join(':'))
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), hextets), (text) => {
      const ours = parseAddress(text)
      assert.equal(ours !== null, isIP(text) !== 0, text)
      // ipaddr.js reads the deprecated form `::1.2.3.4` as mapped; RFC 4291 2.5.5.1 does not.
      if (ours === null || /^::\d+\./.test(text)) return
      const bytes = ours.words.flatMap((word) => [24, 16, 8, 0].map((shift) => (word >>> shift) & 255))
      assert.deepEqual(bytes, ipaddr.process(text).toByteArray(), text)
    }),
    { numRuns: 3000 },
  )
})

test('containment is that of ipaddr.js, and never of a narrower block or another family', () => {
  const words = fc.constantFrom(
    '10.0.0.0',
    '10.128.0.0',
    '10.128.3.0',
    '11.0.0.1',
    '2001:db8::',
    '2001:db8:8000::',
    '2001:db9::1',
  )
  fc.assert(
    fc.property(words, fc.nat(40), words, fc.nat(40), (a, aBits, b, bBits) => {
      const limit = (text: string, bits: number) => (text.includes(':') ? bits : Math.min(bits, 32))
      const outer = read(`${a}/${limit(a, aBits)}`)
      const inner = read(`${b}/${limit(b, bBits)}`)
      const sameFamily = a.includes(':') === b.includes(':')
      const expected =
        sameFamily &&
        outer.prefixLength <= inner.prefixLength &&
        ipaddr.parse(b).match(ipaddr.parse(a), outer.prefixLength)
      assert.equal(contains(outer, inner), expected)
    }),
    { numRuns: 3000 },
  )
})

test('the deciding bits settle whether an address is in a block', () => {
  const visitor = read('192.0.2.0/24')
  assert.equal(decidingBits(read('192.0.0.0/16'), visitor), 16)
  assert.equal(decidingBits(read('192.0.2.64/26'), visitor), 26)
  assert.equal(decidingBits(read('64.0.0.0/8'), visitor), 1)
  assert.equal(decidingBits(read('192.0.3.0/24'), visitor), 24)
  assert.equal(decidingBits(read('2001:db8::/32'), visitor), 0)
})
