import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { ListSearch } from '../operator/list-search.ts'

export const organizationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/organizations',
  validateSearch: ListSearch.extend({
    plan: z.string().optional().catch(undefined),
    partner: z.uuid().optional().catch(undefined),
    state: z.enum(['active', 'payment_failed', 'locked', 'suspended']).optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'OrganizationsScreen'),
})

export const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/users',
  validateSearch: ListSearch.extend({
    role: z.enum(['operator', 'partner']).optional().catch(undefined),
    organization: z.uuid().optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('./users-screen.tsx'), 'UsersScreen'),
})
