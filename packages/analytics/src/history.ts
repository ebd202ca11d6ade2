import type { CacheStatus } from '@fairway/contract'
import { GRAIN_SECONDS, runStep } from './rollups/steps.ts'
import type { EventStore } from './store/store.ts'
import {
  type DnsRequestRollupRow,
  type DnsRollupRow,
  type EdgePathsRow,
  type EdgeTrafficRow,
  type MeasureRollupRow,
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
    for (const batch of batches(measures))
      await store.insertLines(`measures_${grain}`, lines(batch.map((row) => measureRow(row, now))))
    for (const batch of batches(answers))
      await store.insertLines(`dns_answers_${grain}`, lines(batch.map((row) => answerRow(row, now))))
    for (const batch of batches(requests))
      await store.insertLines(`dns_requests_${grain}`, lines(batch.map((row) => requestRow(row, now))))
    for (const batch of batches(traffic))
      await store.insertLines(`edge_traffic_${grain}`, lines(batch.map((row) => trafficRow(row, now))))
    for (const batch of batches(paths))
      await store.insertLines(`edge_paths_${grain}`, lines(batch.map((row) => pathsRow(row, now))))
  }
  const minutes = rangeOf(Object.values(history.minutes), 'minute')
  if (minutes) await runStep(store, 'hour', minutes.from, minutes.until, now)
  const hours = rangeOf(Object.values(history.hours), 'hour')
  const from = Math.min(minutes?.from ?? Infinity, hours?.from ?? Infinity)
  const until = Math.max(minutes?.until ?? -Infinity, hours?.until ?? -Infinity)
  if (from < until) await runStep(store, 'day', from, until, now)
}

const BATCH_ROWS = 20_000

function* batches<T>(rows: T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += BATCH_ROWS) yield rows.slice(at, at + BATCH_ROWS)
}

const lines = (rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n')

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
