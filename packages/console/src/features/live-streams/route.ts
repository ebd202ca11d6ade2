import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'

export const liveStreamsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/live-streams',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'LiveStreamsScreen'),
})
export const createLiveStreamRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/live-streams/create',
  component: lazyRouteComponent(() => import('./create-screen.tsx'), 'CreateLiveStreamScreen'),
})
export const liveStreamRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/live-streams/detail/$sid',
  component: lazyRouteComponent(() => import('./detail-screen.tsx'), 'LiveStreamScreen'),
})
