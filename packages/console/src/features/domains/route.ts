import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'

const Chosen = z.array(z.string().max(253)).optional().catch(undefined)

export const DomainsSearch = z.object({
  search: z.string().max(200).optional().catch(undefined),
  sort: z.string().max(40).optional().catch(undefined),
  status: Chosen,
  site: Chosen,
  cdn: Chosen,
  tag: Chosen,
})
export type DomainsSearch = z.infer<typeof DomainsSearch>

export const domainsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/domains',
  validateSearch: DomainsSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'DomainsScreen'),
})
