import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { ListSearch } from '../operator/list-search.ts'

export const partnersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/partners',
  validateSearch: ListSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'PartnersScreen'),
})

export const partnerRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/partners/$partner',
  component: lazyRouteComponent(() => import('./partner-screen.tsx'), 'PartnerScreen'),
})
