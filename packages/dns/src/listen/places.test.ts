import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Places } from './places.ts'

for (const [what, addresses, taken] of [
  [
    'an IPv4 address has its own',
    ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2', '::ffff:192.0.2.3', '::ffff:192.0.2.4'],
    5,
  ],
  [
    'an IPv6 network has one for all of its addresses',
    ['2001:db8::1', '2001:db8::2:3:4', '2001:db8:0:0:aaaa::', '2001:db8:0:1::1', '2001:db8:1::1'],
    4,
  ],
  ['zeros may be left out anywhere', ['1::2:3:4:5:6:7', '1:0:2:3::', '1:0:2:3:9:9:9:9', '::1', '::2', '::3'], 4],
] as const) {
  test(`places for connections, two for each peer: ${what}`, () => {
    const places = new Places({ connections: 100, connectionsPerPeer: 2 })
    assert.equal(addresses.filter((address) => places.take(address)).length, taken)
  })
}

test('a place that is given back is there for another address of its network', () => {
  const places = new Places({ connections: 2, connectionsPerPeer: 1 })
  assert.deepEqual([places.take('2001:db8::1'), places.take('2001:db8::2')], [true, false])
  places.leave('2001:db8::1')
  assert.equal(places.take('2001:db8::2'), true)
})
