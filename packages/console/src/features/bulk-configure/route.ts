import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { BulkConfigureSearch } from './search.ts'

export const bulkConfigureRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/domains/bulk-configure',
  validateSearch: BulkConfigureSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'BulkConfigureScreen'),
})
