import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'

export const crsRulesRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/crs-rules',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'CrsRulesScreen'),
})
