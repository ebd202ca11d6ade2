import { TEAMMATE_STATUSES } from '@fairway/contract/lean'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'

export const TeammatesSearch = z.object({
  tab: z.literal('api').optional().catch(undefined),
  search: z.string().max(200).optional().catch(undefined),
  status: z.enum(TEAMMATE_STATUSES).optional().catch(undefined),
  sort: z.string().max(40).optional().catch(undefined),
  /** `invite`, or the id of the person whose roles are open. */
  open: z.string().max(40).optional().catch(undefined),
})
export type TeammatesSearch = z.infer<typeof TeammatesSearch>

export const teammatesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account/teammate',
  validateSearch: TeammatesSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'TeammatesScreen'),
})
