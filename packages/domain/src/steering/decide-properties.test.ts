import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Decision, type SteeringPolicy, type Visitor } from '@fairway/contract'
import * as fc from 'fast-check'
import { decide, parseVisitorAddress, policyIndex, projectLocation } from '../index.ts'
import { policies, previousChoices, snapshots, visitors } from './random-samples.ts'
import { NOW } from './decide-samples.ts'

const inputs = fc.record({
  policy: policies,
  scores: snapshots,
  visitor: visitors,
  previous: previousChoices,
  now: fc.constant(NOW),
})
type Input = Parameters<typeof decide>[0]

/** Drawn once for all tests: drawing takes ten times as long as deciding. */
const DRAW = { seed: Math.floor(Math.random() * 2 ** 31), numRuns: 3000 }
const DRAWN: readonly Input[] = fc.sample(inputs, DRAW)

/** Tries what is drawn; what fails is drawn again, which makes it small and says how to see it once more. */
function holds(check: (input: Input) => void): void {
  for (const input of DRAWN)
    try {
      check(input)
    } catch (error) {
      fc.assert(fc.property(inputs, check), DRAW)
      throw error
    }
}

test('the same input gives the same answer, and the input is left as it was', () => {
  holds((drawn) => {
    const input = structuredClone(drawn)
    const before = structuredClone(input)
    assert.deepEqual(decide(input), decide(before))
    assert.deepEqual(input, before)
  })
})

test('a decision fits its contract', () => {
  holds((input) => {
    Decision.parse(decide(input))
  })
})

test('the answer is never empty while one CDN is enabled, and names enabled CDNs only', () => {
  holds((input) => {
    const { shares, ordered } = decide(input)
    const enabled = new Set(input.policy.cdns.filter((cdn) => cdn.enabled).map((cdn) => cdn.cdnId))
    assert.equal(shares.length > 0, enabled.size > 0)
    assert.equal(ordered.length > 0, enabled.size > 0)
    for (const cdnId of [...ordered, ...shares.map((share) => share.cdnId)]) assert.ok(enabled.has(cdnId))
    assert.equal(new Set(ordered).size, ordered.length)
    assert.ok(shares.every((share) => ordered.includes(share.cdnId)))
  })
})

test('a CDN that does not serve is answered only when none does', () => {
  holds((input) => {
    const serving = input.policy.cdns.filter((cdn) => cdn.enabled && cdn.serving).map((cdn) => cdn.cdnId)
    if (serving.length > 0) assert.ok(decide(input).ordered.every((cdnId) => serving.includes(cdnId)))
  })
})

test('shares sum to exactly 100, each above nothing', () => {
  holds((input) => {
    const { shares } = decide(input)
    if (shares.length === 0) return
    assert.equal(
      shares.reduce((sum, share) => sum + share.percent, 0),
      100,
    )
    assert.equal(
      shares.toReversed().reduce((sum, share) => sum + share.percent, 0),
      100,
    )
    assert.ok(shares.every((share) => share.percent > 0))
  })
})

test('every strategy has its step, every CDN of a read step a reason, and the chosen of the deciding step are the answer', () => {
  holds((input) => {
    const { shares, trace, strategyId } = decide(input)
    const { policy } = input
    const asRead = (rules: SteeringPolicy['strategies']) =>
      rules.toSorted((a, b) => a.priority - b.priority).map((rule) => rule.id)
    assert.deepEqual(
      trace.steps.flatMap((step) => step.strategyId ?? []),
      asRead(policy.strategies),
    )
    assert.equal(
      trace.steps.filter((step) => step.reason.startsWith('decided') || step.reason.startsWith('fallback-')).length,
      1,
    )
    for (const step of trace.steps) {
      const unread = [
        'disabled',
        'not-reached',
        'filter-place',
        'filter-network',
        'filter-cidr',
        'outside-share',
      ].includes(step.reason)
      const named = new Set(step.candidates.map((one) => one.cdnId))
      assert.equal(named.size, step.candidates.length)
      if (!unread) assert.ok(policy.cdns.every((cdn) => named.has(cdn.cdnId)))
      const chosen = step.candidates.filter((one) => one.chosen)
      assert.ok(step.candidates.every((one) => one.chosen === /^(chosen|kept|tie)/.test(one.reason)))
      if (step.strategyId !== strategyId) assert.equal(chosen.length, 0)
      else
        assert.deepEqual(
          chosen.map((one) => `${one.cdnId} ${one.percent}`).sort(),
          shares.map((share) => `${share.cdnId} ${share.percent}`).sort(),
        )
    }
  })
})

test('visitors with equal keys get equal decisions', () => {
  let equal = 0
  holds((input) => {
    const index = policyIndex(input.policy, input.scores)
    const here = withoutLocation(decide(input))
    for (const other of fc.sample(visitors, 3)) {
      if (projectLocation(index, input.visitor) !== projectLocation(index, other)) continue
      equal++
      assert.deepEqual(withoutLocation(decide({ ...input, visitor: other })), here)
    }
  })
  assert.ok(equal > 400, `only ${equal} pairs had equal keys`)
})

test('an answer that does not depend on the place is the same everywhere', () => {
  let compared = 0
  const others = fc.sample(visitors, DRAWN.length)
  let at = 0
  holds((input) => {
    const other = others[at++ % others.length] ?? input.visitor
    const here = decide(input)
    if (
      here.dependsOn.location ||
      here.dependsOn.cidrPrefixLength !== null ||
      familyOf(input.visitor) !== familyOf(other)
    )
      return
    compared++
    assert.deepEqual(withoutLocation(decide({ ...input, visitor: other })).shares, here.shares)
  })
  assert.ok(compared > 100, `only ${compared} answers were free of the place`)
})

test('an answer holds for all addresses that share the bits it depended on', () => {
  holds((input) => {
    for (const prefixLength of [16, 24, 25, 32]) {
      const noise = Math.floor(Math.random() * 2 ** 32)
      const ask = (word: number) =>
        decide({ ...input, visitor: { ...input.visitor, address: dotted(word), prefixLength } })
      const word = 0xc0000200
      const here = ask(word)
      const bits = here.dependsOn.cidrPrefixLength ?? 0
      const other =
        bits === 0 ? noise : (word & (-1 << (32 - bits))) | (bits === 32 ? 0 : noise & (0xffffffff >>> bits))
      assert.deepEqual(ask(other >>> 0).shares, here.shares)
    }
  })
})

const dotted = (word: number): string => [24, 16, 8, 0].map((shift) => (word >>> shift) & 255).join('.')

const familyOf = (visitor: Visitor): number | undefined =>
  parseVisitorAddress(visitor.address, visitor.prefixLength)?.family

const withoutLocation = (decision: Decision) => ({ ...decision, trace: { ...decision.trace, location: null } })
