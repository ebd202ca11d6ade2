import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'

export const originRulesRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/origin-rules',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'OriginRulesScreen'),
})

export const addOriginRuleRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/origin-rules/add',
  component: lazyRouteComponent(() => import('./editor-screen.tsx'), 'AddOriginRuleScreen'),
})

export const editOriginRuleRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/origin-rules/edit/$id',
  component: lazyRouteComponent(() => import('./editor-screen.tsx'), 'EditOriginRuleScreen'),
})
