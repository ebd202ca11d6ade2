import type { Meter } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'

/** Both ends are epoch ms, `until` excluded. Raw logs are kept for 30 days. */
export type BillableUsageInput = { from: number; until: number; /** All organisations when left out. */ organizationId?: string }
export type BillableUsage = { organizationId: string; /** `YYYY-MM-DD`, UTC. */ day: string; meter: Meter; siteId: string; domainId: string; cdnId: string; used: number }

const RANGE = 'at >= fromUnixTimestamp64Milli({from:Int64}) AND at < fromUnixTimestamp64Milli({until:Int64})'

/** What the serving nodes' logs say was served, by day and where it arose: DNS answers, requests at the edge and the bytes sent for them. */
export async function billableUsage(store: EventStore, { from, until, organizationId }: BillableUsageInput): Promise<BillableUsage[]> {
  const own = organizationId === undefined ? `organization != ''` : 'organization = {organization:String}'
  const where = `${RANGE} AND ${own}`
  const keys = 'organization, day, site, domain, cdn'
  const rows = await store.query<{ organization: string; day: string; meter: Meter; site: string; domain: string; cdn: string; used: number }>(
    `SELECT organization, toString(toDate(at, 'UTC')) AS day, if(country = 'CN', 'chinaDnsQuery', 'dnsQuery') AS meter, site, domain, cdn, sum(answers) AS used FROM dns_answers WHERE ${where} GROUP BY ${keys}, meter
     UNION ALL SELECT organization, toString(toDate(at, 'UTC')) AS day, 'cdnRequest' AS meter, site, domain, cdn, count() AS used FROM edge_requests WHERE ${where} GROUP BY ${keys}
     UNION ALL SELECT organization, toString(toDate(at, 'UTC')) AS day, 'cdnTraffic' AS meter, site, domain, cdn, sum(bytes) AS used FROM edge_requests WHERE ${where} GROUP BY ${keys}`,
    { from, until, organization: organizationId ?? '' },
  )
  return rows.map((row) => ({ organizationId: row.organization, day: row.day, meter: row.meter, siteId: row.site, domainId: row.domain, cdnId: row.cdn, used: row.used }))
}
