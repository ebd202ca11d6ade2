import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SteeringCase } from '@fairway/contract'
import { decideCase } from './decide-case.ts'

// Cases in short words, one table for each convention, through the same form that the case call reads.

const NOW = 1_800_000_000_000
type Figures = readonly [availability: number, latencyMs: number | null, more?: object]
type Given = {
  strategies: object[]
  /** By CDN, then by place; figures alone are of Japan. */
  rum?: Record<string, Figures | Record<string, Figures>>
  sum?: Record<string, Figures>
  cdns?: Record<string, object>
  down?: string[]
  settings?: object
  vsrRules?: object[]
  location?: object
  address?: string
  prefixLength?: number
  previous?: string
}

const TOKYO = { continent: 'AS', country: 'JP', region: '13', city: 'Tokyo', network: 'AS2497' }
const isFigures = (value: Figures | Record<string, Figures>): value is Figures => Array.isArray(value)
const measure = ([availability, latencyMs, more = {}]: Figures) => ({ samples: 100, availability, latencyMs, ...more })
const to = (...names: string[]) =>
  names.map((name) => ({ cdnId: name.split(':')[0], weight: Number(name.split(':')[1] ?? 1) }))

function decided({ strategies, rum = {}, sum = {}, cdns = {}, down = [], ...given }: Given) {
  const ids = ['A', 'B', 'C']
  const placesOf = (id: string) => {
    const own = rum[id] ?? {}
    const byPlace = isFigures(own) ? { 'country:JP': own } : own
    const places: Record<string, object> = Object.fromEntries(
      Object.entries(byPlace).map(([key, figures]) => [key, { rum: measure(figures) }]),
    )
    const probed = sum[id]
    if (probed) places['country:JP'] = { ...places['country:JP'], sum: measure(probed) }
    return places
  }
  const one = SteeringCase.parse({
    policy: {
      cdns: ids.map((cdnId) => ({ cdnId, ...cdns[cdnId] })),
      strategies: strategies.map((strategy, index) => ({ id: `s${index + 1}`, ...strategy })),
      vsrRules: given.vsrRules ?? [],
      settings: given.settings ?? {},
    },
    scores: { cdns: Object.fromEntries(ids.map((id) => [id, { hardDown: down.includes(id), places: placesOf(id) }])) },
    visitor: {
      address: given.address ?? '203.0.113.9',
      ...(given.prefixLength === undefined ? {} : { prefixLength: given.prefixLength }),
      location: given.location ?? TOKYO,
    },
    previous: given.previous ?? null,
  })
  return decideCase(one, NOW)
}

/** `A` or, with shares, `A 25 B 75`; `who` decided stands before it when it is not the first strategy. */
function short(given: Given): string {
  const { shares, strategyId } = decided(given)
  const [only] = shares
  const answer =
    shares.length === 1 && only ? only.cdnId : shares.map((one) => `${one.cdnId} ${Math.round(one.percent)}`).join(' ')
  return strategyId === 's1' ? answer : `${strategyId ?? 'none'}: ${answer}`
}

const fast = (more: object = {}) => ({ method: 'best-latency', targets: to('A', 'B', 'C'), ...more })
const weights = (targets: object[], more: object = {}) => ({ method: 'weighted-distribution', targets, ...more })
const always = (cdnId: string, more: object = {}) => ({ method: 'always-use', targets: to(cdnId), ...more })
const inPlaces = (...places: string[]) => ({ filter: { places } })
const wide = (throughputMbps: number) => ({ throughputMbps })
const prefer = { preferThroughput: true }
const fall = (more: object) => ({ short: { samples: 40, subnets: 12, availability: 55, ...more } })
const good = { A: [99, 20], B: [99, 30], C: [99, 40] } as const satisfies Record<string, Figures>
const unset = { availabilityThreshold: null }

