import { z } from 'zod'
import { SteeringPolicy } from '../steering.ts'

/** What a pathway may be called in a playlist (RFC 8216bis 4.4.6.6). */
export const PathwayId = z.string().regex(/^[\w.-]{1,253}$/)

/** A way to the same files: its host, and its weight among the others. */
export const StreamPathway = z.object({
  id: PathwayId,
  host: z.string(),
  weight: z.int().min(1).max(100),
  /** We run it, and it answers at our port; left out by former versions. */
  isHouse: z.boolean().optional(),
})
export type StreamPathway = z.infer<typeof StreamPathway>

/**
 * A balancer that is on, for who writes the playlists and who answers players. `liveId` null: of the organisation's
 * assets. CDNs of the policy are called what their pathways are.
 */
export const StreamBalance = z.object({
  balancerId: z.uuid(),
  organizationId: z.string(),
  liveId: z.string().nullable(),
  version: z.int(),
  ttlSeconds: z.int().min(1),
  /** Those that are switched on, in the order of their entries. */
  pathways: z.array(StreamPathway).min(1),
  policy: SteeringPolicy,
  /** Addresses need a token: what is written before their path is each viewer's own, and only who checks it is named. */
  signed: z.boolean().optional(),
  /** Where the hosts answer by TLS, once the house has a certificate for its own; left out until then. */
  httpsPort: z.int().min(1).max(65_535).optional(),
})
export type StreamBalance = z.infer<typeof StreamBalance>
