import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'

export const CdnManagementSearch = z.object({
  /** The install dialog is open. */
  install: z.boolean().optional().catch(undefined),
  sort: z.string().max(40).optional().catch(undefined),
})

export const cdnManagementRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'multi-cdn/cdn-management',
  validateSearch: CdnManagementSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'CdnManagementScreen'),
})
