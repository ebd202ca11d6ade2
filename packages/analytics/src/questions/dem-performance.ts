import type { DemReport } from '@fairway/contract'
import { type LogHistogram, quantileOf } from '../log-histogram.ts'
import { type Source, measuresFromRaw } from '../rollups/measures-from-raw.ts'
import type { EventStore } from '../store/store.ts'
import { type ChartGrain, chartGrain, chartTimes } from './grain.ts'

export type DemPerformanceInput = {
  organizationId: string
  source: Source
  /** Only these CDNs, such as those of a domain; all without. */
  cdnIds?: readonly string[] | undefined
  /** Only visitors of this country. */
  country?: string | undefined
  seconds: number
  /** Epoch seconds; default is now. */
  until?: number | undefined
  /** Epoch ms. */
  now: number
}

/**
 * Latency and availability of an organisation's CDNs over a range: as lines, in total and by country. Times are epoch
 * ms.
 */
export async function demPerformance(store: EventStore, input: DemPerformanceInput): Promise<Omit<DemReport, 'marks'>> {
  const now = Math.floor(input.now / 1000)
  const grain = chartGrain(input.seconds, input.until ?? now, now)
  const all = await store.query<Row>(text(grain, input), {
    organization: input.organizationId,
    source: input.source,
    country: input.country ?? '',
    from: grain.from,
    until: grain.until,
    step: grain.intervalSeconds,
  })
  const rows = input.cdnIds ? all.filter(({ cdn }) => input.cdnIds?.includes(cdn)) : all
  const totals = rows.filter((row) => row.no_line && row.no_country).sort((a, b) => (a.cdn < b.cdn ? -1 : 1))
  const lines = Map.groupBy(
    rows.filter((row) => !row.no_line),
    (row) => row.cdn,
  )
  const series = (value: (row: Row) => number | null) =>
    totals.map(({ cdn }) => {
      const points = new Map(lines.get(cdn)?.map((row) => [row.line, row]))
      return { cdnId: cdn, points: chartTimes(grain).map((at) => pointOf(at, points.get(at), value)) }
    })
  return {
    intervalSeconds: grain.intervalSeconds,
    latency: series((row) => quantileOf(row.histogram, 0.5)),
    availability: series(availabilityOf),
    totals: totals.map((row) => ({
      cdnId: row.cdn,
      p50Ms: quantileOf(row.histogram, 0.5),
      p75Ms: quantileOf(row.histogram, 0.75),
      p95Ms: quantileOf(row.histogram, 0.95),
      availability: availabilityOf(row),
      samples: row.n,
    })),
    countries: rows
      .filter((row) => row.no_line && !row.no_country && row.country !== '')
      .map((row) => ({
        country: row.country,
        cdnId: row.cdn,
        p50Ms: quantileOf(row.histogram, 0.5),
        availability: availabilityOf(row),
        samples: row.n,
      })),
  }
}

type Row = {
  line: number
  cdn: string
  country: string
  no_line: 0 | 1
  no_country: 0 | 1
  n: number
  good: number
  histogram: LogHistogram
}

const availabilityOf = ({ n, good }: Row) => (n > 0 ? (good * 100) / n : null)
const pointOf = (at: number, row: Row | undefined, value: (row: Row) => number | null) => ({
  at: at * 1000,
  value: row ? value(row) : null,
  samples: row?.n ?? 0,
})

/** Lines, totals and countries in one pass over the range. */
function text({ level }: ChartGrain, { source, country }: DemPerformanceInput): string {
  const conditions = [
    'organization = {organization:String}',
    ...(country === undefined || source === 'sum' ? [] : ['country = {country:String}']),
  ]
  const measures =
    level === 'raw'
      ? measuresFromRaw(source, 10, conditions)
      : `SELECT at AS bucket, cdn, country, samples, successes, rtt FROM measures_${level} FINAL
       WHERE source = {source:String} AND at >= fromUnixTimestamp({from:Int64}) AND at < fromUnixTimestamp({until:Int64}) AND ${conditions.join(' AND ')}`
  return `SELECT intDiv(toUInt32(bucket), {step:UInt32}) * {step:UInt32} AS line, cdn, country, grouping(line) AS no_line, grouping(country) AS no_country,
      sum(samples) AS n, sum(successes) AS good, sumMap(rtt) AS histogram
    FROM (${measures}) GROUP BY GROUPING SETS ((line, cdn), (cdn), (country, cdn))`
}
