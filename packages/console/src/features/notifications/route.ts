import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { InformationSearch } from './search.ts'

export const informationCenterRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account/information-center',
  validateSearch: InformationSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'InformationCenter'),
})
