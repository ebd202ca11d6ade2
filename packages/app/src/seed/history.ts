import {
  type HistoryRows,
  type LogHistogram,
  type MeasureHistory,
  type RequestHistory,
  binOf,
} from '@fairway/analytics'
import { pathsRow, trafficRows } from './past-traffic.ts'
import { COUNTRIES, type VisitorCountry } from '../simulator/countries.ts'
import { activity } from '../simulator/day-curve.ts'
import { failurePercent, typicalRttMs } from '../simulator/latency-model.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAYS = 14
/**
 * Every minute for the six-hour charts (and an hour more, to look at), then one in ten for those of two days, which
 * draw ten minutes as one.
 */
const FINE_HOURS = 7
const MINUTES_HOURS = 48
const COARSE_STEP_MS = 10 * MINUTE_MS
const BEACONS_PER_SECOND = 20
const ANSWERS_PER_SECOND = 26
const PAGES_PER_SECOND = 20

/** A time in the past when a CDN did not work, for charts and the list of events. */
export type PastFault = { cdnId: string; from: number; to: number; kind: 'down' | 'slow' }
export type PastDomain = {
  id: string
  name: string
  cdnIds: readonly string[]
  /** Share of the site's queries. */ share: number
}
export type Past = {
  organizationId: string
  siteId: string
  /** The name server that answered. */ node: string
  cdnIds: readonly string[]
  domains: readonly PastDomain[]
  faults: readonly PastFault[]
}

/**
 * Two weeks before `now` (epoch ms) as the simulator's visitors would have left them: day curves, quieter weekends, and
 * the faults.
 */
export function pastRows(past: Past, now: number): { minutes: HistoryRows; hours: HistoryRows } {
  const end = Math.floor(now / MINUTE_MS) * MINUTE_MS
  const minutesFrom = Math.floor((end - MINUTES_HOURS * HOUR_MS) / HOUR_MS) * HOUR_MS
  const fineFrom = Math.floor((end - FINE_HOURS * HOUR_MS) / HOUR_MS) * HOUR_MS
  return {
    hours: rowsAt(
      past,
      times(minutesFrom - DAYS * 24 * HOUR_MS + MINUTES_HOURS * HOUR_MS, minutesFrom, HOUR_MS),
      HOUR_MS,
    ),
    minutes: joined(
      rowsAt(past, times(minutesFrom, fineFrom, COARSE_STEP_MS), COARSE_STEP_MS),
      rowsAt(past, times(fineFrom, end, MINUTE_MS), MINUTE_MS),
    ),
  }
}

function times(from: number, until: number, step: number): number[] {
  return Array.from({ length: Math.max(0, Math.round((until - from) / step)) }, (_, at) => from + at * step)
}

function joined(a: HistoryRows, b: HistoryRows): HistoryRows {
  return {
    measures: [...a.measures, ...b.measures],
    answers: [...a.answers, ...b.answers],
    requests: [...a.requests, ...b.requests],
    traffic: [...a.traffic, ...b.traffic],
    paths: [...a.paths, ...b.paths],
  }
}

/** One row for each country and CDN at each time, standing for `width` milliseconds. */
function rowsAt(past: Past, moments: readonly number[], width: number): HistoryRows {
  const rows: HistoryRows = { measures: [], answers: [], requests: [], traffic: [], paths: [] }
  const totalWeight = COUNTRIES.reduce((sum, { weight }) => sum + weight, 0)
  for (const at of moments) {
    const asked = new Map<string, number>()
    const fetched = new Map<string, number>()
    const faulty = past.faults.filter(({ from, to }) => at < to && at + width > from)
    for (const country of COUNTRIES) {
      const busy = ((country.weight / totalWeight) * activity(at + width / 2, country.utcOffsetHours) * width) / 1000
      const noise = wobble(at / width, country.code)
      for (const cdnId of past.cdnIds) {
        const fault = faulty.find((one) => one.cdnId === cdnId)
        rows.measures.push(
          measureRow(
            past.organizationId,
            at,
            country,
            cdnId,
            Math.round(busy * BEACONS_PER_SECOND * noise),
            fault,
            overlap(fault, at, width),
          ),
        )
      }
      for (const domain of past.domains) {
        const answers = Math.round(busy * ANSWERS_PER_SECOND * domain.share * noise)
        const cdnId = chosen(domain, country, faulty)
        asked.set(domain.name, (asked.get(domain.name) ?? 0) + answers)
        if (answers > 0 && cdnId)
          rows.answers.push({
            at,
            organizationId: past.organizationId,
            siteId: past.siteId,
            domainId: domain.id,
            cdnId,
            country: country.code,
            answers,
          })
        const pages = Math.round(busy * PAGES_PER_SECOND * domain.share * noise)
        if (pages > 0 && cdnId)
          rows.traffic.push(
            ...trafficRows(
              {
                at,
                organizationId: past.organizationId,
                siteId: past.siteId,
                domainId: domain.id,
                cdnId,
                country: country.code,
              },
              pages,
              noise,
            ),
          )
        fetched.set(domain.id, (fetched.get(domain.id) ?? 0) + pages)
      }
    }
    rows.requests.push(...requestRows(past, at, asked))
    for (const [domainId, pages] of fetched) if (pages > 0) rows.paths.push(pathsRow(past, at, domainId, pages))
    for (const cdnId of past.cdnIds)
      rows.measures.push(
        probeRow(
          past.organizationId,
          at,
          cdnId,
          Math.round(width / 1000) * 3,
          overlap(
            faulty.find((one) => one.cdnId === cdnId && one.kind === 'down'),
            at,
            width,
          ),
        ),
      )
  }
  return rows
}

