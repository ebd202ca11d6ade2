import { RecordType } from '@fairway/contract'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'
import { findNamed, sitesRead } from '../../shell/scope/scope.ts'
import { WhySearch } from '../why/why-search.ts'

/** State of the screen, kept in the address; what cannot be understood is as if it were not there. */
export const DnsRecordsSearch = WhySearch.extend({
  search: z.string().max(200).optional().catch(undefined),
  type: z.array(RecordType).optional().catch(undefined),
  multiCdn: z.enum(['on', 'off']).optional().catch(undefined),
  sort: z.string().max(40).optional().catch(undefined),
  /** The open drawer: a record's id, or `new`. */
  record: z.string().max(80).optional().catch(undefined),
  history: z.boolean().optional().catch(undefined),
})
export type DnsRecordsSearch = z.infer<typeof DnsRecordsSearch>

export const dnsRecordsRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'dns/dns-records',
  validateSearch: DnsRecordsSearch,
  // Asked for while the rest of the screen's program is still on its way; the screen waits for neither.
  loader: async ({ context: { queryClient }, params }) => {
    const { data } = await queryClient.ensureQueryData(sitesRead)
    const site = findNamed(data, params.site, ({ domainName }) => domainName)
    if (site)
      void import('./reads.ts').then(
        ({ prefetchRecords }) => prefetchRecords(queryClient, site),
        () => null,
      )
  },
  component: lazyRouteComponent(() => import('./list/screen.tsx'), 'DnsRecordsScreen'),
})
