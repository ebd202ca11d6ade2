import { z } from 'zod'
import { LIMITS } from '../limits.ts'

/** The outside feeds of an organisation, for the collector: who may post, and how much it counts. */
export const OutsideFeedKeys = z.object({
  organizationId: z.string(),
  version: z.int(),
  /** CDNs that are installed on a domain; others may not be spoken of. */
  cdnIds: z.array(z.string()),
  feeds: z
    .array(
      z.object({
        id: z.string(),
        name: z.string().max(60),
        enabled: z.boolean(),
        weightPercent: z.int().min(0).max(100),
        /** Sealed for the nodes. `until`: epoch ms when an old key ends. */
        keys: z.array(z.object({ sealed: z.string(), until: z.number().nullable() })).max(2),
      }),
    )
    .max(LIMITS.outsideFeeds.perOrganization),
})
export type OutsideFeedKeys = z.infer<typeof OutsideFeedKeys>
