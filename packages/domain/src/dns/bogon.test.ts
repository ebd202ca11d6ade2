import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { isBogon, isPublicAddress } from './bogon.ts'

// IANA IPv4 and IPv6 special-purpose address registries: the first and the last address of each block.
const SPECIAL = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.9', '192.0.0.170', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255', '240.0.0.0', '255.255.255.255'],
  ['::', '::1'],
  ['64:ff9b::', '64:ff9b::7f00:1', '64:ff9b::127.0.0.1', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::'],
  ['2001::', '2001:0:ffff::1', '2001:1::1', '2001:2::1', '2001:3::1', '2001:4:112::1', '2001:10::', '2001:20::1'],
  ['2001:30::1', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:7f00:1::', '2002:808:808::1', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::', '5f00:ffff::1'],
  ['fc00::', 'fdff:ffff::1'],
  ['fe80::', 'febf::1', 'fec0::1', 'feff::1'],
  ['ff00::', 'ff02::1'],
].flat()

// The same IPv4 address, as each mechanism carries it inside IPv6.
const EMBEDDINGS: [string, (v4: string, hex: string) => string][] = [
  ['mapped', (v4) => `::ffff:${v4}`],
  ['mapped, written as groups', (_, hex) => `::ffff:${hex}`],
  ['mapped, in full', (_, hex) => `0000:0000:0000:0000:0000:FFFF:${hex}`],
  ['translated (RFC 2765)', (_, hex) => `::ffff:0:${hex}`],
  ['compatible', (v4) => `::${v4}`],
  ['NAT64', (v4) => `64:ff9b::${v4}`],
  ['NAT64 of a network of its own', (_, hex) => `64:ff9b:1::${hex}`],
  ['6to4', (_, hex) => `2002:${hex}::`],
  ['Teredo server', (_, hex) => `2001:0:${hex}::`],
  ['ISATAP', (_, hex) => `2606:4700::5efe:${hex}`],
  ['ISATAP, universal', (_, hex) => `2606:4700::200:5efe:${hex}`],
]

const hexOf = (v4: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number)
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
}

test('no address of a special-purpose block is public, at either end', () => {
  assert.deepEqual(SPECIAL.filter(isPublicAddress), [])
  assert.deepEqual(
    SPECIAL.filter((address) => !isBogon(address)),
    [],
  )
})

test('an inner IPv4 address is not public in any form that IPv6 has for it', () => {
  for (const v4 of ['127.0.0.1', '10.0.0.8', '169.254.169.254', '192.168.1.1', '100.64.0.1', '0.0.0.0'])
    for (const [form, embed] of EMBEDDINGS) assert.equal(isPublicAddress(embed(v4, hexOf(v4))), false, `${v4} ${form}`)
})

test('the neighbours of the blocks are public', () => {
  for (const address of [
    '1.0.0.0',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '::ffff:8.8.8.8',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2606:4700::1111',
    '2a00::1',
  ])
    assert.equal(isPublicAddress(address), true, address)
})

test('what is no address is neither public nor special', () => {
  for (const text of [
    '',
    'x',
    'example.com',
    'fe80::1%eth0',
    '::1%lo',
    '127.1',
    '0177.0.0.1',
    '2130706433',
    '1.2.3.4/32',
  ])
    assert.deepEqual([isPublicAddress(text), isBogon(text)], [false, false], text)
})

// Blocks of ours that another library calls unicast would be a smaller mistake than the other way round.
const judged = (bytes: Uint8Array, more: (address: ipaddr.IPv4 | ipaddr.IPv6) => string = String) => {
  const address = ipaddr.fromByteArray([...bytes])
  const inner =
    address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address().range() : address.range()
  return inner === 'unicast' || !isPublicAddress(more(address))
}

test('whatever another library knows as special is not public here, for any address', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), (bytes) => judged(bytes)),
    { numRuns: 5_000 },
  )
  const special = fc.constantFrom(
    '2001',
    '2002',
    '2620',
    '3fff',
    '64',
    '100',
    'fc00',
    'fe80',
    'ff02',
    '5f00',
    '0',
    '2606',
  )
  fc.assert(
    fc.property(special, fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.boolean(), (head, bytes, sparse) => {
      const first = Number.parseInt(head, 16)
      bytes.set([first >> 8, first & 0xff])
      if (sparse) bytes.fill(0, 3, 12)
      return judged(bytes) && judged(bytes, (address) => address.toNormalizedString().toUpperCase())
    }),
    { numRuns: 5_000 },
  )
})
