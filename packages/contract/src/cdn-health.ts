import { z } from 'zod'

/** What is known of a CDN's health; `conditionOf` of the domain makes one word of it. Nothing known is null, never 0. */
export const CdnHealth = z.object({
  /** Probes see it dead. */
  hardDown: z.boolean(),
  since: z.iso.datetime().nullable(),
  /** End of its last outage while measurements of then still count; null without one. */
  backSince: z.iso.datetime().nullable(),
  /** Measurements count for so long. */
  windowSeconds: z.int(),
  /** Percent of the samples that succeeded. */
  availability: z.number().nullable(),
  /** Below this percentage decisions avoid it: the highest that a strategy in use there sets. */
  threshold: z.number(),
  latencyMs: z.number().nullable(),
  samples: z.int(),
})
export type CdnHealth = z.infer<typeof CdnHealth>
