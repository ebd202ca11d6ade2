import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { EpochSeconds } from './formats/epoch-seconds.ts'
import { changed, del, feature, get, post, put } from './route.ts'

/** A time window: seconds back from now, or absolute. */
export const RangeQuery = z.object({
  seconds: z.coerce
    .number()
    .int()
    .min(60)
    .max(31 * 86_400)
    .default(86_400),
  /** Epoch seconds; the window ends here. Default now. */
  until: EpochSeconds.optional(),
  domain: z.string().optional(),
  country: z.string().length(2).optional(),
  source: z.enum(['rum', 'sum']).default('rum'),
})

export const SeriesPoint = z.object({ at: z.number(), value: z.number().nullable(), samples: z.int() })
export const CdnSeries = z.object({ cdnId: z.string(), points: z.array(SeriesPoint) })
/** Something that happened, drawn over charts: a failover band or a change. */
export const ChartMark = z.object({
  from: z.number(),
  to: z.number().nullable(),
  kind: z.enum(['failover', 'change']),
  label: z.string(),
  cdnId: z.string().nullable(),
  version: z.int().nullable(),
})
export type ChartMark = z.infer<typeof ChartMark>

export const DemReport = z.object({
  intervalSeconds: z.int(),
  /** p50, p75 or p95 of latency in ms by CDN over time. */
  latency: z.array(CdnSeries),
  availability: z.array(CdnSeries),
  totals: z.array(
    z.object({
      cdnId: z.string(),
      p50Ms: z.number().nullable(),
      p75Ms: z.number().nullable(),
      p95Ms: z.number().nullable(),
      availability: z.number().nullable(),
      samples: z.int(),
    }),
  ),
  countries: z.array(
    z.object({
      country: z.string(),
      cdnId: z.string(),
      p50Ms: z.number().nullable(),
      availability: z.number().nullable(),
      samples: z.int(),
    }),
  ),
  marks: z.array(ChartMark),
})
export type DemReport = z.infer<typeof DemReport>

export const DecisionsReport = z.object({
  intervalSeconds: z.int(),
  answers: z.array(CdnSeries),
  totals: z.array(z.object({ cdnId: z.string(), answers: z.int() })),
  countries: z.array(z.object({ country: z.string(), cdnId: z.string(), answers: z.int() })),
  marks: z.array(ChartMark),
})
export type DecisionsReport = z.infer<typeof DecisionsReport>

/** One line of a comparison: a CDN, or a CDN in one country, as `swiftlane` or `swiftlane@JP`. */
export const ComparedItem = z
  .string()
  .max(72)
  .regex(/^[\w.-]+(?:@[A-Z]{2})?$/)

/** Where the page stands, as its address says it; what is left out is as usual. */
export const DemPage = z.object({
  tab: z.enum(['performance', 'availability', 'decisions']).optional(),
  range: z
    .string()
    .regex(/^(?:\d{1,2}[mhd]|\d{9,11}-\d{9,11})$/)
    .optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  source: z.enum(['rum', 'sum']).optional(),
  live: z.boolean().optional(),
  compare: z.array(ComparedItem).min(1).max(LIMITS.demViews.compared).optional(),
})
export type DemPage = z.infer<typeof DemPage>

export const DemViewInput = z.object({
  name: z.string().trim().min(1, 'validation.required').max(60),
  page: DemPage,
})
/** A page that somebody keeps under a name, for themselves. */
export const DemView = DemViewInput.extend({ id: z.string(), createdAt: z.iso.datetime() })
export type DemView = z.infer<typeof DemView>

/** Whether somebody is sent the figures of each week by mail, and what became of the last one. */
export const WeeklyReport = z.object({
  on: z.boolean(),
  /** First day of the last week that was looked at. */
  week: z.iso.date().nullable(),
  /** Nothing was measured in it: no letter comes until something is. */
  silent: z.boolean(),
  sentAt: z.iso.datetime().nullable(),
})
export type WeeklyReport = z.infer<typeof WeeklyReport>

const own = { permission: 'ViewPerformancePolicy', personal: true } as const

export const analyticsDem = feature('analytics-dem', {
  performance: get('/analytics/v2/sites/{site}/dem/', {
    fromReplica: true,
    in: RangeQuery,
    out: DemReport,
    permission: 'ViewPerformancePolicy',
    errors: [503],
  }),
  decisions: get('/analytics/v2/sites/{site}/dem/decisions/', {
    fromReplica: true,
    in: RangeQuery,
    out: DecisionsReport,
    permission: 'ViewPerformancePolicy',
    errors: [503],
  }),
  weeklyReport: get('/analytics/v2/dem/weekly-report/', { ...own, out: WeeklyReport, errors: [] }),
  setWeeklyReport: put('/analytics/v2/dem/weekly-report/', {
    ...own,
    in: z.object({ on: z.boolean() }),
    out: WeeklyReport,
    errors: [],
    audit: null,
    changes: [],
    summary: 'Whether the caller is sent the figures of each week by mail, on Monday.',
  }),
  /** The caller's own, by name. */
  views: get('/analytics/v2/dem/views/', {
    ...own,
    out: z.object({ data: z.array(DemView), limit: z.int() }),
    errors: [],
  }),
  createView: post('/analytics/v2/dem/views/', {
    ...own,
    in: DemViewInput,
    out: changed(DemView),
    errors: [27060, 27061],
    audit: 'dem-view.create',
    changes: [],
  }),
  updateView: put('/analytics/v2/dem/views/{id}/', {
    ...own,
    in: DemViewInput,
    out: changed(DemView),
    errors: [27061],
    audit: 'dem-view.update',
    changes: [],
  }),
  removeView: del('/analytics/v2/dem/views/{id}/', {
    ...own,
    out: changed(z.object({ id: z.string() })),
    errors: [],
    audit: 'dem-view.remove',
    changes: [],
  }),
})
