import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'

export const CACHE_TABS = ['default', 'no-cache', 'purge', 'tiered-cache'] as const
export type CacheTab = (typeof CACHE_TABS)[number]

const CacheSearch = z.object({
  search: z.string().max(200).optional().catch(undefined),
  /** The drawer with the form for a new rule is open. */
  add: z.boolean().optional().catch(undefined),
  /** The purge whose receipts are shown. */
  purge: z.string().max(40).optional().catch(undefined),
})

const Screen = lazyRouteComponent(() => import('./screen.tsx'), 'CacheControlScreen')

/** `multi-cdn/cache-control`, with the tab behind it; without one it is the rules. */
export const cacheControlRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'multi-cdn/cache-control/{-$tab}',
  validateSearch: CacheSearch,
  component: Screen,
})

export const addPurgeRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'multi-cdn/cache-control/purge/add',
  component: lazyRouteComponent(() => import('./purge-add-screen.tsx'), 'AddPurgeScreen'),
})
