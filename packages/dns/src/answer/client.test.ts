import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Geo } from '@fairway/platform'
import { ClientSubnet } from '../wire/client-subnet.ts'
import { Peer } from '../wire/peer.ts'
import { Client } from './client.ts'

/** A place that tells every address from every other. */
const geo: Pick<Geo, 'find'> = {
  find(bytes, offset, family, into) {
    into.place = new DataView(bytes.buffer, bytes.byteOffset + offset).getUint32(0) >>> 4
    into.network = (bytes[offset + 3] ?? 0) + family
    into.prefixLength = (bytes[offset + 3] ?? 0) % (family === 4 ? 33 : 65)
  },
}
const noSubnet = new ClientSubnet()

test('a client is where its address is, whoever asked before', () => {
  const last = fc.integer({ min: 0, max: 255 })
  // Few networks, so that addresses come again, and thousands, so that they share what is remembered.
  const address = fc.oneof(last.map((byte) => `192.0.2.${byte}`), fc.ipV4(), fc.ipV6())
  fc.assert(fc.property(fc.array(address, { maxLength: 200 }), (addresses) => {
    const client = new Client(geo)
    for (const text of [...addresses, ...addresses]) {
      const peer = new Peer().setText(text)
      client.set(noSubnet, peer)
      const expected = { place: 0, network: 0, prefixLength: 0 }
      geo.find(peer.bytes, 0, peer.family === 6 ? 6 : 4, expected)
      assert.deepEqual(client.hit, expected)
      assert.deepEqual(client.bytes, peer.bytes)
    }
  }))
})

test('of who cannot be read nothing is known, and nothing is remembered', () => {
  const client = new Client(geo)
  client.set(noSubnet, new Peer().setText('no address'))
  assert.deepEqual(client.hit, { place: 0, network: 0, prefixLength: 0 })
  client.set(noSubnet, new Peer().setText('0.0.0.0'))
  assert.deepEqual(client.hit, { place: 0, network: 4, prefixLength: 0 })
})
