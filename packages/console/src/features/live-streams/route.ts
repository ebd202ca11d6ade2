import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { SimulationSearch } from './search.ts'
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
  path: '/stream/live-streams/detail/$sid/{-$type}',
  component: lazyRouteComponent(() => import('./detail-screen.tsx'), 'LiveStreamScreen'),
})
export const simulationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/live-streams/simulation',
  validateSearch: SimulationSearch,
  component: lazyRouteComponent(() => import('./simulation-screen.tsx'), 'SimulationScreen'),
})
