import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'

export const attackTrialRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/attack-trial',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'AttackTrialScreen'),
})
