import type { DecisionsReport } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'
import { type ChartGrain, chartGrain, chartTimes } from './grain.ts'

export type DemDecisionsInput = {
  organizationId: string
  siteId: string
  domainId?: string | undefined
  country?: string | undefined
  seconds: number
  /** Epoch seconds; default is now. */
  until?: number | undefined
  /** Epoch ms. */
  now: number
}

/**
 * Steered DNS answers of a site by CDN: as lines (answers per interval), in total and by country. Times are epoch ms.
 */
export async function demDecisions(
  store: EventStore,
  input: DemDecisionsInput,
): Promise<Omit<DecisionsReport, 'marks'>> {
  const now = Math.floor(input.now / 1000)
  const grain = chartGrain(input.seconds, input.until ?? now, now)
  const rows = await store.query<Row>(text(grain, input), {
    organization: input.organizationId,
    site: input.siteId,
    domain: input.domainId ?? '',
    country: input.country ?? '',
    from: grain.from,
    until: grain.until,
    step: grain.intervalSeconds,
  })
  const totals = rows.filter((row) => row.no_line && row.no_country).sort((a, b) => (a.cdn < b.cdn ? -1 : 1))
  const lines = Map.groupBy(
    rows.filter((row) => !row.no_line),
    (row) => row.cdn,
  )
  return {
    intervalSeconds: grain.intervalSeconds,
    answers: totals.map(({ cdn }) => {
      const points = new Map(lines.get(cdn)?.map((row) => [row.line, row.n]))
      return {
        cdnId: cdn,
        points: chartTimes(grain).map((at) => ({
          at: at * 1000,
          value: points.get(at) ?? 0,
          samples: points.get(at) ?? 0,
        })),
      }
    }),
    totals: totals.map((row) => ({ cdnId: row.cdn, answers: row.n })),
    countries: rows
      .filter((row) => row.no_line && !row.no_country && row.country !== '')
      .map((row) => ({ country: row.country, cdnId: row.cdn, answers: row.n })),
  }
}

type Row = { line: number; cdn: string; country: string; no_line: 0 | 1; no_country: 0 | 1; n: number }

function text({ level }: ChartGrain, { domainId, country }: DemDecisionsInput): string {
  const table = level === 'raw' ? 'dns_answers' : `dns_answers_${level} FINAL`
  return `SELECT intDiv(toUInt32(toDateTime(at)), {step:UInt32}) * {step:UInt32} AS line, cdn, country, grouping(line) AS no_line, grouping(country) AS no_country, sum(answers) AS n
    FROM ${table}
    WHERE organization = {organization:String} AND site = {site:String} AND cdn != '' AND at >= fromUnixTimestamp({from:Int64}) AND at < fromUnixTimestamp({until:Int64})
      ${domainId === undefined ? '' : 'AND domain = {domain:String}'} ${country === undefined ? '' : 'AND country = {country:String}'}
    GROUP BY GROUPING SETS ((line, cdn), (cdn), (country, cdn))`
}
