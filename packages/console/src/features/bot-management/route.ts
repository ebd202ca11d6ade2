import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'

export const botManagementRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/bot-management',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'BotManagementScreen'),
})
