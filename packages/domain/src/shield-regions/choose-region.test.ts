import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseRegion, medianOf, type RegionFacts } from './choose-region.ts'

const region = (name: string, ms: number | null, usable = true): RegionFacts => ({ region: name, ms, usable })

test('a region is the owner’s choice, else the nearest, and the next one where it is gone', () => {
  const far = region('far', 80)
  const near = region('near', 10)
  const cases: [string | null, string | null, RegionFacts[], string | null, string][] = [
    [null, null, [far, near], 'near', 'nearest'],
    ['far', null, [far, near], 'far', 'chosen'],
    ['far', null, [region('far', 80, false), near], 'near', 'next'],
    ['gone', null, [far, near], 'near', 'next'],
    [null, null, [region('b', null), region('a', null)], 'a', 'unmeasured'],
    [null, 'b', [region('b', null), region('a', null)], 'b', 'unmeasured'],
    [null, null, [region('b', null), far], 'far', 'nearest'],
    [null, 'b', [region('b', null), far], 'far', 'nearest'],
    [null, 'far', [far, region('near', 70)], 'far', 'kept'],
    [null, 'far', [far, region('near', 60)], 'near', 'nearest'],
    [null, 'a', [region('a', 4), region('b', 1)], 'a', 'kept'],
    [null, 'a', [region('a', 4, false), region('b', 1)], 'b', 'nearest'],
    [null, 'a', [region('a', 4, false)], null, 'none'],
    ['a', null, [], null, 'none'],
  ]
  for (const [wanted, before, regions, chosen, why] of cases) {
    const { region: found, why: reason } = chooseRegion(wanted, before === null ? [] : [before], regions)
    assert.deepEqual([found, reason], [chosen, why], JSON.stringify([wanted, before, regions]))
  }
})

test('whatever was measured, each region that can be used is asked once, the chosen one first', () => {
  const names = fc.constantFrom('a', 'b', 'c', 'd')
  const facts = fc.uniqueArray(
    fc.record({ region: names, usable: fc.boolean(), ms: fc.option(fc.double({ min: 0, max: 9_999, noNaN: true })) }),
    { selector: ({ region: name }) => name },
  )
  fc.assert(
    fc.property(fc.option(names), fc.uniqueArray(names), facts, (wanted, before, regions) => {
      const chosen = chooseRegion(wanted, before, regions)
      const usable = regions.filter((one) => one.usable).map((one) => one.region)
      assert.deepEqual(chosen.order.toSorted(), usable.toSorted())
      assert.equal(chosen.region, chosen.order[0] ?? null)
      // What was decided is decided again: nothing moves to and fro.
      const again = chooseRegion(wanted, chosen.order, regions)
      assert.deepEqual(again.order, chosen.order)
    }),
  )
})

test('far regions whose times waver keep their order; one that is nearer by far goes ahead', () => {
  const facts = (b: number, c: number) => [region('a', 10), region('b', b), region('c', c)]
  const { order } = chooseRegion(null, [], facts(200, 204))
  assert.deepEqual(order, ['a', 'b', 'c'])
  for (const [b, c] of [
    [204, 200],
    [210, 190],
    [200, 204],
  ] as const)
    assert.deepEqual(chooseRegion(null, order, facts(b, c)).order, order)
  assert.deepEqual(chooseRegion(null, order, facts(200, 90)).order, ['a', 'c', 'b'])
  assert.deepEqual(chooseRegion(null, ['a', 'c'], facts(200, 204)).order, ['a', 'c', 'b'], 'a new one comes last')
})

test('the middle of what was measured', () => {
  assert.deepEqual([medianOf([]), medianOf([3]), medianOf([9, 1]), medianOf([9, 1, 2])], [null, 3, 5, 2])
})
