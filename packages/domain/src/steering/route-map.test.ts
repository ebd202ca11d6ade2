import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routeMap, sameShares } from '../index.ts'
import { NOW, filter, policy, scores, seen, strategy, targets } from './decide-samples.ts'

const fastest = policy([strategy('best-latency')])
const at = (map: ReturnType<typeof routeMap>, place: string) => map.find((row) => row.place === place)

test('every country, and every region and network that is measured or named, has its row', () => {
  const measured = scores({
    A: { 'country:JP': seen(99, 20), 'country:JP|AS2497': seen(99, 90), 'region:US-CA': seen(99, 30) },
    B: { 'country:JP': seen(99, 40), 'country:JP|AS2497': seen(99, 10) },
  })
  const map = routeMap(fastest, measured, new Map(), NOW)
  const cdnAt = (place: string) => at(map, place)?.shares.map(({ cdnId }) => cdnId)
  assert.deepEqual([cdnAt('country:JP'), cdnAt('country:JP|AS2497'), cdnAt('region:US-CA')], [['A'], ['B'], ['A']])
  assert.deepEqual(cdnAt('country:DE'), ['A', 'B', 'C'])
  assert.equal(at(map, 'continent:AS'), undefined)
  const named = policy([
    strategy('always-use', { filter: filter({ places: ['region:DE-BY'] }), targets: targets('C') }),
  ])
  assert.equal(at(routeMap(named, null, new Map(), NOW), 'region:DE-BY')?.shares[0]?.cdnId, 'C')
})

test('a place stays by the margin with what it had, and a move is told with what became of that', () => {
  const close = scores({ A: { 'country:JP': seen(99, 39) }, B: { 'country:JP': seen(99, 40) } })
  const had = new Map([['country:JP', 'B']])
  assert.equal(at(routeMap(fastest, close, had, NOW), 'country:JP')?.shares[0]?.cdnId, 'B')
  const down = scores({ A: { 'country:JP': seen(99, 39) }, B: { 'country:JP': seen(99, 40) } }, ['B'])
  const row = at(routeMap(fastest, down, had, NOW), 'country:JP')
  assert.deepEqual([row?.shares[0]?.cdnId, row?.causeOf([{ cdnId: 'B', percent: 100 }]).reason], ['A', 'hard-down'])
})

test('shares are the same within a rounding', () => {
  assert.ok(sameShares([{ cdnId: 'A', percent: 33.34 }], [{ cdnId: 'A', percent: 33.3 }]))
  assert.ok(!sameShares([{ cdnId: 'A', percent: 50 }], [{ cdnId: 'B', percent: 50 }]))
  assert.ok(!sameShares([{ cdnId: 'A', percent: 100 }], []))
})
