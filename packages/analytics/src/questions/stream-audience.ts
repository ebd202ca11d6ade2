import {
  type AudienceReport,
  type ConcurrentViewers,
  ENGAGEMENT_MARKS,
  ENGAGEMENT_VIEWS,
  type EngagementMark,
} from '@fairway/contract'
import type { EventStore } from '../store/store.ts'
import { chartTimes } from './grain.ts'
import {
  STREAM_LINE,
  type StreamInput,
  type StreamScope,
  distinct,
  streamConditions,
  streamGrain,
  streamParameters,
} from './stream-source.ts'

/** A video played to within this of its end was seen whole: credits are left early. */
const WHOLE_PERCENT = 98
const ROWS = 250

/** What of a view has to be so for each mark. */
const REACHED: Record<EngagementMark, string> = {
  start: 'seen_ = 1',
  '3s': 'watched_ >= 3000',
  '5s': 'watched_ >= 5000',
  '10s': 'watched_ >= 10000',
  '25': 'reached_ >= 25',
  '50': 'reached_ >= 50',
  '75': 'reached_ >= 75',
  '95': 'reached_ >= 95',
  complete: `reached_ >= ${WHOLE_PERCENT}`,
}
const hasEnd = (mark: EngagementMark) => mark === 'complete' || /^\d+$/.test(mark)

type Row = {
  level: 'all' | 'country' | 'device' | 'source'
  country: string
  device: string
  source: string
  kind: 'asset' | 'live' | ''
  views: number
  viewers: number
  watched: number
  attempts: number
  began: number
  ended: number
  marks: number[]
}

/** Who watched in a range, what and how far. Times are epoch ms. */
export async function streamAudience(
  store: EventStore,
  input: StreamInput,
): Promise<Omit<AudienceReport, 'sources'> & { sources: Omit<AudienceReport['sources'][number], 'name'>[] }> {
  const grain = streamGrain(input)
  const parameters = streamParameters(input, grain)
  const [rows, lines] = await Promise.all([
    store.query<Row>(
      `SELECT multiIf(grouping(country) = 0, 'country', grouping(device) = 0, 'device', grouping(source) = 0, 'source', 'all') AS level,
         country, device, source, kind, countIf(seen_ = 1) AS views, ${distinct('viewer', 'seen_ = 1')} AS viewers, sum(watched_) AS watched, count() AS attempts,
         countIf(began_ = 1 AND seen_ = 1) AS began, countIf(began_ = 1 AND seen_ = 1 AND kind = 'asset') AS ended,
         [${ENGAGEMENT_MARKS.map((mark) => `countIf(began_ = 1 AND seen_ = 1 AND ${REACHED[mark]}${hasEnd(mark) ? ` AND kind = 'asset'` : ''})`).join(', ')}] AS marks
       FROM (SELECT view, source, any(player_events.kind) AS kind, any(player_events.country) AS country, any(player_events.device) AS device, any(player_events.viewer) AS viewer, sum(watched_ms) AS watched_,
           max(reached) AS reached_, max(event = 'start') AS began_, max(event = 'first' OR watched_ms > 0) AS seen_
         FROM player_events WHERE ${streamConditions(input)} GROUP BY view, source)
       GROUP BY GROUPING SETS ((), (country), (device), (source, kind)) ORDER BY watched DESC LIMIT ${ROWS} BY level`,
      parameters,
    ),
    store.query<{ line: number; views: number; watched: number }>(
      `SELECT ${STREAM_LINE} AS line, ${distinct('view', `event = 'first'`)} AS views, sum(watched_ms) AS watched
       FROM player_events WHERE ${streamConditions(input)} GROUP BY line`,
      parameters,
    ),
  ])
  const of = (level: Row['level']) => rows.filter((row) => row.level === level)
  const figures = ({ views, viewers, watched }: Row) => ({ views, viewers, watchedMs: watched })
  const all = of('all')[0]
  const at = new Map(lines.map((row) => [row.line, row]))
  return {
    intervalSeconds: grain.intervalSeconds,
    points: chartTimes(grain).map((time) => ({
      at: time * 1000,
      views: at.get(time)?.views ?? 0,
      watchedMs: at.get(time)?.watched ?? 0,
    })),
    totals: { ...(all ? figures(all) : { views: 0, viewers: 0, watchedMs: 0 }), attempts: all?.attempts ?? 0 },
    engagement:
      all && all.began >= ENGAGEMENT_VIEWS
        ? ENGAGEMENT_MARKS.map((mark, index) => ({
            mark,
            reached: all.marks[index] ?? 0,
            of: hasEnd(mark) ? all.ended : all.began,
          }))
        : null,
    engagementViews: all?.began ?? 0,
    countries: of('country').map((row) => ({ country: row.country, ...figures(row) })),
    devices: of('device').map((row) => ({ device: row.device, ...figures(row) })),
    sources: of('source').map((row) => ({
      source: row.source,
      kind: row.kind === 'live' ? ('live' as const) : ('asset' as const),
      ...figures(row),
    })),
  }
}

const HALF_HOUR = 1_800
const CONCURRENT_STEP = 30
/** Players tell every ten seconds: who has told nothing for so long is gone. */
const PRESENT_SECONDS = 25

/** How many watch at a time: every half minute of the last thirty minutes, and now. */
export async function streamConcurrent(
  store: EventStore,
  scope: StreamScope & { now: number },
): Promise<ConcurrentViewers> {
  const now = Math.floor(scope.now / 1000)
  const until = Math.floor(now / CONCURRENT_STEP) * CONCURRENT_STEP
  const grain = { from: until - HALF_HOUR, until, intervalSeconds: CONCURRENT_STEP, level: 'raw' as const }
  const isThere = `event NOT IN ('start', 'end', 'error')`
  const [rows, [present]] = await Promise.all([
    store.query<{ line: number; viewers: number }>(
      `SELECT ${STREAM_LINE} AS line, ${distinct('view')} AS viewers FROM player_events WHERE ${streamConditions(scope)} AND ${isThere} GROUP BY line`,
      streamParameters(scope, grain),
    ),
    store.query<{ viewers: number }>(
      `SELECT countIf(last NOT IN ('end', 'error')) AS viewers
       FROM (SELECT view, argMax(event, (at, post)) AS last FROM player_events WHERE ${streamConditions(scope)} GROUP BY view HAVING countIf(${isThere}) > 0)`,
      streamParameters(scope, { ...grain, from: now - PRESENT_SECONDS, until: now + 1 }),
    ),
  ])
  const at = new Map(rows.map(({ line, viewers }) => [line, viewers]))
  return {
    intervalSeconds: CONCURRENT_STEP,
    now: present?.viewers ?? 0,
    points: chartTimes(grain).map((time) => ({ at: time * 1000, viewers: at.get(time) ?? 0 })),
  }
}
