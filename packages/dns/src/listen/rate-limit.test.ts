import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Outcome } from '../answer/outcome.ts'
import { compileZone } from '../segment/compile.ts'
import { Segment } from '../segment/segment.ts'
import { zoneOf } from '../testing/zone-fixture.ts'
import { Peer } from '../wire/peer.ts'
import { RateLimit, VERDICT } from './rate-limit.ts'

const outcome = (change: Partial<Outcome> = {}) => Object.assign(new Outcome(), { node: 64, type: 1 }, change)
const counts = (limit: RateLimit, peer: string, times: number, what = outcome()) => {
  const verdicts = { send: 0, slip: 0, drop: 0 }
  for (let i = 0; i < times; i++) {
    const verdict = limit.check(new Peer().setText(peer), what)
    verdicts[verdict === VERDICT.send ? 'send' : verdict === VERDICT.slip ? 'slip' : 'drop']++
  }
  return verdicts
}

test('equal answers to one network beyond the limit are dropped, every other one cut off so that true clients come over TCP', () => {
  const limit = new RateLimit(20)
  assert.deepEqual(counts(limit, '192.0.2.1', 60), { send: 20, slip: 20, drop: 20 })
  assert.deepEqual(counts(limit, '192.0.2.200', 2), { send: 0, slip: 1, drop: 1 }, 'the same network')
  assert.equal(limit.suppressed, 42)
})

test('other networks, other answers, who shows a cookie and loopback are not touched', () => {
  const limit = new RateLimit(5)
  counts(limit, '192.0.2.1', 50)
  assert.equal(counts(limit, '192.0.3.1', 5).send, 5)
  assert.equal(counts(limit, '192.0.2.1', 5, outcome({ node: 128 })).send, 5)
  assert.equal(counts(limit, '192.0.2.1', 50, outcome({ trusted: true })).send, 50)
  assert.equal(counts(limit, '127.0.0.1', 50).send, 50)
  assert.equal(counts(limit, '::1', 50).send, 50)
})

test('the apex of one zone is not held back for that of another, though both lie at the same place', async () => {
  const [one, two] = await Promise.all(
    ['one.test', 'two.test'].map(async (origin) => {
      const zone = await Segment.open(compileZone(zoneOf(origin, ''), 1, null))
      return outcome({ zone, node: zone.apexAt })
    }),
  )
  assert.equal(one?.node, two?.node)
  const limit = new RateLimit(5)
  assert.equal(counts(limit, '192.0.2.1', 50, one).send, 5)
  assert.equal(counts(limit, '192.0.2.1', 50, two).send, 5)
})

test('a network of IPv6 is a /56', () => {
  const limit = new RateLimit(5)
  assert.equal(counts(limit, '2001:db8:0:1::1', 5).send, 5)
  assert.equal(counts(limit, '2001:db8:0:2::1', 5).send, 0)
  assert.equal(counts(limit, '2001:db8:1:100::1', 5).send, 5)
})

test('who stops is answered again; who goes on for long waits for long, but not for ever', () => {
  const limit = new RateLimit(10)
  counts(limit, '192.0.2.1', 15)
  limit.tick()
  assert.equal(counts(limit, '192.0.2.1', 5).send, 5)
  counts(limit, '192.0.2.1', 100_000)
  for (let second = 0; second < 10; second++) limit.tick()
  assert.equal(counts(limit, '192.0.2.1', 1).send, 0)
  for (let second = 0; second < 20; second++) limit.tick()
  assert.equal(counts(limit, '192.0.2.1', 10).send, 10)
})

test('without a limit everything is sent', () => {
  assert.equal(counts(new RateLimit(0), '192.0.2.1', 1000).send, 1000)
})
