import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute } from '../../shell/layouts/layout-routes.tsx'
import { AddPurgeSearch, CacheSearch } from './search.ts'

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
  validateSearch: AddPurgeSearch,
  component: lazyRouteComponent(() => import('./purge-add-screen.tsx'), 'AddPurgeScreen'),
})
