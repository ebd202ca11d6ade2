import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepReturn } from '../index.ts'
import {
  NOW,
  answerOf,
  ask,
  candidateOf,
  cdn,
  policy,
  reasonsOf,
  scores,
  seen,
  strategy,
  targets,
} from './decide-samples.ts'

const last = (A: ReturnType<typeof seen>, B: ReturnType<typeof seen>, previous: string | null) => {
  const decision = ask([], { scores: scores({ A, B }), previous, change: { cdns: [cdn('A'), cdn('B')] } })
  return [answerOf(decision), reasonsOf(decision)].join(': ')
}
const of = (availability: number, samples: number, latencyMs: number | null = 50) =>
  seen(availability, latencyMs, { samples })

test('whoever set no strategy stays where one lost sample is all that another CDN is better by', () => {
  assert.equal(last(of(100, 900), of(99.9, 900), null), 'A: A=chosen B=less-available')
  assert.equal(last(of(100, 900), of(99.9, 900), 'B'), 'B: A=alike B=kept-as-alike')
  assert.equal(last(of(100, 20), of(95, 20), 'B'), 'B: A=alike B=kept-as-alike')
})

test('what is more than chance moves everybody, and so does a CDN that is better in both', () => {
  assert.equal(last(of(100, 900), of(97, 900), 'B'), 'A: A=chosen B=less-available')
  assert.equal(last(of(100, 100), of(98, 100), 'B'), 'A: A=chosen B=less-available')
  // So few samples could be chance, but it is below what is taken for available.
  assert.equal(last(of(100, 20), of(85, 20), 'B'), 'A: A=chosen B=less-available')
  assert.equal(last(of(100, 900, 40), of(100, 900, 50), 'B'), 'A: A=chosen B=slower')
  assert.equal(last(of(100, 900, 49), of(100, 900, 50), 'B'), 'B: A=alike B=kept-as-alike')
  assert.equal(last(of(99.9, 900, 40), of(100, 900, 400), 'A'), 'A: A=kept-as-alike B=alike')
})

test('figures of a clock that is ahead are as good as none', () => {
  const ahead = (ms: number) => seen(100, 10, { newestAt: NOW + ms })
  const decide = (ms: number) => ask([strategy('best-latency')], { scores: scores({ A: ahead(ms), B: seen(100, 40) }) })
  assert.deepEqual([answerOf(decide(20_000)), answerOf(decide(40_000))], ['A', 'B'])
  assert.deepEqual(stepReturn({ since: NOW, percent: 10, stepAt: NOW + 3_600_000 }, NOW, true), {
    since: NOW,
    percent: 10,
    stepAt: NOW,
  })
})

test('probes that fetch different things find the dead, and not the faster', () => {
  const probed = (latencyMs: number) => ({ world: { sum: seen(100, latencyMs) } })
  const input = { scores: scores({ A: probed(2), B: probed(200) }), previous: null }
  const rules = [strategy('best-latency', { id: 'fast', targets: targets('B', 'A') })]
  assert.equal(answerOf(ask(rules, input)), 'A')
  const settings = { ...policy([]).settings, untimedProbes: true as const }
  const mixed = ask(rules, { ...input, change: { settings } })
  assert.equal(mixed.strategyId, null)
  assert.equal(reasonsOf(mixed, 'fast'), 'B=no-latency-data A=no-latency-data C=not-target')
  const skipped = candidateOf(mixed, 'A', 'fast').skipped
  assert.equal(skipped?.at(-1)?.reason, 'not-comparable')
})
