import { z } from 'zod'

export const StreamAssetsSearch = z.object({
  tab: z.literal('balancer').optional().catch(undefined),
  search: z.string().max(200).optional().catch(undefined),
  /** Empty: those without one. */
  category: z.string().max(80).optional().catch(undefined),
})
export type StreamAssetsSearch = z.infer<typeof StreamAssetsSearch>
