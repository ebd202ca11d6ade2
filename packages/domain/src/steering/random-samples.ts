import * as fc from 'fast-check'
import {
  DataLevel,
  Otherwise,
  SteeringMethod,
  type Location,
  type Measure,
  type PolicyCdn,
  type ScoresSnapshot,
  type SteeringPolicy,
  type StrategyRule,
  type VisitorFilter,
  type VsrRuleEntry,
  type Visitor,
} from '@fairway/contract'
import { NOW } from './decide-samples.ts'

// A small world, so that filters, measurements and visitors of random policies often meet.

const CDN_IDS = ['A', 'B', 'C', 'D']
const PLACES = [
  'world',
  'continent:AS',
  'continent:EU',
  'continent:00',
  'country:JP',
  'country:CN',
  'country:SG',
  'country:DE',
  'region:JP-13',
  'region:JP-14',
  'region:CN-31',
  'city:JP-13-Tokyo',
  'city:JP-14-Yokohama',
  'city:SG--Singapore',
  'city:CN-31-Shanghai',
]
const NETWORKS = ['AS2497', 'AS4134', 'CT', 'CU']
const CIDRS = [
  '192.0.2.0/24',
  '192.0.2.0/25',
  '192.0.0.0/16',
  '128.0.0.0/1',
  '0.0.0.0/0',
  '10.1.2.3',
  '2001:db8::/32',
  '2001:db8:1::/48',
  '::/0',
  '::ffff:192.0.2.0/120',
]
const SCORE_KEYS = PLACES.flatMap((place) => [
  place,
  ...(/^(city|region|country)/.test(place) ? NETWORKS.map((network) => `${place}|${network}`) : []),
])

const subset = <T>(values: readonly T[], maxLength: number) => fc.subarray([...values], { maxLength })
const someOrNone = <T>(values: readonly T[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant<T[]>([]) }, { weight: 2, arbitrary: subset(values, 3) })

const filters: fc.Arbitrary<VisitorFilter> = fc.record({
  places: someOrNone(PLACES),
  networks: someOrNone(NETWORKS),
  cidrs: someOrNone(CIDRS),
})

export const locations: fc.Arbitrary<Location> = fc
  .constantFrom(
    { continent: 'AS' as const, country: 'JP', region: '13', city: 'Tokyo' },
    { continent: 'AS' as const, country: 'JP', region: '14', city: 'Yokohama' },
    { continent: 'AS' as const, country: 'JP', region: '14', city: null },
    { continent: 'AS' as const, country: 'JP', region: null, city: null },
    { continent: 'AS' as const, country: 'CN', region: '31', city: 'Shanghai' },
    { continent: 'AS' as const, country: 'SG', region: null, city: 'Singapore' },
    { continent: 'EU' as const, country: 'DE', region: 'BE', city: 'Berlin' },
    { continent: 'EU' as const, country: null, region: null, city: null },
    { continent: '00' as const, country: null, region: null, city: null },
  )
  .chain((place) =>
    fc
      .constantFrom(
        { network: 'AS2497', asn: 2497 },
        { network: 'CT', asn: 4134 },
        { network: 'AS7', asn: 7 },
        { network: null, asn: null },
      )
      .map((network) => ({ ...place, ...network })),
  )

export const visitors: fc.Arbitrary<Visitor> = fc.record({
  address: fc.constantFrom(
    '192.0.2.0',
    '192.0.2.128',
    '192.0.9.0',
    '200.1.1.1',
    '10.1.2.3',
    '2001:db8:1::',
    '2001:db9::',
    '::ffff:192.0.2.7',
    '',
    'nonsense',
  ),
  prefixLength: fc.constantFrom(0, 8, 16, 24, 25, 32, 48, 64, 120, 128),
  location: locations,
})

const measured = fc.record(
  {
    short: fc.record({
      samples: fc.constantFrom(0, 19, 20, 100),
      subnets: fc.constantFrom(0, 4, 5),
      availability: fc.constantFrom(0, 69, 79.9, 100),
    }),
    throughputMbps: fc.constantFrom(1, 10, 100),
    latencyInterval: fc.constantFrom<[number, number]>([1, 2], [5, 500], [40, 60]),
  },
  { requiredKeys: [] },
)

const measures: fc.Arbitrary<Measure> = fc
  .tuple(
    measured,
    fc.record({
      samples: fc.constantFrom(0, 3, 20, 500),
      availability: fc.constantFrom(0, 50, 89.99, 90, 99, 100),
      latencyMs: fc.option(fc.double({ min: 1, max: 60_000, noNaN: true }), { freq: 6 }),
      newestAt: fc.constantFrom(NOW, NOW - 1000, NOW - 299_999, NOW - 400_000, NOW + 5000),
    }),
  )
  .map(([more, one]) => ({ ...one, ...more }))

