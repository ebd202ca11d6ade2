import type { EventStore } from '../store/store.ts'
import { IS_STOPPED } from './shield-source.ts'

export type StoppedLately = {
  organization: string
  site: string
  domain: string
  /** In each of the last five minutes, the last one last. */ minutes: number[]
}

/** What web security stopped in the last five minutes, by domain; those of which it was little are left out. */
export async function stoppedLately(store: EventStore, now: number, least: number): Promise<StoppedLately[]> {
  return store.query<StoppedLately>(
    `SELECT organization, site, domain, [${[5, 4, 3, 2, 1].map((ago) => `sumIf(weight, age > ${(ago - 1) * 60} AND age <= ${ago * 60})`).join(', ')}] AS minutes
     FROM (SELECT organization, site, domain, weight, {now:Float64} - toUnixTimestamp64Milli(at) / 1000 AS age FROM security_events
       WHERE at >= fromUnixTimestamp64Milli({from:Int64}) AND ${IS_STOPPED})
     GROUP BY organization, site, domain HAVING arraySum(minutes) >= {least:UInt32}`,
    { now: now / 1000, from: now - 300_000, least },
  )
}

/** What was stopped of a domain in each hour of the last week in which anything was. */
export async function stoppedHours(
  store: EventStore,
  input: { organizationId: string; siteId: string; domainId: string; now: number },
): Promise<number[]> {
  const rows = await store.query<{ n: number }>(
    `SELECT sum(requests) AS n FROM security_counts_hour FINAL WHERE organization = {organization:String} AND site = {site:String} AND domain = {domain:String}
       AND at >= fromUnixTimestamp({from:Int64}) AND ${IS_STOPPED} GROUP BY at`,
    {
      organization: input.organizationId,
      site: input.siteId,
      domain: input.domainId,
      from: Math.floor(input.now / 1000) - 168 * 3600,
    },
  )
  return rows.map(({ n }) => n)
}

export type AttackFacts = {
  stopped: number
  peak: number
  sources: number
  countries: number
  category: string
  last: number
}

/** What an attack on a domain has come to since it began (epoch ms). `peak` is a minute's, `last` epoch ms. */
export async function attackFacts(
  store: EventStore,
  input: { organizationId: string; siteId: string; domainId: string; from: number },
): Promise<AttackFacts> {
  const where = `organization = {organization:String} AND site = {site:String} AND domain = {domain:String} AND at >= fromUnixTimestamp64Milli({from:Int64}) AND ${IS_STOPPED}`
  const [facts] = await store.query<AttackFacts>(
    `SELECT sum(weight) AS stopped, uniq(address) AS sources, uniqIf(country, country != '') AS countries, toUnixTimestamp64Milli(max(at)) AS last,
       topKWeighted(1)(part, weight)[1] AS category,
       (SELECT max(n) FROM (SELECT sum(weight) AS n FROM security_events WHERE ${where} GROUP BY toStartOfMinute(at))) AS peak
     FROM security_events WHERE ${where}`,
    { organization: input.organizationId, site: input.siteId, domain: input.domainId, from: input.from },
  )
  return facts ?? { stopped: 0, peak: 0, sources: 0, countries: 0, category: '', last: input.from }
}
