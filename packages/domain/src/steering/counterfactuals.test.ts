import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CandidateReason, CandidateTrace, StrategyTrace } from '@fairway/contract'
import { counterfactuals } from './counterfactuals.ts'

const measure = (value: number) => ({
  value,
  source: 'rum' as const,
  level: 'country:JP',
  samples: 40,
  ageMs: 900,
  skipped: [],
})
const candidate = (
  cdnId: string,
  reason: CandidateReason,
  rankedLatencyMs: number | null,
  availability: number | null,
): CandidateTrace => ({
  cdnId,
  reason,
  chosen: /^(chosen|kept|tie)/.test(reason),
  percent: 0,
  availability: availability === null ? null : measure(availability),
  latency: rankedLatencyMs === null ? null : measure(rankedLatencyMs),
  rankedLatencyMs,
  hardDown: false,
  vsrRuleId: null,
})
const step = (...candidates: CandidateTrace[]): StrategyTrace => ({
  strategyId: 's',
  name: 'S',
  method: 'best-latency',
  reason: 'decided',
  candidates,
  mixedLevels: false,
})
const rules = { minimumSamples: 20, marginPercent: 5, thresholdOf: () => 90 }
const ask = (...candidates: CandidateTrace[]) => counterfactuals({ steps: [step(...candidates)] }, rules)

test('a slower CDN wins below the latency of the one chosen', () => {
  assert.deepEqual(ask(candidate('a', 'chosen', 20, 99), candidate('b', 'slower', 31, 99)), [
    { cdnId: 'b', kind: 'faster', belowMs: 20, nowMs: 31 },
  ])
})

test('within the margin it has to be better by the margin', () => {
  assert.deepEqual(ask(candidate('a', 'kept-by-margin', 20, 99), candidate('b', 'within-margin', 19.5, 99)), [
    { cdnId: 'b', kind: 'faster-by-margin', belowMs: 19, nowMs: 19.5 },
  ])
})

test('below the threshold it is compared again from the threshold on, and a less available one wins above the best', () => {
  assert.deepEqual(
    ask(
      candidate('a', 'chosen', 20, 99.5),
      candidate('b', 'below-threshold', 10, 87.2),
      candidate('c', 'less-available', 10, 98),
    ),
    [
      { cdnId: 'b', kind: 'reaches-threshold', from: 90, now: 87.2 },
      { cdnId: 'c', kind: 'more-available', above: 99.5, now: 98 },
    ],
  )
})

test('without figures only what is certain is said', () => {
  assert.deepEqual(
    ask(
      candidate('a', 'chosen', null, null),
      candidate('b', 'hard-down', null, null),
      candidate('c', 'slower', null, null),
      candidate('d', 'no-latency-data', null, 99),
      candidate('e', 'disabled', null, null),
    ),
    [
      { cdnId: 'b', kind: 'alive' },
      { cdnId: 'd', kind: 'measured', minimumSamples: 20 },
      { cdnId: 'e', kind: 'serves' },
    ],
  )
})

test('nothing is said when nothing was chosen', () => {
  assert.deepEqual(ask(candidate('a', 'disabled', null, null)), [])
})
