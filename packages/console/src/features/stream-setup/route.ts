import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute, shellRoute } from '../../shell/layouts/layout-routes.tsx'

const setup = () => import('./setup-screen.tsx')
const addCdn = () => import('./add-cdn-screen.tsx')

// Videos belong to the organisation; the same screens stand below a site or a domain, too.

export const streamSetupRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/setup',
  component: lazyRouteComponent(setup, 'SetupScreen'),
})
export const assetsSetupRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/assets/{-$sid}/setup',
  component: lazyRouteComponent(setup, 'AssetsSetupScreen'),
})
export const liveSetupRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/live-streams/{-$sid}/setup',
  component: lazyRouteComponent(setup, 'LiveSetupScreen'),
})
export const streamAddCdnRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/add-cdn',
  component: lazyRouteComponent(addCdn, 'AddCdnScreen'),
})
export const assetsAddCdnRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/assets/{-$sid}/add-cdn',
  component: lazyRouteComponent(addCdn, 'AssetsAddCdnScreen'),
})
export const liveAddCdnRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/stream/live-streams/{-$sid}/add-cdn',
  component: lazyRouteComponent(addCdn, 'AddCdnScreen'),
})

export const scopedStreamSetupRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'stream/setup',
  component: lazyRouteComponent(setup, 'SetupScreen'),
})
export const scopedAssetsSetupRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'stream/assets/{-$sid}/setup',
  component: lazyRouteComponent(setup, 'AssetsSetupScreen'),
})
export const scopedLiveSetupRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'stream/live-streams/{-$sid}/setup',
  component: lazyRouteComponent(setup, 'LiveSetupScreen'),
})
export const scopedStreamAddCdnRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'stream/add-cdn',
  component: lazyRouteComponent(addCdn, 'AddCdnScreen'),
})
export const scopedAssetsAddCdnRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'stream/assets/{-$sid}/add-cdn',
  component: lazyRouteComponent(addCdn, 'AssetsAddCdnScreen'),
})
export const scopedLiveAddCdnRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'stream/live-streams/{-$sid}/add-cdn',
  component: lazyRouteComponent(addCdn, 'AddCdnScreen'),
})
