import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'

const EditScreen = lazyRouteComponent(() => import('./edit-screen.tsx'), 'EditMonitoringScreen')

export const privateDataRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dem/private-data',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'PrivateDataScreen'),
})
export const editPrivateDataRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dem/private-data/edit/$id',
  component: EditScreen,
})
/** A new one of a type, or one that is there. */
export const typedPrivateDataRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dem/private-data/$type/{-$id}',
  component: EditScreen,
})
