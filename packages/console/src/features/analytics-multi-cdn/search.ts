import { CACHE_STATUSES, TRAFFIC_DIMENSIONS } from '@fairway/contract/lean'
import { z } from 'zod'
import { RangeSearch } from '../../ui/filters/range-search.ts'
import { MEASURES, METRICS, MOST_METRICS } from './metrics.ts'

export const TrafficSearch = z.object({
  range: RangeSearch,
  live: z.boolean().optional().catch(undefined),
  metrics: z.array(z.enum(METRICS)).min(1).max(MOST_METRICS).optional().catch(undefined),
  /** The window before is drawn too. */
  compare: z.boolean().optional().catch(undefined),
  by: z.enum(TRAFFIC_DIMENSIONS).optional().catch(undefined),
  measure: z.enum(MEASURES).optional().catch(undefined),
  /** Narrow the page. An empty CDN is the edge under its own name, an empty country one that is not known. */
  cdn: z.string().max(64).optional().catch(undefined),
  status: z.enum(['1', '2', '3', '4', '5']).optional().catch(undefined),
  cache: z.enum(CACHE_STATUSES).optional().catch(undefined),
  country: z
    .string()
    .regex(/^([A-Z]{2})?$/)
    .optional()
    .catch(undefined),
  /** Single requests are shown: of the point that begins at this second, of a path, or both. */
  at: z.number().int().optional().catch(undefined),
  path: z.string().max(512).optional().catch(undefined),
})
export type TrafficSearch = z.infer<typeof TrafficSearch>
