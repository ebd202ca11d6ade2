import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { StreamSearch } from './search.ts'

export const streamAudienceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/analytics/audience',
  validateSearch: StreamSearch,
  component: lazyRouteComponent(() => import('./audience-screen.tsx'), 'StreamAudienceScreen'),
})
export const streamPerformanceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/analytics/performance',
  validateSearch: StreamSearch,
  component: lazyRouteComponent(() => import('./performance-screen.tsx'), 'StreamPerformanceScreen'),
})
export const streamUsageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/analytics/stream-usage',
  validateSearch: StreamSearch,
  component: lazyRouteComponent(() => import('./usage-screen.tsx'), 'StreamUsageScreen'),
})
export const streamViewsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/analytics/views',
  validateSearch: StreamSearch,
  component: lazyRouteComponent(() => import('./views-screen.tsx'), 'StreamViewsScreen'),
})
export const streamViewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/analytics/views/$view',
  component: lazyRouteComponent(() => import('./view-screen.tsx'), 'StreamViewScreen'),
})
