import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cmcd } from '@fairway/contract'
import fc from 'fast-check'
import { deviceOf } from './device-of.ts'
import { experienceScore } from './experience-score.ts'
import { readCmcd } from './read-cmcd.ts'
import { type StallFacts, stallCause } from './stall-cause.ts'

const SAID: [string, Cmcd | null][] = [
  ['br=900,bl=12000,bs,sid="view-1"', { br: 900, bl: 12_000, bs: true, sid: 'view-1' }],
  ['br=900, d=4004,ot=v,tb=3000', { br: 900, d: 4_004, ot: 'v', tb: 3_000 }],
  ['mtp=25400.6,su', { mtp: 25_401, su: true }],
  ['cid="a,b=\\"c\\"",sid="x",nor="..%2Fnext.m4s"', { sid: 'x' }],
  ['br=1,br=2', { br: 1 }],
  ['br=-1', null],
  ['br=1e99', null],
  ['bs=false,ot=zz,br=7', { br: 7 }],
  ['sid="with space",br=7', { br: 7 }],
  ['__proto__="x",constructor=1,br=7', { br: 7 }],
  ['br=7,=,ot=v', { br: 7 }],
  ['', null],
  ['x'.repeat(2_000), null],
  ['br=7,'.repeat(100), { br: 7 }],
]
test('what players say of a request is read by the standard, and the rest is left out', () => {
  for (const [text, expected] of SAID) assert.deepEqual(readCmcd(text), expected, text.slice(0, 60))
})

test('any text is read within bounds, and without end of time', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ maxLength: 2_000 }), fc.stringMatching(/^[brsid=",\\ 0-9.;:-]{0,400}$/)),
      (text) => {
        const read = readCmcd(text)
        assert.ok(read === null || Cmcd.safeParse(read).success)
      },
    ),
  )
})

test('devices are known by kind', () => {
  const agents: [string, string][] = [
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Mobile/15E148 Safari/604.1', 'phone'],
    ['Mozilla/5.0 (Linux; Android 10; K) Chrome/142.0.0.0 Mobile Safari/537.36', 'phone'],
    ['Mozilla/5.0 (Linux; Android 10; K) Chrome/142.0.0.0 Safari/537.36', 'tablet'],
    ['Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X)', 'tablet'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0', 'desktop'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0', 'desktop'],
    ['Mozilla/5.0 (SMART-TV; Linux; Tizen 8.0) AppleWebKit/537.36', 'tv'],
    ['Mozilla/5.0 (Linux; Android 11; AFTKA) AppleWebKit/537.36 Silk/120', 'tv'],
    ['curl/8', ''],
    ['', ''],
  ]
  for (const [agent, device] of agents) assert.equal(deviceOf(agent), device, agent)
})

test('a score is 100 less what a slow start and stalls cost, 0 when it failed, and none when nothing is known', () => {
  const good = { startupMs: 800, watchedMs: 60_000, stalledMs: 0, stalls: 0, isFailed: false }
  assert.equal(experienceScore(good).score, 100)
  assert.deepEqual(experienceScore({ ...good, startupMs: 3_000 }), { score: 90, startup: 10, stalls: 0, failed: 0 })
  assert.equal(experienceScore({ ...good, startupMs: 60_000 }).score, 70)
  assert.equal(experienceScore({ ...good, stalledMs: 1_200, stalls: 1 }).score, 90)
  assert.equal(experienceScore({ ...good, startupMs: 60_000, stalledMs: 60_000, stalls: 40 }).score, 10)
  assert.equal(experienceScore({ ...good, isFailed: true }).score, 0)
  assert.equal(experienceScore({ ...good, startupMs: null, watchedMs: 0 }).score, null)
  fc.assert(
    fc.property(fc.nat(600_000), fc.nat(1e9), fc.nat(1e9), fc.nat(1_000), (startupMs, watchedMs, stalledMs, stalls) => {
      const { score } = experienceScore({ startupMs, watchedMs, stalledMs, stalls, isFailed: false })
      assert.ok(score !== null && score >= 0 && score <= 100)
      const worse = experienceScore({ startupMs, watchedMs, stalledMs, stalls: stalls + 1, isFailed: false }).score
      assert.ok(worse !== null && worse <= score)
    }),
  )
})

