import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute, scopeRoute } from '../../shell/layouts/layout-routes.tsx'

const GuideScreen = lazyRouteComponent(() => import('./screen.tsx'), 'GuideScreen')

export const guideRoute = createRoute({ getParentRoute: () => shellRoute, path: '/guide', component: GuideScreen })
export const screenGuideRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/guide/$category/$childCategory',
  component: GuideScreen,
})
/** The same while a site is chosen: *site-domain-guide*. */
export const scopedGuideRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'guide/$category/$childCategory',
  component: GuideScreen,
})
