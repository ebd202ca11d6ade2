import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'
import { AnalyticsDemSearch } from './search.ts'

export const analyticsDemRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'analytics/dem',
  validateSearch: AnalyticsDemSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'AnalyticsDemScreen'),
})
