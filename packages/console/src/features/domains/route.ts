import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { DomainsSearch } from './search.ts'

export const domainsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/domains',
  validateSearch: DomainsSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'DomainsScreen'),
})
