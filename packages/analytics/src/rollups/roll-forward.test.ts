import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeLog } from '@fairway/platform'
import { demPerformance } from '../questions/dem-performance.ts'
import { StoreAway } from '../store/store-error.ts'
import { type EventStore, openStore } from '../store/store.ts'
import { type BeaconRow, storeTime } from '../store/tables.ts'
import { startTestStore } from '../test-store.ts'
import { startRollups } from './roll-forward.ts'

const embedded = await startTestStore()
const store = openStore(embedded.config)
const log = makeLog('test', { logLevel: 'error' })
after(async () => {
  await store[Symbol.asyncDispose]()
  await embedded[Symbol.asyncDispose]()
})
const HOUR = 3_600_000
const now = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 12 * HOUR
const beacon = (at: number): BeaconRow => ({
  at: storeTime(at),
  organization: 'o1',
  cdn: 'a',
  continent: 'AS',
  country: 'JP',
  region: '',
  city: '',
  network: '',
  subnet: 1,
  ok: 1,
  rtt_ms: 20,
})
const samples = async (seconds: number) =>
  (await demPerformance(store, { organizationId: 'o1', source: 'rum', seconds, now })).totals[0]?.samples ?? 0
async function rolled(seconds: number, expected: number): Promise<void> {
  for (const end = Date.now() + 10_000; (await samples(seconds)) !== expected;)
    assert.ok(Date.now() < end, `${seconds} s: ${await samples(seconds)} instead of ${expected}`)
}

test('a start rolls up what is there, also what a stopped collector left undone days ago', async () => {
  await store.insert('beacons', [beacon(now - 3 * 24 * HOUR), beacon(now - 5 * HOUR), beacon(now - 60_000)])
  await using _rollups = startRollups({ store, log, now: () => now })
  await rolled(6 * 3600, 2)
  await rolled(7 * 86_400, 3)
  await rolled(31 * 86_400, 3)
})

test('rows that arrive late are rolled up by the next start, or when told', async () => {
  await store.insert('beacons', [beacon(now - 4 * HOUR)])
  let clock = now
  const rollups = startRollups({ store, log, now: () => clock })
  rollups.wroteAt(now - 4 * HOUR)
  await rollups[Symbol.asyncDispose]()
  clock += 1
  await using again = startRollups({ store, log, now: () => clock })
  again.wroteAt(now - 4 * HOUR)
  await rolled(6 * 3600, 2 + 1)
})

test('hours that come late are built by themselves, some a minute, and what is not whole any more is left as it is', async () => {
  const asked: number[] = []
  const counting = {
    layout: { days: { raw: 30, minute: 8, threats: 30 } },
    query: async (_sql: string, { from }: { from?: number } = {}) => {
      if (from !== undefined) asked.push(from)
      return []
    },
    command: async () => {},
  } as unknown as EventStore
  const rollups = startRollups({ store: counting, log, now: () => now })
  for (let hours = 2; hours < 24 * 30; hours++) rollups.wroteAt(now - hours * HOUR)
  rollups.wroteAt(0)
  await new Promise((resolve) => setTimeout(resolve, 20))
  await rollups[Symbol.asyncDispose]()
  const older = [...new Set(asked)].filter((at) => at % 3600 === 0 && at % 86_400 !== 0 && at <= now / 1000 - 7_200)
  assert.deepEqual(
    older.map((at) => (now / 1000 - at) / 3600),
    [2, 3, 4, 5, 6, 7],
  )
})

test('a late hour that cannot be built keeps no other, and is left after three tries or when it is not whole any more', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const [bad, outlived] = [now / 1000 - 2 * 3_600, now / 1000 - (8 * 24 - 3) * 3_600]
  let [clock, away, asked] = [now, false, [] as number[]]
  const failing = {
    layout: { days: { raw: 30, minute: 8, threats: 30 } },
    query: async (_sql: string, { from, until }: { from?: number; until?: number } = {}) => {
      if (from === undefined) return []
      if (until === from + 600) asked.push(from)
      if (away || from === bad) throw new StoreAway('Memory limit exceeded')
      return []
    },
    command: async () => {},
    isAnswering: async () => !away,
  } as unknown as EventStore
  await using rollups = startRollups({ store: failing, log, now: () => clock })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const hoursAsked = async (afterMs = 60_000) => {
    asked = []
    clock += afterMs
    t.mock.timers.tick(60_000)
    for (let turn = 0; turn < 20; turn++) await settled()
    return [...new Set(asked.map((at) => (now / 1000 - (at - (at % 3_600))) / 3_600))]
  }
  await hoursAsked()
  for (let hours = 2; hours < 6; hours++) rollups.wroteAt(now - hours * HOUR)
  assert.deepEqual(await hoursAsked(), [2])
  away = true
  assert.deepEqual(await hoursAsked(), [])
  away = false
  assert.deepEqual(await hoursAsked(), [3, 4, 5, 2])
  assert.equal(asked.length, 3 * 6 + 1, 'ten minutes at a time')
  assert.deepEqual(await hoursAsked(), [2])
  rollups.wroteAt(outlived * 1000)
  assert.deepEqual(await hoursAsked(2 * HOUR), [], 'given up, and no longer whole')
})

test('what a clock that was ahead has built does not hide what was left undone', async () => {
  await store.command(
    `INSERT INTO measures_hour (at, source, organization, cdn, country, samples, successes, rtt, built) SELECT fromUnixTimestamp(${now / 1000 + 30 * 86_400}), 'rum', 'o1', 'a', 'JP', 1, 1, map(), 1`,
    {},
  )
  const before = await samples(6 * 3600)
  await store.insert('beacons', [beacon(now - HOUR / 2)])
  await using _rollups = startRollups({ store, log, now: () => now + 2 })
  await rolled(6 * 3600, before + 1)
})

test('while the store is away nothing breaks', async () => {
  await using nowhere = openStore({ ...embedded.config, clickhouseUrl: 'http://127.0.0.1:9' })
  await using rollups = startRollups({ store: nowhere, log, now: () => now })
  rollups.wroteAt(now)
})

test('while nothing comes to the store minutes are not asked for, but once a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let [asked, clock, rows]: [number, number, number | null] = [0, now, 5]
  const empty = { query: async () => (asked++, []), command: async () => {} } as unknown as EventStore
  await using _rollups = startRollups({ store: empty, log, stored: () => rows, now: () => clock })
  const settled = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    return asked
  }
  // Where it begins (two), then minutes, hours and days.
  assert.equal(await settled(), 5)
  const askedIn = async (stored: number | null) => {
    ;[asked, rows] = [0, stored]
    clock += 10_000
    t.mock.timers.tick(10_000)
    return settled()
  }
  assert.deepEqual([await askedIn(5), await askedIn(6), await askedIn(6)], [0, 1, 0])
  assert.deepEqual([await askedIn(null), await askedIn(6)], [1, 1])
  assert.equal(await askedIn(6), 3)
})
