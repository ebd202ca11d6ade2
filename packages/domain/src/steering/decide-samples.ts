import type {
  CandidateTrace,
  Decision,
  FeedSaid,
  Location,
  Measure,
  PolicyCdn,
  ScoresSnapshot,
  SteeringPolicy,
  StrategyRule,
  StrategyTrace,
  Visitor,
  VisitorFilter,
  VsrRuleEntry,
} from '@fairway/contract'
import { decide, type DecideInput } from '../index.ts'

// Building blocks of the steering tests: three CDNs A, B and C that serve, a visitor in Tokyo, and measurements by
// short words.

export const NOW = 1_700_000_000_000
const LIFETIME_SECONDS = 300

export const TOKYO: Location = {
  continent: 'AS',
  country: 'JP',
  region: '13',
  city: 'Tokyo',
  network: 'AS2497',
  asn: 2497,
}
export const at = (location: Partial<Location>, address = '192.0.2.0', prefixLength = 24): Visitor => ({
  address,
  prefixLength,
  location: { ...TOKYO, ...location },
})
export const from = (address: string, prefixLength: number): Visitor => at({}, address, prefixLength)

export const cdn = (cdnId: string, change: Partial<PolicyCdn> = {}): PolicyCdn => ({
  cdnId,
  name: cdnId,
  enabled: true,
  serving: true,
  cname: `${cdnId}.cdn.test`,
  latencyFactor: 1,
  latencyAddMs: 0,
  ...change,
})

export const filter = (change: Partial<VisitorFilter> = {}): VisitorFilter => ({
  places: [],
  networks: [],
  cidrs: [],
  ...change,
})

export const strategy = (method: StrategyRule['method'], change: Partial<StrategyRule> = {}): StrategyRule => ({
  id: method,
  name: method,
  priority: 1,
  enabled: true,
  method,
  filter: filter(),
  targets: targets('A', 'B', 'C'),
  availabilityThreshold: null,
  omitRum: false,
  omitSum: false,
  requireAllData: false,
  ...change,
})

/** Targets by name, `B:3` for a weight. */
export const targets = (...names: string[]) =>
  names.map((name) => ({ cdnId: name.split(':')[0] ?? name, weight: Number(name.split(':')[1] ?? 1) }))

export const vsr = (change: Partial<VsrRuleEntry>): VsrRuleEntry => ({
  id: 'vsr',
  name: 'vsr',
  enabled: true,
  filter: filter(),
  cdnId: null,
  mimickedAddress: '198.51.100.1',
  mimickedLocation: { continent: 'EU', country: 'DE', region: null, city: null, network: null, asn: null },
  ...change,
})

export const policy = (strategies: StrategyRule[], change: Partial<SteeringPolicy> = {}): SteeringPolicy => ({
  id: 'policy',
  organizationId: 'organization',
  cdns: [cdn('A'), cdn('B'), cdn('C')],
  strategies,
  vsrRules: [],
  settings: { minimumSamples: 20, marginPercent: 5, ttlSeconds: 30 },
  ...change,
})

export const seen = (availability: number, latencyMs: number | null, change: Partial<Measure> = {}): Measure => ({
  samples: 100,
  availability,
  latencyMs,
  newestAt: NOW - 1000,
  ...change,
})

type Sources = { rum?: Measure; sum?: Measure; nel?: Measure; edge?: Measure; feed?: FeedSaid[] }
/** Measurements by CDN and score key; one measure alone is RUM for the whole world. */
export function scores(
  cdns: Record<string, Measure | Record<string, Measure | Sources>>,
  hardDown: string[] = [],
): ScoresSnapshot {
  const ids = new Set([...Object.keys(cdns), ...hardDown])
  const places = (id: string): Record<string, Sources> => {
    const given = cdns[id] ?? {}
    if (isMeasure(given)) return { world: { rum: given } }
    return Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, isMeasure(value) ? { rum: value } : value]),
    )
  }
  return {
    organizationId: 'organization',
    serial: 7,
    builtAt: NOW - 500,
    lifetimeSeconds: LIFETIME_SECONDS,
    cdns: Object.fromEntries(
      [...ids].map((id) => [
        id,
        {
          hardDown: hardDown.includes(id),
          hardDownSince: hardDown.includes(id) ? NOW - 5000 : null,
          places: places(id),
        },
      ]),
    ),
  }
}
const isMeasure = (value: object): value is Measure => 'samples' in value

export const ask = (
  strategies: StrategyRule[],
  input: Partial<DecideInput> & { change?: Partial<SteeringPolicy> } = {},
): Decision =>
  decide({
    policy: policy(strategies, input.change),
    scores: null,
    visitor: at({}),
    previous: null,
    now: NOW,
    ...input,
  })

/** `A` or `A 25, B 75`. */
export const answerOf = ({ shares }: Decision): string =>
  shares.map(({ cdnId, percent }) => (shares.length === 1 ? cdnId : `${cdnId} ${percent}`)).join(', ')

/** One step of the trace by strategy id; null is the last resort. */
export function step(decision: Decision, strategyId: string | null): StrategyTrace {
  const found = decision.trace.steps.find((one) => one.strategyId === strategyId)
  if (found === undefined) throw new Error(`no step ${strategyId} in the trace`)
  return found
}

export function candidateOf(
  decision: Decision,
  cdnId: string,
  strategyId: string | null = decision.strategyId,
): CandidateTrace {
  const found = step(decision, strategyId).candidates.find((one) => one.cdnId === cdnId)
  if (found === undefined) throw new Error(`no candidate ${cdnId} in step ${strategyId}`)
  return found
}

/** `A=chosen B=slower`, in the trace's order. */
export const reasonsOf = (decision: Decision, strategyId: string | null = decision.strategyId): string =>
  step(decision, strategyId)
    .candidates.map((one) => `${one.cdnId}=${one.reason}`)
    .join(' ')
