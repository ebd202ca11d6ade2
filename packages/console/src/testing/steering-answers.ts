import { CdnCapabilities } from '@fairway/contract'
import type { CandidateTrace, Domain, DomainCdn, Explanation, RoutingStrategy } from '@fairway/contract'

const AT = '2026-11-21T10:00:00Z'
export const page = <Row>(data: Row[]) => ({ data, meta: { total: data.length, page: 1, pageSize: -1 } })

export const domainOf = (change: Partial<Domain> = {}): Domain => ({
  id: 'd1',
  siteId: 's1',
  name: 'www.example.com',
  cdnStatus: 'operational',
  disabled: false,
  origin: {
    type: 'ipv4',
    address: '198.41.0.4',
    spareAddresses: [],
    balance: 'failover',
    fallbackAddress: null,
    port: 80,
    protocol: 'http',
    hostHeader: 'www.example.com',
    keepaliveSeconds: 60,
    verifyCertificate: false,
  },
  settings: {
    http2: true,
    http3: false,
    earlyHints: false,
    ocspStapling: false,
    networkErrors: false,
    compression: 'gzip',
    alwaysHttps: false,
    hsts: 'off',
    hstsSeconds: 31_536_000,
    ignoreQuery: false,
    websocket: false,
    tieredCache: false,
    originShield: 'bypass',
    tags: [],
  },
  cacheTtlSeconds: 60,
  cacheEverything: false,
  minimumSamples: 20,
  marginPercent: 5,
  significance: false,
  cdnIds: ['a', 'b'],
  http3Offered: false,
  largestRequestMb: 100,
  createdAt: AT,
  ...change,
})

export const cdnOf = (cdnId: string, change: Partial<DomainCdn> = {}): DomainCdn => ({
  id: `dc-${cdnId}`,
  cdnId,
  name: cdnId === 'a' ? 'Alpha' : 'Bravo',
  driver: 'simulated',
  series: cdnId === 'a' ? 1 : 2,
  enabled: true,
  standby: false,
  state: 'operational',
  detail: null,
  cname: `x.${cdnId}.cdn.fairway.test`,
  latencyFactor: 1,
  latencyAddMs: 0,
  health: {
    hardDown: false,
    since: null,
    backSince: null,
    windowSeconds: 600,
    threshold: 90,
    availability: 99.5,
    latencyMs: 40,
    samples: 500,
  },
  traffic: null,
  strategyCount: 1,
  stateSince: AT,
  createdAt: AT,
  ...change,
})

/** The two CDNs as platforms: their names and colours. */
export const platforms = page(
  ['a', 'b'].map((cdnId) => {
    const { name, series, driver } = cdnOf(cdnId)
    const capabilities = Object.fromEntries(Object.keys(CdnCapabilities.shape).map((name) => [name, true]))
    return {
      id: cdnId,
      name,
      series,
      driver,
      category: 'global-cdn',
      capabilities,
      cacheTtls: null,
      cname: null,
      review: false,
      createdAt: AT,
    }
  }),
)

export const strategyOf = (id: string, change: Partial<RoutingStrategy> = {}): RoutingStrategy => ({
  id,
  domainId: 'd1',
  name: `Strategy ${id}`,
  priority: 1,
  enabled: true,
  method: 'best-latency',
  filter: { places: [], networks: [], cidrs: [] },
  targets: [
    { cdnId: 'a', weight: 1 },
    { cdnId: 'b', weight: 1 },
  ],
  availabilityThreshold: 90,
  omitRum: false,
  omitSum: false,
  requireAllData: false,
  visitorPercent: null,
  minimumMbps: null,
  preferThroughput: false,
  ttlSeconds: null,
  whenNoData: 'pass',
  whenBelow: 'pass',
  createdAt: AT,
  modifiedAt: AT,
  ...change,
})

const measure = (value: number, level = 'country:DE') => ({
  value,
  source: 'rum' as const,
  level,
  samples: 54,
  ageMs: 4300,
  skipped: [{ level: `${level}|AS3320`, source: 'rum' as const, reason: 'too-few' as const, samples: 4 }],
})
const candidate = (cdnId: string, reason: CandidateTrace['reason'], latencyMs: number): CandidateTrace => ({
  cdnId,
  reason,
  chosen: reason === 'chosen',
  percent: reason === 'chosen' ? 100 : 0,
  availability: measure(99.7),
  latency: measure(latencyMs),
  rankedLatencyMs: latencyMs,
  hardDown: false,
  vsrRuleId: null,
})

/** A visitor in Frankfurt: the first strategy is not for them, the second chose Bravo, the third was not read. */
export const explanation: Explanation = {
  name: 'www.example.com',
  node: 'dns-1',
  by: 'dns-node',
  version: 12,
  thresholds: { s1: 90, s2: 90 },
  outages: [],
  otherwise: [{ cdnId: 'a', kind: 'faster', belowMs: 29, nowMs: 35 }],
  decidedAt: Date.parse(AT),
  visitor: {
    address: '84.128.10.10',
    prefixLength: 24,
    location: {
      continent: 'EU',
      country: 'DE',
      region: 'Hesse',
      city: 'Frankfurt am Main',
      network: 'AS3320',
      asn: 3320,
    },
  },
  decision: {
    shares: [{ cdnId: 'b', percent: 100 }],
    ordered: ['b', 'a'],
    ttlSeconds: 30,
    strategyId: 's2',
    dependsOn: { location: true, cidrPrefixLength: null },
    trace: {
      policyId: 'p',
      scoresSerial: 7,
      scoresStale: false,
      location: {
        continent: 'EU',
        country: 'DE',
        region: 'Hesse',
        city: 'Frankfurt am Main',
        network: 'AS3320',
        asn: 3320,
      },
      steps: [
        {
          strategyId: 's1',
          name: 'Only China',
          method: 'static-route',
          reason: 'filter-place',
          candidates: [],
          mixedLevels: false,
        },
        {
          strategyId: 's2',
          name: 'Europe',
          method: 'best-latency',
          reason: 'decided',
          candidates: [candidate('b', 'chosen', 29), candidate('a', 'slower', 35)],
          mixedLevels: true,
        },
        {
          strategyId: 's3',
          name: 'Everyone',
          method: 'best-latency',
          reason: 'not-reached',
          candidates: [],
          mixedLevels: false,
        },
      ],
    },
  },
}
