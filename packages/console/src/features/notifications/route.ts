import { NOTIFICATION_LEVELS, NOTIFICATION_TYPES } from '@fairway/contract/lean'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'

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

export const informationCenterRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account/information-center',
  validateSearch: InformationSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'InformationCenter'),
})
