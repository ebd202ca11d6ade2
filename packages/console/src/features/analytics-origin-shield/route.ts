import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'
import { ShieldSearch } from './search.ts'

export const analyticsOriginShieldRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'analytics/origin-shield/{-$tab}',
  validateSearch: ShieldSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'AnalyticsOriginShieldScreen'),
})
