import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type ClaimNow,
  type NameHeld,
  type NameSeen,
  KEPT_DAYS,
  UNPROVEN_DAYS,
  claimUntil,
  firstStep,
  nextStep,
} from './claim-step.ts'

const DAY = 86_400_000
const NOBODY: NameHeld = { proven: false, provenAround: false, first: false, reserved: false, samePair: false }
const RULES = { canBeProven: true, tolerant: false }
const seen = (change: Partial<NameSeen> = {}): NameSeen => ({
  parent: 'asked',
  leads: 'elsewhere',
  txt: false,
  ...change,
})
const claim = (change: Partial<ClaimNow> = {}): ClaimNow => ({
  state: 'served',
  reason: null,
  since: 0,
  claimedAt: 0,
  ...change,
})
const step = (now: ClaimNow, what: NameSeen, held: Partial<NameHeld> = {}, day = 1) => {
  const next = nextStep(now, what, { ...NOBODY, ...held }, RULES, day * DAY)
  return next && ('reason' in next ? next.reason : 'by' in next ? `proven by ${next.by}` : next.state)
}
const looking = claim({ state: 'looking' })
const parked = (reason: ClaimNow['reason']) => claim({ state: 'parked', reason })

test('a new claim waits for its parent zone, and for others who hold the name', () => {
  const first = (held: Partial<NameHeld>, canBeProven = true) =>
    firstStep({ ...NOBODY, ...held }, { ...RULES, canBeProven })
  assert.deepEqual(first({}), { state: 'looking' })
  assert.deepEqual(first({}, false), { state: 'served' })
  assert.deepEqual(first({ first: true }), { state: 'parked', reason: 'claimed-first' })
  assert.deepEqual(first({ reserved: true, first: true }), { state: 'parked', reason: 'reserved' })
  assert.deepEqual(first({ proven: true, reserved: true }), { state: 'parked', reason: 'proven-elsewhere' })
})

test('what is seen moves a claim', () => {
  const cases: [string, ReturnType<typeof step>, ReturnType<typeof step>][] = [
    ['not delegated here: it may be tried', step(looking, seen()), 'served'],
    ['parent away: nobody knows yet', step(looking, seen({ parent: 'away' })), null],
    ['delegated to its pair', step(looking, seen({ leads: 'to-pair' })), 'proven by delegation'],
    ['delegated to another pair', step(looking, seen({ leads: 'to-others-of-ours' })), 'delegated-elsewhere'],
    [
      'served, then delegated to another pair',
      step(claim(), seen({ leads: 'to-others-of-ours' })),
      'delegated-elsewhere',
    ],
    ['token seen', step(claim(), seen({ txt: true })), 'proven by txt'],
    [
      'token seen where we answer ourselves',
      step(looking, seen({ txt: true, leads: 'to-others-of-ours' })),
      'delegated-elsewhere',
    ],
    ['one of its two, beside an old server', step(claim(), seen({ leads: 'to-part-of-pair', txt: true })), null],
    ['token, but the parent did not say', step(claim(), seen({ txt: true, parent: 'away' })), null],
    [
      'a pair that others had too',
      step(looking, seen({ leads: 'to-pair' }), { samePair: true }),
      'delegated-elsewhere',
    ],
    [
      'parked, then proven anew',
      step(parked('proven-elsewhere'), seen({ leads: 'to-pair' }), { proven: true }),
      'proven by delegation',
    ],
    ['parked, and nothing new', step(parked('proven-elsewhere'), seen(), { proven: true }), null],
    ['the prover is gone, but nothing is proven', step(parked('proven-elsewhere'), seen()), null],
    ['the first is gone', step(parked('claimed-first'), seen()), 'served'],
    ['the reservation has ended', step(parked('reserved'), seen()), 'served'],
    ['delegation moved away', step(parked('delegated-elsewhere'), seen()), 'served'],
    ['28 days', step(claim(), seen(), {}, UNPROVEN_DAYS), 'no-proof'],
    ['28 days behind somebody', step(parked('claimed-first'), seen(), { first: true }, UNPROVEN_DAYS), 'no-proof'],
    ['a proof on day 29', step(parked('no-proof'), seen({ txt: true }), {}, 29), 'proven by txt'],
    ['parked before its time', step(parked('no-proof'), seen(), {}, UNPROVEN_DAYS - 1), 'served'],
    ['nothing but time', step(parked('no-proof'), seen(), {}, 29), null],
    [
      'a proven parent or child is not gone round',
      step(claim(), seen({ txt: true }), { provenAround: true }),
      'proven-elsewhere',
    ],
  ]
  for (const [what, got, expected] of cases) assert.equal(got, expected, what)
})

test('names of special use are served without end, and never wait for a parent that is not there', () => {
  const rules = { canBeProven: false, tolerant: false }
  assert.equal(nextStep(claim(), seen({ parent: 'away' }), NOBODY, rules, 900 * DAY), null)
  assert.equal(claimUntil(claim(), rules), null)
})

test('a claim ends when it says it does', () => {
  assert.equal(claimUntil(claim({ claimedAt: DAY }), RULES), (UNPROVEN_DAYS + 1) * DAY)
  assert.equal(claimUntil(claim({ ...parked('no-proof'), since: 40 * DAY }), RULES), (40 + KEPT_DAYS) * DAY)
  assert.equal(claimUntil(claim({ state: 'proven' }), RULES), null)
})

test('whatever is seen: nothing unproven is served beside a proven claim or a delegation to somebody else', () => {
  fc.assert(
    fc.property(
      fc.record({
        state: fc.constantFrom('looking', 'served', 'parked'),
        reason: fc.constantFrom('claimed-first', 'proven-elsewhere', 'delegated-elsewhere', 'reserved', 'no-proof'),
      }),
      fc.record({
        parent: fc.constantFrom('asked', 'away'),
        leads: fc.constantFrom('to-pair', 'to-part-of-pair', 'to-others-of-ours', 'elsewhere'),
        txt: fc.boolean(),
      }),
      fc.record({
        proven: fc.boolean(),
        provenAround: fc.boolean(),
        first: fc.boolean(),
        reserved: fc.boolean(),
        samePair: fc.boolean(),
      }),
      fc.boolean(),
      ({ state, reason }, look, held, tolerant) => {
        const now = claim({ state, reason: state === 'parked' ? reason : null } as Partial<ClaimNow>)
        const next = nextStep(now, look as NameSeen, held, { canBeProven: true, tolerant }, DAY)
        const after = next?.state ?? now.state
        if (after !== 'served') return
        assert.ok(!held.proven && !held.provenAround)
        assert.ok(look.parent === 'away' || ['elsewhere', 'to-part-of-pair'].includes(look.leads))
      },
    ),
  )
})
