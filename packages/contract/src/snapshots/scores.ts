import { z } from 'zod'

/** One source's figures for one CDN at one place, over the window. */
export const Measure = z.object({
  samples: z.int().min(0),
  /** Percent 0–100, unrounded. */
  availability: z.number().min(0).max(100),
  /** Smoothed median round-trip time in ms; null when no sample succeeded. */
  latencyMs: z.number().positive().nullable(),
  /** Newest sample, epoch ms. */
  newestAt: z.number(),
})
export type Measure = z.infer<typeof Measure>

export const CdnScores = z.object({
  /** Probes see it dead (2 of 3 nodes or checks); stays until they see it alive again. */
  hardDown: z.boolean(),
  hardDownSince: z.number().nullable(),
  /** Keyed by score key: a place key, or `<place key>|<network>`. */
  places: z.record(z.string(), z.object({ rum: Measure.optional(), sum: Measure.optional() })),
})
export type CdnScores = z.infer<typeof CdnScores>

/** Measurements of one organisation's CDNs; the only measured input of a decision. */
export const ScoresSnapshot = z.object({
  organizationId: z.string(),
  serial: z.int(),
  builtAt: z.number(),
  /** Measures whose newest sample is older than this are too old. */
  lifetimeSeconds: z.number().positive(),
  cdns: z.record(z.string(), CdnScores),
})
export type ScoresSnapshot = z.infer<typeof ScoresSnapshot>
