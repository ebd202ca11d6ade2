import { z } from 'zod'

/** What every list of the operator area keeps in the address. */
export const ListSearch = z.object({
  search: z.string().max(200).optional().catch(undefined),
  sort: z.string().optional().catch(undefined),
  /** The row that is open beside the list. */
  open: z.string().optional().catch(undefined),
})

/** Most rows that are fetched at once; who looks for one of more searches for it. */
export const LIST_SIZE = 500
