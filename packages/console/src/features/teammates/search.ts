import { TEAMMATE_STATUSES } from '@fairway/contract/lean'
import { z } from 'zod'

export const TeammatesSearch = z.object({
  tab: z.literal('api').optional().catch(undefined),
  search: z.string().max(200).optional().catch(undefined),
  status: z.enum(TEAMMATE_STATUSES).optional().catch(undefined),
  sort: z.string().max(40).optional().catch(undefined),
  /** `invite`, or the id of the person whose roles are open. */
  open: z.string().max(40).optional().catch(undefined),
})
export type TeammatesSearch = z.infer<typeof TeammatesSearch>
