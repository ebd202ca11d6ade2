import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { type Condition, conditionOf, worstCondition } from './condition.ts'

const AT = '2026-11-01T20:00:00.000Z'
const facts = {
  state: 'operational',
  hardDown: false,
  since: null,
  backSince: null,
  windowSeconds: 600,
  availability: 99.5,
  threshold: 90,
} as const

const TABLE: [string, Parameters<typeof conditionOf>[0], Condition][] = [
  ['not answered yet', undefined, { state: 'loading' }],
  ['well', facts, { state: 'operational' }],
  ['just at the threshold', { ...facts, availability: 90 }, { state: 'operational' }],
  ['below the threshold', { ...facts, availability: 69.1 }, { state: 'degraded', availability: 69.1, threshold: 90 }],
  [
    'below a threshold of its own',
    { ...facts, availability: 97, threshold: 98 },
    { state: 'degraded', availability: 97, threshold: 98 },
  ],
  [
    'every sample failed, and probes see it alive',
    { ...facts, availability: 0 },
    { state: 'degraded', availability: 0, threshold: 90 },
  ],
  ['without a sample', { ...facts, availability: null }, { state: 'unknown', why: 'not-measured' }],
  [
    'dead, though samples of before are good',
    { ...facts, hardDown: true, since: AT },
    { state: 'down', why: 'probes', since: Date.parse(AT) },
  ],
  [
    'dead without a sample',
    { ...facts, hardDown: true, availability: null },
    { state: 'down', why: 'probes', since: null },
  ],
  [
    'alive again, availability still low',
    { ...facts, backSince: AT, availability: 69 },
    { state: 'coming-back', since: Date.parse(AT), until: Date.parse(AT) + 600_000, availability: 69, threshold: 90 },
  ],
  [
    'alive again, nothing measured since',
    { ...facts, backSince: AT, availability: null },
    { state: 'coming-back', since: Date.parse(AT), until: Date.parse(AT) + 600_000, availability: null, threshold: 90 },
  ],
  ['alive again and above the threshold', { ...facts, backSince: AT }, { state: 'operational' }],
  [
    'still being set up',
    { ...facts, state: 'deploying', availability: null },
    { state: 'unknown', why: 'not-serving-yet' },
  ],
  ['could not be set up', { ...facts, state: 'failed' }, { state: 'down', why: 'deploy', since: null }],
]
for (const [name, input, expected] of TABLE)
  test(`a CDN that is ${name}: ${expected.state}`, () => assert.deepEqual(conditionOf(input), expected))

test('the worst of several is told with its number; none at all is not good', () => {
  const of = (...availability: (number | null)[]) =>
    availability.map((one) => conditionOf({ ...facts, availability: one }))
  assert.deepEqual(worstCondition(of(99, 69, 99)), { state: 'degraded', count: 1 })
  assert.deepEqual(worstCondition([...of(50, 60), conditionOf({ ...facts, hardDown: true })]), {
    state: 'down',
    count: 1,
  })
  assert.deepEqual(worstCondition(of(99, null)), { state: 'unknown', count: 1 })
  assert.deepEqual(worstCondition([]), { state: 'loading', count: 0 })
})

test('nothing but good and complete facts is ever operational', () => {
  fc.assert(
    fc.property(
      fc.record({
        state: fc.constantFrom('operational', 'deploying', 'failed', 'waiting-ssl', 'available'),
        hardDown: fc.boolean(),
        since: fc.constantFrom(null, AT),
        backSince: fc.constantFrom(null, AT),
        windowSeconds: fc.constantFrom(60, 600),
        availability: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
        threshold: fc.constantFrom(0, 90, 99.9),
      }),
      (any) =>
        (conditionOf(any).state === 'operational') ===
        (any.state === 'operational' &&
          !any.hardDown &&
          any.availability !== null &&
          any.availability >= any.threshold),
    ),
  )
})
