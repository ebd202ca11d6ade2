import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { TeammatesSearch } from './search.ts'

export const teammatesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account/teammate',
  validateSearch: TeammatesSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'TeammatesScreen'),
})
