import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutsideTargets } from './outside-targets.ts'

test('names outside are those that no zone of ours holds, whatever comes, changes and goes', () => {
  let now = 0
  const targets = new OutsideTargets(() => (now += 1_000))
  const all = () => [...targets.all()].sort()
  targets.put('a', 'a.test', ['cdn.vendor.example', 'x.b.test'])
  assert.deepEqual(all(), ['cdn.vendor.example', 'x.b.test'])
  now += 60_000
  targets.put('b', 'b.test', [])
  assert.deepEqual(all(), ['cdn.vendor.example'])
  now += 60_000
  targets.put('a', 'a.test', ['x.b.test'])
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
  targets.put('a', 'a.test', ['one.example'])
  assert.deepEqual([...targets.all()], ['one.example'])
  costMs = 100
  targets.put('a', 'a.test', ['two.example'])
  targets.all()
  targets.put('a', 'a.test', ['three.example'])
  assert.deepEqual([...targets.all()], ['two.example'])
  now += 10_000
  assert.deepEqual([...targets.all()], ['three.example'])
})
