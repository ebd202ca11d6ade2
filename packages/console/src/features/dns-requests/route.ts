import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'
import { DnsRequestsSearch } from './search.ts'

export const dnsRequestsRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'dns/dns-request',
  validateSearch: DnsRequestsSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'DnsRequestsScreen'),
})

/** The same figures under the heading of analytics. */
export const analyticsDnsRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'analytics/dns',
  beforeLoad: ({ location }) => {
    throw redirect({
      href: `${location.pathname.replace(/\/analytics\/dns\/?$/, '/dns/dns-request')}${location.searchStr}`,
      replace: true,
    })
  },
})
