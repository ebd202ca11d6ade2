import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { ListSearch } from '../operator/list-search.ts'

export const managedCdnKeysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/cdn-keys',
  validateSearch: ListSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'ManagedCdnKeysScreen'),
})
