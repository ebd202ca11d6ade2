import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'
import { WhySearch } from '../why/why-search.ts'

export const routingStrategiesRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'dem/routing-strategies',
  validateSearch: WhySearch.extend({ tab: z.enum(['strategies', 'vsr']).optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./list/screen.tsx'), 'RoutingStrategiesScreen'),
})

export const addStrategyRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'dem/routing-strategies/add',
  component: lazyRouteComponent(() => import('./editor/editor-screen.tsx'), 'AddStrategyScreen'),
})

export const editStrategyRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'dem/routing-strategies/edit/$id',
  component: lazyRouteComponent(() => import('./editor/editor-screen.tsx'), 'EditStrategyScreen'),
})
