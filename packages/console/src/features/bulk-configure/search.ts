import { BULK_TABS } from '@fairway/contract/lean'
import { z } from 'zod'
import { DomainsSearch } from '../domains/search.ts'

export const BULK_STEPS = ['domains', 'settings', 'review'] as const

export const BulkConfigureSearch = DomainsSearch.extend({
  step: z.enum(BULK_STEPS).optional().catch(undefined),
  tab: z.enum(BULK_TABS).optional().catch(undefined),
  /** A job under way or done; the other steps belong to a new one. */
  job: z.uuid().optional().catch(undefined),
})
export type BulkConfigureSearch = z.infer<typeof BulkConfigureSearch>
