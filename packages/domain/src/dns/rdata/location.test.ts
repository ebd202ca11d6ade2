import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { rdataBytes, rdataOfText, writeRdata } from './rdata.ts'

const hex = (type: string, text: string) => {
  const bytes = rdataBytes(type, text)
  return bytes === null ? null : Buffer.from(bytes).toString('hex')
}

test('places on earth are read as RFC 1876 has them, and written whole', () => {
  const places: [string, string | null][] = [
    ['42 21 54 N 71 06 18 W -24m 30m', '0033161389172dd070be15f000988d20'],
    ['0 0 0 N 0 0 0 E 0m', '00121613800000008000000000989680'],
    ['90 N 180 W 0.00 1m 10000m 10m', '00121613934fd90059604e0000989680'],
    ['0 0 0.001 S 0 0 0.001 E -100000m', '001216137fffffff8000000100000000'],
    ['91 N 0 E 0m', null],
    ['90 0 0.001 N 0 E 0m', null],
    ['1 60 N 0 E 0m', null],
    ['1 0 0 0 N 0 E 0m', null],
    ['N 0 E 0m', null],
    ['1 N 1 N 0m', null],
    ['1 N 1 E', null],
    ['1 N 1 E -100001m', null],
    ['1 N 1 E 0m 1m 1m 1m 1m', null],
    ['1 N 1 E 0m -1m', null],
  ]
  for (const [text, bytes] of places) assert.equal(hex('LOC', text), bytes, text)
  assert.equal(
    rdataOfText('LOC', '42 21 54 N 71 06 18 W -24m 30m'),
    '42 21 54.000 N 71 6 18.000 W -24.00m 30.00m 10000.00m 10.00m',
  )
})

test('what is written of a place is read as the same bytes', () => {
  const digit = fc.nat(9)
  const size = fc.tuple(digit, digit).map(([mantissa, exponent]) => mantissa * 16 + exponent)
  const word = (most: number) =>
    fc
      .integer({ min: 2 ** 31 - most * 3_600_000, max: 2 ** 31 + most * 3_600_000 })
      .map((value) => [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255])
  const place = fc
    .tuple(size, size, size, word(90), word(180), fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }))
    .map(([a, b, c, latitude, longitude, altitude]) => [0, a, b, c, ...latitude, ...longitude, ...altitude])
  fc.assert(
    fc.property(place, (bytes) => {
      const [, ...sizes] = bytes.slice(0, 4)
      // Nothing, times a power of ten, is written as plain nothing.
      fc.pre(sizes.every((one) => one >> 4 > 0 || one === 0))
      assert.deepEqual([...(rdataBytes('LOC', writeRdata('LOC', bytes) ?? '') ?? [])], bytes)
    }),
  )
})

test('hardware addresses and identifiers', () => {
  assert.equal(hex('EUI48', '00-00-5E-00-53-2a'), '00005e00532a')
  assert.equal(hex('EUI64', '00-00-5e-ef-10-00-00-2a'), '00005eef1000002a')
  assert.equal(hex('NID', '10 14:4fff:ff20:ee64'), '000a00144fffff20ee64')
  assert.equal(hex('L64', '10 2001:db8:1140:1000'), '000a20010db811401000')
  assert.equal(hex('L32', '10 10.1.2.0'), '000a0a010200')
  for (const [type, text] of [
    ['EUI48', '00-00-5e-00-53'],
    ['EUI48', '00:00:5e:00:53:2a'],
    ['EUI64', '00-00-5e-00-53-2a'],
    ['NID', '10 14:4fff:ff20'],
    ['L32', '10 2001:db8::'],
  ] as const)
    assert.equal(hex(type, text), null, `${type} ${text}`)
  assert.equal(rdataOfText('EUI48', '00-00-5E-00-53-2A'), '00-00-5e-00-53-2a')
  assert.equal(rdataOfText('NID', '10 0014:4fff:ff20:ee64'), '10 14:4fff:ff20:ee64')
})
