import type { Playback, StreamDimension, StreamPerformanceReport } from '@fairway/contract'
import { experienceScore } from '@fairway/domain'
import { type LogHistogram, binSql, quantileOf } from '../log-histogram.ts'
import type { EventStore } from '../store/store.ts'
import { chartTimes } from './grain.ts'
import {
  STREAM_LINE,
  type StreamInput,
  dimensionSql,
  distinct,
  streamConditions,
  streamGrain,
  streamParameters,
} from './stream-source.ts'

const ROWS = 50
const ERRORS = 20
/** Views alike are scored once: by quarter seconds of start-up, quarter percents of waiting, and stalls. */
const START_STEP_MS = 250
const WAIT_STEP = 0.25
const MOST_STEPS = 400
const STALLS_TOLD = 40

type Figures = {
  views: number
  starts: number
  startup: LogHistogram
  stalled: number
  stalls: number
  watched: number
  bits: number
  bit_time: number
  failed: number
}
type Row = Figures & { value: string; alike: Record<string, number> }
type Line = Figures & { line: number }

/** How well it played in a range: over time, in total, and told apart by one dimension. Times are epoch ms. */
export async function streamPerformance(
  store: EventStore,
  { by, ...input }: StreamInput & { by: StreamDimension },
): Promise<Omit<StreamPerformanceReport, 'rows'> & { rows: (Playback & { value: string })[] }> {
  const grain = streamGrain(input)
  const parameters = streamParameters(input, grain)
  const where = streamConditions(input)
  const [[total], rows, lines, errors] = await Promise.all([
    store.query<Row>(apart(`''`, where), parameters),
    store.query<Row>(`${apart(dimensionSql(by), where)} ORDER BY watched DESC, value LIMIT ${ROWS}`, parameters),
    store.query<Line>(
      `SELECT ${STREAM_LINE} AS line, ${distinct('view')} AS views, countIf(${IS_START}) AS starts, ${histogram(IS_START, 'ms')} AS startup, ${SUMS}, ${distinct('view', IS_FAILURE)} AS failed
       FROM player_events WHERE ${where} GROUP BY line`,
      parameters,
    ),
    store.query<StreamPerformanceReport['errors'][number]>(
      `SELECT error, ${distinct('view')} AS views, count() AS times, sum(fatal) AS fatal FROM player_events WHERE ${where} AND event = 'error' GROUP BY error ORDER BY times DESC, error LIMIT ${ERRORS}`,
      parameters,
    ),
  ])
  const at = new Map(lines.map((line) => [line.line, line]))
  return {
    intervalSeconds: grain.intervalSeconds,
    points: chartTimes(grain).map((time) => {
      const line = at.get(time)
      return {
        at: time * 1000,
        views: line?.views ?? 0,
        startupP50Ms: line ? quantileOf(line.startup, 0.5) : null,
        rebufferPercent: line ? rebufferOf(line) : null,
        bitrateKbps: line ? bitrateOf(line) : null,
        failedPercent: line ? failedOf(line) : null,
      }
    }),
    totals: playbackOf(total),
    by,
    rows: rows.map((row) => ({ value: row.value, ...playbackOf(row) })),
    errors,
  }
}

const IS_START = `event = 'first' AND ms > 0`
const IS_FAILURE = `event = 'error' AND fatal = 1`
const HAS_BITRATE = 'bitrate > 0 AND watched_ms > 0'
const SUMS = `sumIf(ms, event = 'resume' AND ms > 0) AS stalled, countIf(event = 'stall') AS stalls, sum(watched_ms) AS watched,
  sumIf(toFloat64(bitrate) * watched_ms, ${HAS_BITRATE}) AS bits, sumIf(watched_ms, ${HAS_BITRATE}) AS bit_time`

const histogram = (condition: string, column: string) => `sumMapIf(map(${binSql(column)}, toUInt64(1)), ${condition})`

/** Each view by itself, then those of a value together. */
function apart(value: string, where: string): string {
  const waited = `if(watched_ + stalled_ = 0, 0, stalled_ * 100 / (watched_ + stalled_))`
  return `SELECT value, count() AS views, countIf(start_ > 0) AS starts, ${histogram('start_ > 0', 'start_')} AS startup, sum(stalled_) AS stalled, sum(stalls_) AS stalls,
      sum(watched_) AS watched, sum(bits_) AS bits, sum(bit_time_) AS bit_time, countIf(failed_ = 1) AS failed,
      sumMap(map(concat(toString(if(start_ > 0, least(ceil(start_ / ${START_STEP_MS}), ${MOST_STEPS}), -1)), ' ', toString(least(round(${waited} / ${WAIT_STEP}), ${MOST_STEPS})), ' ',
        toString(least(stalls_, ${STALLS_TOLD})), ' ', toString(failed_), ' ', toString(watched_ > 0)), toUInt64(1))) AS alike
    FROM (SELECT view, ${value} AS value, maxIf(ms, ${IS_START}) AS start_, sumIf(ms, event = 'resume' AND ms > 0) AS stalled_, countIf(event = 'stall') AS stalls_, sum(watched_ms) AS watched_,
        sumIf(toFloat64(bitrate) * watched_ms, ${HAS_BITRATE}) AS bits_, sumIf(watched_ms, ${HAS_BITRATE}) AS bit_time_, max(${IS_FAILURE}) AS failed_
      FROM player_events WHERE ${where} GROUP BY view, value)
    GROUP BY value`
}

function playbackOf(row: Row | undefined): Playback {
  return {
    views: row?.views ?? 0,
    starts: row?.starts ?? 0,
    startupP50Ms: row ? quantileOf(row.startup, 0.5) : null,
    startupP75Ms: row ? quantileOf(row.startup, 0.75) : null,
    startupP95Ms: row ? quantileOf(row.startup, 0.95) : null,
    rebufferPercent: row ? rebufferOf(row) : null,
    stalls: row?.stalls ?? 0,
    watchedMs: row?.watched ?? 0,
    bitrateKbps: row ? bitrateOf(row) : null,
    failedViews: row?.failed ?? 0,
    failedPercent: row ? failedOf(row) : null,
    score: row ? meanScore(row.alike) : null,
  }
}

const rebufferOf = ({ stalled, watched }: Figures) =>
  stalled + watched > 0 ? (stalled * 100) / (stalled + watched) : null
const bitrateOf = ({ bits, bit_time: time }: Figures) => (time > 0 ? bits / time : null)
const failedOf = ({ failed, views }: Figures) => (views > 0 ? (failed * 100) / views : null)

/** Mean over views of what the one function says; those of which nothing is known say nothing. */
function meanScore(alike: Record<string, number>): number | null {
  let [sum, count] = [0, 0]
  for (const [key, views] of Object.entries(alike)) {
    const [start = 0, wait = 0, stalls = 0, failed = 0, watched = 0] = key.split(' ').map(Number)
    const percent = wait * WAIT_STEP
    const { score } = experienceScore({
      startupMs: start < 0 ? null : start * START_STEP_MS,
      watchedMs: watched === 0 ? 0 : 100 - percent,
      stalledMs: percent,
      stalls,
      isFailed: failed === 1,
    })
    if (score === null) continue
    sum += score * views
    count += views
  }
  return count === 0 ? null : sum / count
}
