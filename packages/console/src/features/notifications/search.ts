import { NOTIFICATION_LEVELS, NOTIFICATION_TYPES } from '@fairway/contract/lean'
import { z } from 'zod'

export const INFORMATION_TABS = ['notifications', 'preferences', 'webhooks'] as const

export const InformationSearch = z.object({
  tab: z.enum(INFORMATION_TABS).optional().catch(undefined),
  type: z.enum(NOTIFICATION_TYPES).optional().catch(undefined),
  level: z.enum(NOTIFICATION_LEVELS).optional().catch(undefined),
  state: z.enum(['unread', 'read', 'open']).optional().catch(undefined),
  page: z.int().min(2).max(10_000).optional().catch(undefined),
  /** The open drawer: a webhook's id, or `new`. */
  webhook: z.string().max(80).optional().catch(undefined),
})
export type InformationSearch = z.infer<typeof InformationSearch>
