import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StrategyRule, VisitorFilter } from '@fairway/contract'
import * as fc from 'fast-check'
import { policies, previousChoices, snapshots, visitors } from './random-samples.ts'
import { decide } from './decide.ts'
import { NOW, cdn, filter, policy, strategy, targets, vsr } from './decide-samples.ts'
import { unreachableStrategies } from './reachability.ts'

const blocked = (
  first: Partial<VisitorFilter>,
  second: Partial<VisitorFilter>,
  change: Partial<StrategyRule> = {},
  given: Parameters<typeof policy>[1] = {},
) =>
  unreachableStrategies(
    policy(
      [
        strategy('always-use', { id: 'first', filter: filter(first), ...change }),
        strategy('best-latency', { id: 'second', priority: 2, filter: filter(second) }),
      ],
      given,
    ),
  ).some((one) => one.becauseOf === 'first')

test('always use for everyone hides all that follow', () => {
  assert.ok(blocked({}, {}))
  assert.ok(blocked({}, { places: ['country:JP'] }))
})

test('a wider filter hides a narrower one', () => {
  assert.ok(blocked({ places: ['continent:AS', 'country:DE'] }, { places: ['country:JP', 'city:DE-BE-Berlin'] }))
  assert.ok(blocked({ places: ['country:CN'] }, { places: ['region:CN-31'], networks: ['CT'] }))
  assert.ok(blocked({ cidrs: ['10.0.0.0/8'] }, { cidrs: ['10.1.0.0/16', '10.2.3.4'] }))
})

test('what a visitor could still reach is not warned about', () => {
  assert.ok(!blocked({ places: ['country:JP'] }, {}))
  assert.ok(!blocked({ places: ['country:JP'] }, { places: ['country:JP', 'country:KR'] }))
  assert.ok(!blocked({ places: ['country:JP'], networks: ['AS1'] }, { places: ['country:JP'] }))
  assert.ok(!blocked({ cidrs: ['10.0.0.0/8'] }, { cidrs: ['10.0.0.0/7'] }))
})

test('a strategy that may yield nothing hides no other', () => {
  assert.ok(!blocked({}, {}, { method: 'static-route' }))
  assert.ok(!blocked({}, {}, { enabled: false }))
  assert.ok(!blocked({}, {}, { targets: targets('A') }, { cdns: [cdn('A', { serving: false }), cdn('B')] }))
  assert.ok(!blocked({}, {}, { targets: targets('gone') }))
})

test('a VSR rule for one CDN makes filters incomparable', () => {
  const change = { vsrRules: [vsr({ cdnId: 'A' })] }
  assert.ok(!blocked({ places: ['country:JP'] }, { places: ['country:JP'] }, {}, change))
  assert.ok(blocked({}, { places: ['country:JP'] }, {}, change))
})

test('no visitor is ever decided by a strategy that was warned about', () => {
  fc.assert(
    fc.property(policies, snapshots, visitors, previousChoices, (given, scores, visitor, previous) => {
      const unreachable = unreachableStrategies(given).map((one) => one.strategyId)
      assert.ok(!unreachable.includes(decide({ policy: given, scores, visitor, previous, now: NOW }).strategyId ?? ''))
    }),
    { numRuns: 3000 },
  )
})
