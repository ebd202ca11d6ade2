import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute, shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { PagesSearch } from './search.ts'

export const customPagesRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'multi-cdn/custom-page',
  validateSearch: PagesSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'SitePagesScreen'),
})

export const allCustomPagesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/multi-cdn/custom-page',
  validateSearch: PagesSearch.pick({ search: true, sort: true }),
  component: lazyRouteComponent(() => import('./all-screen.tsx'), 'AllPagesScreen'),
})
