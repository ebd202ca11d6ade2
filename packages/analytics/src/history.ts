import type { CacheStatus } from '@fairway/contract'
import { GRAIN_SECONDS, addUpCountries, runStep } from './rollups/steps.ts'
import { StoreAway } from './store/store-error.ts'
import type { EventStore } from './store/store.ts'
import {
  type DnsRequestRollupRow,
  type DnsRollupRow,
  type EdgePathsRow,
  type EdgeTrafficRow,
  type MeasureRollupRow,
  type TableName,
  storeSecond,
} from './store/tables.ts'

/**
 * Measurements of one CDN from one country over one bucket; `at` is its start, epoch ms. Countries are not told for
 * probes (`sum`).
 */
export type MeasureHistory = {
  at: number
  source: 'rum' | 'sum'
  organizationId: string
  cdnId: string
  country: string | null
  samples: number
  successes: number
  /** See `histogramOf`. */ rtt: Record<string, number>
}
export type AnswerHistory = {
  at: number
  organizationId: string
  siteId: string
  domainId: string
  cdnId: string
  country: string | null
  answers: number
}

/** Queries for one name and type with one outcome; `name` is empty where there is no such name. */
export type RequestHistory = {
  at: number
  organizationId: string
  siteId: string
  name: string
  type: string
  rcode: string
  node: string
  requests: number
}
export type TrafficHistory = {
  at: number
  organizationId: string
  siteId: string
  domainId: string
  cdnId: string
  country: string | null
  status: number
  cache: CacheStatus
  requests: number
  bytes: number
}
/** What was fetched of a domain, by path. */
export type PathHistory = {
  at: number
  organizationId: string
  siteId: string
  domainId: string
  paths: { path: string; requests: number; bytes: number; hits: number }[]
}
export type HistoryRows = {
  measures: MeasureHistory[]
  answers: AnswerHistory[]
  requests: RequestHistory[]
  traffic: TrafficHistory[]
  paths: PathHistory[]
}

/**
 * Writes a past straight into the rollups: minutes for the recent part (the rest of the charts' fine lines), hours for
 * what lies before it. Hours over the minutes, and days over all, are built from them.
 * An hour must come either as minutes or as an hour, not both. Writing the same past again replaces it.
 */
export async function writeHistory(
  store: EventStore,
  history: { minutes: HistoryRows; hours: HistoryRows },
  now: number,
): Promise<void> {
  for (const [grain, { measures, answers, requests, traffic, paths }] of [
    ['minute', history.minutes],
    ['hour', history.hours],
  ] as const) {
    await insert(store, `measures_${grain}`, measures, (row) => measureRow(row, now))
    await insert(store, `dns_answers_${grain}`, answers, (row) => answerRow(row, now))
    await insert(store, `dns_requests_${grain}`, requests, (row) => requestRow(row, now))
    await insert(store, `edge_traffic_${grain}`, traffic, (row) => trafficRow(row, now))
    await insert(store, `edge_paths_${grain}`, paths, (row) => pathsRow(row, now))
  }
  const minutes = rangeOf(Object.values(history.minutes), 'minute')
  const hours = rangeOf(Object.values(history.hours), 'hour')
  if (hours) await addUpCountries(store, 'hour', { ...hours, built: now })
  if (minutes) await runStep(store, 'hour', minutes.from, minutes.until, now)
  const from = Math.min(minutes?.from ?? Infinity, hours?.from ?? Infinity)
  const until = Math.max(minutes?.until ?? -Infinity, hours?.until ?? -Infinity)
  if (from < until) await runStep(store, 'day', from, until, now)
}

/** A machine that is busy with all else must have parsed one in the time that a request is given. */
const BATCH_ROWS = 5_000
/** Rows written twice are the same rows, so what got no answer is just sent again. */
const TRIES = 4

async function insert<T>(
  store: EventStore,
  table: TableName,
  all: readonly T[],
  rowOf: (one: T) => object,
): Promise<void> {
  for (let at = 0; at < all.length; at += BATCH_ROWS) {
    const text = all
      .slice(at, at + BATCH_ROWS)
      .map((one) => JSON.stringify(rowOf(one)))
      .join('\n')
    await again(() => store.insertLines(table, text))
  }
}

async function again(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreAway) || tries === TRIES) throw error
    }
  }
}

function measureRow(row: MeasureHistory, built: number): MeasureRollupRow {
  return {
    at: storeSecond(row.at),
    source: row.source,
    organization: row.organizationId,
    cdn: row.cdnId,
    country: row.country ?? '',
    samples: row.samples,
    successes: row.successes,
    rtt: row.rtt,
    built,
  }
}

function answerRow(row: AnswerHistory, built: number): DnsRollupRow {
  return {
    at: storeSecond(row.at),
    organization: row.organizationId,
    site: row.siteId,
    domain: row.domainId,
    cdn: row.cdnId,
    country: row.country ?? '',
    answers: row.answers,
    built,
  }
}

function requestRow({ organizationId, siteId, at, ...row }: RequestHistory, built: number): DnsRequestRollupRow {
  return { at: storeSecond(at), organization: organizationId, site: siteId, ...row, built }
}

function trafficRow(
  { at, organizationId, siteId, domainId, cdnId, country, cache, ...counts }: TrafficHistory,
  built: number,
): EdgeTrafficRow {
  return {
    at: storeSecond(at),
    organization: organizationId,
    site: siteId,
    domain: domainId,
    cdn: cdnId,
    country: country ?? '',
    cache_status: cache,
    ...counts,
    built,
  }
}

function pathsRow({ at, organizationId, siteId, domainId, paths }: PathHistory, built: number): EdgePathsRow {
  const map = (key: 'requests' | 'bytes' | 'hits') => Object.fromEntries(paths.map((one) => [one.path, one[key]]))
  return {
    at: storeSecond(at),
    organization: organizationId,
    site: siteId,
    domain: domainId,
    requests: map('requests'),
    bytes: map('bytes'),
    hits: map('hits'),
    built,
  }
}

function rangeOf(tables: { at: number }[][], grain: 'minute' | 'hour'): { from: number; until: number } | null {
  let first = Infinity
  let last = -Infinity
  for (const rows of tables) {
    for (const { at } of rows) {
      first = Math.min(first, at)
      last = Math.max(last, at)
    }
  }
  return first > last ? null : { from: Math.floor(first / 1000), until: Math.floor(last / 1000) + GRAIN_SECONDS[grain] }
}
