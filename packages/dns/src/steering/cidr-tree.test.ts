import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contains, parseCidr, parseVisitorAddress, settlingBits, type IpNetwork } from '@fairway/domain'
import * as fc from 'fast-check'
import { Client } from '../answer/client.ts'
import { geoFixture } from '../testing/geo-fixture.ts'
import { CidrTree } from './cidr-tree.ts'

// Few different bits, so that networks often nest and clients often fall into them.
const octet = fc.constantFrom(0, 1, 128, 129, 255)
const v4 = fc.tuple(octet, octet, octet, octet).map((bytes) => bytes.join('.'))
const v6 = fc
  .tuple(octet, octet, octet)
  .map(([a, b, c]) => `2001:db8:${a.toString(16)}:${b.toString(16)}::${c.toString(16)}`)
const network = fc.oneof(fc.tuple(v4, fc.integer({ min: 0, max: 32 })), fc.tuple(v6, fc.integer({ min: 0, max: 128 })))
const cidr = network
  .map(([address, bits]) => parseCidr(`${address}/${bits}`))
  .filter((found): found is IpNetwork => found !== null)

test('clients of one region are in the same networks, and as many bits settle it', () => {
  fc.assert(
    fc.property(
      fc.array(cidr, { maxLength: 12 }),
      fc.array(network, { minLength: 2, maxLength: 30 }),
      (cidrs, clients) => {
        const tree = new CidrTree(cidrs)
        const client = new Client(geoFixture())
        const meaning = new Map<number, string>()
        for (const [address, bits] of clients) {
          assert.ok(client.setText(address, bits))
          const visitor = parseVisitorAddress(client.address(), client.knownBits) ?? assert.fail()
          const means = JSON.stringify([cidrs.map((block) => contains(block, visitor)), settlingBits(cidrs, visitor)])
          const region = tree.region(client.bytes, client.family, client.knownBits)
          assert.equal(means, meaning.get(region) ?? means)
          meaning.set(region, means)
        }
      },
    ),
    { numRuns: 2000 },
  )
})
