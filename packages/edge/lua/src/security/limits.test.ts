import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { registerHooks } from 'node:module'
import { beforeEach, describe, it } from 'node:test'
import { useRooms } from '../policy/shares.ts'
import { Memory } from '../testing/memory.ts'

// A library of nginx's Lua, which nothing here asks for anything.
registerHooks({
  resolve: (name, context, next) =>
    name === 'cjson.safe'
      ? { url: 'data:text/javascript,export const encode = JSON.stringify', shortCircuit: true }
      : next(name, context),
})
const { isMarked, isTooMany, mark } = await import('./limits.ts')

const ENTRIES = 400
let now = 1000
const memory = () => new Memory(ENTRIES, () => now)
let shared: Record<'limits' | 'blocks' | 'known' | 'counters', Memory>
const counted = (what: string) => shared.counters.get(what)[0] ?? 0

beforeEach(() => {
  now += 100_000
  shared = { limits: memory(), blocks: memory(), known: memory(), counters: memory() }
  const digest = (text: string) => crypto.createHash('md5').update(text).digest('latin1')
  Object.assign(globalThis, {
    ngx: { shared, now: () => now, md5_bin: digest, log: () => {}, WARN: 5 },
    tonumber: (text: unknown) => (text === undefined ? undefined : Number(text)),
  })
  // A quarter for each customer: a key and its place.
  useRooms(ENTRIES / 8, ENTRIES / 8, ENTRIES / 8, 1)
})

/** A limit of one request a minute, with whatever key comes. */
const once = (customer: string, key: string) => isTooMany(customer, `rule-${customer}\n${key}`, 1, 60, 600)

describe("customers' counts, blocks and marks", () => {
  it('stay where another customer is flooded with keys', () => {
    once('b', 'visitor')
    assert.equal(once('b', 'visitor'), true)
    mark('b', 'known', 30 * 86_400)
    for (let i = 0; i < 5000; i++) {
      once('a', `key-${i}`)
      once('a', `key-${i}`)
      mark('a', `known-${i}`, 30 * 86_400)
    }
    now += 130
    assert.deepEqual([isMarked('rule-b\nvisitor'), isMarked('known')], [true, true])
    assert.equal(once('b', 'visitor'), true)
    assert.deepEqual(['limits_evicted', 'blocks_evicted', 'known_evicted'].map(counted), [0, 0, 0])
  })

  it('beyond their room are one count for each rule, told, and block nobody for longer than the window', () => {
    for (let i = 0; i < ENTRIES / 8; i++) assert.equal(once('a', `key-${i}`), false)
    assert.equal(counted('limits_shared'), 0)
    assert.equal(once('a', 'new'), false)
    assert.equal(once('a', 'newer'), true)
    assert.equal(isTooMany('a', 'other\nnew', 5, 60, 600), false)
    assert.equal(counted('limits_shared'), 3)
    assert.equal(once('a', 'key-1'), true, 'who was there before is counted by himself')
    assert.equal(isMarked('rule-a\nnewer'), false)
    now += 130
    assert.equal(once('a', 'newer'), false)
  })

  it('of marks the oldest of the customer goes, and one that is renewed stays', () => {
    mark('a', 'first', 600)
    for (let i = 1; i < ENTRIES / 8; i++) mark('a', `known-${i}`, 600)
    mark('a', 'first', 600)
    assert.equal(isMarked('first'), true)
    mark('a', 'one more', 600)
    assert.deepEqual([isMarked('first'), isMarked('known-1'), isMarked('one more')], [false, true, true])
  })
})
