import type { DecisionsReport, DemReport } from '@fairway/contract'

export type CdnFigure = {
  cdnId: string
  value: number | null
  before: number | null
  samples: number
  small: { p75Ms: number | null; p95Ms: number | null } | null
  trend: (number | null)[]
  /** Of a compared line; otherwise it is the CDN's. */
  look?: { name: string; series: number }
}

/** One figure of each CDN for a tab of measurements, beside what it was in the window before. */
export function measuredFigures(
  report: DemReport,
  before: DemReport | undefined,
  of: 'latency' | 'availability',
): CdnFigure[] {
  const valueOf = (row: DemReport['totals'][number] | undefined) =>
    row === undefined ? null : of === 'latency' ? row.p50Ms : row.availability
  return report.totals.map((row) => ({
    cdnId: row.cdnId,
    value: valueOf(row),
    before: valueOf(before?.totals.find(({ cdnId }) => cdnId === row.cdnId)),
    samples: row.samples,
    small: of === 'latency' ? { p75Ms: row.p75Ms, p95Ms: row.p95Ms } : null,
    trend: (report[of].find(({ cdnId }) => cdnId === row.cdnId)?.points ?? []).map(({ value }) => value),
  }))
}

/** Each CDN's part of all answers in percent, beside what it was in the window before. */
export function shareFigures(report: DecisionsReport, before: DecisionsReport | undefined): CdnFigure[] {
  const sharesOf = ({ totals }: DecisionsReport) => {
    const all = totals.reduce((sum, { answers }) => sum + answers, 0)
    return new Map(totals.map(({ cdnId, answers }) => [cdnId, all === 0 ? null : (answers / all) * 100]))
  }
  const now = sharesOf(report)
  const then = before && sharesOf(before)
  return report.totals.map(({ cdnId, answers }) => ({
    cdnId,
    value: now.get(cdnId) ?? null,
    before: then?.get(cdnId) ?? null,
    samples: answers,
    small: null,
    trend: (report.answers.find((series) => series.cdnId === cdnId)?.points ?? []).map(({ value }) => value),
  }))
}

/** Without the interval that has not ended: a count of half an interval looks like a fall. */
export function wholeIntervals(report: DecisionsReport, now: number): DecisionsReport {
  const { intervalSeconds } = report
  return {
    ...report,
    answers: report.answers.map((series) => ({
      ...series,
      points: series.points.filter(({ at }) => at + intervalSeconds * 1000 <= now),
    })),
  }
}

/** A country's row: the figure of each CDN that has one, the best of them, and how many samples stand behind it. */
export type CountryRow = {
  country: string
  samples: number
  cdns: { cdnId: string; value: number; samples: number }[]
  best: string | null
}

export function measuredCountries(
  { countries }: Pick<DemReport, 'countries'>,
  of: 'latency' | 'availability',
): CountryRow[] {
  return byCountry(
    countries.map(({ country, cdnId, p50Ms, availability, samples }) => ({
      country,
      cdnId,
      value: of === 'latency' ? p50Ms : availability,
      samples,
    })),
    of === 'latency' ? 'least' : 'most',
  )
}

export function answerCountries({ countries }: Pick<DecisionsReport, 'countries'>): CountryRow[] {
  return byCountry(
    countries.map(({ country, cdnId, answers }) => ({ country, cdnId, value: answers, samples: answers })),
    'most',
  )
}

function byCountry(
  rows: readonly { country: string; cdnId: string; value: number | null; samples: number }[],
  best: 'least' | 'most',
): CountryRow[] {
  const grouped = Map.groupBy(rows, ({ country }) => country)
  return [...grouped]
    .map(([country, own]) => {
      const cdns = own
        .flatMap(({ cdnId, value, samples }) => (value === null ? [] : [{ cdnId, value, samples }]))
        .sort((a, b) => (best === 'least' ? a.value - b.value : b.value - a.value))
      return {
        country,
        samples: own.reduce((sum, { samples }) => sum + samples, 0),
        cdns,
        best: cdns[0]?.cdnId ?? null,
      }
    })
    .sort((a, b) => b.samples - a.samples || a.country.localeCompare(b.country))
}

export type Delta = { direction: 'up' | 'down'; size: number }

/**
 * How far a figure moved: in percent of what it was, or in points when it is a percentage itself. Null when it did not
 * move, or nothing is known.
 */
export function deltaOf(value: number | null, before: number | null, unit: 'percent' | 'points'): Delta | null {
  if (value === null || before === null || (unit === 'percent' && before === 0)) return null
  const change = unit === 'percent' ? ((value - before) / before) * 100 : value - before
  const size = Math.round(Math.abs(change) * 100) / 100
  return size === 0 ? null : { direction: change > 0 ? 'up' : 'down', size }
}
