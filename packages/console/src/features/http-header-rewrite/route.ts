import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'

export const httpHeaderRewriteRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/http-header-rewrite',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'HttpHeaderRewriteScreen'),
})

export const addHeaderRuleRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/http-header-rewrite/add',
  component: lazyRouteComponent(() => import('./editor-screen.tsx'), 'AddHeaderRuleScreen'),
})

export const editHeaderRuleRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/http-header-rewrite/edit/$id',
  component: lazyRouteComponent(() => import('./editor-screen.tsx'), 'EditHeaderRuleScreen'),
})
