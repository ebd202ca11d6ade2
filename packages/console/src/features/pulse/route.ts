import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute, shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { PulseSearch, SnippetSearch } from './search.ts'

const PulseScreen = lazyRouteComponent(() => import('./screen.tsx'), 'PulseScreen')
const AddCodeScreen = lazyRouteComponent(() => import('./add-code-screen.tsx'), 'AddCodeScreen')

export const pulseRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'dem/pulse',
  validateSearch: PulseSearch,
  component: PulseScreen,
})
export const addBeaconCodeRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'dem/pulse/add-beacon-code',
  validateSearch: SnippetSearch,
  component: AddCodeScreen,
})
/** The same without a site: a beacon is the organisation's. */
export const allPulseRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dem/pulse',
  validateSearch: PulseSearch,
  component: PulseScreen,
})
export const allAddBeaconCodeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dem/pulse/add-beacon-code',
  validateSearch: SnippetSearch,
  component: AddCodeScreen,
})