/** What resolvers ask for besides an address: mostly the other kind of address. */
const ASKED: readonly [type: string, share: number][] = [
  ['A', 0.7],
  ['AAAA', 0.245],
  ['HTTPS', 0.055],
]
const MISSING_SHARE = 0.015

/** Queries by name and type, and those for names that do not exist, which all count as one. */
function requestRows(
  { organizationId, siteId, node }: Past,
  at: number,
  asked: ReadonlyMap<string, number>,
): RequestHistory[] {
  const total = [...asked.values()].reduce((sum, queries) => sum + queries, 0)
  const rows = [...asked].flatMap(([name, queries]) =>
    ASKED.map(([type, share]) => ({ name, type, rcode: 'NOERROR', requests: Math.round(queries * share) })),
  )
  return [...rows, { name: '', type: 'A', rcode: 'NXDOMAIN', requests: Math.round(total * MISSING_SHARE) }]
    .filter(({ requests }) => requests > 0)
    .map((row) => ({ at, organizationId, siteId, node, ...row }))
}

function measureRow(
  organizationId: string,
  at: number,
  country: VisitorCountry,
  cdnId: string,
  samples: number,
  fault: PastFault | undefined,
  part: number,
): MeasureHistory {
  const failing = failurePercent(country, cdnId) / 100 + (fault?.kind === 'down' ? part : 0)
  const successes = Math.max(0, Math.min(samples, Math.round(samples * (1 - failing))))
  const typicalMs =
    typicalRttMs(country, cdnId) * wobble(at / HOUR_MS, `${country.code} ${cdnId}`) +
    (fault?.kind === 'slow' ? 180 * part : 0)
  return {
    at,
    source: 'rum',
    organizationId,
    cdnId,
    country: country.code,
    samples,
    successes,
    rtt: spread(typicalMs, successes),
  }
}

function probeRow(
  organizationId: string,
  at: number,
  cdnId: string,
  samples: number,
  downPart: number,
): MeasureHistory {
  const successes = Math.round(samples * (1 - downPart))
  return { at, source: 'sum', organizationId, cdnId, country: null, samples, successes, rtt: spread(1.6, successes) }
}

/** How samples lie around a typical round trip: shares of a log-normal at seven of its quantiles. */
const QUANTILES: readonly [number, number][] = [
  [0.62, 0.05],
  [0.76, 0.12],
  [0.88, 0.2],
  [1, 0.26],
  [1.14, 0.2],
  [1.32, 0.12],
  [1.62, 0.05],
]

function spread(typicalMs: number, count: number): LogHistogram {
  const histogram: LogHistogram = {}
  let left = count
  for (const [factor, share] of QUANTILES) {
    const part = Math.min(left, factor === 1 ? Math.ceil(count * share) : Math.round(count * share))
    left -= part
    if (part > 0) histogram[binOf(typicalMs * factor)] = (histogram[binOf(typicalMs * factor)] ?? 0) + part
  }
  if (left > 0) histogram[binOf(typicalMs)] = (histogram[binOf(typicalMs)] ?? 0) + left
  return histogram
}

/** The CDN that best latency would have chosen among the domain's that were alive. */
function chosen(domain: PastDomain, country: VisitorCountry, faulty: readonly PastFault[]): string | undefined {
  const alive = domain.cdnIds.filter(
    (cdnId) => !faulty.some((fault) => fault.cdnId === cdnId) && failurePercent(country, cdnId) < 10,
  )
  return alive.toSorted((a, b) => typicalRttMs(country, a) - typicalRttMs(country, b))[0]
}

function overlap(fault: PastFault | undefined, at: number, width: number): number {
  return fault ? Math.max(0, Math.min(fault.to, at + width) - Math.max(fault.from, at)) / width : 0
}

/** A factor near 1 that changes smoothly with time and differs by key. */
function wobble(time: number, key: string): number {
  const phase = [...key].reduce((sum, letter) => sum + letter.charCodeAt(0) * 7, 0)
  return 1 + 0.06 * Math.sin(time / 5.3 + phase) + 0.04 * Math.sin(time / 1.7 + phase * 3)
}
