import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ScoresSnapshot } from '@fairway/contract'
import fc from 'fast-check'
import { type SnapshotInput, buildSnapshot } from './build-snapshot.ts'
import type { Verdict } from './health.ts'
import { KnownSums } from './known-sums.ts'
import { type MeasuredRow, MeasurementWindow } from './measurement-window.ts'

const START = 1_800_000_000
const PLACES = [
  { continent: 'AS', country: 'JP', region: 'Tokyo', city: 'Tokyo' },
  { continent: 'AS', country: 'JP', region: 'Osaka', city: 'Osaka' },
  { continent: 'EU', country: 'DE', region: 'Hesse', city: 'Frankfurt' },
]

/** Loud and quiet, well and failing: often enough alike that nothing changes, and sometimes all of a network fails. */
const aRow = fc.record({
  cdn: fc.constantFrom('a', 'b'),
  place: fc.constantFrom(...PLACES),
  network: fc.constantFrom('AS1', 'AS2', 'AS3'),
  subnet: fc.integer({ min: 1, max: 12 }),
  age: fc.integer({ min: 0, max: 29 }),
  good: fc.constantFrom(0, 1, 1, 3, 40),
  failed: fc.constantFrom(0, 0, 0, 1, 30),
  bin: fc.integer({ min: 40, max: 60 }),
})
const aVerdict = fc.record({
  down: fc.boolean(),
  isAlive: fc.boolean(),
  outageAge: fc.option(fc.integer({ min: 0, max: 60 })),
})
const aRound = fc.record({
  seconds: fc.constantFrom(2, 2, 2, 9, 70),
  rows: fc.array(aRow, { maxLength: 25 }),
  verdict: fc.option(aVerdict),
})

test('what is kept from the last snapshot never changes the next one', () => {
  fc.assert(
    fc.property(fc.array(aRound, { minLength: 2, maxLength: 12 }), (rounds) => {
      const window = new MeasurementWindow(60, 3)
      const known = new KnownSums()
      const stored = new Map<string, MeasuredRow>()
      let previous: ScoresSnapshot | null = null
      let now = START
      for (const round of rounds) {
        now += round.seconds
        for (const { cdn, place, network, subnet, age, good, failed, bin } of round.rows) {
          const bucket = Math.floor((now - age) / 10) * 10
          // What the window has read once and for all gets no more rows.
          if (bucket < window.readsFrom(now * 1000)) continue
          const name = [bucket, cdn, subnet, place.city, network].join(' ')
          const before = stored.get(name)
          stored.set(name, {
            bucket,
            organization: 'o1',
            cdn,
            ...place,
            network,
            subnet,
            samples: (before?.samples ?? 0) + good + failed,
            successes: (before?.successes ?? 0) + good,
            newest: now * 1000,
            rtt: { ...before?.rtt, ...(good > 0 ? { [bin]: (before?.rtt[bin] ?? 0) + good } : {}) },
          })
        }
        const from = window.readsFrom(now * 1000)
        const beacons = [...stored.values()].filter((row) => row.bucket >= from && row.samples > 0)
        const throughput = beacons.filter((row) => row.successes > 0)
        window.take({ beacons, probes: [], reports: beacons.slice(5), connections: [], throughput }, now * 1000)
        const input: SnapshotInput = {
          organizationId: 'o1',
          measured: window.organizations.get('o1'),
          health: round.verdict ? [verdictOf(round.verdict, now * 1000)] : [],
          previous,
          lifetimeSeconds: 60,
          shortSeconds: 30,
          lots: 3,
          now: now * 1000,
        }
        const anew = buildSnapshot(input)
        assert.deepEqual(buildSnapshot({ ...input, known }), anew)
        previous = anew.snapshot
      }
    }),
    { numRuns: 80 },
  )
})

function verdictOf(
  { down, isAlive, outageAge }: { down: boolean; isAlive: boolean; outageAge: number | null },
  now: number,
): Verdict {
  const outages = outageAge === null ? [] : [{ from: now - outageAge * 1000, until: now - outageAge * 500 }]
  return { cdnId: 'a', down, isAlive, since: down ? now : null, outages, returning: null }
}
