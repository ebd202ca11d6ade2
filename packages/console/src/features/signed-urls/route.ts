import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'

export const signedUrlsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/signed-urls',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'SignedUrlsScreen'),
})
