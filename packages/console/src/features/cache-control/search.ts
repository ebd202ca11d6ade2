import { z } from 'zod'

export const CACHE_TABS = ['default', 'no-cache', 'purge', 'tiered-cache'] as const

export type CacheTab = (typeof CACHE_TABS)[number]

/** What to purge, as the palette was given it. */
export const AddPurgeSearch = z.object({ path: z.string().max(2048).optional().catch(undefined) })

export const CacheSearch = z.object({
  search: z.string().max(200).optional().catch(undefined),
  /** The drawer with the form for a new rule is open. */
  add: z.boolean().optional().catch(undefined),
  /** The purge whose receipts are shown. */
  purge: z.string().max(40).optional().catch(undefined),
})
