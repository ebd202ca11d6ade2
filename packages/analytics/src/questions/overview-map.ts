import type { Overview } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'

export type OverviewMapInput = {
  organizationId: string
  siteId: string
  domainId?: string | undefined
  windowSeconds: number
  /** Epoch ms. */ now: number
}

/** Steered DNS answers of the last window by country and CDN, most first. */
export async function overviewMap(store: EventStore, input: OverviewMapInput): Promise<Overview['countries']> {
  const rows = await store.query<{ country: string; cdn: string; n: number }>(
    `SELECT country, cdn, sum(answers) AS n FROM dns_answers
     WHERE organization = {organization:String} AND site = {site:String} AND cdn != '' AND country != '' AND at >= fromUnixTimestamp({from:Int64})
       ${input.domainId === undefined ? '' : 'AND domain = {domain:String}'}
     GROUP BY country, cdn ORDER BY n DESC`,
    {
      organization: input.organizationId,
      site: input.siteId,
      domain: input.domainId ?? '',
      from: Math.floor(input.now / 1000) - input.windowSeconds,
    },
  )
  return [...Map.groupBy(rows, (row) => row.country)].map(([country, cdns]) => ({
    country,
    cdns: cdns.map(({ cdn, n }) => ({ cdnId: cdn, answers: n })),
  }))
}
