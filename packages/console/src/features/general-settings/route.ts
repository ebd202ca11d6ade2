import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'

export const generalSettingsRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'general-settings',
  component: lazyRouteComponent(() => import('./settings-screen.tsx'), 'GeneralSettingsScreen'),
})

export const originProtocolRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-protocol',
  component: lazyRouteComponent(() => import('./origin-screen.tsx'), 'OriginProtocolScreen'),
})