const TABLES: Record<string, [given: Given, answer: string][]> = {
  'round robin with failover': [
    [{ strategies: [weights(to('A', 'B'))], rum: good }, 'A 50 B 50'],
    [{ strategies: [weights(to('A', 'B', 'C'))], rum: good }, 'A 33 B 33 C 33'],
    [{ strategies: [weights(to('A', 'B', 'C:0'))], rum: good }, 'A 50 B 50'],
    [{ strategies: [weights(to('A', 'B', 'C:0'))], rum: { ...good, A: [89.9, 20] } }, 'B'],
    [{ strategies: [weights(to('A', 'B', 'C:0'))], rum: { A: [0, null], B: [10, 9], C: [99, 40] } }, 'C'],
    [{ strategies: [weights(to('A', 'B', 'C:0'))], rum: good, down: ['A'] }, 'B'],
    [{ strategies: [weights(to('A', 'B', 'C:0'))], rum: good, down: ['A', 'B'] }, 'C'],
    [{ strategies: [weights(to('A:0', 'B:0', 'C'))], rum: good, down: ['C'] }, 'A'],
    [{ strategies: [weights(to('A', 'B')), always('C')], rum: good, down: ['A', 'B'] }, 's2: C'],
    [{ strategies: [weights(to('A:25', 'B:75'), unset)] }, 'B 75 A 25'],
    [{ strategies: [weights(to('A', 'B'))] }, 'none: A 33 B 33 C 33'],
    [{ strategies: [weights(to('A', 'B'), unset)], cdns: { A: { serving: false } } }, 'B'],
    [{ strategies: [weights(to('A', 'B'), unset)], cdns: { A: { enabled: false } } }, 'B'],
    [{ strategies: [weights(to('A', 'B'), unset)], cdns: { B: { installed: false } } }, 'A'],
  ],
  'weights by geography': [
    [
      {
        strategies: [weights(to('A:80', 'B:20'), { ...unset, ...inPlaces('country:JP') }), weights(to('C'), unset)],
      },
      'A 80 B 20',
    ],
    [
      {
        strategies: [weights(to('A:80', 'B:20'), { ...unset, ...inPlaces('country:JP') }), weights(to('C'), unset)],
        location: { country: 'DE' },
      },
      's2: C',
    ],
    [{ strategies: [always('A', inPlaces('continent:EU'))], location: { country: 'DE' } }, 'A'],
    [{ strategies: [always('A', inPlaces('continent:EU'))], location: { continent: 'EU' } }, 'A'],
    [{ strategies: [always('A', inPlaces('continent:00')), always('B')], location: { continent: 'EU' } }, 's2: B'],
    [{ strategies: [always('A', inPlaces('continent:00'))], location: {} }, 'A'],
    [{ strategies: [always('A', inPlaces('country:CN')), always('B')], location: { country: 'HK' } }, 's2: B'],
    [{ strategies: [always('A', inPlaces('region:JP-13', 'country:DE'))] }, 'A'],
    [{ strategies: [always('A', inPlaces('city:JP-13-Tokyo'))] }, 'A'],
    [{ strategies: [always('B', { ...inPlaces('country:JP'), priority: 2 }), always('A', { priority: 1 })] }, 's2: A'],
    [{ strategies: [always('A', { enabled: false }), always('B')] }, 's2: B'],
  ],
  'latency with penalties': [
    [{ strategies: [fast()], rum: good }, 'A'],
    [{ strategies: [fast()], rum: good, cdns: { A: { latencyFactor: 1.6 } } }, 'B'],
    [{ strategies: [fast()], rum: good, cdns: { A: { latencyAddMs: 15 } } }, 'B'],
    [{ strategies: [fast()], rum: good, cdns: { A: { latencyFactor: 2, latencyAddMs: -15 } } }, 'A'],
    [{ strategies: [fast()], rum: good, cdns: { C: { latencyAddMs: -25 } } }, 'C'],
    [{ strategies: [fast()], rum: good, cdns: { C: { latencyAddMs: -40 } } }, 'A'],
    [{ strategies: [fast()], rum: { A: [99, 20], B: [99, 20] } }, 'A'],
    [{ strategies: [fast({ targets: to('B', 'A') })], rum: { A: [99, 20], B: [99, 20] } }, 'B'],
    [{ strategies: [fast()], rum: { B: [99, 30], C: [99, 40] } }, 'B'],
    [{ strategies: [fast({ requireAllData: true }), always('C')], rum: { A: [99, 20], B: [99, 30] } }, 's2: C'],
    [
      { strategies: [fast({ requireAllData: true, ...unset }), always('C')], rum: { A: [99, 20], B: [99, 30] } },
      's2: C',
    ],
    [{ strategies: [fast({ requireAllData: true })], rum: good }, 'A'],
    [{ strategies: [fast({ requireAllData: true })], rum: { ...good, A: [50, 20] } }, 'B'],
    [{ strategies: [fast()], rum: { A: { world: [99, 10] }, B: [99, 15] } }, 'A'],
    [
      {
        strategies: [{ method: 'regional-latency', targets: to('A', 'B') }],
        rum: {
          A: { 'country:JP|AS2497': [99, 5], 'region:JP-13': [99, 50] },
          B: { 'country:JP|AS2497': [99, 50], 'region:JP-13': [99, 5] },
        },
      },
      'B',
    ],
    [{ strategies: [fast()], rum: { A: [99, 20, { samples: 19 }], B: [99, 30] } }, 'B'],
    [
      { strategies: [fast()], rum: { A: [99, 20, { samples: 19 }], B: [99, 30] }, settings: { minimumSamples: 19 } },
      'A',
    ],
    [{ strategies: [fast()], rum: { A: [99, 20, { newestAt: NOW - 300_001 }], B: [99, 30] } }, 'B'],
    [{ strategies: [fast()], rum: { A: [99, 20, { newestAt: NOW - 300_000 }], B: [99, 30] } }, 'A'],
    [
      {
        strategies: [fast()],
        rum: { A: [99, 20, { newestAt: NOW - 61_000 }], B: [99, 30] },
        settings: { maxAgeSeconds: 60 },
      },
      'B',
    ],
    [
      {
        strategies: [fast()],
        rum: { A: { 'city:JP-13-Tokyo': [99, 10], 'country:JP': [99, 50] }, B: [99, 30] },
        settings: { levels: ['country', 'world'] },
      },
      'B',
    ],
    [{ strategies: [fast()], rum: { B: [99, 30] }, sum: { A: [99, 20] } }, 'A'],
    [{ strategies: [fast({ omitSum: true })], rum: { B: [99, 30] }, sum: { A: [99, 20] } }, 'B'],
    [{ strategies: [fast({ omitRum: true })], rum: good, sum: { C: [99, 90] } }, 'C'],
    [{ strategies: [fast()], rum: good, sum: { A: [99, 90] } }, 'A'],
  ],
  'static by network': [
    [{ strategies: [always('A', { filter: { networks: ['AS2497'] } })] }, 'A'],
    [{ strategies: [always('A', { filter: { networks: ['AS4713'] } }), always('B')] }, 's2: B'],
    [
      {
        strategies: [always('A', { filter: { places: ['country:CN'], networks: ['CT'] } }), always('B')],
        location: { country: 'CN', network: 'CT', asn: 4134 },
      },
      'A',
    ],
    [
      {
        strategies: [always('A', { filter: { networks: ['CT'] } }), always('B')],
        location: { country: 'US', network: 'CT', asn: 4134 },
      },
      's2: B',
    ],
    [
      {
        strategies: [always('A', { filter: { networks: ['AS4134'] } })],
        location: { country: 'CN', network: 'CT', asn: 4134 },
      },
      'A',
    ],
    [{ strategies: [always('A', { filter: { cidrs: ['203.0.113.0/24'] } })] }, 'A'],
    [{ strategies: [always('A', { filter: { cidrs: ['203.0.113.0/24'] } })], address: '::ffff:203.0.113.9' }, 'A'],
    [
      {
        strategies: [always('A', { filter: { cidrs: ['203.0.113.0/25'] } }), always('B')],
        address: '203.0.113.0',
        prefixLength: 24,
      },
      's2: B',
    ],
    [{ strategies: [always('A', { filter: { cidrs: ['::/0'] } }), always('B')] }, 's2: B'],
    [{ strategies: [always('A', { filter: { cidrs: ['0.0.0.0/0'] } }), always('B')], address: '2001:db8::1' }, 's2: B'],
    [{ strategies: [{ method: 'static-route', targets: to('B', 'A') }], rum: good }, 'B'],
    [{ strategies: [{ method: 'static-route', targets: to('B', 'A') }], rum: { ...good, B: [89, 1] } }, 'A'],
    [{ strategies: [{ method: 'static-route', targets: to('B', 'A'), ...unset }], rum: { B: [1, 1] } }, 'B'],
    [{ strategies: [{ method: 'static-route', targets: to('B', 'A'), ...unset }], down: ['B'] }, 'A'],
    [{ strategies: [always('B')], down: ['B'], rum: { B: [0, null] } }, 'B'],
  ],
  thresholds: [
    [{ strategies: [fast()], rum: { A: [90, 20], B: [99, 30] } }, 'A'],
    [{ strategies: [fast()], rum: { A: [89.999, 20], B: [99, 30] } }, 'B'],
    [{ strategies: [fast({ availabilityThreshold: 99.5 })], rum: { A: [99, 20], B: [99.5, 30] } }, 'B'],
    [{ strategies: [fast(unset)], rum: { A: [1, 20], B: [99, 30] } }, 'A'],
    [{ strategies: [fast()], rum: { A: [10, 20], B: [20, 30], C: [15, 1] } }, 'none: B'],
    [{ strategies: [{ ...fast(), method: 'best-availability' }], rum: { A: [99, 20], B: [99.9, 90] } }, 'B'],
    [{ strategies: [{ ...fast(), method: 'best-availability' }], rum: { A: [99, 30], B: [99, 20] } }, 'B'],
    [{ strategies: [{ ...fast(), method: 'best-availability' }], rum: { A: [80, 30], B: [70, 20] } }, 'none: A'],
    [{ strategies: [], rum: { A: [80, 30], B: [95, 20] } }, 'none: B'],
    [{ strategies: [] }, 'none: A 33 B 33 C 33'],
    [{ strategies: [], down: ['A'] }, 'none: B 50 C 50'],
    [{ strategies: [], down: ['A', 'B', 'C'], cdns: { C: { enabled: false } } }, 'none: A 50 B 50'],
    [{ strategies: [fast({ whenBelow: 'first-target' })], rum: { A: [10, 20], B: [20, 30] } }, 'A'],
    [{ strategies: [fast({ whenBelow: 'most-available' })], rum: { A: [10, 20], B: [20, 30] } }, 'B'],
    [{ strategies: [fast({ whenNoData: 'even-split', targets: to('A', 'B') })] }, 'A 50 B 50'],
    [{ strategies: [fast({ whenNoData: 'first-target' })], down: ['A'] }, 'B'],
    [{ strategies: [fast({ whenNoData: 'first-target', whenBelow: 'pass' })], rum: { A: [10, 20] } }, 'none: A'],
    [{ strategies: [fast({ targets: to('C', '*') })], rum: { A: [99, 20], B: [99, 20], C: [99, 20] } }, 'C'],
    [{ strategies: [weights(to('*'), unset)] }, 'A 33 B 33 C 33'],
  ],
  throughput: [
    [{ strategies: [fast({ minimumMbps: 50 })], rum: { A: [99, 20, { throughputMbps: 49 }], B: [99, 30] } }, 'B'],
    [{ strategies: [fast({ minimumMbps: 50 })], rum: { A: [99, 20, { throughputMbps: 50 }], B: [99, 30] } }, 'A'],
    [{ strategies: [fast({ minimumMbps: 50 })], rum: { A: [99, 20], B: [99, 30, { throughputMbps: 90 }] } }, 'A'],
    [
      {
        strategies: [weights(to('A', 'B'), { minimumMbps: 50 })],
        rum: { A: [99, 20, { throughputMbps: 5 }], B: [99, 30, { throughputMbps: 90 }] },
      },
      'B',
    ],
    [
      {
        strategies: [fast({ preferThroughput: true })],
        rum: { A: [99, 100, { throughputMbps: 40 }], B: [99, 104, { throughputMbps: 90 }] },
      },
      'B',
    ],
    [
      {
        strategies: [fast({ preferThroughput: true })],
        rum: { A: [99, 100, { throughputMbps: 40 }], B: [99, 110, { throughputMbps: 90 }] },
      },
      'A',
    ],
    [
      {
        strategies: [fast({ preferThroughput: true })],
        rum: { A: [99, 100], B: [99, 104, { throughputMbps: 90 }] },
      },
      'A',
    ],
    // Nobody is slow for not being measured: neither below a minimum, nor beside a third that is measured wider.
    [
      { strategies: [fast({ minimumMbps: 50 })], rum: { A: [99, 20, wide(5)], B: [99, 30], C: [99, 25, wide(9)] } },
      'B',
    ],
    [{ strategies: [fast(prefer)], rum: { A: [99, 100], B: [99, 104, wide(40)], C: [99, 103, wide(90)] } }, 'A'],
    [{ strategies: [fast(prefer)], rum: { A: [99, 100, wide(40)], B: [99, 104], C: [99, 103, wide(90)] } }, 'C'],
    [{ strategies: [fast(prefer)], rum: { A: [99, 100, wide(90)], B: [99, 104, wide(40)] } }, 'A'],
    [{ strategies: [fast(prefer)], rum: { A: [99, 100, wide(90)], B: [99, 100, wide(91)] } }, 'B'],
    [{ strategies: [fast(prefer)], rum: { A: [99, 95, wide(40)], B: [99, 100, wide(90)] } }, 'A'],
    [{ strategies: [fast(prefer)], rum: { A: [99, 95.1, wide(40)], B: [99, 100, wide(90)] } }, 'B'],
    // The margin is of what is ranked, and the threshold goes first.
    [
      {
        strategies: [fast(prefer)],
        rum: { A: [99, 100, wide(40)], B: [99, 52, wide(90)] },
        cdns: { B: { latencyFactor: 2 } },
      },
      'B',
    ],
    [{ strategies: [fast(prefer)], rum: { A: [99, 100, wide(40)], B: [89, 100, wide(90)] } }, 'A'],
    [{ strategies: [fast(prefer)], rum: { A: [99, 100, wide(40)], B: [99, 104, wide(90)] }, down: ['B'] }, 'A'],
    [
      {
        strategies: [{ ...fast(prefer), method: 'regional-latency' }],
        rum: { A: [99, 100, wide(40)], B: [99, 104, wide(90)] },
      },
      'B',
    ],
    // It is a criterion of latency: other methods do not look at it, and a minimum is asked of all but *always use*.
    [
      {
        strategies: [{ ...fast(prefer), method: 'best-availability' }],
        rum: { A: [99, 100, wide(40)], B: [99, 104, wide(90)] },
      },
      'A',
    ],
    [{ strategies: [always('A', { minimumMbps: 50 })], rum: { A: [99, 20, wide(5)] } }, 'A'],
    [
      {
        strategies: [{ method: 'static-route', targets: to('A', 'B'), ...unset, minimumMbps: 50 }],
        rum: { A: [99, 20, wide(49.9)], B: [99, 30] },
      },
      'B',
    ],
    [
      {
        strategies: [{ ...fast({ minimumMbps: 50 }), method: 'best-availability' }],
        rum: { A: [100, 20, wide(5)], B: [99, 30, wide(50)] },
      },
      'B',
    ],
    [
      {
        strategies: [fast({ minimumMbps: 50 }), always('C')],
        rum: { A: [99, 20, wide(5)], B: [99, 30, wide(6)], C: [99, 40, wide(7)] },
      },
      's2: C',
    ],
    [
      {
        strategies: [fast({ minimumMbps: 50, whenBelow: 'most-available' })],
        rum: { A: [98, 20, wide(5)], B: [99, 30, wide(6)], C: [97, 40, wide(7)] },
      },
      'B',
    ],
    // Its own finest level with enough measurements of it, of the sources that count.
    [
      {
        strategies: [fast({ minimumMbps: 50 })],
        rum: {
          A: { 'city:JP-13-Tokyo': [99, 20, { ...wide(5), throughputSamples: 4 }], 'country:JP': [99, 20, wide(60)] },
          B: [99, 30],
        },
      },
      'A',
    ],
    [
      {
        strategies: [fast({ minimumMbps: 50 })],
        rum: {
          A: { 'city:JP-13-Tokyo': [99, 20, { ...wide(5), throughputSamples: 20 }], 'country:JP': [99, 20, wide(60)] },
          B: [99, 30],
        },
      },
      'B',
    ],
    [
      {
        strategies: [fast({ minimumMbps: 50 })],
        rum: { A: { 'city:JP-13-Tokyo': [99, 20], world: [99, 20, wide(5)] }, B: [99, 30] },
      },
      'B',
    ],
    [
      {
        strategies: [fast({ minimumMbps: 50 })],
        rum: { A: [99, 20, { ...wide(5), newestAt: NOW - 300_001 }], B: [99, 30] },
        sum: { A: [99, 25] },
      },
      'A',
    ],
    [
      {
        strategies: [fast({ minimumMbps: 50, omitRum: true })],
        rum: { A: [99, 20, wide(5)] },
        sum: { A: [99, 25], B: [99, 30] },
      },
      'A',
    ],
    // A previous choice within the margin gives way to clearly more, and not to what trembles.
    [{ strategies: [fast(prefer)], rum: { A: [99, 100, wide(40)], B: [99, 104, wide(90)] }, previous: 'A' }, 'B'],
    [{ strategies: [fast(prefer)], rum: { A: [99, 100, wide(40)], B: [99, 104, wide(41)] }, previous: 'A' }, 'A'],
    [{ strategies: [fast(prefer)], rum: { A: [99, 100, wide(41)], B: [99, 104, wide(40)] }, previous: 'B' }, 'B'],
    [{ strategies: [fast(prefer)], rum: { A: [99, 100, wide(90)], B: [99, 104, wide(40)] }, previous: 'B' }, 'A'],
    [{ strategies: [fast(prefer)], rum: { A: [99, 100, wide(90)], B: [99, 104] }, previous: 'B' }, 'B'],
  ],
  canary: [
    [{ strategies: [always('C', { visitorPercent: 100 }), always('A')] }, 'C'],
    [{ strategies: [always('C', { visitorPercent: null }), always('A')] }, 'C'],
    // 203.0.113.0/24 draws a lot of its own for each strategy: out of a twentieth, in by more than half of it.
    [{ strategies: [always('C', { visitorPercent: 0.1 }), always('A')] }, 's2: A'],
    [{ strategies: [always('C', { visitorPercent: 99.9 }), always('A')] }, 'C'],
    // Who is in and finds nothing there is read on, as everybody else.
    [{ strategies: [{ ...fast({ visitorPercent: 99.9 }), targets: to('C') }, always('A')], down: ['C'] }, 's2: A'],
    [
      {
        strategies: [{ ...fast({ visitorPercent: 99.9 }), targets: to('C') }, always('A')],
        rum: { C: [94.9, 20] },
      },
      'C',
    ],
    [
      {
        strategies: [{ ...fast({ visitorPercent: 99.9, availabilityThreshold: 95 }), targets: to('C') }, always('A')],
        rum: { C: [94.9, 20] },
      },
      's2: A',
    ],
    // The filter goes before the lot, and a stranger without an address draws too.
    [
      {
        strategies: [always('C', { visitorPercent: 99.9, ...inPlaces('country:DE') }), always('A')],
      },
      's2: A',
    ],
  ],
  'levels of data': [
    [
      {
        strategies: [fast()],
        rum: { A: { 'city:JP-13-Tokyo|AS2497': [99, 90], 'city:JP-13-Tokyo': [99, 10] }, B: [99, 30] },
      },
      'B',
    ],
    [
      {
        strategies: [fast()],
        rum: { A: { 'city:JP-13-Tokyo': [99, 90], 'region:JP-13|AS2497': [99, 10] }, B: [99, 30] },
      },
      'B',
    ],
    [
      {
        strategies: [fast()],
        rum: { A: { 'region:JP-13|AS2497': [99, 90], 'region:JP-13': [99, 10] }, B: [99, 30] },
      },
      'B',
    ],
    [
      {
        strategies: [fast()],
        rum: { A: { 'region:JP-13': [99, 90], 'country:JP|AS2497': [99, 10] }, B: [99, 30] },
      },
      'B',
    ],
    [{ strategies: [fast()], rum: { A: { 'country:JP|AS2497': [99, 90], 'country:JP': [99, 10] }, B: [99, 30] } }, 'B'],
    [{ strategies: [fast()], rum: { A: { 'country:JP': [99, 90], 'continent:AS': [99, 10] }, B: [99, 30] } }, 'B'],
    [{ strategies: [fast()], rum: { A: { 'continent:AS': [99, 90], world: [99, 10] }, B: [99, 30] } }, 'B'],
    [{ strategies: [fast()], rum: { A: { 'city:JP-14-Yokohama': [99, 10], world: [99, 40] }, B: [99, 30] } }, 'B'],
    [{ strategies: [fast()], rum: { A: { 'country:JP|AS7': [99, 10], world: [99, 40] }, B: [99, 30] } }, 'B'],
    [
      {
        strategies: [fast()],
        rum: { A: { 'country:JP': [99, 10, { samples: 19 }], 'continent:AS': [99, 40] }, B: [99, 30] },
      },
      'B',
    ],
    [
      {
        strategies: [fast()],
        rum: { A: { 'continent:EU': [99, 10], world: [99, 40] }, B: { 'continent:EU': [99, 20] } },
        location: { continent: 'EU' },
      },
      'A',
    ],
    [
      {
        strategies: [{ ...fast(), method: 'regional-latency' }],
        rum: { A: [99, 20], B: [99, 30] },
        location: { country: 'JP' },
      },
      'A',
    ],
  ],
  'availability that falls fast': [
    [{ strategies: [fast()], rum: { A: [96, 20, fall({})], B: [99, 30] } }, 'B'],
    [{ strategies: [fast()], rum: { A: [96, 20, fall({ samples: 19 })], B: [99, 30] } }, 'A'],
    [{ strategies: [fast()], rum: { A: [96, 20, fall({ subnets: 4 })], B: [99, 30] } }, 'A'],
    [{ strategies: [fast()], rum: { A: [96, 20, fall({ availability: 76 })], B: [99, 30] } }, 'A'],
    [{ strategies: [fast()], rum: { A: [96, 20, fall({ availability: 75.9 })], B: [99, 30] } }, 'B'],
    [{ strategies: [fast({ availabilityThreshold: 50 })], rum: { A: [96, 20, fall({})], B: [99, 30] } }, 'A'],
    [{ strategies: [always('A')], rum: { A: [96, 20, fall({})] } }, 'A'],
    [{ strategies: [fast()], rum: { A: [96, 20, fall({})], B: [99, 21] }, previous: 'A' }, 'B'],
    [
      { strategies: [{ method: 'static-route', targets: to('A', 'B') }], rum: { A: [96, 20, fall({})], B: [99, 30] } },
      'B',
    ],
    [{ strategies: [weights(to('A:80', 'B:20'))], rum: { A: [96, 20, fall({})], B: [99, 30] } }, 'B'],
  ],
  'sticky choices': [
    [{ strategies: [fast()], rum: { A: [99, 96], B: [99, 100] }, previous: 'B' }, 'B'],
    [{ strategies: [fast()], rum: { A: [99, 95], B: [99, 100] }, previous: 'B' }, 'A'],
    [{ strategies: [fast()], rum: { A: [99, 96], B: [89, 100] }, previous: 'B' }, 'A'],
    [{ strategies: [fast()], rum: { A: [99, 96], B: [99, 100] }, previous: 'B', down: ['B'] }, 'A'],
    [{ strategies: [fast()], rum: { A: [99, 100], B: [99, 100] }, previous: 'B' }, 'B'],
    [{ strategies: [fast()], rum: good, previous: 'gone' }, 'A'],
    [{ strategies: [fast()], rum: { A: [99, 90], B: [99, 100] }, previous: 'B', settings: { marginPercent: 20 } }, 'B'],
    [
      { strategies: [fast()], rum: { A: [99, 99.9], B: [99, 100] }, previous: 'B', settings: { marginPercent: 0 } },
      'A',
    ],
    [
      {
        strategies: [{ ...fast(), method: 'regional-latency' }],
        rum: { A: [99, 96], B: [99, 100] },
        previous: 'B',
      },
      'B',
    ],
    [
      { strategies: [{ ...fast(), method: 'best-availability' }], rum: { A: [99, 20], B: [98, 20] }, previous: 'B' },
      'A',
    ],
    // The margin is of what is ranked, and protects nobody without a figure, off, or no target.
    [
      {
        strategies: [fast()],
        rum: { A: [99, 96], B: [99, 50] },
        cdns: { B: { latencyFactor: 2 } },
        previous: 'B',
      },
      'B',
    ],
    [{ strategies: [fast()], rum: { A: [99, 96], B: [99, null] }, previous: 'B' }, 'A'],
    [{ strategies: [fast()], rum: { A: [99, 96], B: [99, 100] }, previous: 'B', cdns: { B: { enabled: false } } }, 'A'],
    [{ strategies: [fast()], rum: { A: [99, 96], B: [99, 100] }, previous: 'B', cdns: { B: { serving: false } } }, 'A'],
    [{ strategies: [fast({ targets: to('A', 'C') })], rum: { A: [99, 96], B: [99, 97] }, previous: 'B' }, 'A'],
    [{ strategies: [fast(unset)], rum: { A: [99, 96], B: [10, 100] }, previous: 'B' }, 'B'],
    [{ strategies: [weights(to('A:0', 'B'))], rum: good, previous: 'A' }, 'B'],
    [{ strategies: [{ method: 'static-route', targets: to('A', 'B') }], rum: good, previous: 'B' }, 'A'],
    [
      {
        strategies: [fast()],
        rum: { A: [99, 50, { latencyInterval: [40, 80] }], B: [99, 100, { latencyInterval: [70, 120] }] },
        previous: 'B',
        settings: { significance: true },
      },
      'B',
    ],
    [
      {
        strategies: [fast()],
        rum: { A: [99, 50, { latencyInterval: [40, 80] }], B: [99, 100, { latencyInterval: [70, 120] }] },
        previous: 'B',
      },
      'A',
    ],
    [
      {
        strategies: [fast(prefer)],
        rum: {
          A: [99, 50, { latencyInterval: [40, 80], ...wide(90) }],
          B: [99, 100, { latencyInterval: [70, 120], ...wide(40) }],
          C: [99, 51, wide(95)],
        },
        previous: 'B',
        settings: { significance: true },
      },
      'B',
    ],
  ],
  'a visitor seen elsewhere': [
    [
      {
        strategies: [fast()],
        rum: { A: { 'country:DE': [99, 5], 'country:JP': [99, 50] }, B: [99, 30] },
        vsrRules: [
          { id: 'v', cdnId: 'A', filter: {}, mimickedAddress: '5.9.0.1', mimickedLocation: { country: 'DE' } },
        ],
      },
      'A',
    ],
    [
      {
        strategies: [always('A', inPlaces('country:DE')), always('B')],
        vsrRules: [{ id: 'v', filter: {}, mimickedAddress: '5.9.0.1', mimickedLocation: { country: 'DE' } }],
      },
      'A',
    ],
  ],
}

for (const [name, rows] of Object.entries(TABLES))
  test(`cases: ${name}`, () => {
    for (const [given, answer] of rows) assert.equal(short(given), answer, JSON.stringify(given))
  })

test('cases: how long an answer may be kept follows its outcome', () => {
  const ttl = (given: Given) => decided(given).ttlSeconds
  const settings = { ttlSeconds: 60, fallbackTtlSeconds: 300 }
  assert.deepEqual(
    [
      ttl({ strategies: [always('A')], settings }),
      ttl({ strategies: [always('A', { ttlSeconds: 45 })], settings }),
      ttl({ strategies: [], settings }),
      ttl({ strategies: [] }),
    ],
    [60, 45, 300, 30],
  )
})
