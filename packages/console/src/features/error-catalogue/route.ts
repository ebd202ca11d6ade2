import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { rootRoute } from '../../shell/layouts/layout-routes.tsx'

export const errorCatalogueRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/docs/errors',
  validateSearch: z.object({ search: z.string().max(80).optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'ErrorCatalogueScreen'),
})
