import { SECURITY_ACTIONS, SECURITY_PARTS, SHIELD_DIMENSIONS } from '@fairway/contract/lean'
import { z } from 'zod'
import { RangeSearch } from '../../ui/filters/range-search.ts'

/** Tabs as the address names them. */
export const SHIELD_TABS = ['default', 'traffic', 'security', 'waf', 'threat-log'] as const
export type ShieldTab = (typeof SHIELD_TABS)[number]

export const ShieldSearch = z.object({
  range: RangeSearch,
  live: z.boolean().optional().catch(undefined),
  by: z.enum(SHIELD_DIMENSIONS).optional().catch(undefined),
  /** Narrow the page. */
  part: z.enum(SECURITY_PARTS).optional().catch(undefined),
  action: z.enum(SECURITY_ACTIONS).optional().catch(undefined),
  rule: z.string().max(64).optional().catch(undefined),
  country: z
    .string()
    .regex(/^([A-Z]{2})?$/)
    .optional()
    .catch(undefined),
  /** Of the threat log. */
  q: z.string().max(200).optional().catch(undefined),
  /** The incident that stands open. */
  incident: z.string().max(64).optional().catch(undefined),
})
export type ShieldSearch = z.infer<typeof ShieldSearch>
