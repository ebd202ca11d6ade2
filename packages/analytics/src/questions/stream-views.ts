import type { StreamView } from '@fairway/contract'
import { type StallFacts, type ViewRecord, experienceScore } from '@fairway/domain'
import type { EventStore } from '../store/store.ts'
import { type StreamInput, distinct, streamConditions, streamGrain, streamParameters } from './stream-source.ts'

const EVENTS = 3_000
const SEGMENTS = 1_500
/** Stalls of a view that others are looked at for; the rest are told of by their own facts. */
const STALLS = 25
const AROUND_MS = 10_000

type ViewRow = Omit<StreamView, 'name' | 'score' | 'startupMs' | 'error'> & {
  startup: number
  failure: string
  failed: 0 | 1
}

/** Views of a range, the newest first. */
export async function streamViews(
  store: EventStore,
  input: StreamInput & { view?: string | undefined; only?: 'stalled' | 'failed' | undefined; limit: number },
): Promise<Omit<StreamView, 'name'>[]> {
  const grain = streamGrain(input)
  const only = { stalled: 'HAVING stalls > 0', failed: 'HAVING failed = 1' }
  const rows = await store.query<ViewRow>(
    `SELECT ${VIEW} FROM player_events WHERE ${streamConditions(input)} ${input.view === undefined ? '' : 'AND view = {view:String}'}
     GROUP BY view, source ${input.only === undefined ? '' : only[input.only]} ORDER BY beganAt DESC, view LIMIT {limit:UInt32}`,
    { ...streamParameters(input, grain), view: input.view ?? '', limit: input.limit },
  )
  return rows.map(presented)
}

const VIEW = `view, source, any(player_events.kind) AS kind, toUnixTimestamp64Milli(min(player_events.at)) AS beganAt, toUnixTimestamp64Milli(max(player_events.at)) AS endedAt, any(player_events.country) AS country, any(player_events.network) AS network,
  any(player_events.device) AS device, any(player_events.player) AS player, sum(watched_ms) AS watchedMs, maxIf(ms, event = 'first') AS startup, toUInt32(countIf(event = 'stall')) AS stalls,
  sumIf(ms, event = 'resume' AND ms > 0) AS stalledMs, argMaxIf(error, player_events.at, fatal = 1) AS failure, max(fatal) AS failed`

function presented({ startup, failure, failed, ...row }: ViewRow): Omit<StreamView, 'name'> {
  const startupMs = startup > 0 ? startup : null
  const { score } = experienceScore({ ...row, startupMs, isFailed: failed === 1 })
  return { ...row, startupMs, error: failed === 1 ? failure : null, score }
}

/**
 * All that is known of one view of an organisation, and what other views of the same video did around its stalls; null
 * when it has no such view.
 */
export async function streamView(
  store: EventStore,
  { organizationId, view }: { organizationId: string; view: string },
): Promise<{ view: Omit<StreamView, 'name'>; record: ViewRecord } | null> {
  const parameters = { organization: organizationId, view }
  const own = 'organization = {organization:String} AND view = {view:String}'
  const [[row], events, segments] = await Promise.all([
    store.query<ViewRow>(`SELECT ${VIEW} FROM player_events WHERE ${own} GROUP BY view, source LIMIT 1`, parameters),
    store.query<ViewRecord['events'][number]>(
      `SELECT toUnixTimestamp64Milli(player_events.at) AS moment, event, position_ms, ms, bitrate, height, cdn, buffer_ms, throughput, segment_age_ms, error, fatal, session
       FROM player_events WHERE ${own} ORDER BY player_events.at, post LIMIT ${EVENTS}`,
      parameters,
    ),
    store.query<ViewRecord['segments'][number]>(
      `SELECT toUnixTimestamp64Milli(stream_segments.at) AS moment, cdn, status, bytes, ms, cache_status, object, bitrate, throughput, duration_ms, buffer_ms
       FROM stream_segments WHERE ${own} AND source = (SELECT any(source) FROM player_events WHERE ${own}) ORDER BY stream_segments.at LIMIT ${SEGMENTS}`,
      parameters,
    ),
  ])
  if (!row) return null
  const stalls = events.filter(({ event }) => event === 'stall').slice(0, STALLS)
  const around = await Promise.all(
    stalls.map(async ({ moment, cdn }) => ({
      moment,
      ...(await othersAround(store, organizationId, row, moment, cdn)),
    })),
  )
  return { view: presented(row), record: { isLive: row.kind === 'live', events, segments, around } }
}

async function othersAround(
  store: EventStore,
  organizationId: string,
  { view, source }: Pick<ViewRow, 'view' | 'source'>,
  moment: number,
  cdn: string,
): Promise<Pick<StallFacts, 'sameCdn' | 'otherCdns'>> {
  const rows = await store.query<{ same: 0 | 1; views: number; stalled: number }>(
    `SELECT cdn = {cdn:String} AS same, ${distinct('view')} AS views, ${distinct('view', `event = 'stall'`)} AS stalled FROM player_events
     WHERE organization = {organization:String} AND source = {source:String} AND view != {view:String} AND event NOT IN ('start', 'steer', 'end')
       AND at >= fromUnixTimestamp64Milli({from:Int64}) AND at < fromUnixTimestamp64Milli({until:Int64}) GROUP BY same`,
    { organization: organizationId, source, view, cdn, from: moment - AROUND_MS, until: moment + AROUND_MS },
  )
  const of = (same: 0 | 1) => {
    const { views = 0, stalled = 0 } = rows.find((row) => row.same === same) ?? {}
    return { views, stalled }
  }
  return { sameCdn: of(1), otherCdns: of(0) }
}
