import { DemPage } from '@fairway/contract'
import { z } from 'zod'
import { RangeSearch } from '../../ui/filters/range-search.ts'

export const DEM_TABS = ['performance', 'availability', 'decisions'] as const

export type DemTab = (typeof DEM_TABS)[number]

export const AnalyticsDemSearch = z.object({
  tab: z.enum(DEM_TABS).optional().catch(undefined),
  range: RangeSearch,
  /** ISO 3166-1 alpha-2. */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional()
    .catch(undefined),
  source: z.enum(['rum', 'sum']).optional().catch(undefined),
  live: z.boolean().optional().catch(undefined),
  compare: DemPage.shape.compare.catch(undefined),
})
export type AnalyticsDemSearch = z.infer<typeof AnalyticsDemSearch>
