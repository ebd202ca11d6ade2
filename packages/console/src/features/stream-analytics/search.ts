import { StreamDimension } from '@fairway/contract'
import { z } from 'zod'
import { RangeSearch } from '../../ui/filters/range-search.ts'

/** What the pages of stream analytics are narrowed to; it goes along from one to the next. */
export const StreamSearch = z.object({
  range: RangeSearch,
  kind: z.enum(['asset', 'live']).optional().catch(undefined),
  source: z.uuid().optional().catch(undefined),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional()
    .catch(undefined),
  cdn: z
    .string()
    .regex(/^[\w.-]{1,128}$/)
    .optional()
    .catch(undefined),
  by: StreamDimension.optional().catch(undefined),
  only: z.enum(['stalled', 'failed']).optional().catch(undefined),
  view: z.string().max(64).optional().catch(undefined),
})
export type StreamSearch = z.infer<typeof StreamSearch>

export type Change = (change: Partial<StreamSearch>) => void
