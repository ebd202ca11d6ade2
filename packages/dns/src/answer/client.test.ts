import assert from 'node:assert/strict'
import { test } from 'node:test'
import dnsPacket from 'dns-packet'
import fc from 'fast-check'
import { ClientSubnet } from '../wire/client-subnet.ts'
import { Peer } from '../wire/peer.ts'
import { Client, type Places } from './client.ts'

/** A place that tells every address from every other. */
const geo: Places = {
  prefetch() {},
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
  const address = fc.oneof(
    last.map((byte) => `192.0.2.${byte}`),
    fc.ipV4(),
    fc.ipV6(),
  )
  fc.assert(
    fc.property(fc.array(address, { maxLength: 200 }), (addresses) => {
      const client = new Client(geo)
      for (const text of [...addresses, ...addresses]) {
        const peer = new Peer().setText(text)
        client.set(noSubnet, peer)
        const expected = { place: 0, network: 0, prefixLength: 0 }
        geo.find(peer.bytes, 0, peer.family === 6 ? 6 : 4, expected)
        assert.deepEqual(client.hit, expected)
        assert.deepEqual(client.bytes, peer.bytes)
      }
    }),
  )
})

test('of who cannot be read nothing is known, and nothing is remembered', () => {
  const client = new Client(geo)
  client.set(noSubnet, new Peer().setText('no address'))
  assert.deepEqual(client.hit, { place: 0, network: 0, prefixLength: 0 })
  client.set(noSubnet, new Peer().setText('0.0.0.0'))
  assert.deepEqual(client.hit, { place: 0, network: 4, prefixLength: 0 })
})

test('of the queries of a batch that tell a client subnet the location data is told all at once beforehand', () => {
  const asked: string[][] = []
  const client = new Client({
    ...geo,
    prefetch: (addresses, count) =>
      void asked.push(
        Array.from(addresses.subarray(0, count), (address) =>
          [24, 16, 8].map((shift) => (address >>> shift) & 255).join('.'),
        ),
      ),
  })
  const query = (options: { ip: string; bits: number }[], edns = true) =>
    dnsPacket.encode({
      type: 'query',
      id: 1,
      questions: [{ type: 'A', name: 'www.example.test' }],
      additionals: edns
        ? [
            {
              type: 'OPT',
              name: '.',
              udpPayloadSize: 1232,
              flags: 0,
              options: options.map(({ ip, bits }) => ({
                code: 'CLIENT_SUBNET',
                family: ip.includes(':') ? 2 : 1,
                ip,
                sourcePrefixLength: bits,
                scopePrefixLength: 0,
              })),
            },
          ]
        : [],
    })
  const batch = (messages: Buffer[]) => {
    for (const message of messages) client.expect(message, message.length)
    client.prefetch()
  }
  batch([
    query([{ ip: '198.51.100.0', bits: 24 }]),
    query([]),
    query([], false),
    query([{ ip: '2001:db8::', bits: 56 }]),
    query([{ ip: '203.0.113.0', bits: 24 }]),
    Buffer.alloc(0),
    Buffer.alloc(11),
  ])
  batch(Array.from({ length: 100 }, (_, i) => query([{ ip: `203.0.${i}.0`, bits: 24 }])))
  assert.deepEqual(asked[0], ['198.51.100', '203.0.113'])
  assert.deepEqual(
    asked[1],
    Array.from({ length: 64 }, (_, i) => `203.0.${i}`),
    'no more than a batch has',
  )
})
