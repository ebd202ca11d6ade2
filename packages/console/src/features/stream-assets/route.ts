import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { StreamAssetsSearch } from './search.ts'

export const streamAssetsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/assets',
  validateSearch: StreamAssetsSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'StreamAssetsScreen'),
})
export const streamAssetRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/assets/detail/$vid',
  component: lazyRouteComponent(() => import('./detail-screen.tsx'), 'StreamAssetScreen'),
})
