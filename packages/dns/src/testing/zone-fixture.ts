import type { DnsZone, PolicyCdn, Rrset, SteeringPolicy, StrategyRule } from '@fairway/contract'

/**
 * A zone as the publisher sends it, from lines like `www 300 A 192.0.2.1`; lines of one name and type are one RRset,
 * `@` is the apex, names in rdata ending in `@` too.
 */
export function zoneOf(origin: string, lines: string, extra: Partial<DnsZone> = {}): DnsZone {
  const sets = new Map<string, Rrset>()
  const all = `@ 3600 SOA ns1.${origin}. admin.${origin}. 1 3600 600 604800 60\n@ 3600 NS ns1.${origin}.\nns1 3600 A 192.0.2.53\n${lines}`
  for (const line of all
    .split('\n')
    .map((text) => text.trim())
    .filter(Boolean)) {
    const [owner = '', ttl = '', type = '', ...rdata] = line.split(/ +/)
    const name = owner === '@' ? origin : owner.endsWith('.') ? owner.slice(0, -1) : `${owner}.${origin}`
    const key = `${name} ${type}`
    const set = sets.get(key) ?? { name, type: type as Rrset['type'], ttlSeconds: Number(ttl), rdata: [] }
    set.rdata.push(rdata.join(' '))
    sets.set(key, set)
  }
  return {
    zoneId: `site-${origin}`,
    organizationId: 'org-1',
    origin,
    version: 1,
    rrsets: [...sets.values()],
    steered: [],
    policies: [],
    ...extra,
  }
}

export function cdnOf(cdnId: string, cname: string, extra: Partial<PolicyCdn> = {}): PolicyCdn {
  return { cdnId, name: cdnId, enabled: true, serving: true, cname, latencyFactor: 1, latencyAddMs: 0, ...extra }
}

export function strategyOf(id: string, extra: Partial<StrategyRule>): StrategyRule {
  return {
    id,
    name: id,
    priority: 1,
    enabled: true,
    method: 'always-use',
    targets: [],
    availabilityThreshold: null,
    omitRum: false,
    omitSum: false,
    requireAllData: false,
    ...extra,
    filter: { places: [], networks: [], cidrs: [], ...extra.filter },
  }
}

export function policyOf(
  id: string,
  cdns: PolicyCdn[],
  strategies: StrategyRule[],
  extra: Partial<SteeringPolicy> = {},
): SteeringPolicy {
  return {
    id,
    organizationId: 'org-1',
    cdns,
    strategies,
    vsrRules: [],
    settings: { minimumSamples: 20, marginPercent: 5, ttlSeconds: 30 },
    ...extra,
  }
}
