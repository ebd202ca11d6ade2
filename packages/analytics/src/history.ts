import { GRAIN_SECONDS, runStep } from './rollups/steps.ts'
import type { EventStore } from './store/store.ts'
import { type DnsRequestRollupRow, type DnsRollupRow, type MeasureRollupRow, storeSecond } from './store/tables.ts'

/** Measurements of one CDN from one country over one bucket; `at` is its start, epoch ms. Countries are not told for probes (`sum`). */
export type MeasureHistory = { at: number; source: 'rum' | 'sum'; organizationId: string; cdnId: string; country: string | null; samples: number; successes: number; /** See `histogramOf`. */ rtt: Record<string, number> }
export type AnswerHistory = { at: number; organizationId: string; siteId: string; domainId: string; cdnId: string; country: string | null; answers: number }

/** Queries for one name and type with one outcome; `name` is empty where there is no such name. */
export type RequestHistory = { at: number; organizationId: string; siteId: string; name: string; type: string; rcode: string; node: string; requests: number }
export type HistoryRows = { measures: MeasureHistory[]; answers: AnswerHistory[]; requests: RequestHistory[] }

/**
 * Writes a past straight into the rollups: minutes for the recent part (the rest of the charts' fine lines), hours for what lies before it. Hours over the minutes, and days over all, are built from them.
 * An hour must come either as minutes or as an hour, not both. Writing the same past again replaces it.
 */
export async function writeHistory(store: EventStore, history: { minutes: HistoryRows; hours: HistoryRows }, now: number): Promise<void> {
  for (const [grain, { measures, answers, requests }] of [['minute', history.minutes], ['hour', history.hours]] as const) {
    for (const batch of batches(measures)) await store.insertLines(`measures_${grain}`, lines(batch.map((row) => measureRow(row, now))))
    for (const batch of batches(answers)) await store.insertLines(`dns_answers_${grain}`, lines(batch.map((row) => answerRow(row, now))))
    for (const batch of batches(requests)) await store.insertLines(`dns_requests_${grain}`, lines(batch.map((row) => requestRow(row, now))))
  }
  const minutes = rangeOf([...history.minutes.measures, ...history.minutes.answers, ...history.minutes.requests], 'minute')
  if (minutes) await runStep(store, 'hour', minutes.from, minutes.until, now)
  const hours = rangeOf([...history.hours.measures, ...history.hours.answers, ...history.hours.requests], 'hour')
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
  return { at: storeSecond(row.at), source: row.source, organization: row.organizationId, cdn: row.cdnId, country: row.country ?? '', samples: row.samples, successes: row.successes, rtt: row.rtt, built }
}

function answerRow(row: AnswerHistory, built: number): DnsRollupRow {
  return { at: storeSecond(row.at), organization: row.organizationId, site: row.siteId, domain: row.domainId, cdn: row.cdnId, country: row.country ?? '', answers: row.answers, built }
}

function requestRow({ organizationId, siteId, at, ...row }: RequestHistory, built: number): DnsRequestRollupRow {
  return { at: storeSecond(at), organization: organizationId, site: siteId, ...row, built }
}

function rangeOf(rows: { at: number }[], grain: 'minute' | 'hour'): { from: number; until: number } | null {
  if (rows.length === 0) return null
  let first = Infinity
  let last = -Infinity
  for (const { at } of rows) {
    first = Math.min(first, at)
    last = Math.max(last, at)
  }
  return { from: Math.floor(first / 1000), until: Math.floor(last / 1000) + GRAIN_SECONDS[grain] }
}
