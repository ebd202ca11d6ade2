import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'

export const firewallRulesRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/firewall-rules',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'FirewallRulesScreen'),
})

export const addFirewallRuleRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/firewall-rules/add',
  component: lazyRouteComponent(() => import('./editor-screen.tsx'), 'AddFirewallRuleScreen'),
})

export const editFirewallRuleRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/firewall-rules/edit/$id',
  component: lazyRouteComponent(() => import('./editor-screen.tsx'), 'EditFirewallRuleScreen'),
})
