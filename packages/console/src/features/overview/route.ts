import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'
import { WhySearch } from '../why/why-search.ts'

export const overviewRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'home',
  validateSearch: WhySearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'OverviewScreen'),
})
