import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'

export const whiteLabelRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/white-label',
  validateSearch: z.object({ partner: z.uuid().optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'WhiteLabelScreen'),
})
