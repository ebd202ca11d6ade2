import { DNS_REQUEST_DIMENSIONS } from '@fairway/contract/lean'
import { z } from 'zod'
import { RangeSearch } from '../../ui/filters/range-search.ts'

export const DnsRequestsSearch = z.object({
  by: z.enum(DNS_REQUEST_DIMENSIONS).optional().catch(undefined),
  range: RangeSearch,
  /** Narrow the page to one name, type or outcome. An empty name stands for names that do not exist. */
  name: z.string().max(1024).optional().catch(undefined),
  type: z.string().max(16).optional().catch(undefined),
  rcode: z.string().max(16).optional().catch(undefined),
  live: z.boolean().optional().catch(undefined),
})
export type DnsRequestsSearch = z.infer<typeof DnsRequestsSearch>
