import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'

export const shieldAssetsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/origin-shield/assets',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'ShieldAssetsScreen'),
})
