import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { rootRoute } from '../../shell/layouts/layout-routes.tsx'

const PATH = '/redirect/third-party-marketplace'
const LandingSearch = z.object({ token: z.string().max(2000).optional().catch(undefined) })

export const marketplaceLandingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: PATH,
  validateSearch: LandingSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'MarketplaceLandingScreen'),
})

/** The address as it was once printed wrongly. */
export const misspeltLandingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/redirect/third-party-markeplace',
  validateSearch: LandingSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: PATH, search, replace: true })
  },
})
