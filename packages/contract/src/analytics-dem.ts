import { z } from 'zod'
import { feature, get } from './route.ts'

/** A time window: seconds back from now, or absolute. */
export const RangeQuery = z.object({
  seconds: z.coerce
    .number()
    .int()
    .min(60)
    .max(31 * 86_400)
    .default(86_400),
  /** Epoch seconds; the window ends here. Default now. */
  until: z.coerce.number().int().optional(),
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

export const analyticsDem = feature('analytics-dem', {
  performance: get('/analytics/v2/sites/{site}/dem/', {
    in: RangeQuery,
    out: DemReport,
    permission: 'ViewPerformancePolicy',
    errors: [503],
  }),
  decisions: get('/analytics/v2/sites/{site}/dem/decisions/', {
    in: RangeQuery,
    out: DecisionsReport,
    permission: 'ViewPerformancePolicy',
    errors: [503],
  }),
})
