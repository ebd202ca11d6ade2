import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'

export const addVsrRuleRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'dem/routing-strategies/vsrRule/add',
  component: lazyRouteComponent(() => import('./editor-screen.tsx'), 'AddVsrRuleScreen'),
})

export const editVsrRuleRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'dem/routing-strategies/vsrRule/edit/$id',
  component: lazyRouteComponent(() => import('./editor-screen.tsx'), 'EditVsrRuleScreen'),
})
