import { z } from 'zod'

const Chosen = z.array(z.string().max(253)).optional().catch(undefined)

export const DomainsSearch = z.object({
  search: z.string().max(200).optional().catch(undefined),
  sort: z.string().max(40).optional().catch(undefined),
  status: Chosen,
  site: Chosen,
  cdn: Chosen,
  tag: Chosen,
})
export type DomainsSearch = z.infer<typeof DomainsSearch>
