import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SeenBeacons } from './seen-beacons.ts'

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix} ${index}`)

test('each of many is new once, in any order', () => {
  const seen = new SeenBeacons(1000)
  const all = names('one', 5_000)
  assert.deepEqual([all.every((name) => seen.isNew(name, 5)), all.some((name) => seen.isNew(name, 6))], [true, false])
  assert.ok(names('other', 1000).every((name) => seen.isNew(name, 7)))
})

test('what came is known for the window, whenever in it, and forgotten after two', () => {
  const seen = new SeenBeacons(1000)
  assert.equal(seen.isNew('a', 1), true)
  assert.equal(seen.isNew('b', 999), true)
  assert.deepEqual(
    ['a', 'b'].map((name) => seen.isNew(name, 1500)),
    [false, false],
  )
  assert.equal(seen.isNew('b', 1900), false)
  seen.isNew('c', 2500)
  seen.isNew('d', 3600)
  assert.equal(seen.isNew('a', 4700), true)
})

test('what could not be taken is new when it comes again, and nothing else is forgotten with it', () => {
  const seen = new SeenBeacons(1000)
  const all = names('taken', 5_000)
  for (const name of all) seen.isNew(name, 1)
  const [lost, kept] = [all.filter((_, index) => index % 3 === 0), all.filter((_, index) => index % 3 !== 0)]
  for (const name of lost) seen.forget(name)
  seen.forget('never seen')
  assert.ok(lost.every((name) => seen.isNew(name, 2)))
  assert.ok(!kept.some((name) => seen.isNew(name, 2)))
  assert.ok(!lost.some((name) => seen.isNew(name, 1500)))
})
