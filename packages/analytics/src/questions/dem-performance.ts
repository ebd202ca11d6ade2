import type { DemReport } from '@fairway/contract'
import { BINS_SQL, type LogHistogram, quantileOf, quantileSql } from '../log-histogram.ts'
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
  const parameters = {
    organization: input.organizationId,
    source: input.source,
    country: input.country ?? '',
    cdns: input.cdnIds ?? [],
    from: grain.from,
    until: grain.until,
    step: grain.intervalSeconds,
  }
  const [lined, places] = await Promise.all([
    store.query<LineRow>(linesText(grain, input), parameters),
    input.source === 'sum' ? [] : store.query<PlaceRow>(placesText(grain, input, now), parameters),
  ])
  const lines = Map.groupBy(
    lined.filter((row) => !row.no_line),
    (row) => row.cdn,
  )
  const totals = lined.filter((row) => row.no_line).sort((one, other) => (one.cdn < other.cdn ? -1 : 1))
  const series = (value: (row: LineRow) => number | null) =>
    totals.map(({ cdn }) => {
      const points = new Map(lines.get(cdn)?.map((row) => [row.line, row]))
      return { cdnId: cdn, points: chartTimes(grain).map((at) => pointOf(at, points.get(at), value)) }
    })
  return {
    intervalSeconds: grain.intervalSeconds,
    latency: series((row) => row.p50),
    availability: series(availabilityOf),
    totals: totals.map((row) => ({
      cdnId: row.cdn,
      p50Ms: quantileOf(row.whole, 0.5),
      p75Ms: quantileOf(row.whole, 0.75),
      p95Ms: quantileOf(row.whole, 0.95),
      availability: availabilityOf(row),
      samples: row.n,
    })),
    countries: places
      .filter((row) => row.country !== '')
      .map((row) => ({
        country: row.country,
        cdnId: row.cdn,
        p50Ms: row.p50,
        availability: availabilityOf(row),
        samples: row.n,
      })),
  }
}

type Measured = { n: number; good: number; p50: number | null }
/** Lines cover the range without a gap: the total of a CDN is theirs together. Only totals bring their histogram. */
type LineRow = Measured & { cdn: string; line: number; no_line: 0 | 1; whole: LogHistogram }
type PlaceRow = Measured & { cdn: string; country: string }

const availabilityOf = ({ n, good }: Pick<Measured, 'n' | 'good'>) => (n > 0 ? (good * 100) / n : null)
const pointOf = (at: number, row: LineRow | undefined, value: (row: LineRow) => number | null) => ({
  at: at * 1000,
  value: row ? value(row) : null,
  samples: row?.n ?? 0,
})

const FIGURES = 'sum(samples) AS n, sum(successes) AS good, sumMap(rtt) AS histogram'
const DAY = 86_400

/** Of all countries from what was added up already where it is, of one from its own rows. */
function linesText(grain: ChartGrain, input: DemPerformanceInput): string {
  const isWorld = grain.level !== 'minute' && (input.country === undefined || input.source === 'sum')
  const rows =
    grain.level === 'raw'
      ? measuresFromRaw(input.source, 10, conditionsOf(input))
      : rollup(`measures_${isWorld ? 'world_' : ''}${grain.level}`, input, grain)
  return `SELECT line, cdn, no_line, n, good, mapFilter((bin, of) -> no_line = 1, histogram) AS whole, ${quantileSql(0.5)} AS p50
    FROM (SELECT *, ${BINS_SQL} FROM (
      SELECT intDiv(toUInt32(bucket), {step:UInt32}) * {step:UInt32} AS line, cdn, grouping(line) AS no_line, ${FIGURES}
      FROM (${rows}) GROUP BY GROUPING SETS ((line, cdn), (cdn))))`
}

/**
 * Whole days are read as such, hours only where the range cuts one. The present day, which is not over, is whole as far
 * as it goes.
 */
function placesText(grain: ChartGrain, input: DemPerformanceInput, now: number): string {
  const { level, from, until } = grain
  if (level === 'raw') return byPlace(measuresFromRaw(input.source, 10, conditionsOf(input)))
  const days = {
    from: Math.ceil(from / DAY) * DAY,
    until: (until >= now ? Math.ceil(until / DAY) : Math.floor(until / DAY)) * DAY,
  }
  const parts =
    level !== 'hour' || days.from >= days.until
      ? [rollup(`measures_${level}`, input, grain, 'country, ')]
      : [
          rollup('measures_hour', input, { from, until: days.from }, 'country, '),
          rollup('measures_day', input, days, 'country, '),
          rollup('measures_hour', input, { from: days.until, until }, 'country, '),
        ]
  return byPlace(parts.join(' UNION ALL '))
}

const byPlace = (rows: string): string =>
  `SELECT country, cdn, n, good, ${quantileSql(0.5)} AS p50
   FROM (SELECT *, ${BINS_SQL} FROM (SELECT country, cdn, ${FIGURES} FROM (${rows}) GROUP BY country, cdn))`

/** Ends are whole seconds of our own making, never of the caller's text. */
const rollup = (
  table: string,
  input: DemPerformanceInput,
  { from, until }: { from: number; until: number },
  more = '',
): string =>
  `SELECT at AS bucket, cdn, ${more}samples, successes, rtt FROM ${table} FINAL
   WHERE source = {source:String} AND at >= fromUnixTimestamp(${from}) AND at < fromUnixTimestamp(${until}) AND ${conditionsOf(input).join(' AND ')}`

const conditionsOf = ({ source, country, cdnIds }: DemPerformanceInput): string[] => [
  'organization = {organization:String}',
  ...(country === undefined || source === 'sum' ? [] : ['country = {country:String}']),
  ...(cdnIds === undefined ? [] : ['has({cdns:Array(String)}, cdn)']),
]