export const snapshots: fc.Arbitrary<ScoresSnapshot | null> = fc.option(
  fc.record({
    organizationId: fc.constant('organization'),
    serial: fc.nat(),
    builtAt: fc.constantFrom(NOW, NOW - 400_000),
    lifetimeSeconds: fc.constant(300),
    cdns: fc.dictionary(
      fc.constantFrom(...CDN_IDS),
      fc.record(
        {
          hardDown: fc.boolean(),
          hardDownSince: fc.constant(null),
          returning: fc.record({
            since: fc.constantFrom(NOW - 20_000, NOW - 40_000),
            percent: fc.constantFrom(0, 10, 50),
            stepAt: fc.constant(NOW),
          }),
          places: fc.dictionary(
            fc.constantFrom(...SCORE_KEYS),
            fc.record({ rum: measures, sum: measures, nel: measures, edge: measures }, { requiredKeys: [] }),
            { maxKeys: 12 },
          ),
        },
        { requiredKeys: ['hardDown', 'hardDownSince', 'places'] },
      ),
    ),
  }),
  { freq: 10 },
)

const cdns: fc.Arbitrary<PolicyCdn[]> = fc.uniqueArray(
  fc.record(
    {
      cdnId: fc.constantFrom(...CDN_IDS),
      name: fc.constant('cdn'),
      enabled: mostly(true),
      serving: mostly(true),
      cname: fc.constant('x.test'),
      latencyFactor: fc.constantFrom(1, 0.5, 3),
      latencyAddMs: fc.constantFrom(0, -40, 25),
      ignores: fc.subarray<'rum' | 'sum' | 'nel' | 'edge'>(['rum', 'sum', 'nel', 'edge']),
    },
    { requiredKeys: ['cdnId', 'name', 'enabled', 'serving', 'cname', 'latencyFactor', 'latencyAddMs'] },
  ),
  { selector: (one) => one.cdnId, maxLength: 4 },
)

function mostly(value: boolean): fc.Arbitrary<boolean> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constant(!value) })
}

const newer = fc.record(
  {
    visitorPercent: fc.constantFrom(null, 1, 50, 99, 100),
    minimumMbps: fc.constantFrom(null, 5, 50),
    preferThroughput: fc.boolean(),
    ttlSeconds: fc.constantFrom(null, 60),
    whenNoData: fc.constantFrom(...Otherwise.options),
    whenBelow: fc.constantFrom(...Otherwise.options),
  },
  { requiredKeys: [] },
)

const strategies: fc.Arbitrary<StrategyRule> = fc
  .tuple(
    newer,
    fc.record({
      id: fc.uuid(),
      name: fc.constant('strategy'),
      priority: fc.nat(5),
      enabled: mostly(true),
      method: fc.constantFrom(...SteeringMethod.options),
      filter: filters,
      targets: fc.array(
        fc.record({ cdnId: fc.constantFrom(...CDN_IDS, 'gone', '*'), weight: fc.constantFrom(0, 1, 7, 100) }),
        {
          maxLength: 5,
        },
      ),
      availabilityThreshold: fc.constantFrom(null, 0, 90, 100),
      omitRum: mostly(false),
      omitSum: mostly(false),
      requireAllData: mostly(false),
    }),
  )
  .map(([more, one]) => ({ ...one, ...more }))

const vsrRules: fc.Arbitrary<VsrRuleEntry> = fc.record({
  id: fc.uuid(),
  name: fc.constant('rule'),
  enabled: mostly(true),
  filter: filters,
  cdnId: fc.constantFrom(null, ...CDN_IDS),
  mimickedAddress: fc.constantFrom('192.0.2.1', '2001:db8::1', '198.51.100.9'),
  mimickedLocation: locations,
})

export const policies: fc.Arbitrary<SteeringPolicy> = fc.record({
  id: fc.constant('policy'),
  organizationId: fc.constant('organization'),
  cdns,
  strategies: fc.array(strategies, { maxLength: 5 }),
  vsrRules: fc.array(vsrRules, { maxLength: 3 }),
  settings: fc.record({
    minimumSamples: fc.constantFrom(1, 20),
    marginPercent: fc.constantFrom(0, 5, 50),
    ttlSeconds: fc.constant(30),
    significance: fc.boolean(),
    levels: fc.option(fc.subarray([...DataLevel.options], { minLength: 1 })),
    maxAgeSeconds: fc.constantFrom(null, 30),
    fallbackTtlSeconds: fc.constantFrom(null, 300),
  }),
})

export const previousChoices: fc.Arbitrary<string | null> = fc.constantFrom(null, ...CDN_IDS, 'gone')
