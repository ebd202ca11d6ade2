import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pairsOf } from '../names/nameserver-pairs.ts'
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
  [...nameserverAddressSets(all, NAMES).values()].map(
    (sets) =>
      sets
        .at(-1)
        ?.addresses.map((address) => address.at(-1))
        .join('') ?? '',
  )

test('each name is on two machines in turn, and only those of one that is away move', () => {
  assert.deepEqual(places(three()).slice(0, 4), ['ab', 'bc', 'ca', 'ab'])
  assert.deepEqual(places(three(['b'])).slice(0, 4), ['ac', 'ca', 'ca', 'ac'])
  assert.deepEqual(places(three(['b', 'c'])).slice(0, 2), ['a', 'a'])
  assert.deepEqual(places(three(['a', 'b', 'c'])).slice(0, 2), ['', ''])
  assert.deepEqual(edgeAddressSets(three(['b'])), [
    { type: 'A', addresses: ['192.0.2.97', '192.0.2.99'] },
    { type: 'AAAA', addresses: ['2001:db8::a', '2001:db8::c'] },
  ])
})

test('whichever two names an organisation has, they lead to two machines while there are two', () => {
  for (const count of [2, 3, 4, 5])
    for (const away of [0, 1]) {
      // More addresses each than one name has room for.
      const all = Array.from({ length: count }, (_, at) => ({
        name: `m${at}`,
        addresses: Array.from({ length: 8 }, (__, more) => `192.0.${at}.${more}`),
        isListed: at >= away,
      }))
      const sets = nameserverAddressSets(all, NAMES)
      for (const pair of pairsOf(NAMES.length)) {
        const addresses = pair.flatMap((at) => sets.get(NAMES[at] ?? '')?.[0]?.addresses ?? [])
        const machinesOfPair = new Set(addresses.map((address) => address.split('.')[2]))
        assert.ok(machinesOfPair.size >= Math.min(2, count - away), `${count} machines, pair ${String(pair)}`)
      }
    }
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
