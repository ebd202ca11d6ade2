import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { rootRoute } from '../../shell/layouts/layout-routes.tsx'

const Amount = (most: number) => z.number().min(0).max(most).optional().catch(undefined)

/** What was entered is in the address, so that a reckoning can be sent to somebody. */
export const costReductionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mvp/cost-reduction',
  validateSearch: z.object({ tb: Amount(1_000_000), present: Amount(10), other: Amount(10), share: Amount(100) }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'CostReductionScreen'),
})
