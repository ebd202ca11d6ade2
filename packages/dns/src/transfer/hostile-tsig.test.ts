import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { after, before, test } from 'node:test'
import dnsPacket from 'dns-packet'
import * as fc from 'fast-check'
import { serve, type Served } from '../testing/server-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'
import { Peer } from '../wire/peer.ts'
import { fetchZone, ownPeer, signRequest } from '@fairway/platform'

const KEY = { name: 'mine', secret: crypto.randomBytes(32) }
const NOW = 1_800_000_000_000
let served: Served
before(async () => {
  served = await serve([zoneOf('example.test', 'www 300 A 192.0.2.1')], { clock: () => NOW })
  served.transfers.set('org-1', {
    organizationId: 'org-1',
    version: 1,
    peers: [{ keyName: KEY.name, sealedSecret: KEY.secret.toString('base64'), notify: null }],
  })
})
after(() => served[Symbol.asyncDispose]())

const signed = (type: string) =>
  signRequest(dnsPacket.encode({ type: 'query', id: 7, questions: [{ type, name: 'example.test' }] }), KEY, NOW)
const mutation = fc.record({ at: fc.nat(), value: fc.nat(255), kind: fc.constantFrom('set', 'cut', 'insert') })
const packets = fc
  .tuple(fc.constantFrom('SOA', 'AXFR', 'IXFR', 'A'), fc.array(mutation, { minLength: 1, maxLength: 4 }))
  .map(([type, mutations]) =>
    mutations.reduce<Buffer>((bytes, { at, value, kind }) => {
      const place = at % (bytes.length + 1)
      if (kind === 'cut') return bytes.subarray(0, place)
      if (kind === 'insert')
        return Buffer.concat([bytes.subarray(0, place), Buffer.from([value]), bytes.subarray(place)])
      const copy = Buffer.from(bytes)
      if (place < copy.length) copy[place] = value
      return copy
    }, signed(type)),
  )

test('who asks at another time than the clock of the primary is told apart from who signs wrongly', async () => {
  const options = { timeoutMs: 5_000, quietMs: 5_000, most: 10, mostBytes: 10_000 }
  const problem = async (key: typeof KEY) => {
    const fetched = await fetchZone(ownPeer(served.at), 'example.test', null, { ...options, key })
    return fetched.kind === 'problem' ? fetched.problem : fetched.kind
  }
  assert.deepEqual(
    [await problem(KEY), await problem({ ...KEY, secret: crypto.randomBytes(32) })],
    ['badTime', 'badSignature'],
  )
})

test('mutated signed queries never go wrong inside, and never fetch a zone', () => {
  const out = Buffer.alloc(65_535)
  fc.assert(
    fc.property(packets, (packet) => {
      const answered = served.handler.handle(
        packet,
        packet.length,
        new Peer().setText('192.0.2.1'),
        'udp',
        out.subarray(0, 1232),
      )
      assert.ok(answered <= 1232)
      for (const message of served.handler.transfer(Buffer.from(packet), '192.0.2.1') ?? []) {
        // Only the id, which a forwarder may change, a name's case, and its compression are outside of what is signed.
        const said = packet
          .subarray(2)
          .toString('latin1')
          .toLowerCase()
          .replace(/mine[\xc0-\xff]./s, 'mine\0')
        const same = ['AXFR', 'IXFR'].some((type) => said === signed(type).subarray(2).toString('latin1').toLowerCase())
        assert.ok(same || message?.readUInt16BE(6) === 0, packet.toString('hex'))
      }
      assert.equal(served.handler.failures, 0)
    }),
    { numRuns: 20_000 },
  )
})

test('a signature of another time is refused with our time, signed', () => {
  const out = Buffer.alloc(1232)
  const late = signRequest(
    dnsPacket.encode({ type: 'query', id: 7, questions: [{ type: 'SOA', name: 'example.test' }] }),
    KEY,
    NOW - 3_600_000,
  )
  const answered = served.handler.handle(late, late.length, new Peer().setText('192.0.2.1'), 'udp', out)
  assert.deepEqual([(out[3] ?? 0) & 15, out.readUInt16BE(6), out.readUInt16BE(10)], [9, 0, 1])
  assert.ok(out.subarray(0, answered).includes(Buffer.from([0, 18, 0, 6])), 'BADTIME with six bytes of time')
})
