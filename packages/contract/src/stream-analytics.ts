import { z } from 'zod'
import { ViewId } from './player-events.ts'
import { EpochSeconds } from './formats/epoch-seconds.ts'
import { feature, get } from './route.ts'

/** What figures are told apart by. */
export const StreamDimension = z.enum(['cdn', 'rendition', 'country', 'device', 'player', 'source'])
export type StreamDimension = z.infer<typeof StreamDimension>

const Filters = {
  /** A video or a live stream. */
  source: z.uuid().optional(),
  kind: z.enum(['asset', 'live']).optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  cdn: z
    .string()
    .regex(/^[\w.-]{1,128}$/)
    .optional(),
}

/** Seconds back from now or from `until` (epoch seconds). Events are kept 30 days. */
export const StreamRange = z.object({
  seconds: z.coerce
    .number()
    .int()
    .min(60)
    .max(31 * 86_400)
    .default(86_400),
  until: EpochSeconds.optional(),
  ...Filters,
})
export type StreamRange = z.infer<typeof StreamRange>

/** Unique views below which engagement says nothing. */
export const ENGAGEMENT_VIEWS = 100

/** How far people watch: by seconds for everything, by share for what has an end. */
export const ENGAGEMENT_MARKS = ['start', '3s', '5s', '10s', '25', '50', '75', '95', 'complete'] as const
export const EngagementMark = z.enum(ENGAGEMENT_MARKS)
export type EngagementMark = z.infer<typeof EngagementMark>

const Watched = {
  /** Views that showed a picture. */
  views: z.int(),
  /** Different viewers, by the day: who comes on two days counts twice. */
  viewers: z.int(),
  watchedMs: z.number(),
}

export const AudienceReport = z.object({
  intervalSeconds: z.int(),
  points: z.array(z.object({ at: z.number(), views: z.int(), watchedMs: z.number() })),
  totals: z.object({ ...Watched, /** Views that were begun, with or without a picture. */ attempts: z.int() }),
  /** Of the views that began in the range; null below `ENGAGEMENT_VIEWS` of them. */
  engagement: z
    .array(
      z.object({
        mark: EngagementMark,
        reached: z.int(),
        /** Views that the mark could be told of: a live stream has no half. */ of: z.int(),
      }),
    )
    .nullable(),
  /** Views that began in the range: what engagement leans on. */
  engagementViews: z.int(),
  countries: z.array(z.object({ country: z.string(), ...Watched })),
  devices: z.array(z.object({ device: z.string(), ...Watched })),
  sources: z.array(
    z.object({ source: z.string(), name: z.string().nullable(), kind: z.enum(['asset', 'live']), ...Watched }),
  ),
})
export type AudienceReport = z.infer<typeof AudienceReport>

/** Who watches at a time, every half minute of the last thirty minutes. */
export const ConcurrentViewers = z.object({
  intervalSeconds: z.int(),
  /** Of whom was heard within the last seconds. */
  now: z.int(),
  points: z.array(z.object({ at: z.number(), viewers: z.int() })),
})
export type ConcurrentViewers = z.infer<typeof ConcurrentViewers>

/** How well it played. Null is not known, never nought. */
export const Playback = z.object({
  /** Views that any of it is of. */
  views: z.int(),
  /** Start-up times that were told, and below which the half, three quarters and 95 % of them lie. */
  starts: z.int(),
  startupP50Ms: z.number().nullable(),
  startupP75Ms: z.number().nullable(),
  startupP95Ms: z.number().nullable(),
  /** Share of time that viewers waited, of waiting and watching together; percent. */
  rebufferPercent: z.number().nullable(),
  stalls: z.int(),
  watchedMs: z.number(),
  /** Weighed by time watched, kbit/s. */
  bitrateKbps: z.number().nullable(),
  /** Views that could not go on, and their share. */
  failedViews: z.int(),
  failedPercent: z.number().nullable(),
  /** 0 to 100; see `experienceScore`. Mean over the views. */
  score: z.number().nullable(),
})
export type Playback = z.infer<typeof Playback>

export const StreamPerformanceReport = z.object({
  intervalSeconds: z.int(),
  points: z.array(
    z.object({
      at: z.number(),
      views: z.int(),
      startupP50Ms: z.number().nullable(),
      rebufferPercent: z.number().nullable(),
      bitrateKbps: z.number().nullable(),
      failedPercent: z.number().nullable(),
    }),
  ),
  totals: Playback,
  by: StreamDimension,
  rows: z.array(Playback.extend({ value: z.string(), name: z.string().nullable() })),
  /** Errors that players told of, most frequent first. */
  errors: z.array(z.object({ error: z.string(), views: z.int(), times: z.int(), fatal: z.int() })),
})
export type StreamPerformanceReport = z.infer<typeof StreamPerformanceReport>