/** Numbers in [0, 1) that are the same each run. */
function lots(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A stall as it looks from what is told of it when its cause is known; what is told is noisy, and often missing. */
function injected(cause: 'cdn' | 'encoder' | 'viewer', random: () => number): StallFacts {
  const maybe = <T>(share: number, yes: T, no: T): T => (random() < share ? yes : no)
  const count = (most: number) => Math.floor(random() * most)
  const isLive = cause === 'encoder' || random() < 0.4
  const others = (views: number, share: number) => ({
    views,
    stalled: Array.from({ length: views }, () => random() < share).filter(Boolean).length,
  })
  const [here, elsewhere] = [count(30), count(30)]
  const bitrate = 800 + count(4_000)
  const common = { isLive, bitrateKbps: maybe(0.9, bitrate, null), segments: count(6) }
  if (cause === 'cdn')
    return {
      ...common,
      // What a failing CDN sends comes slowly as well.
      throughputKbps: maybe(0.8, bitrate * (0.2 + random() * 2), null),
      sinceNewSegmentMs: isLive ? 1_000 + count(6_000) : null,
      segmentErrors: maybe(0.5, 1 + count(3), 0),
      slowFetches: maybe(0.3, 1, 0),
      loadErrors: maybe(0.7, 1 + count(3), 0),
      movedCdn: random() < 0.6,
      sameCdn: others(here, 0.8),
      otherCdns: others(elsewhere, 0.03),
    }
  if (cause === 'encoder')
    return {
      ...common,
      throughputKbps: maybe(0.9, bitrate * (2 + random() * 10), null),
      sinceNewSegmentMs: maybe(0.9, 10_000 + count(60_000), null),
      segmentErrors: 0,
      slowFetches: 0,
      loadErrors: maybe(0.1, 1, 0),
      movedCdn: random() < 0.1,
      sameCdn: others(here, 0.9),
      otherCdns: others(elsewhere, 0.9),
    }
  return {
    ...common,
    bitrateKbps: bitrate,
    throughputKbps: maybe(0.95, bitrate * (0.1 + random()), null),
    sinceNewSegmentMs: isLive ? 1_000 + count(6_000) : null,
    segmentErrors: 0,
    slowFetches: 0,
    loadErrors: maybe(0.2, 1, 0),
    movedCdn: random() < 0.1,
    sameCdn: others(here, 0.04),
    otherCdns: others(elsewhere, 0.04),
  }
}

test('of stalls whose cause was injected at least nine in ten are told rightly, of each cause', () => {
  const random = lots(7)
  for (const cause of ['cdn', 'encoder', 'viewer'] as const) {
    const told = Array.from({ length: 1_000 }, () => stallCause(injected(cause, random)))
    const right = told.filter((one) => one.cause === cause).length
    assert.ok(right >= 900, `${cause}: ${right} of 1000`)
    assert.ok(told.every((one) => one.cause === 'unknown' || one.reasons.length > 0))
  }
})

test('of a stall that nothing is known of, nothing is said', () => {
  const nobody = { views: 0, stalled: 0 }
  const unknown: StallFacts = {
    isLive: false,
    throughputKbps: null,
    bitrateKbps: null,
    sinceNewSegmentMs: null,
    segments: 0,
    segmentErrors: 0,
    slowFetches: 0,
    loadErrors: 0,
    movedCdn: false,
    sameCdn: nobody,
    otherCdns: nobody,
  }
  assert.deepEqual(stallCause(unknown), { cause: 'unknown', reasons: [] })
  const contrary = { ...unknown, isLive: true, sinceNewSegmentMs: 20_000, segmentErrors: 1, loadErrors: 0 }
  assert.equal(stallCause(contrary).cause, 'encoder')
})
