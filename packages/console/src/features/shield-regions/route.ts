import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'

export const shieldRegionRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/region',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'ShieldRegionScreen'),
})
