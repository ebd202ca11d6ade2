import { FEATURES, type AnyRoute, type Feature } from '@fairway/contract'

export type Read = { name: string; route: AnyRoute; query: Record<string, unknown> }

/**
 * What reads must be asked with, and what the console asks with when it is not the default; by `feature.route`. A route
 * that is not here must be fine without.
 */
const QUERIES: Record<string, (place: Record<string, string>) => Record<string, unknown>[]> = {
  'add-site.eligibility': () => [{ domainName: 'bench-new-site.example' }],
  'dns-records.list': () => [{}, { page_size: -1 }],
  'domains.list': () => [{}, { page_size: -1 }],
  'routing-strategies.why': ({ host }) => [{ name: host, client: '8.8.8.8' }],
  'sites.list': () => [{}, { page_size: -1, ordering: 'domain_name' }],
  'billing.upgradeInfo': () => [{ planId: 'enterprise' }],
  'teammates.whoCan': () => [{ feature: 'dns-records' }],
  'data-feeds.without': () => [{ feed: 'pulse' }, { feed: 'probes' }],
  'organizations.list': () => [{}, { search: 'of-7.example' }],
  'audit-log.list': () => [{}, { search: 'user7' }],
  'versions.compare': () => [{ from: 1, to: 2 }],
  'analytics-multi-cdn.requests': () => [lastDay()],
  'analytics-origin-shield.logins': ({ site = NOWHERE, domain = NOWHERE }) => [{ site, domain }],
}

const NOWHERE = '00000000-0000-4000-8000-000000000000'

const lastDay = () => {
  const now = Math.floor(Date.now() / 1000)
  return { from: now - 86_400, until: now }
}

/** Every read that ends: streams do not. */
export function everyRead(place: Record<string, string>): Read[] {
  const features = Object.values(FEATURES) as unknown as Feature<Record<string, AnyRoute>>[]
  return features.flatMap((feature) =>
    Object.entries(feature.routes).flatMap(([own, route]) => {
      const name = `${feature.name}.${own}`
      if (route.method !== 'GET' || route.stream) return []
      return (QUERIES[name]?.(place) ?? [{}]).map((query) => {
        const parsed = route.in.safeParse(query)
        if (!parsed.success) throw new Error(`say in every-read.ts what ${name} is asked with: ${parsed.error.message}`)
        return {
          name: Object.keys(query).length ? `${name} ${new URLSearchParams(query as Record<string, string>)}` : name,
          route,
          query,
        }
      })
    }),
  )
}
