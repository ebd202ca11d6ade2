import { z } from 'zod'

/** A video or live stream whose viewers may pass segments to each other, for who introduces them. */
export const StreamPeersDocument = z.object({
  sourceId: z.uuid(),
  organizationId: z.string(),
  kind: z.enum(['asset', 'live']),
  version: z.int(),
  controlPercent: z.int().min(1).max(50),
})
export type StreamPeersDocument = z.infer<typeof StreamPeersDocument>
