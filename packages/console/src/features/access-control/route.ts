import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'

export const accessControlRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/access-control',
  validateSearch: z.object({ list: z.enum(['whitelist', 'blacklist']).optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'AccessControlScreen'),
})
