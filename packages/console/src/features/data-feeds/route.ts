import { FeedName } from '@fairway/contract'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'

export const dataFeedsRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'dem/data-feeds',
  /** `without`: the feed that is switched off on trial; `outside`: the outside feed that is looked at. */
  validateSearch: z.object({
    without: FeedName.optional().catch(undefined),
    outside: z.uuid().optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'DataFeedsScreen'),
})
