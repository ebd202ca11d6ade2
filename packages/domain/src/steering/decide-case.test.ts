import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SteeringCase } from '@fairway/contract'
import { caseProblems, decideCase } from './decide-case.ts'

const NOW = 1_800_000_000_000
const measured = (latencyMs: number, more: object = {}) => ({
  rum: { samples: 100, availability: 100, latencyMs, ...more },
})
const given = (more: object = {}, policy: object = {}) =>
  SteeringCase.parse({
    policy: {
      cdns: [{ cdnId: 'a' }, { cdnId: 'b' }],
      strategies: [{ id: 's', method: 'best-latency', targets: [{ cdnId: 'a' }, { cdnId: 'b' }] }],
      ...policy,
    },
    scores: { cdns: { a: { places: { 'country:JP': measured(20) } }, b: { places: { 'country:JP': measured(30) } } } },
    visitor: { location: { continent: 'AS', country: 'JP' } },
    ...more,
  })
const answer = (one: SteeringCase) => decideCase(one, NOW).shares.map((share) => share.cdnId)

test('a case is decided by what it brings along', () => {
  assert.deepEqual(answer(given()), ['a'])
  assert.deepEqual(answer(given({ visitor: { location: { continent: 'EU', country: 'DE' } } })), ['a', 'b'])
  assert.deepEqual(answer(given({ previous: 'b' })), ['a'])
  assert.deepEqual(answer(given({ previous: 'b' }, { settings: { marginPercent: 50 } })), ['b'])
  const down = { cdns: { a: { hardDown: true }, b: { places: { 'country:JP': measured(30) } } } }
  assert.deepEqual(answer(given({ scores: down })), ['b'])
})

test('an availability that falls fast decides alone, with five /24s and the fewest samples', () => {
  const short = { samples: 20, subnets: 5, availability: 60 }
  const at = (more: object) => {
    const a = measured(20, { short: { ...short, ...more } })
    return answer(
      given({
        scores: { cdns: { a: { places: { 'country:JP': a } }, b: { places: { 'country:JP': measured(30) } } } },
      }),
    )
  }
  assert.deepEqual([{}, { samples: 19 }, { subnets: 4 }, { availability: 80 }, { availability: 79.9 }].map(at), [
    ['b'],
    ['a'],
    ['a'],
    ['a'],
    ['b'],
  ])
})

test('a CDN that comes back is given so many of the visitors, and each stays in or out', () => {
  const share = (percent: number) => {
    const scores = {
      cdns: {
        a: { returning: { since: NOW, percent, stepAt: NOW }, places: { 'country:JP': measured(20) } },
        b: { places: { 'country:JP': measured(30) } },
      },
    }
    const got = new Set<string>()
    for (let i = 0; i < 2000; i++) {
      const address = `20.${i >> 8}.${i & 255}.9`
      const visitor = { address, prefixLength: 32, location: { continent: 'AS', country: 'JP' } }
      const decision = decideCase(given({ scores, visitor }), NOW)
      assert.equal(decision.dependsOn.cidrPrefixLength, 24)
      if (decision.shares[0]?.cdnId === 'a') got.add(address)
      else assert.equal(decision.trace.steps[0]?.candidates[0]?.reason, 'returning')
    }
    return got
  }
  const [none, few, half] = [share(0), share(10), share(50)]
  assert.equal(none.size, 0)
  assert.ok(Math.abs(few.size - 200) < 50 && Math.abs(half.size - 1000) < 100, `${few.size} ${half.size}`)
  assert.ok([...few].every((address) => half.has(address)))
})

test('a strategy for a share of its visitors passes the others on', () => {
  const strategies = [
    { id: 'canary', method: 'always-use', targets: [{ cdnId: 'b' }], visitorPercent: 20 },
    { id: 'rest', method: 'always-use', targets: [{ cdnId: 'a' }] },
  ]
  let taken = 0
  for (let i = 0; i < 2000; i++) {
    const visitor = { address: `2001:db8:${i.toString(16)}::1`, location: { continent: 'AS', country: 'JP' } }
    const decision = decideCase(given({ visitor }, { strategies }), NOW)
    assert.equal(decision.dependsOn.cidrPrefixLength, 48)
    if (decision.strategyId === 'canary') taken++
    else assert.equal(decision.trace.steps[0]?.reason, 'outside-share')
  }
  assert.ok(Math.abs(taken - 400) < 80, String(taken))
})

test('with significance a faster CDN waits until the intervals part', () => {
  const scores = (low: number) => ({
    cdns: {
      a: { places: { 'country:JP': measured(20, { latencyInterval: [15, 25] }) } },
      b: { places: { 'country:JP': measured(30, { latencyInterval: [low, 40] }) } },
    },
  })
  const settings = { significance: true }
  const one = (low: number) => decideCase(given({ previous: 'b', scores: scores(low) }, { settings }), NOW)
  assert.deepEqual([one(24).shares[0]?.cdnId, one(26).shares[0]?.cdnId], ['b', 'a'])
  assert.deepEqual(
    one(24).trace.steps[0]?.candidates.map(({ reason }) => reason),
    ['overlapping', 'kept-by-significance'],
  )
})

test('what saving refuses is refused, each by its path', () => {
  const problems = (more: object, policy: object = {}) =>
    caseProblems(given(more, policy)).map((one) => `${one.path} ${one.message}`)
  const strategy = (more: object) => ({
    strategies: [{ id: 's', method: 'best-latency', targets: [{ cdnId: 'a' }], ...more }],
  })
  assert.deepEqual(problems({}), [])
  const table: [object, object, string[]][] = [
    [
      {},
      strategy({ targets: [{ cdnId: 'a' }, { cdnId: 'a' }] }),
      ['policy.strategies.0.targets validation.duplicateValue'],
    ],
    [{}, strategy({ targets: [{ cdnId: 'x' }] }), ['policy.strategies.0.targets.0.cdnId validation.notInstalled']],
    [
      {},
      strategy({ method: 'weighted-distribution', targets: [{ cdnId: 'a', weight: 0 }] }),
      ['policy.strategies.0.targets validation.positiveWeight'],
    ],
    [{ scores: { cdns: { x: {} } } }, {}, ['scores.cdns.x validation.notInstalled']],
    [{ scores: { cdns: { a: { places: { moon: {} } } } } }, {}, ['scores.cdns.a.places.moon validation.scoreKey']],
    [
      { visitor: { address: '192.0.2.1', prefixLength: 48, location: {} } },
      {},
      ['visitor.prefixLength validation.max_value:32'],
    ],
  ]
  for (const [more, policy, expected] of table) assert.deepEqual(problems(more, policy), expected)
})
