import type { HealthEvent, Overview } from '@fairway/contract'
import type { MapCountry } from '../../ui/charts/map-model.ts'

/** Answers by country and CDN as the map wants them. */
export function mapCountries({ countries, cdns }: Pick<Overview, 'countries' | 'cdns'>): MapCountry[] {
  const looks = new Map(cdns.map((cdn) => [cdn.cdnId, cdn]))
  return countries.map(({ country, cdns: answers }) => ({
    country,
    shares: answers.map(({ cdnId, answers: value }) => ({
      key: cdnId,
      name: looks.get(cdnId)?.name ?? cdnId,
      series: looks.get(cdnId)?.series ?? 6,
      value,
    })),
  }))
}

type Country = Overview['countries'][number]
/** Countries by their code, with when each was counted last, epoch ms. */
export type Remembered = ReadonlyMap<string, { row: Country; at: number }>

/** Takes in a new count: countries in it replace what was known, others stay until they are too old. */
export function rememberCountries(
  known: Remembered,
  { at, countries }: Pick<Overview, 'at' | 'countries'>,
  seconds: number,
): Remembered {
  const merged = new Map([...known].filter(([, entry]) => at - entry.at < seconds * 1000))
  for (const row of countries) merged.set(row.country, { row, at })
  return merged
}

/** A count that is missing once is stood in for by the one before, for so long. */
const STANDS_IN_MS = 15_000

/**
 * The newest figures; when the store did not answer this time, with the counts of a moment ago. Health, nodes and
 * events are always the newest.
 */
export function withCounts(newest: Overview, counted: Overview | null): Overview {
  if (newest.analyticsAvailable || counted === null || newest.at - counted.at > STANDS_IN_MS) return newest
  const { queriesPerSecond, queriesTrend, beaconsPerMinute, countries } = counted
  const before = new Map(counted.cdns.map((cdn) => [cdn.cdnId, cdn]))
  const cdns = newest.cdns.map((cdn) => ({
    ...cdn,
    share: before.get(cdn.cdnId)?.share ?? cdn.share,
    trend: before.get(cdn.cdnId)?.trend ?? cdn.trend,
  }))
  return { ...newest, queriesPerSecond, queriesTrend, beaconsPerMinute, countries, cdns, analyticsAvailable: true }
}

/** Availability over all CDNs, each by the number of its samples; null without any. */
export function overallAvailability(cdns: Overview['cdns']): { availability: number | null; samples: number } {
  const measured = cdns.filter(({ availability, samples }) => availability !== null && samples > 0)
  const samples = measured.reduce((sum, cdn) => sum + cdn.samples, 0)
  if (samples === 0) return { availability: null, samples: 0 }
  return {
    availability: measured.reduce((sum, cdn) => sum + (cdn.availability ?? 0) * cdn.samples, 0) / samples,
    samples,
  }
}

/** Newest first. An outage that has ended is told by its own line, so the line of its end is left out. */
export function feedOf(events: readonly HealthEvent[]): HealthEvent[] {
  const sorted = [...events].sort((a, b) => b.startedAt.localeCompare(a.startedAt))
  return sorted.filter(({ kind }) => kind !== 'cdn-up' && kind !== 'node-back')
}
