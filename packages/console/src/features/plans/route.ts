import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'

/** `plan` is the one whose prices are open. */
export const operatorPricingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/pricing',
  validateSearch: z.object({ plan: z.string().max(60).optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'PricingDataScreen'),
})
