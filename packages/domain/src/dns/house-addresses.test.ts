import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { edgeAddressSets, type HouseMachine, nameserverAddressSets } from './house-addresses.ts'

const NAMES = Array.from({ length: 16 }, (_, at) => `ns${at + 1}.house.example`)
const machine = fc.record({
  name: fc.string({ minLength: 1, maxLength: 3 }),
  addresses: fc.uniqueArray(fc.oneof(fc.ipV4(), fc.ipV6()), { maxLength: 12 }),
  isListed: fc.boolean(),
})
const machines = fc.uniqueArray(machine, { maxLength: 12, selector: ({ name }) => name })

test('names lead to machines that are listed only, to each of them while they fit, and to eight of a family at most', () => {
  fc.assert(
    fc.property(machines, (all) => {
      const listed = all.filter(({ isListed, addresses }) => isListed && addresses.length > 0)
      const own = new Set(listed.flatMap(({ addresses }) => addresses))
      const byName = nameserverAddressSets(all, NAMES)
      for (const sets of [edgeAddressSets(all), ...byName.values()]) {
        assert.equal(sets.length > 0, listed.length > 0)
        for (const { type, addresses } of sets) {
          assert.ok(addresses.length > 0 && addresses.length <= 8)
          assert.ok(addresses.every((address) => own.has(address) && address.includes(':') === (type === 'AAAA')))
        }
      }
      const shown = new Set([...byName.values()].flat().flatMap(({ addresses }) => addresses))
      assert.ok(listed.every(({ addresses }) => addresses.some((address) => shown.has(address))))
    }),
  )
})

const three = (away: string[] = []): HouseMachine[] =>
  ['c', 'a', 'b'].map((name) => ({
    name,
    addresses: [`192.0.2.${name.codePointAt(0)}`, `2001:db8::${name}`],
    isListed: !away.includes(name),
  }))
const places = (all: HouseMachine[]) =>
  [...nameserverAddressSets(all, NAMES).values()].map((sets) => sets.at(-1)?.addresses.join().at(-1))

test('names that follow each other are on different machines, and only those of one that is away move', () => {
  assert.deepEqual(places(three()).slice(0, 4), ['a', 'b', 'c', 'a'])
  assert.deepEqual(places(three(['b'])).slice(0, 4), ['a', 'c', 'c', 'a'])
  assert.deepEqual(places(three(['a', 'b', 'c'])).slice(0, 2), [undefined, undefined])
  assert.deepEqual(edgeAddressSets(three(['b'])), [
    { type: 'A', addresses: ['192.0.2.97', '192.0.2.99'] },
    { type: 'AAAA', addresses: ['2001:db8::a', '2001:db8::c'] },
  ])
})

test('of more edges than fit, each has one address before any has two', () => {
  const many = Array.from({ length: 5 }, (_, at) => ({
    name: `m${at}`,
    addresses: [`192.0.2.${at}`, `198.51.100.${at}`],
    isListed: true,
  }))
  assert.deepEqual(
    edgeAddressSets(many)[0]?.addresses,
    [0, 1, 2, 3, 4].map((at) => `192.0.2.${at}`).concat([0, 1, 2].map((at) => `198.51.100.${at}`)),
  )
})
