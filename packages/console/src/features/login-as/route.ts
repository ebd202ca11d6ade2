import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/layouts/layout-routes.tsx'

/** `/loginas/{customer}/{organization}/{token}`: the token alone counts, the rest is for people to read. */
export const loginAsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/loginas/{-$customerId}/{-$organizationId}/{-$jwtToken}',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'LoginAsScreen'),
})
