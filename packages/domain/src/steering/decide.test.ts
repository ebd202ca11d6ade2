import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StrategyInput, SteeringSettings } from '@fairway/contract'
import { hardFailure, isPlausibleRtt, scoreKeys, unreachableStrategies } from '../index.ts'
import {
  NOW,
  TOKYO,
  answerOf,
  ask,
  at,
  candidateOf,
  cdn,
  filter,
  from,
  policy,
  reasonsOf,
  scores,
  seen,
  step,
  strategy,
  targets,
  vsr,
} from './decide-samples.ts'

// The requirements of steering, one row for each sentence in their order. A row shows the answer and the reason name in
// the trace.
const SENTENCES: Record<string, () => void> = {
  'pure: same input, same answer': () => {
    const input = { scores: scores({ A: seen(99, 40), B: seen(99, 41) }), previous: 'B' }
    assert.deepEqual(ask([strategy('best-latency')], input), ask([strategy('best-latency')], input))
  },

  'order: enabled strategies are read by priority, smallest first; the first that matches and yields a candidate decides':
    () => {
      const decision = ask([
        strategy('always-use', { id: 'third', priority: 3, targets: targets('C') }),
        strategy('always-use', { id: 'off', priority: 0, enabled: false, targets: targets('A') }),
        strategy('always-use', { id: 'second', priority: 2, targets: targets('B') }),
      ])
      assert.equal(answerOf(decision), 'B')
      assert.deepEqual(
        decision.trace.steps.map((one) => `${one.strategyId} ${one.reason}`),
        ['off disabled', 'second decided', 'third not-reached'],
      )
    },
  'order: priority alone orders, a city does not go before a country': () => {
    const decision = ask([
      strategy('always-use', {
        id: 'city',
        priority: 2,
        filter: filter({ places: ['city:JP-13-Tokyo'] }),
        targets: targets('A'),
      }),
      strategy('always-use', {
        id: 'country',
        priority: 1,
        filter: filter({ places: ['country:JP'] }),
        targets: targets('B'),
      }),
    ])
    assert.equal(answerOf(decision), 'B')
    assert.equal(step(decision, 'city').reason, 'not-reached')
  },
  'order: nor does the longest prefix': () => {
    const decision = ask([
      strategy('always-use', {
        id: 'long',
        priority: 2,
        filter: filter({ cidrs: ['192.0.2.0/24'] }),
        targets: targets('A'),
      }),
      strategy('always-use', {
        id: 'short',
        priority: 1,
        filter: filter({ cidrs: ['192.0.0.0/8'] }),
        targets: targets('B'),
      }),
    ])
    assert.equal(answerOf(decision), 'B')
    assert.equal(step(decision, 'long').reason, 'not-reached')
  },
  'order: a strategy that can never be reached is warned about': () => {
    const strategies = [
      strategy('always-use', { id: 'first' }),
      strategy('best-latency', { id: 'second', priority: 2 }),
    ]
    assert.deepEqual(unreachableStrategies(policy(strategies)), [
      { strategyId: 'second', kind: 'unreachable', becauseOf: 'first' },
    ])
  },
  'order: a strategy whose targets are all off is passed with the reason': () => {
    const decision = ask(
      [strategy('always-use', { id: 'off', targets: targets('A') }), strategy('static-route', { priority: 2 })],
      { change: { cdns: [cdn('A', { enabled: false }), cdn('B')] } },
    )
    assert.equal(answerOf(decision), 'B')
    assert.equal(step(decision, 'off').reason, 'no-serving-target')
    assert.equal(reasonsOf(decision, 'off'), 'A=disabled B=not-target')
  },
  'order: a strategy whose targets do not serve is passed with the reason': () => {
    const decision = ask(
      [strategy('always-use', { id: 'off', targets: targets('A') }), strategy('static-route', { priority: 2 })],
      { change: { cdns: [cdn('A', { serving: false }), cdn('B')] } },
    )
    assert.equal(answerOf(decision), 'B')
    assert.equal(reasonsOf(decision, 'off'), 'A=not-serving B=not-target')
  },
  'order: a strategy whose targets are below the threshold is passed with the reason': () => {
    const decision = ask(
      [
        strategy('best-latency', { id: 'strict', availabilityThreshold: 95 }),
        strategy('static-route', { priority: 2 }),
      ],
      { scores: scores({ A: seen(90, 10), B: seen(80, 10), C: seen(94.9, 10) }) },
    )
    assert.equal(answerOf(decision), 'A')
    assert.equal(step(decision, 'strict').reason, 'below-threshold')
    assert.equal(reasonsOf(decision, 'strict'), 'A=below-threshold B=below-threshold C=below-threshold')
  },
  'order: a strategy without targets is passed with the reason': () => {
    assert.equal(
      step(ask([strategy('weighted-distribution', { targets: [] })]), 'weighted-distribution').reason,
      'no-targets',
    )
  },

  'nothing decides: the most available enabled and serving CDN by the data there is': () => {
    const decision = ask([], {
      scores: scores({ A: seen(97, 10), B: seen(99, 90), C: seen(100, 5), D: seen(100, 1) }),
      change: { cdns: [cdn('A'), cdn('B'), cdn('C', { enabled: false }), cdn('D', { serving: false })] },
    })
    assert.equal(answerOf(decision), 'B')
    assert.equal(step(decision, null).reason, 'fallback-most-available')
    assert.equal(reasonsOf(decision, null), 'A=less-available B=chosen C=disabled D=not-serving')
  },
  'nothing decides: without data an even split over the enabled and serving CDNs': () => {
    const decision = ask([], { change: { cdns: [cdn('A'), cdn('B', { enabled: false }), cdn('C')] } })
    assert.equal(answerOf(decision), 'A 50, C 50')
    assert.equal(step(decision, null).reason, 'fallback-even-split')
    assert.equal(reasonsOf(decision, null), 'A=chosen-share B=disabled C=chosen-share')
  },
  'nothing decides: a CDN that is hard down is left out of the last resort': () => {
    const decision = ask([], { scores: scores({}, ['A']) })
    assert.equal(answerOf(decision), 'B 50, C 50')
    assert.equal(candidateOf(decision, 'A', null).reason, 'hard-down')
  },
  'nothing decides: never an empty answer while one CDN is enabled, though none serves': () => {
    const decision = ask([strategy('always-use')], {
      change: { cdns: [cdn('A', { serving: false }), cdn('B', { enabled: false })] },
    })
    assert.equal(answerOf(decision), 'A')
    assert.equal(step(decision, null).reason, 'fallback-none-serving')
  },
  'nothing decides: never an empty answer while one CDN is enabled, though all are hard down': () => {
    const decision = ask([strategy('static-route')], { scores: scores({}, ['A', 'B', 'C']) })
    assert.equal(step(decision, 'static-route').reason, 'all-hard-down')
    assert.equal(step(decision, null).reason, 'fallback-even-split')
    assert.deepEqual(decision.ordered, ['A', 'B', 'C'])
  },
  'nothing decides: empty only when no CDN is enabled': () => {
    const decision = ask([strategy('always-use')], { change: { cdns: [cdn('A', { enabled: false })] } })
    assert.deepEqual([decision.shares, decision.ordered], [[], []])
    assert.equal(step(decision, null).reason, 'fallback-none-enabled')
  },

  'filter: kinds are and': () => {
    const both = filter({ places: ['country:JP'], networks: ['AS2497'], cidrs: ['192.0.2.0/24'] })
    const reason = (visitor = at({})) =>
      step(ask([strategy('always-use', { filter: both })], { visitor }), 'always-use').reason
    assert.equal(reason(), 'decided')
    assert.equal(reason(at({ country: 'KR' })), 'filter-place')
    assert.equal(reason(at({ network: 'AS1', asn: 1 })), 'filter-network')
    assert.equal(reason(at({}, '198.51.100.0')), 'filter-cidr')
  },
  'filter: the values of one kind are or': () => {
    const rule = strategy('always-use', {
      filter: filter({ networks: ['AS1', 'AS2497'], cidrs: ['10.0.0.0/8', '192.0.2.0/24'] }),
    })
    assert.equal(step(ask([rule]), 'always-use').reason, 'decided')
  },
  'filter: a list of locations is or': () => {
    const rule = strategy('always-use', {
      filter: filter({ places: ['continent:EU', 'region:US-CA', 'city:JP-13-Tokyo'] }),
    })
    assert.equal(step(ask([rule]), 'always-use').reason, 'decided')
    assert.equal(step(ask([rule], { visitor: at({ city: 'Hino' }) }), 'always-use').reason, 'filter-place')
  },
  'filter: an empty filter is everyone': () => {
    const nowhere = at(
      { continent: '00', country: null, region: null, city: null, network: null, asn: null },
      'not an address',
      0,
    )
    assert.equal(step(ask([strategy('always-use')], { visitor: nowhere }), 'always-use').reason, 'decided')
  },
  'filter: a visitor whose country is unknown is of the continent, when that is known': () => {
    const visitor = at({ continent: 'EU', country: null, region: null, city: null })
    const reason = (place: string) =>
      step(ask([strategy('always-use', { filter: filter({ places: [place] }) })], { visitor }), 'always-use').reason
    assert.deepEqual([reason('continent:00'), reason('continent:EU')], ['filter-place', 'decided'])
    const level = candidateOf(
      ask([strategy('best-latency')], { visitor, scores: scores({ A: { 'continent:EU': seen(99, 20) } }) }),
      'A',
    ).latency?.level
    assert.equal(level, 'continent:EU')
  },
  'filter: a visitor whose place is not known at all is of continent 00': () => {
    const visitor = at({ continent: '00', country: null, region: null, city: null })
    const reason = (place: string) =>
      step(ask([strategy('always-use', { filter: filter({ places: [place] }) })], { visitor }), 'always-use').reason
    assert.deepEqual([reason('continent:00'), reason('continent:EU')], ['decided', 'filter-place'])
  },
  'filter: HK, MO and TW are their own countries': () => {
    for (const country of ['HK', 'MO', 'TW']) {
      const reason = (place: string) =>
        step(
          ask([strategy('always-use', { filter: filter({ places: [place] }) })], {
            visitor: at({ country, region: null, city: null }),
          }),
          'always-use',
        ).reason
      assert.deepEqual([reason('country:CN'), reason(`country:${country}`)], ['filter-place', 'decided'])
    }
  },
  'filter: a China network in a filter on China means that network in China': () => {
    const rule = strategy('always-use', { filter: filter({ places: ['country:CN'], networks: ['CT'] }) })
    const reason = (location: Parameters<typeof at>[0]) =>
      step(ask([rule], { visitor: at(location) }), 'always-use').reason
    assert.equal(reason({ country: 'CN', network: 'CT', asn: 4134 }), 'decided')
    assert.equal(reason({ country: 'CN', network: 'CU', asn: 4837 }), 'filter-network')
    assert.equal(reason({ country: 'US', network: 'CT', asn: 4134 }), 'filter-place')
    const anywhere = strategy('always-use', { filter: filter({ networks: ['CT'] }) })
    assert.equal(
      step(ask([anywhere], { visitor: at({ country: 'US', network: 'CT', asn: 4134 }) }), 'always-use').reason,
      'filter-network',
    )
  },
  'filter: IPv4 and IPv6 never mix': () => {
    const reason = (cidr: string, visitor = from('192.0.2.0', 24)) =>
      step(ask([strategy('always-use', { filter: filter({ cidrs: [cidr] }) })], { visitor }), 'always-use').reason
    assert.equal(reason('::/0'), 'filter-cidr')
    assert.equal(reason('0.0.0.0/0', from('2001:db8::', 56)), 'filter-cidr')
  },
  'filter: an IPv4 address mapped into IPv6 counts as IPv4': () => {
    const reason = (cidr: string) =>
      step(
        ask([strategy('always-use', { filter: filter({ cidrs: [cidr] }) })], {
          visitor: from('::ffff:192.0.2.0', 120),
        }),
        'always-use',
      ).reason
    assert.deepEqual(
      [reason('192.0.2.0/24'), reason('::ffff:192.0.2.0/120'), reason('::/0')],
      ['decided', 'decided', 'filter-cidr'],
    )
  },
  'filter: a CIDR narrower than the known client subnet does not match': () => {
    const reason = (cidr: string) =>
      step(
        ask([strategy('always-use', { filter: filter({ cidrs: [cidr] }) })], { visitor: from('192.0.2.0', 24) }),
        'always-use',
      ).reason
    assert.deepEqual([reason('192.0.2.0/25'), reason('192.0.2.0/24')], ['filter-cidr', 'decided'])
  },

  'targets: only CDNs that are installed, enabled and serving; others are skipped by name': () => {
    const decision = ask([strategy('static-route', { targets: targets('X', 'A', 'B', 'C') })], {
      change: { cdns: [cdn('A', { enabled: false }), cdn('B', { serving: false }), cdn('C'), cdn('D')] },
    })
    assert.equal(reasonsOf(decision), 'X=not-installed A=disabled B=not-serving C=chosen D=not-target')
  },
  'targets: a tie goes to the first in the list': () => {
    const decision = ask([strategy('best-latency', { targets: targets('C', 'A', 'B') })], {
      scores: scores({ A: seen(99, 20), B: seen(99, 30), C: seen(99, 20) }),
    })
    assert.equal(reasonsOf(decision), 'C=tie-by-order A=later-in-order B=slower')
  },

  'always use: its first serving target, whatever is measured': () => {
    const decision = ask([strategy('always-use', { targets: targets('B', 'A'), availabilityThreshold: 90 })], {
      scores: scores({ A: seen(100, 5), B: seen(0, null) }, ['B']),
    })
    assert.equal(reasonsOf(decision), 'B=chosen A=later-in-order C=not-target')
    assert.equal(candidateOf(decision, 'B').hardDown, true)
  },
  'static route: its targets in order as a failover list': () => {
    const decision = ask([strategy('static-route', { targets: targets('C', 'B', 'A') })], {
      scores: scores({ B: seen(50, 900) }, ['C']),
    })
    assert.equal(reasonsOf(decision), 'C=hard-down B=chosen A=later-in-order')
  },
  'static route: a threshold counts when set': () => {
    const decision = ask([strategy('static-route', { availabilityThreshold: 90 })], {
      scores: scores({ A: seen(80, 5), B: seen(95, 90) }),
    })
    assert.equal(reasonsOf(decision), 'A=below-threshold B=chosen C=no-availability-data')
  },
  'best latency: the smallest ranked latency among targets at or above the threshold': () => {
    const decision = ask([strategy('best-latency', { availabilityThreshold: 90 })], {
      scores: scores({ A: seen(80, 5), B: seen(99, 40), C: seen(90, 30) }),
    })
    assert.equal(reasonsOf(decision), 'A=below-threshold B=slower C=chosen')
  },
  'best availability: the highest availability at or above the threshold': () => {
    const decision = ask([strategy('best-availability', { availabilityThreshold: 90 })], {
      scores: scores({ A: seen(99.5, 90), B: seen(99, 10), C: seen(89, 1) }),
    })
    assert.equal(reasonsOf(decision), 'A=chosen B=less-available C=below-threshold')
  },
  'best availability: tie, then the smaller ranked latency': () => {
    const decision = ask([strategy('best-availability')], {
      scores: scores({ A: seen(99, 50), B: seen(99, 20), C: seen(99, null) }),
    })
    assert.equal(reasonsOf(decision), 'A=slower B=chosen C=no-latency-data')
  },
  'best availability: without any availability data it is passed': () => {
    const decision = ask([strategy('best-availability')])
    assert.equal(step(decision, 'best-availability').reason, 'no-availability-data')
  },
  'weighted distribution: shares by weight among targets at or above the threshold': () => {
    const decision = ask(
      [strategy('weighted-distribution', { targets: targets('A:60', 'B:30', 'C:10'), availabilityThreshold: 90 })],
      { scores: scores({ A: seen(99, 5), B: seen(99, 5), C: seen(10, 5) }) },
    )
    assert.deepEqual(
      decision.shares.map((one) => `${one.cdnId} ${one.percent.toFixed(1)}`),
      ['A 66.7', 'B 33.3'],
    )
    assert.equal(reasonsOf(decision), 'A=chosen-share B=chosen-share C=below-threshold')
  },
  'weighted distribution: weight 0 is stand-by, unused while a positive weight is left': () => {
    const decision = ask([strategy('weighted-distribution', { targets: targets('A:0', 'B:1', 'C:3') })])
    assert.equal(answerOf(decision), 'C 75, B 25')
    assert.equal(reasonsOf(decision), 'A=standby B=chosen-share C=chosen-share')
  },
  'weighted distribution: stand-by is used in target order when no positive weight is left': () => {
    const decision = ask([strategy('weighted-distribution', { targets: targets('A:5', 'C:0', 'B:0') })], {
      scores: scores({}, ['A']),
    })
    assert.equal(reasonsOf(decision), 'A=hard-down C=chosen-standby B=standby')
  },
  'regional latency: as best latency, by the data of the region, not of the network or city': () => {
    const measured = scores({
      A: { 'region:JP-13|AS2497': seen(99, 1), 'city:JP-13-Tokyo': seen(99, 1), 'region:JP-13': seen(99, 50) },
      B: { 'region:JP-13': seen(99, 40) },
    })
    assert.equal(answerOf(ask([strategy('best-latency')], { scores: measured })), 'A')
    const decision = ask([strategy('regional-latency')], { scores: measured })
    assert.equal(reasonsOf(decision), 'A=slower B=chosen C=no-latency-data')
    assert.equal(candidateOf(decision, 'A').latency?.level, 'region:JP-13')
  },
  'regional latency: by the country where there are no regions': () => {
    const decision = ask([strategy('regional-latency')], {
      visitor: at({ country: 'SG', region: null, city: 'Singapore' }),
      scores: scores({
        A: { 'country:SG': seen(99, 50), 'country:SG|AS2497': seen(99, 1), 'city:SG--Singapore': seen(99, 1) },
      }),
    })
    assert.equal(candidateOf(decision, 'A').latency?.level, 'country:SG')
  },

  'threshold: per strategy, default 90 %': () => {
    const input = { name: 'x', method: 'best-latency', targets: [{ cdnId: 'A' }] }
    assert.equal(StrategyInput.parse(input).availabilityThreshold, 90)
    assert.equal(StrategyInput.parse({ ...input, availabilityThreshold: null }).availabilityThreshold, null)
  },
  'threshold: inclusive': () => {
    assert.equal(
      reasonsOf(
        ask([strategy('best-latency', { availabilityThreshold: 90, targets: targets('A') })], {
          scores: scores({ A: seen(90, 5) }),
        }),
      ),
      'A=chosen B=not-target C=not-target',
    )
  },
  'threshold: unrounded': () => {
    const decision = ask([strategy('best-latency', { availabilityThreshold: 90, targets: targets('A') })], {
      scores: scores({ A: seen(89.9999, 5) }),
    })
    assert.equal(step(decision, 'best-latency').reason, 'below-threshold')
  },
  'threshold: may be unset': () => {
    assert.equal(
      candidateOf(ask([strategy('best-latency')], { scores: scores({ A: seen(1, 5) }) }), 'A').reason,
      'chosen',
    )
  },
  'threshold: no availability data at all does not pass a set threshold': () => {
    for (const method of [
      'static-route',
      'best-latency',
      'best-availability',
      'weighted-distribution',
      'regional-latency',
    ] as const) {
      const decision = ask([strategy(method, { availabilityThreshold: 0 })])
      assert.equal(step(decision, method).reason, 'no-availability-data', method)
    }
  },

  'latency increment: factor first, then milliseconds': () => {
    const decision = ask([strategy('best-latency')], {
      scores: scores({ A: seen(99, 50) }),
      change: { cdns: [cdn('A', { latencyFactor: 2, latencyAddMs: 10 })] },
    })
    assert.equal(candidateOf(decision, 'A').rankedLatencyMs, 110)
  },
  'latency increment: for ranking only, the measured figure stays': () => {
    const decision = ask([strategy('best-latency')], {
      scores: scores({ A: seen(99, 50), B: seen(99, 60) }),
      change: { cdns: [cdn('A', { latencyFactor: 3 }), cdn('B')] },
    })
    assert.equal(reasonsOf(decision), 'A=slower B=chosen C=not-installed')
    assert.equal(candidateOf(decision, 'A').latency?.value, 50)
  },
  'latency increment: a bonus is allowed as long as the result stays positive': () => {
    const ranked = (latencyAddMs: number) =>
      candidateOf(
        ask([strategy('best-latency')], {
          scores: scores({ A: seen(99, 50) }),
          change: { cdns: [cdn('A', { latencyAddMs })] },
        }),
        'A',
      ).rankedLatencyMs
    assert.deepEqual([ranked(-49), ranked(-50), ranked(-60)], [1, 50, 50])
  },

  'a target without latency data is left out of a latency comparison, the others are compared': () => {
    const decision = ask([strategy('best-latency')], {
      scores: scores({ A: seen(0, null), B: seen(99, 40), C: seen(99, 30) }),
    })
    assert.equal(reasonsOf(decision), 'A=no-latency-data B=slower C=chosen')
  },
  'a latency strategy none of whose targets has latency data is passed': () => {
    assert.equal(step(ask([strategy('regional-latency')]), 'regional-latency').reason, 'no-latency-data')
  },
  'compare only when all have data passes the strategy instead': () => {
    const decision = ask([strategy('best-latency', { requireAllData: true })], {
      scores: scores({ A: seen(99, 20), B: seen(99, 40) }),
    })
    assert.equal(step(decision, 'best-latency').reason, 'incomplete-latency-data')
    assert.equal(reasonsOf(decision, 'best-latency'), 'A=not-compared B=not-compared C=no-latency-data')
  },
  'compare only when all have data asks those that take part, not a failed one': () => {
    const decision = ask([strategy('best-latency', { requireAllData: true })], {
      scores: scores({ A: seen(99, 20), B: seen(99, 40) }, ['C']),
    })
    assert.equal(reasonsOf(decision), 'A=chosen B=slower C=hard-down')
  },

  'RUM is preferred': () => {
    const decision = ask([strategy('best-latency')], {
      scores: scores({ A: { world: { rum: seen(99, 80), sum: seen(99, 1) } } }),
    })
    assert.deepEqual(
      [candidateOf(decision, 'A').latency?.source, candidateOf(decision, 'A').latency?.value],
      ['rum', 80],
    )
  },
  'synthetic fills in where RUM is missing, too old or too few': () => {
    const used = (rum: ReturnType<typeof seen> | undefined) =>
      candidateOf(
        ask([strategy('best-latency')], {
          scores: scores({ A: { world: { ...(rum && { rum }), sum: seen(99, 7) } } }),
        }),
        'A',
      ).latency
    for (const [rum, reason] of [
      [undefined, 'no-data'],
      [seen(99, 5, { newestAt: NOW - 300_001 }), 'too-old'],
      [seen(99, 5, { samples: 19 }), 'too-few'],
    ] as const) {
      assert.equal(used(rum)?.source, 'sum')
      assert.deepEqual(
        used(rum)?.skipped.map((one) => `${one.level} ${one.source} ${one.reason}`),
        [`world rum ${reason}`],
      )
    }
  },
  'a hard failure makes a CDN unavailable at once for every method but always use': () => {
    for (const method of [
      'static-route',
      'best-latency',
      'best-availability',
      'weighted-distribution',
      'regional-latency',
    ] as const) {
      const decision = ask([strategy(method)], {
        scores: scores({ A: seen(100, 1), B: seen(95, 90) }, ['A']),
        previous: 'A',
      })
      assert.equal(candidateOf(decision, 'A').reason, 'hard-down', method)
      assert.ok(!decision.shares.some((share) => share.cdnId === 'A'), method)
    }
    assert.equal(answerOf(ask([strategy('always-use')], { scores: scores({}, ['A']) })), 'A')
  },
  'a hard failure is 2 of 3 nodes or checks': () => {
    const ofEach = (...oks: boolean[]) => oks.map((ok) => [{ at: NOW, ok }])
    assert.equal(hardFailure({ nodes: ofEach(false, false, true), wasDown: false, now: NOW }), true)
    assert.equal(hardFailure({ nodes: ofEach(false, true, true), wasDown: false, now: NOW }), false)
    const ofOne = (...oks: boolean[]) => [oks.map((ok, index) => ({ at: NOW - 1000 * index, ok }))]
    assert.equal(hardFailure({ nodes: ofOne(true, false, false), wasDown: false, now: NOW }), true)
    assert.equal(hardFailure({ nodes: ofOne(false, true, true, false), wasDown: false, now: NOW }), false)
  },
  'omit RUM and omit SUM take that source out': () => {
    const measured = scores({ A: { world: { rum: seen(99, 80), sum: seen(99, 1) } } })
    const rum = candidateOf(ask([strategy('best-latency', { omitSum: true })], { scores: measured }), 'A')
    const sum = candidateOf(ask([strategy('best-latency', { omitRum: true })], { scores: measured }), 'A')
    assert.deepEqual([rum.latency?.source, sum.latency?.source], ['rum', 'sum'])
    assert.deepEqual(sum.latency?.skipped, [{ level: 'world', source: 'rum', reason: 'omitted', samples: 100 }])
    const none = ask([strategy('best-latency', { omitRum: true, omitSum: true })], { scores: measured })
    assert.deepEqual(
      candidateOf(none, 'A', 'best-latency').skipped?.map((one) => one.reason),
      ['omitted', 'omitted'],
    )
  },

  'level: network in city, city, network in region, region, network in country, country, continent, world': () => {
    assert.deepEqual(scoreKeys(TOKYO), [
      'city:JP-13-Tokyo|AS2497',
      'city:JP-13-Tokyo',
      'region:JP-13|AS2497',
      'region:JP-13',
      'country:JP|AS2497',
      'country:JP',
      'continent:AS',
      'world',
    ])
    const all = scoreKeys(TOKYO)
    for (const [index, level] of all.entries()) {
      const measured = scores({
        A: Object.fromEntries(all.map((key, place) => [key, seen(99, 10, { samples: place < index ? 19 : 20 })])),
      })
      const used = candidateOf(ask([strategy('best-latency')], { scores: measured }), 'A').latency
      assert.equal(used?.level, level)
      assert.deepEqual(
        used?.skipped.filter((one) => one.reason === 'too-few').map((one) => one.level),
        all.slice(0, index),
      )
    }
  },
  'level: enough samples is 20 by default, a setting': () => {
    assert.equal(SteeringSettings.parse({}).minimumSamples, 20)
    const measured = scores({ A: seen(99, 10, { samples: 5 }) })
    const decision = ask([strategy('best-latency')], {
      scores: measured,
      change: { settings: { minimumSamples: 5, marginPercent: 5, ttlSeconds: 30 } },
    })
    assert.equal(candidateOf(decision, 'A').reason, 'chosen')
    assert.equal(step(ask([strategy('best-latency')], { scores: measured }), 'best-latency').reason, 'no-latency-data')
  },
  'level: each candidate has its own, the trace names them and marks mixed levels': () => {
    const mixed = ask([strategy('best-latency')], {
      scores: scores({ A: { 'city:JP-13-Tokyo': seen(99, 30), world: seen(99, 1) }, B: seen(99, 40) }),
    })
    assert.deepEqual(
      [
        candidateOf(mixed, 'A').latency?.level,
        candidateOf(mixed, 'B').latency?.level,
        step(mixed, 'best-latency').mixedLevels,
      ],
      ['city:JP-13-Tokyo', 'world', true],
    )
    const even = ask([strategy('best-latency')], {
      scores: scores({ A: { 'country:JP': seen(99, 30) }, B: { 'country:JP': seen(99, 40) } }),
    })
    assert.equal(step(even, 'best-latency').mixedLevels, false)
  },
  'plausibility: round-trip times under 1 ms or over 60 s are dropped': () => {
    assert.deepEqual([0.99, 1, 60_000, 60_000.1, Number.NaN].map(isPlausibleRtt), [false, true, true, false, false])
  },

  'stability: a latency winner replaces the previous choice only when better by the margin': () => {
    const decision = (best: number) =>
      ask([strategy('best-latency')], { scores: scores({ A: seen(99, best), B: seen(99, 100) }), previous: 'B' })
    assert.equal(reasonsOf(decision(95.1)), 'A=within-margin B=kept-by-margin C=no-latency-data')
    assert.equal(reasonsOf(decision(95)), 'A=chosen B=slower C=no-latency-data')
  },
  'stability: the margin is 5 % by default, a setting': () => {
    assert.equal(SteeringSettings.parse({}).marginPercent, 5)
    const decision = ask([strategy('regional-latency')], {
      scores: scores({ A: seen(99, 81), B: seen(99, 100) }),
      previous: 'B',
      change: { settings: { minimumSamples: 20, marginPercent: 20, ttlSeconds: 30 } },
    })
    assert.equal(answerOf(decision), 'B')
  },
  'stability: a previous choice below its threshold has no protection': () => {
    const decision = ask([strategy('best-latency', { availabilityThreshold: 90 })], {
      scores: scores({ A: seen(99, 99), B: seen(80, 100) }),
      previous: 'B',
    })
    assert.equal(reasonsOf(decision), 'A=chosen B=below-threshold C=no-availability-data')
  },

  'VSR: a rule for the visitor and a targeted CDN replaces the location of that CDN’s data': () => {
    const rule = vsr({ cdnId: 'A', filter: filter({ places: ['country:JP'] }) })
    const decision = ask([strategy('best-latency')], {
      scores: scores({
        A: { 'country:JP': seen(99, 10), 'country:DE': seen(99, 200) },
        B: { 'country:JP': seen(99, 50), 'country:DE': seen(99, 5) },
      }),
      change: { vsrRules: [rule] },
    })
    assert.equal(reasonsOf(decision), 'A=slower B=chosen C=no-latency-data')
    assert.deepEqual(
      [
        candidateOf(decision, 'A').vsrRuleId,
        candidateOf(decision, 'A').latency?.level,
        candidateOf(decision, 'B').vsrRuleId,
        candidateOf(decision, 'B').latency?.level,
      ],
      ['vsr', 'country:DE', null, 'country:JP'],
    )
  },
  'VSR: and the location of that CDN’s filter': () => {
    const rule = vsr({ cdnId: 'A', filter: filter({ places: ['country:JP'] }) })
    const decision = ask([strategy('static-route', { filter: filter({ places: ['country:JP'] }) })], {
      change: { vsrRules: [rule] },
    })
    assert.equal(reasonsOf(decision), 'A=outside-filter B=chosen C=later-in-order')
    const inGermany = ask([strategy('static-route', { filter: filter({ places: ['country:DE'] }) })], {
      change: { vsrRules: [rule] },
    })
    assert.equal(reasonsOf(inGermany), 'A=chosen B=outside-filter C=outside-filter')
    const nowhere = ask([strategy('static-route', { filter: filter({ places: ['country:FR'] }) })], {
      change: { vsrRules: [rule] },
    })
    assert.equal(step(nowhere, 'static-route').reason, 'filter-place')
  },
  'VSR: without a targeted CDN it replaces the location for all': () => {
    const rule = vsr({ filter: filter({ networks: ['AS2497'] }) })
    const decision = ask(
      [strategy('best-latency', { filter: filter({ places: ['country:DE'], cidrs: ['198.51.100.1/32'] }) })],
      {
        scores: scores({ A: { 'country:DE': seen(99, 30) }, B: { 'country:DE': seen(99, 20) } }),
        change: { vsrRules: [rule] },
      },
    )
    assert.equal(reasonsOf(decision), 'A=slower B=chosen C=no-latency-data')
    assert.deepEqual(
      step(decision, 'best-latency').candidates.map((one) => one.vsrRuleId),
      ['vsr', 'vsr', 'vsr'],
    )
  },
  'VSR: a rule for one CDN goes before a rule for all, and a disabled one has no say': () => {
    const rules = [
      vsr({ id: 'all' }),
      vsr({ id: 'off', cdnId: 'A', enabled: false }),
      vsr({ id: 'own', cdnId: 'A', mimickedLocation: TOKYO }),
    ]
    const decision = ask([strategy('static-route')], { change: { vsrRules: rules } })
    assert.deepEqual(
      step(decision, 'static-route').candidates.map((one) => one.vsrRuleId),
      ['own', 'all', 'all'],
    )
  },

  'answer: shares that sum to 100': () => {
    const thirds = ask([strategy('weighted-distribution')])
    assert.equal(
      thirds.shares.reduce((sum, share) => sum + share.percent, 0),
      100,
    )
    assert.ok(thirds.shares.every((share) => Math.abs(share.percent - 100 / 3) < 0.01))
  },
  'answer: the TTL of the policy': () => {
    assert.equal(
      ask([strategy('always-use')], { change: { settings: { minimumSamples: 20, marginPercent: 5, ttlSeconds: 60 } } })
        .ttlSeconds,
      60,
    )
  },
  'answer: client-subnet scope, nothing when the place of the visitor could not change it': () => {
    const measured = scores({ A: { 'country:JP': seen(99, 10) } })
    assert.deepEqual(
      ask(
        [strategy('always-use'), strategy('best-latency', { priority: 2, filter: filter({ places: ['country:JP'] }) })],
        { scores: measured },
      ).dependsOn,
      { location: false, cidrPrefixLength: null },
    )
    assert.deepEqual(ask([strategy('best-latency')], { scores: scores({ A: seen(99, 10) }) }).dependsOn, {
      location: false,
      cidrPrefixLength: null,
    })
    assert.deepEqual(ask([strategy('weighted-distribution')], { scores: measured }).dependsOn.location, false)
    assert.deepEqual(ask([strategy('best-latency')], { scores: measured }).dependsOn.location, true)
    assert.deepEqual(
      ask([strategy('always-use', { filter: filter({ places: ['country:KR'] }) })], { scores: null }).dependsOn
        .location,
      true,
    )
  },
  'answer: client-subnet scope, the bits that settle every CIDR read': () => {
    const scope = (cidrs: string[], visitor = from('192.0.2.0', 24)) =>
      ask([strategy('always-use', { filter: filter({ cidrs }) })], { visitor }).dependsOn.cidrPrefixLength
    assert.equal(scope(['192.0.0.0/16']), 16)
    assert.equal(scope(['128.0.0.0/16']), 2)
    assert.equal(scope(['192.0.2.128/25']), 25)
    assert.equal(scope(['2001:db8::/32']), null)
    assert.equal(scope(['0.0.0.0/0']), null)
  },
  'answer: client-subnet scope, a VSR rule counts when a filter or data are read': () => {
    const vsrRules = [vsr({ filter: filter({ places: ['country:JP'], cidrs: ['192.0.2.0/24'] }) })]
    assert.deepEqual(ask([strategy('always-use')], { change: { vsrRules } }).dependsOn, {
      location: false,
      cidrPrefixLength: null,
    })
    assert.deepEqual(
      ask([strategy('best-latency')], { change: { vsrRules }, scores: scores({ A: seen(99, 5) }) }).dependsOn,
      { location: true, cidrPrefixLength: 24 },
    )
  },
  'answer: the ordered list, best first, failed CDNs left off': () => {
    const measured = scores({ A: seen(99, 30), B: seen(99, 20), C: seen(50, 1), D: seen(99, 10) }, ['D'])
    const cdns = ['A', 'B', 'C', 'D', 'E'].map((id) => cdn(id))
    const rule = strategy('best-latency', { availabilityThreshold: 90, targets: targets('A', 'B', 'C', 'D') })
    assert.deepEqual(ask([rule], { scores: measured, change: { cdns } }).ordered, ['B', 'A'])
    assert.deepEqual(
      ask([strategy('weighted-distribution', { targets: targets('A:1', 'B:9', 'D:90', 'E:0') })], {
        scores: measured,
        change: { cdns },
      }).ordered,
      ['B', 'A', 'E'],
    )
    assert.deepEqual(
      ask([strategy('always-use', { targets: targets('D', 'A') })], { scores: measured, change: { cdns } }).ordered,
      ['D', 'A'],
    )
  },
}

for (const [sentence, show] of Object.entries(SENTENCES)) test(sentence, show)