export const StreamUsageReport = z.object({
  intervalSeconds: z.int(),
  points: z.array(z.object({ at: z.number(), bytes: z.number(), watchedMs: z.number() })),
  /** Sent by the nodes for the organisation's videos in the range. */
  deliveredBytes: z.number(),
  deliveredRequests: z.number(),
  /** What viewers got from each other instead, as their players tell. */
  peerBytes: z.number(),
  /** As players tell. */
  watchedMs: z.number(),
  /** Kept now: the files as they were sent, and the length of what plays. */
  stored: z.object({ videos: z.int(), bytes: z.number(), seconds: z.number() }),
  /** Encoded in the range: length of the videos times the qualities made. */
  encoded: z.object({ videos: z.int(), seconds: z.number() }),
})
export type StreamUsageReport = z.infer<typeof StreamUsageReport>

/** A view as a list shows it. */
export const StreamView = z.object({
  view: z.string(),
  source: z.string(),
  name: z.string().nullable(),
  kind: z.enum(['asset', 'live']),
  beganAt: z.number(),
  endedAt: z.number(),
  country: z.string(),
  network: z.string(),
  device: z.string(),
  player: z.string(),
  watchedMs: z.number(),
  startupMs: z.number().nullable(),
  stalls: z.int(),
  stalledMs: z.number(),
  /** Of what failed last, when it could not go on. */
  error: z.string().nullable(),
  score: z.number().nullable(),
})
export type StreamView = z.infer<typeof StreamView>

export const StallCause = z.enum(['cdn', 'encoder', 'viewer', 'unknown'])
export type StallCause = z.infer<typeof StallCause>

/** Something in a view, as it happened: told by the player, or a segment as the edge answered it. */
export const ViewMoment = z.object({
  at: z.number(),
  kind: z.enum(['start', 'first', 'stall', 'resume', 'quality', 'error', 'beat', 'steer', 'end', 'segment']),
  positionMs: z.number().nullable(),
  ms: z.number().nullable(),
  bitrateKbps: z.number().nullable(),
  height: z.int().nullable(),
  cdn: z.string(),
  bufferMs: z.number().nullable(),
  throughputKbps: z.number().nullable(),
  error: z.string(),
  isFatal: z.boolean(),
  session: z.string(),
  /** Of a segment. */
  status: z.int().nullable(),
  cacheStatus: z.string(),
  bytes: z.number().nullable(),
  /** Of a stall: what it was likely of, and which facts say so. */
  cause: StallCause.nullable(),
  reasons: z.array(z.string()),
})
export type ViewMoment = z.infer<typeof ViewMoment>

/** Parts that a score is made of: points taken off 100, and why. */
export const ScoreParts = z.object({
  score: z.number().nullable(),
  startup: z.number(),
  stalls: z.number(),
  failed: z.number(),
})
export type ScoreParts = z.infer<typeof ScoreParts>

export const ViewTimeline = z.object({
  view: StreamView,
  score: ScoreParts,
  moments: z.array(ViewMoment),
  /** Segments are shown up to a number: those beside stalls and errors first. */
  segments: z.int(),
})
export type ViewTimeline = z.infer<typeof ViewTimeline>

const READ = { permission: 'ViewSite', planFeature: 'vsp.enable', errors: [503] } as const

/** Who watches an organisation's videos and live streams, how well it plays, and what it takes. */
export const streamAnalytics = feature('stream-analytics', {
  audience: get('/vsp/v2/analytics/audience/', { fromReplica: true, in: StreamRange, out: AudienceReport, ...READ }),
  concurrent: get('/vsp/v2/analytics/concurrent/', {
    fromReplica: true,
    in: z.object(Filters),
    out: ConcurrentViewers,
    ...READ,
  }),
  performance: get('/vsp/v2/analytics/performance/', {
    fromReplica: true,
    in: StreamRange.extend({ by: StreamDimension.default('cdn') }),
    out: StreamPerformanceReport,
    ...READ,
  }),
  usage: get('/vsp/v2/analytics/usage/', {
    fromReplica: true,
    in: StreamRange.pick({ seconds: true, until: true }),
    out: StreamUsageReport,
    ...READ,
  }),
  views: get('/vsp/v2/analytics/views/', {
    fromReplica: true,
    in: StreamRange.extend({ view: ViewId.optional(), only: z.enum(['stalled', 'failed']).optional() }),
    out: z.object({ data: z.array(StreamView), limit: z.int() }),
    ...READ,
  }),
  live: get('/vsp/v2/analytics/live/', {
    /** Posts of players since the collector started; another number says that there is something new. */
    out: z.object({ posts: z.int(), refused: z.int().default(0), lastAt: z.number().nullable() }),
    ...READ,
    errors: [],
    stream: 'events',
  }),
  timeline: get('/vsp/v2/analytics/views/{view}/', { fromReplica: true, out: ViewTimeline, ...READ }),
  /** Where the player of one video tells what happens, and the script that does. */
  tag: get('/vsp/v2/analytics/tag/{source}/', {
    out: z.object({ address: z.string(), script: z.string(), integrity: z.string() }),
    ...READ,
    errors: [],
  }),
})
