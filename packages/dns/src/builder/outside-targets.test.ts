import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutsideTargets } from './outside-targets.ts'

const OWNER = { organizationId: 'o', proven: false }

test('names outside are those that no zone of ours holds, whatever comes, changes and goes', () => {
  let now = 0
  const targets = new OutsideTargets(() => (now += 1_000))
  const all = () => [...targets.all().keys()].sort()
  targets.put('a', 'a.test', OWNER, ['cdn.vendor.example', 'x.b.test'])
  assert.deepEqual(all(), ['cdn.vendor.example', 'x.b.test'])
  now += 60_000
  targets.put('b', 'b.test', OWNER, [])
  assert.deepEqual(all(), ['cdn.vendor.example'])
  now += 60_000
  targets.put('a', 'a.test', OWNER, ['x.b.test'])
  assert.deepEqual(all(), [])
  now += 60_000
  targets.remove('b', 'b.test')
  assert.deepEqual(all(), ['x.b.test'])
  now += 60_000
  targets.remove('a', 'a.test')
  assert.deepEqual(all(), [])
})

test('with many zones, looking through them takes a small part of the time, and ends with what is right', () => {
  let now = 0
  let costMs = 0
  const targets = new OutsideTargets(() => (now += costMs / 2))
  targets.put('a', 'a.test', OWNER, ['one.example'])
  assert.deepEqual([...targets.all().keys()], ['one.example'])
  costMs = 100
  targets.put('a', 'a.test', OWNER, ['two.example'])
  targets.all()
  targets.put('a', 'a.test', OWNER, ['three.example'])
  assert.deepEqual([...targets.all().keys()], ['two.example'])
  now += 10_000
  assert.deepEqual([...targets.all().keys()], ['three.example'])
})

test('a name below an unproven zone is resolved outside for everybody but its organisation', () => {
  const targets = new OutsideTargets(() => 0)
  const owner = (organizationId: string | null, proven = false) => ({ organizationId, proven })
  targets.put('claim', 'hoster.net', owner('squatter'), ['own.hoster.net'])
  const names = ['lb.hoster.net', 'www.shop.test', 'aa.cdn.fairway.test', 'www.proven.test', 'x.vendor.com']
  targets.put('shop', 'shop.test', owner('a'), names)
  targets.put('proven', 'proven.test', owner('b', true), [])
  targets.put('service', 'fairway.test', owner(null), [])
  assert.deepEqual([...targets.all().keys()].sort(), ['lb.hoster.net', 'x.vendor.com'])
  targets.put('claim', 'hoster.net', owner('a'), ['own.hoster.net'])
  assert.deepEqual([...targets.all().keys()], ['x.vendor.com'])
  targets.put('claim', 'hoster.net', owner('squatter', true), ['own.hoster.net'])
  assert.deepEqual([...targets.all().keys()], ['x.vendor.com'])
  targets.put('claim', 'hoster.net', owner('squatter'), ['own.hoster.net'])
  assert.deepEqual([...targets.all().keys()].sort(), ['lb.hoster.net', 'x.vendor.com'])
})

test('a name that several lead to is asked for with the names of whoever has the fewest', () => {
  const targets = new OutsideTargets(() => 0)
  const owner = (organizationId: string) => ({ organizationId, proven: false })
  targets.put('few', 'few.test', owner('few'), ['x.vendor.com'])
  targets.put('many', 'many.test', owner('many'), ['x.vendor.com', 'y.vendor.com', 'z.vendor.com'])
  targets.put('some', 'some.test', owner('some'), ['x.vendor.com', 'y.vendor.com'])
  assert.deepEqual([...targets.all()].sort(), [
    ['x.vendor.com', 'few'],
    ['y.vendor.com', 'some'],
    ['z.vendor.com', 'many'],
  ])
})
