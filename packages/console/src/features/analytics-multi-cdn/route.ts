import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute, shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { TrafficSearch } from './search.ts'

export const analyticsMultiCdnRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'analytics/multi-cdn',
  validateSearch: TrafficSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'SiteTrafficScreen'),
})

export const allTrafficRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/analytics/multi-cdn',
  validateSearch: TrafficSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'AllTrafficScreen'),
})
