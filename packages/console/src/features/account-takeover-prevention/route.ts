import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'
import { RangeSearch } from '../../ui/filters/range-search.ts'

const PATH = 'origin-shield/account-takeover-prevention'

export const accountTakeoverRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: PATH,
  validateSearch: z.object({
    tab: z.enum(['credential-stuffing']).optional().catch(undefined),
    /** Of the logins below the rules. */ range: RangeSearch,
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'AccountTakeoverScreen'),
})

export const addFailedLoginRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: `${PATH}/failed-login/add`,
  component: lazyRouteComponent(() => import('./editor-screens.tsx'), 'AddFailedLoginScreen'),
})
export const editFailedLoginRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: `${PATH}/failed-login/edit/$id`,
  component: lazyRouteComponent(() => import('./editor-screens.tsx'), 'EditFailedLoginScreen'),
})
export const addStuffingRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: `${PATH}/credential-stuffing/add`,
  component: lazyRouteComponent(() => import('./editor-screens.tsx'), 'AddStuffingScreen'),
})
export const editStuffingRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: `${PATH}/credential-stuffing/edit/$id`,
  component: lazyRouteComponent(() => import('./editor-screens.tsx'), 'EditStuffingScreen'),
})
