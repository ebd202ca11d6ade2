import type { ViewMoment } from '@fairway/contract'
import { type StallFacts, stallCause } from './stall-cause.ts'

type EventFacts = {
  /** Epoch ms. */ moment: number
  event: Exclude<ViewMoment['kind'], 'segment'>
  position_ms: number
  ms: number
  bitrate: number
  height: number
  cdn: string
  buffer_ms: number
  throughput: number
  segment_age_ms: number
  error: string
  fatal: 0 | 1
  session: string
}
type SegmentFacts = {
  moment: number
  cdn: string
  status: number
  bytes: number
  ms: number
  cache_status: string
  object: string
  bitrate: number
  throughput: number
  duration_ms: number
  buffer_ms: number
}

/** What the store has of a view; numbers that are not known are -1. */
export type ViewRecord = {
  isLive: boolean
  events: EventFacts[]
  segments: SegmentFacts[]
  /** Of other views around a stall, by its moment. */
  around: ({ moment: number } & Pick<StallFacts, 'sameCdn' | 'otherCdns'>)[]
}

const known = (value: number | undefined) => (value === undefined || value < 0 ? null : value)
/** So long before a stall what led to it has happened. */
const BEFORE_MS = 15_000
/** What a player has told this long ago may still be so. */
const LATELY_MS = 60_000
/** Answers that were not in the cache. */
const FETCHED: ReadonlySet<string> = new Set(['MISS', 'EXPIRED', 'BYPASS'])
const SEGMENTS_SHOWN = 300
const NEAR_MS = 20_000
const NOBODY = { views: 0, stalled: 0 }

/** Moments of a view in their order, its stalls with their likely cause. */
export function viewMoments(record: ViewRecord): ViewMoment[] {
  const { events, segments } = record
  const told = events.map((one, index): ViewMoment => {
    const stall = one.event === 'stall' ? stallCause(factsOf(record, index)) : null
    return {
      at: one.moment,
      kind: one.event,
      positionMs: known(one.position_ms),
      ms: known(one.ms),
      bitrateKbps: known(one.bitrate),
      height: known(one.height),
      cdn: one.cdn,
      bufferMs: known(one.buffer_ms),
      throughputKbps: known(one.throughput),
      error: one.error,
      isFatal: one.fatal === 1,
      session: one.session,
      status: null,
      cacheStatus: '',
      bytes: null,
      cause: stall?.cause ?? null,
      reasons: stall?.reasons ?? [],
    }
  })
  const trouble = events.filter(({ event }) => event === 'stall' || event === 'error').map(({ moment }) => moment)
  const isNear = ({ moment, status }: SegmentFacts) =>
    status >= 400 || trouble.some((at) => Math.abs(at - moment) <= NEAR_MS)
  const shown =
    segments.length <= SEGMENTS_SHOWN
      ? segments
      : [...segments.filter(isNear), ...segments.filter((one) => !isNear(one))].slice(0, SEGMENTS_SHOWN)
  const asked = shown.map((one): ViewMoment => ({
    at: one.moment,
    kind: 'segment',
    positionMs: null,
    ms: known(one.ms),
    bitrateKbps: known(one.bitrate),
    height: null,
    cdn: one.cdn,
    bufferMs: known(one.buffer_ms),
    throughputKbps: known(one.throughput),
    error: '',
    isFatal: false,
    session: '',
    status: one.status,
    cacheStatus: one.cache_status,
    bytes: one.bytes,
    cause: null,
    reasons: [],
  }))
  return [...told, ...asked].sort((a, b) => a.at - b.at)
}

function factsOf({ isLive, events, segments, around }: ViewRecord, index: number): StallFacts {
  const stall = events[index]
  const begin = stall?.moment ?? 0
  const resumed = events.slice(index + 1).find(({ event }) => event === 'resume' || event === 'stall')
  const end = resumed?.event === 'resume' ? resumed.moment : begin + BEFORE_MS
  const near = segments.filter(({ moment }) => moment >= begin - BEFORE_MS && moment <= end + 1_000)
  const errors = events.filter(
    ({ event, moment, error }) =>
      event === 'error' && moment >= begin - BEFORE_MS && moment <= end && /^(frag|level|audioTrack)Load/.test(error),
  )
  const others = around.find(({ moment }) => moment === begin)
  const last = (field: 'throughput' | 'bitrate') =>
    known(events.slice(0, index + 1).findLast((one) => one[field] >= 0 && begin - one.moment < LATELY_MS)?.[field])
  return {
    isLive,
    throughputKbps: last('throughput'),
    bitrateKbps: last('bitrate'),
    sinceNewSegmentMs: known(stall?.segment_age_ms),
    segments: near.length,
    segmentErrors: near.filter(({ status }) => status >= 500 || status === 0).length,
    slowFetches: near.filter(
      ({ ms, duration_ms: length, cache_status: cache }) => FETCHED.has(cache) && length > 0 && ms > length,
    ).length,
    loadErrors: errors.length,
    movedCdn: resumed?.event === 'resume' && resumed.cdn !== '' && stall?.cdn !== '' && resumed.cdn !== stall?.cdn,
    sameCdn: others?.sameCdn ?? NOBODY,
    otherCdns: others?.otherCdns ?? NOBODY,
  }
}
