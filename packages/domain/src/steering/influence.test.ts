import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  LEAST_OF_NETWORK,
  UNTOLD_SUBNET,
  influenceCaps,
  sharesAt,
  type InfluenceShares,
  type Voice,
} from './influence.ts'

const KEYS = ['city:GB--London|AS2856', 'city:GB--London', 'region:US-CA', 'country:GB', 'continent:EU', 'world']
const voices = fc
  .uniqueArray(
    fc.record({
      subnet: fc.integer({ min: 1, max: 400 }),
      network: fc.constantFrom('AS1', 'AS2', 'AS3', 'AS4', 'AS5', 'AS6'),
      samples: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 1_000_000 })),
    }),
    { selector: (one) => one.subnet, maxLength: 300 },
  )
  .filter((all) => all.length > 0)

/** What counts at a total, worked out plainly. */
function countedAt(all: readonly Voice[], total: number, { subnet, network }: InfluenceShares): number {
  const ofSubnet = Math.max(1, Math.floor(total * subnet + 1e-9))
  const ofNetwork = network === null ? Infinity : Math.max(LEAST_OF_NETWORK, Math.floor(total * network + 1e-9))
  const sums = new Map<string, number>()
  for (const one of all) sums.set(one.network, (sums.get(one.network) ?? 0) + Math.min(one.samples, ofSubnet))
  return [...sums.values()].reduce((sum, own) => sum + Math.min(own, ofNetwork), 0)
}

test('nobody counts for more than the share of what counts, or for more than was said', () => {
  fc.assert(
    fc.property(voices, fc.constantFrom(...KEYS), (all, key) => {
      const shares = sharesAt(key)
      const caps = influenceCaps(all, shares)
      assert.equal(countedAt(all, caps.total, shares), caps.total)
      assert.ok(caps.subnet <= Math.max(1, caps.total * shares.subnet + 1e-6))
      if (shares.network !== null)
        assert.ok(caps.network <= Math.max(LEAST_OF_NETWORK, caps.total * shares.network + 1e-6))
      assert.ok(caps.total <= all.reduce((sum, one) => sum + one.samples, 0))
      assert.ok(caps.total >= 1)
    }),
  )
})

test('nothing is left out that the shares would let in: no greater total holds', () => {
  const few = voices.map((all) => all.map((one) => ({ ...one, samples: 1 + (one.samples % 40) })))
  fc.assert(
    fc.property(few, fc.constantFrom(...KEYS), (all, key) => {
      const shares = sharesAt(key)
      const { total } = influenceCaps(all, shares)
      const most = all.reduce((sum, one) => sum + one.samples, 0)
      for (let greater = total + 1; greater <= most; greater++)
        assert.ok(countedAt(all, greater, shares) < greater, `${greater} over ${total}`)
    }),
    { numRuns: 30 },
  )
})

test('who says more and more counts for no more than before', () => {
  fc.assert(
    fc.property(voices, fc.constantFrom(...KEYS), (all, key) => {
      const [loud, ...others] = all
      if (!loud) return
      const at = (samples: number) => influenceCaps([{ ...loud, samples }, ...others], sharesAt(key))
      assert.deepEqual(at(10_000_000), at(100_000_000))
    }),
  )
})

test('few visitors count: each /24 for one, a lone network for as many as a figure needs', () => {
  const of = (count: number, network: (i: number) => string): Voice[] =>
    Array.from({ length: count }, (_, i) => ({ subnet: i + 1, network: network(i), samples: 50 }))
  assert.equal(
    influenceCaps(
      of(3, () => 'AS1'),
      sharesAt('country:GB'),
    ).total,
    3,
  )
  assert.equal(
    influenceCaps(
      of(60, () => 'AS1'),
      sharesAt('country:GB'),
    ).total,
    LEAST_OF_NETWORK,
  )
  assert.equal(
    influenceCaps(
      of(60, (i) => `AS${i % 6}`),
      sharesAt('country:GB'),
    ).total,
    60,
  )
  assert.equal(
    influenceCaps(
      of(400, (i) => `AS${i % 40}`),
      sharesAt('world'),
    ).total,
    20_000,
  )
})

test('rows from before /24s were told apart are bound by their network only', () => {
  const old: Voice[] = ['AS1', 'AS2', 'AS3'].map((network) => ({ subnet: UNTOLD_SUBNET, network, samples: 100 }))
  assert.equal(influenceCaps(old, sharesAt('city:GB--London')).total, 300)
})
