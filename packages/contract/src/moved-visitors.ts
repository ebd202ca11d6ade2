import { z } from 'zod'
import { Share } from './steering.ts'

/** Visitors of one country and network who are sent alike, by how many of the last day's sampled questions were theirs. */
export const MovedGroup = z.object({
  country: z.string().length(2).nullable(),
  network: z.string().nullable(),
  samples: z.int(),
  /** Where they are sent now, and where they would be; empty where no CDN is enabled. */
  before: z.array(Share),
  after: z.array(Share),
})

/** Whom a change of a domain's steering would move. */
export const MovedVisitors = z.object({
  /** Sampled questions for this domain in the last day. */
  samples: z.int(),
  /** Of these, asked by the clients that were decided for: those who ask most. */
  looked: z.int(),
  /** Of these, by visitors who would get another CDN, or other shares. */
  moved: z.int(),
  /** Who would be moved, most first; the smallest groups are left out. */
  groups: z.array(MovedGroup),
})
export type MovedVisitors = z.infer<typeof MovedVisitors>
