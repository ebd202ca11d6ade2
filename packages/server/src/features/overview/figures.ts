import { beaconTrends, overviewMap, qpsTrend, type BeaconTrends, type EventStore } from '@fairway/analytics'
import type { Overview } from '@fairway/contract'
import { askStore } from '../../http/ask-store.ts'
import { Failure } from '../../http/failure.ts'

const TREND_SECONDS = 1_800
const QUERIES_SECONDS = 600
/** Home is asked every two seconds: better without the figures than late. */
const PATIENCE_MS = 2_500

export type Figures = Pick<Overview, 'countries' | 'queriesPerSecond' | 'queriesTrend' | 'analyticsAvailable'> &
  BeaconTrends
type Asked = {
  organizationId: string
  siteId: string
  domainId: string | undefined
  windowSeconds: number
  now: number
}

/**
 * What is counted over half an hour is hardly another ten seconds later: every Home of an organisation is given the
 * same, and who finds it old has it counted again for the next.
 */
const TREND_FRESH_MS = 10_000
const TREND_KEPT_MS = 30_000
type Kept = { at: number; measured: BeaconTrends; isAsked: boolean }
const keptBy = new WeakMap<EventStore, Map<string, Kept>>()

async function trendsOf(events: EventStore, organizationId: string, now: number): Promise<BeaconTrends> {
  const kept = keptBy.getOrInsertComputed(events, () => new Map<string, Kept>())
  for (const [id, { at }] of kept) if (now - at >= TREND_KEPT_MS) kept.delete(id)
  const count = async () => {
    const measured = await beaconTrends(events, { organizationId, trendSeconds: TREND_SECONDS, now })
    kept.set(organizationId, { at: now, measured, isAsked: false })
    return measured
  }
  const known = kept.get(organizationId)
  if (known === undefined) return count()
  if (now - known.at >= TREND_FRESH_MS && !known.isAsked) {
    known.isAsked = true
    // The store is away: the other questions of this page say so, and the next page asks again.
    count().catch(() => (known.isAsked = false))
  }
  return known.measured
}

const UNKNOWN: Figures = {
  countries: [],
  queriesPerSecond: 0,
  queriesTrend: [],
  beaconsPerMinute: 0,
  trends: [],
  analyticsAvailable: false,
}

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
