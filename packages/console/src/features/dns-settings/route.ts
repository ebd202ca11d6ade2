import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'

export const dnsSettingsRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'dns/settings',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'DnsSettingsScreen'),
})
