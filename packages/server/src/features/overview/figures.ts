import { beaconTrends, overviewMap, qpsTrend, type BeaconTrends, type EventStore } from '@fairway/analytics'
import type { Overview } from '@fairway/contract'
import { askStore } from '../../http/ask-store.ts'
import { Failure } from '../../http/failure.ts'

const TREND_SECONDS = 1_800
const QUERIES_SECONDS = 600
/** Home is asked every two seconds: better without the figures than late. */
const PATIENCE_MS = 2_500

export type Figures = Pick<Overview, 'countries' | 'queriesPerSecond' | 'queriesTrend' | 'analyticsAvailable'> & BeaconTrends
type Asked = { organizationId: string; siteId: string; domainId: string | undefined; windowSeconds: number; now: number }

/** What is counted over minutes is not another two seconds later: every Home of an organisation is given the same for a while. */
const TREND_KEPT_MS = 10_000
const kept = new WeakMap<EventStore, Map<string, { at: number; measured: BeaconTrends }>>()

async function trendsOf(events: EventStore, organizationId: string, now: number): Promise<BeaconTrends> {
  const lines = kept.getOrInsertComputed(events, () => new Map())
  const known = lines.get(organizationId)
  if (known && now - known.at < TREND_KEPT_MS) return known.measured
  for (const [id, { at }] of lines) if (now - at >= TREND_KEPT_MS) lines.delete(id)
  const measured = await beaconTrends(events, { organizationId, trendSeconds: TREND_SECONDS, now })
  lines.set(organizationId, { at: now, measured })
  return measured
}

const UNKNOWN: Figures = { countries: [], queriesPerSecond: 0, queriesTrend: [], beaconsPerMinute: 0, trends: [], analyticsAvailable: false }

/** What the event store counts; without it Home still shows what the database knows. */
export async function figuresOf(events: EventStore, asked: Asked): Promise<Figures> {
  const { organizationId, now } = asked
  const questions = Promise.all([
    overviewMap(events, asked),
    qpsTrend(events, { ...asked, seconds: QUERIES_SECONDS }),
    trendsOf(events, organizationId, now),
  ])
  try {
    const [countries, queries, measured] = await askStore(questions, PATIENCE_MS)
    return { countries, ...queries, ...measured, analyticsAvailable: true }
  } catch (error) {
    if (error instanceof Failure && error.code === 503) return UNKNOWN
    throw error
  }
}
