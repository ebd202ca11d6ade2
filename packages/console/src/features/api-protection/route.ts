import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'

export const apiProtectionRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/api-protection',
  validateSearch: z.object({
    tab: z.enum(['endpoints']).optional().catch(undefined),
    /** The endpoint that is shown. */ endpoint: z.uuid().optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'ApiProtectionScreen'),
})

export const createApiRuleRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/api-protection/create',
  validateSearch: z.object({
    step: z.enum(['token', 'script']).optional().catch(undefined),
    /** Made in the step before. */ rule: z.string().optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('./create-screen.tsx'), 'CreateApiRuleScreen'),
})

export const apiRuleRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/api-protection/detail/$id',
  component: lazyRouteComponent(() => import('./detail-screen.tsx'), 'ApiRuleScreen'),
})

export const editApiRuleRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'origin-shield/api-protection/edit/$id',
  component: lazyRouteComponent(() => import('./edit-screen.tsx'), 'EditApiRuleScreen'),
})
