import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOf } from './place-of.ts'

test('a place is an IPv4 address or a /64, however it is written', () => {
  for (const [address, place] of [
    ['192.0.2.1', '192.0.2.1'],
    ['255.255.255.255', '255.255.255.255'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:0DB8:0:0:aaaa::', '2001:db8:0:0'],
    ['2001:db8:0:1::1', '2001:db8:0:1'],
    ['1::2:3:4:5:6:7', '1:0:2:3'],
    ['ffff:ffff:ffff:ffff:1::192.0.2.1', 'ffff:ffff:ffff:ffff'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['', ''],
    ['unknown', 'unknown'],
  ] as const)
    assert.equal(placeOf(address), place, address)
})
