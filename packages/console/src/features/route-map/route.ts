import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'
import { WhySearch } from '../why/why-search.ts'
import { SINCE_HOURS } from './since.ts'

export const routeMapRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'dem/route-map',
  validateSearch: WhySearch.extend({
    since: z.enum(SINCE_HOURS).optional().catch(undefined),
    address: z.string().max(64).optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'RouteMapScreen'),
})
