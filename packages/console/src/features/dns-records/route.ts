import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'
import { siteNamed } from '../../shell/scope/scope.ts'
import { DnsRecordsSearch } from './search.ts'

export const dnsRecordsRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'dns/dns-records',
  validateSearch: DnsRecordsSearch,
  // Asked for while the rest of the screen's program is still on its way; the screen waits for neither.
  loader: async ({ context: { queryClient }, params }) => {
    const site = await siteNamed(queryClient, params.site)
    if (site)
      void import('./reads.ts').then(
        ({ prefetchRecords }) => prefetchRecords(queryClient, site),
        () => null,
      )
  },
  component: lazyRouteComponent(() => import('./list/screen.tsx'), 'DnsRecordsScreen'),
})
