import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ScoresSnapshot } from '@fairway/contract'
import { binOf } from '../log-histogram.ts'
import { buildSnapshot } from './build-snapshot.ts'
import type { WindowSum, WindowSums } from './measurement-window.ts'

const NOW = 1_800_000_000_000
const sum = (rttMs: number, samples: number, successes = samples): WindowSum => ({
  samples,
  successes,
  bins: new Map([[binOf(rttMs), successes]]),
  newestAt: NOW - 1000,
})
const sums = (rum: Record<string, WindowSum>, synthetic: Record<string, WindowSum> = {}): WindowSums =>
  new Map([['o1', new Map([['a', { rum: new Map(Object.entries(rum)), sum: new Map(Object.entries(synthetic)) }]])]])
const build = (from: WindowSums, more: Partial<Parameters<typeof buildSnapshot>[0]> = {}) =>
  buildSnapshot({
    organizationId: 'o1',
    sums: from,
    health: [],
    previous: null,
    lifetimeSeconds: 300,
    now: NOW,
    ...more,
  })

test('figures of both sources stand at their keys, in the form of the contract', () => {
  const snapshot = build(sums({ world: sum(50, 100, 90) }, { world: sum(10, 20) }))
  assert.deepEqual(ScoresSnapshot.parse(snapshot), snapshot)
  const world = snapshot.cdns['a']?.places['world']
  assert.deepEqual([world?.rum?.samples, world?.rum?.availability, world?.sum?.samples], [100, 90, 20])
  assert.ok(Math.abs((world?.rum?.latencyMs ?? 0) - 50) < 2.5)
})

test('fine places with few samples are left out, the coarse ones stay', () => {
  const few = sum(50, 4)
  const keys = Object.keys(
    build(
      sums({
        world: few,
        'continent:AS': few,
        'country:JP': few,
        'country:JP|AS2497': few,
        'region:JP-Tokyo': few,
        'city:JP-Tokyo-Tokyo': few,
        'city:JP-Osaka-Osaka': sum(50, 5),
      }),
    ).cdns['a']?.places ?? {},
  )
  assert.deepEqual(keys, ['world', 'continent:AS', 'country:JP', 'city:JP-Osaka-Osaka'])
})

test('a jump of the median goes through by halves in time', () => {
  const first = build(sums({ world: sum(50, 100) }))
  const next = build(sums({ world: sum(150, 100) }), { previous: first, now: NOW + 5000 })
  const latency = next.cdns['a']?.places['world']?.rum?.latencyMs ?? 0
  assert.ok(latency > 95 && latency < 107, String(latency))
  assert.ok(next.serial > first.serial)
})

test('a dead CDN is told dead, measured or not', () => {
  const snapshot = build(new Map(), {
    health: [
      { cdnId: 'x', down: true, since: NOW - 5 },
      { cdnId: 'y', down: false, since: null },
    ],
  })
  assert.deepEqual(snapshot.cdns, {
    x: { hardDown: true, hardDownSince: NOW - 5, places: {} },
    y: { hardDown: false, hardDownSince: null, places: {} },
  })
})

test('nothing succeeded: availability without a latency', () => {
  assert.deepEqual(build(sums({ world: { ...sum(50, 10, 0), bins: new Map() } })).cdns['a']?.places['world']?.rum, {
    samples: 10,
    availability: 0,
    latencyMs: null,
    newestAt: NOW - 1000,
  })
})
