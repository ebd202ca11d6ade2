import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
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

/** Screens of a site by addresses that name none: the choice of the site, which goes on to them. */
const siteless = <Path extends string>(path: Path, screen: string) =>
  createRoute({
    getParentRoute: () => shellRoute,
    path,
    beforeLoad: () => {
      throw redirect({ href: `/guide/${screen}`, replace: true })
    },
  })
export const allDnsRequestsRoute = siteless('/analytics/dns', 'dns/dns-request')
export const allPerformanceRoute = siteless('/analytics/dem', 'analytics/dem')
export const allStrategiesRoute = siteless('/dem/routing-strategies', 'dem/routing-strategies')
export const allRouteMapRoute = siteless('/dem/route-map', 'dem/route-map')
export const allDataFeedsRoute = siteless('/dem/data-feeds', 'dem/data-feeds')
